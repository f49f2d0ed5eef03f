/** Seeded random numbers, so that a failing scene can be built again. */
import type { Quat, Vec3 } from '../../src/core/scene.js';

/** Uniform numbers in [0, 1) from a 32-bit seed (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function between(random: () => number, low: number, high: number): number {
  return low + (high - low) * random();
}

/** A point of the box [-half, half]^3 [m]. */
export function randomPoint(random: () => number, half: number): Vec3 {
  return [between(random, -half, half), between(random, -half, half), between(random, -half, half)];
}

/** A uniformly distributed rotation (Shoemake). */
export function randomQuat(random: () => number): Quat {
  const u = random();
  const a = 2 * Math.PI * random();
  const b = 2 * Math.PI * random();
  const q = [Math.sqrt(1 - u) * Math.sin(a), Math.sqrt(1 - u) * Math.cos(a), Math.sqrt(u) * Math.sin(b), Math.sqrt(u) * Math.cos(b)];
  const norm = Math.hypot(...q);
  return q.map((value) => value / norm) as unknown as Quat;
}
