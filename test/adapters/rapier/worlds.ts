/** Worlds of Rapier for tests. */
import RAPIER from '@dimforge/rapier3d-compat';

await RAPIER.init();

export { RAPIER };

/** Numbers of a linear congruential generator, in [low, high). */
export function randomNumbers(seed: number): (low?: number, high?: number) => number {
  let state = seed;
  return (low = 0, high = 1) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + ((high - low) * state) / 2 ** 32;
  };
}

export function emptyWorld(gravity = { x: 0, y: -9.81, z: 0 }): RAPIER.World {
  return new RAPIER.World(gravity);
}

export function randomRotation(random: (low?: number, high?: number) => number): RAPIER.Rotation {
  const [x, y, z, w] = [random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)] as const;
  const length = Math.hypot(x, y, z, w);
  return { x: x / length, y: y / length, z: z / length, w: w / length };
}

export function dynamicAt(world: RAPIER.World, x = 0, y = 0, z = 0): RAPIER.RigidBody {
  return world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z));
}

export function ball(world: RAPIER.World, body: RAPIER.RigidBody, radius = 1): RAPIER.Collider {
  return world.createCollider(RAPIER.ColliderDesc.ball(radius), body);
}

export const plane = (): RAPIER.ColliderDesc => new RAPIER.ColliderDesc(new RAPIER.HalfSpace({ x: 0, y: 1, z: 0 }));

/** Vertices and outward triangles of a box. */
export function boxMesh(x: number, y: number, z: number): { vertices: Float32Array; triangles: Uint32Array } {
  const corners = [-x, x].flatMap((cx) => [-y, y].flatMap((cy) => [-z, z].flatMap((cz) => [cx, cy, cz])));
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d] as number[]);
  return { vertices: Float32Array.from(corners), triangles: Uint32Array.from(triangles) };
}

/** Speed of the fastest body in the first step, from displacement: on a copy, without gravity. */
export function firstStepSpeed(world: RAPIER.World): number {
  return peakSpeed(world, 1);
}

/** The same over several steps. */
export function peakSpeed(world: RAPIER.World, steps: number): number {
  const copy = RAPIER.World.restoreSnapshot(world.takeSnapshot());
  copy.gravity = { x: 0, y: 0, z: 0 };
  const places = () => {
    const found: [number, number, number][] = [];
    copy.forEachRigidBody((body) => {
      const { x, y, z } = body.translation();
      found.push([x, y, z]);
    });
    return found;
  };
  let peak = 0;
  let before = places();
  for (let i = 0; i < steps; i++) {
    copy.step();
    const after = places();
    after.forEach((place, k) => {
      peak = Math.max(peak, Math.hypot(...place.map((value, axis) => value - (before[k]?.[axis] as number))) / copy.timestep);
    });
    before = after;
  }
  copy.free();
  return peak;
}

export function snapshotOf(world: RAPIER.World): Buffer {
  return Buffer.from(world.takeSnapshot());
}
