/** urdf-loader's own verdict on a model, to compare ours with. */
import { readFileSync } from 'node:fs';
import { DOMParser } from 'linkedom';
import type { Matrix4, Object3D } from 'three';
import URDFLoader from 'urdf-loader';
import { rotate } from '../../../src/core/pose-math.js';
import type { Pose } from '../../../src/core/scene.js';

/** World matrix of every link, with these joint positions set. */
export function loaderPoses(path: string, values: Readonly<Record<string, number>> = {}): Map<string, Matrix4> {
  const loader = new URDFLoader();
  loader.parseVisual = false;
  loader.parseCollision = false;
  // It asks for these names at every call.
  const given = globalThis as unknown as Record<string, unknown>;
  Object.assign(given, { Document: class {}, Element: class {}, DOMParser });
  try {
    const robot = loader.parse(readFileSync(path, 'utf8'));
    // Its limits clamp, ours do not.
    for (const joint of Object.values(robot.joints) as { ignoreLimits: boolean }[]) joint.ignoreLimits = true;
    for (const [name, value] of Object.entries(values)) robot.setJointValue(name, value);
    robot.updateMatrixWorld(true);
    return new Map(Object.entries(robot.links as Record<string, Object3D>).map(([name, link]) => [name, link.matrixWorld]));
  } finally {
    for (const name of ['Document', 'Element', 'DOMParser']) delete given[name];
  }
}

/** Largest difference between a pose and a matrix, over the images of the origin and of three unit vectors. */
export function difference({ position, quaternion }: Pose, { elements }: Matrix4): number {
  const columns = [rotate(quaternion, [1, 0, 0]), rotate(quaternion, [0, 1, 0]), rotate(quaternion, [0, 0, 1]), position];
  return Math.max(...columns.flatMap((column, c) => column.map((x, k) => Math.abs(x - elements[4 * c + k]!))));
}
