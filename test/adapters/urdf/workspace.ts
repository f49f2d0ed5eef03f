/** Copies of the URDF fixtures to read from and write to. */
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { angleBetween } from '../../../src/adapters/conventions.js';
import { type FileWriteResult, type UrdfReadOptions, type UrdfSource, urdf } from '../../../src/adapters/urdf/index.js';
import type { Result } from '../../../src/core/result.js';
import type { Scene } from '../../../src/core/scene.js';
import { type Change, resultOf, Workspace } from '../mjcf/workspace.js';

export { type Change, QUARTER_X, resultOf, Workspace } from '../mjcf/workspace.js';

export const FIXTURES = fileURLToPath(new URL('../../fixtures/urdf', import.meta.url));

/** A temporary folder with all URDF fixtures. */
export function withFixtures(): Workspace {
  const workspace = new Workspace();
  cpSync(FIXTURES, workspace.root, { recursive: true });
  return workspace;
}

export function fixture(name: string): string {
  return `${FIXTURES}/${name}`;
}

export interface Repaired {
  readonly scene: Scene;
  readonly source: UrdfSource;
  readonly result: Result;
  readonly output: FileWriteResult;
}

/** Read, move bodies as told, write; in place unless another output is named. */
export async function repair(
  workspace: Workspace,
  input: string,
  changes: Readonly<Record<string, Change>>,
  { output = input, ...options }: UrdfReadOptions & { output?: string } = {},
): Promise<Repaired> {
  const { scene, source } = await urdf.read(workspace.path(input), options);
  const result = resultOf(scene, changes);
  const target = { path: workspace.path(output), inPlace: output === input };
  return { scene, source, result, output: await urdf.write(source, result, target) };
}

/** Read the file again, and compare every body with the result. */
export async function expectPoses(path: string, { scene, result }: Repaired, options: UrdfReadOptions = {}): Promise<void> {
  const again = await urdf.read(path, options);
  expect(again.scene.bodies.map(({ name, mobility }) => [name, mobility])).toEqual(
    scene.bodies.map(({ name, mobility }) => [name, mobility]),
  );
  again.scene.bodies.forEach(({ name, X_WB }, i) => {
    const wanted = result.poses[i]!;
    const distance = Math.hypot(...X_WB.position.map((x, k) => x - wanted.position[k]!));
    expect([name, distance < 1e-12, angleBetween(X_WB.quaternion, wanted.quaternion) < 1e-12]).toEqual([name, true, true]);
  });
}
