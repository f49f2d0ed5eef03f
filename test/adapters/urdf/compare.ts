/** Our scene of a URDF against MuJoCo's. */
import { angleBetween, compose } from '../../../src/adapters/conventions.js';
import type { Geom, Pose, Scene, Shape } from '../../../src/core/scene.js';
import { allowedPairs } from '../mjcf/engine.js';

export function worldPose({ bodies }: Scene, { bodyId, X_BG }: Geom): Pose {
  return compose(bodies[bodyId]!.X_WB, X_BG);
}

/** Corners of the box about a geom in the world; of meshes that of their vertices, which alone is the same in both. */
function worldBox(scene: Scene, geom: Geom): number[] | undefined {
  if (geom.shape.type !== 'convex') return undefined;
  const pose = worldPose(scene, geom);
  const { vertices } = geom.shape.mesh;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i += 3) {
    const p = compose(pose, { position: [vertices[i]!, vertices[i + 1]!, vertices[i + 2]!], quaternion: [1, 0, 0, 0] }).position;
    for (let k = 0; k < 3; k++) [low[k], high[k]] = [Math.min(low[k]!, p[k]!), Math.max(high[k]!, p[k]!)];
  }
  return [...low, ...high];
}

const sizeOf = (shape: Shape) => JSON.stringify(shape.type === 'convex' ? 'convex' : shape);

/** What differs, in words; nothing if the geoms are the same, in the same order, at the same places. */
export function geomDifferences(ours: Scene, theirs: Scene): string[] {
  if (ours.geoms.length !== theirs.geoms.length) return [`${ours.geoms.length} geoms against ${theirs.geoms.length}`];
  return ours.geoms.flatMap((geom, g) => {
    const other = theirs.geoms[g]!;
    if (sizeOf(geom.shape) !== sizeOf(other.shape)) return [`${geom.name}: ${sizeOf(geom.shape)} against ${sizeOf(other.shape)}`];
    const [box, otherBox] = [worldBox(ours, geom), worldBox(theirs, other)];
    if (box !== undefined && otherBox !== undefined) {
      // Vertices are float32 in MuJoCo, and turned to the axes of inertia.
      const size = Math.max(...box.map(Math.abs));
      return box.every((x, i) => Math.abs(x - otherBox[i]!) < 1e-5 * size) ? [] : [`${geom.name}: ${box} against ${otherBox}`];
    }
    const [a, b] = [worldPose(ours, geom), worldPose(theirs, other)];
    const far = Math.max(Math.hypot(...a.position.map((x, k) => x - b.position[k]!)), angleBetween(a.quaternion, b.quaternion));
    return far < 1e-7 ? [] : [`${geom.name}: off by ${far}`];
  });
}

/** Pairs that MuJoCo tests and we do not, or the reverse, as names. Of the world's own children MuJoCo tests all against the world. */
export function pairDifferences(ours: Scene, theirs: Scene): string[] {
  const [our, their] = [allowedPairs(ours), allowedPairs(theirs)];
  // The root, body 0, and all held by it are static in MuJoCo, which lets what hangs on the world collide with it.
  const isWorld = (g: number) => ours.bodies[ours.geoms[g]!.bodyId]!.weldedTo === 0;
  const neighbours = new Set((ours.filter.neighbours ?? []).map(([a, b]) => `${Math.min(a, b)},${Math.max(a, b)}`));
  const known = (key: string) => {
    const [a, b] = key.split(',').map(Number) as [number, number];
    const bodies = [ours.geoms[a]!.bodyId, ours.geoms[b]!.bodyId].sort((x, y) => x - y).join();
    return isWorld(a) !== isWorld(b) && neighbours.has(bodies);
  };
  const name = (key: string) =>
    key
      .split(',')
      .map((g) => ours.geoms[Number(g)]!.name)
      .join('-');
  return [
    ...[...their].filter((key) => !our.has(key) && !known(key)).map((key) => `only MuJoCo: ${name(key)}`),
    ...[...our].filter((key) => !their.has(key)).map((key) => `only we: ${name(key)}`),
  ];
}
