/** Which units to take out of a scene that is too full. */
import { boxOfShape } from './geometry/units.js';
import type { Motion } from './motion.js';
import { dot } from './pose-math.js';
import type { Overlap } from './result.js';
import type { BodyId, Scene, Shape, Vec3 } from './scene.js';

/**
 * Roots of units that are in all of the overlaps left, chosen one by one: the unit in most of them, then in the deepest, then the
 * smallest, then the first. Empty if some overlap is not in reach of a unit that may be raised.
 */
export function coverOverlaps(scene: Scene, motions: readonly Motion[], overlaps: readonly Overlap[]): BodyId[] {
  const sizes = unitSizes(scene);
  let left = overlaps.filter((overlap) => !overlap.constant);
  const chosen: BodyId[] = [];
  while (left.length > 0) {
    const load = new Map<BodyId, { count: number; depth: number }>();
    for (const { bodyA, bodyB, depth } of left) {
      for (const body of [bodyA, bodyB]) {
        const unit = scene.bodies[body]?.movesWith as BodyId;
        if (scene.bodies[body]?.mobility !== 'free' || !mayRise(motions[unit] as Motion, scene.up)) continue;
        const { count, depth: deepest } = load.get(unit) ?? { count: 0, depth: 0 };
        load.set(unit, { count: count + 1, depth: Math.max(deepest, depth) });
      }
    }
    const [worst] = [...load].sort(
      ([a, loadA], [b, loadB]) =>
        loadB.count - loadA.count || loadB.depth - loadA.depth || (sizes.get(a) as number) - (sizes.get(b) as number) || a - b,
    );
    if (worst === undefined) return [];
    const [unit] = worst;
    chosen.push(unit);
    left = left.filter(({ bodyA, bodyB }) => scene.bodies[bodyA]?.movesWith !== unit && scene.bodies[bodyB]?.movesWith !== unit);
  }
  return chosen;
}

function mayRise({ translate, stand }: Motion, up: Vec3): boolean {
  if (stand !== undefined || translate === 'none') return false;
  if (translate === 'all') return true;
  const axis = 'along' in translate ? translate.along : translate.across;
  const cosine = Math.abs(dot(axis, up));
  return 'along' in translate ? cosine > 1 - 1e-9 : cosine < 1e-9;
}

/** Volume of the boxes around the geoms of each unit, by its root [m^3]. */
function unitSizes(scene: Scene): Map<BodyId, number> {
  const sizes = new Map<BodyId, number>();
  for (const { bodyId, shape } of scene.geoms) {
    const unit = scene.bodies[bodyId]?.movesWith as BodyId;
    sizes.set(unit, (sizes.get(unit) ?? 0) + boxVolume(shape));
  }
  return sizes;
}

/** Of a shape that cannot move, zero [m^3]. */
function boxVolume(shape: Shape): number {
  if (shape.type === 'halfspace' || shape.type === 'heightfield') return 0;
  const { low, high } = boxOfShape(shape);
  return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}
