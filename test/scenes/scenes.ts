/** Scenes used by several tests. Lengths [m]. */
import type { Scene, Shape, Vec3 } from '../../src/core/scene.js';
import { type BodySpec, box, buildScene, ground, sphere } from './build.js';
import { boxMesh, icosphereMesh, lShapeMesh, tetrahedronMesh, torusMesh } from './meshes.js';
import { between, randomPoint, randomQuat, randomSource } from './random.js';

/** Two unit spheres on the x axis whose centres are `distance` apart. */
export function twoSpheres(distance = 0.5): Scene {
  return buildScene([
    { name: 'left', geoms: [sphere()] },
    { name: 'right', at: [distance, 0, 0], geoms: [sphere()] },
  ]);
}

/** A cube of 0.1 m edges that reaches `depth` below the ground, turned so that one corner points down if `onCorner`. */
export function cubeInGround(depth: number, onCorner = false): Scene {
  const half = 0.05;
  // A turn about (1, -1, 0) by acos(1/sqrt 3) takes the corner (-1, -1, -1) to -z.
  const angle = onCorner ? Math.acos(1 / Math.sqrt(3)) : 0;
  const s = Math.sin(angle / 2) / Math.sqrt(2);
  const reach = onCorner ? half * Math.sqrt(3) : half;
  return buildScene([
    ground(),
    { name: 'cube', at: [0.2, -0.1, reach - depth], quaternion: [Math.cos(angle / 2), -s, s, 0], geoms: [box(half)] },
  ]);
}

/** Cubes of 0.1 m edges on a grid with gaps of 0.05 m; neighbours listed in `overlapping` are pushed 0.06 m along x. */
export function cubeGrid(count: number, overlapping: readonly number[] = []): Scene {
  const columns = Math.ceil(Math.sqrt(count));
  const bodies = Array.from({ length: count }, (_, i): BodySpec => {
    const shift = overlapping.includes(i) ? 0.06 : 0;
    return { at: [0.15 * (i % columns) + shift, 0.15 * Math.floor(i / columns), 0.05], geoms: [box(0.05)] };
  });
  return buildScene(bodies);
}

/** Balls of 0.05 m radius thrown into a cube so small that many overlap, over a ground. */
export function pile(count: number, seed = 1): Scene {
  const random = randomSource(seed);
  const half = 0.05 * Math.cbrt(count);
  const balls = Array.from({ length: count }, (): BodySpec => {
    const [x, y, z] = randomPoint(random, half);
    return { at: [x, y, z + half + 0.05], geoms: [sphere(0.05)] };
  });
  return buildScene([ground(), ...balls]);
}

/** A kind of every movable shape, about 0.1 m across. */
export function assortedShapes(): Shape[] {
  return [
    sphere(0.05),
    box(0.05, 0.03, 0.04),
    { type: 'capsule', radius: 0.03, halfLength: 0.03 },
    { type: 'cylinder', radius: 0.04, halfLength: 0.04 },
    { type: 'cone', radius: 0.05, halfLength: 0.05 },
    { type: 'ellipsoid', radii: [0.05, 0.04, 0.03] },
    { type: 'convex', mesh: tetrahedronMesh(0.06) },
    { type: 'convex', mesh: boxMesh([0.04, 0.05, 0.03]) },
    { type: 'mesh', mesh: icosphereMesh(0.05, 2) },
    { type: 'mesh', mesh: torusMesh(0.05, 0.015) },
    { type: 'mesh', mesh: lShapeMesh(0.05) },
  ];
}

/**
 * `count` bodies of random shape and orientation in a cube of half edge `half` [m].
 * @param density about 1 makes most bodies overlap something
 */
export function randomScene(seed: number, count: number, density = 0.5, shapes: readonly Shape[] = assortedShapes()): Scene {
  const random = randomSource(seed);
  const half = 0.06 * Math.cbrt(count / density);
  return buildScene(
    Array.from({ length: count }, (): BodySpec => {
      const at: Vec3 = randomPoint(random, half);
      return { at, quaternion: randomQuat(random), geoms: [shapes[Math.floor(between(random, 0, shapes.length))] as Shape] };
    }),
  );
}
