/** Units that have to stand, in the course of a solve: what of them counts as an overlap, what as a move, and what is reported. */
import type { PackedSolution } from '../pack.js';
import { addScaled, dot, transform } from '../pose-math.js';
import type { Evaluation, Standing } from '../result.js';
import type { Body, GeomId, Pose, Scene, Vec3 } from '../scene.js';
import { summarize } from '../unpack.js';
import { STANDING, type StandingUnit, standingErrors } from './upright.js';

/** The evaluation without overlaps of pairs that rest on each other: they touch to the rounding of the height. */
export function withoutTouching(evaluation: Evaluation, resting: readonly (readonly [GeomId, GeomId])[]): Evaluation {
  if (resting.length === 0) return evaluation;
  const touching = new Map<GeomId, Set<GeomId>>();
  for (const [a, b] of resting) touching.set(a, (touching.get(a) ?? new Set()).add(b));
  const rest = (a: GeomId, b: GeomId) => touching.get(a)?.has(b) === true || touching.get(b)?.has(a) === true;
  const counts = evaluation.overlaps.filter(({ geomA, geomB, depth }) => depth > STANDING.height || !rest(geomA, geomB));
  return counts.length === evaluation.overlaps.length ? evaluation : summarize(counts, evaluation);
}

/** The solution without the rounding of heights: a unit that stands already and is not pushed does not move by a bit. */
export function withoutLift<Moves extends Pick<PackedSolution, 'shifts' | 'turns'>>(
  scene: Scene,
  standing: readonly StandingUnit[],
  solution: Moves,
): Moves {
  const still = standing.filter(
    ({ root, stands }) => stands && solution.turns.subarray(4 * root + 1, 4 * root + 4).every((value) => value === 0),
  );
  if (still.length === 0) return solution;
  const shifts = solution.shifts.slice();
  for (const { root } of still) {
    const shift = Array.from(shifts.subarray(3 * root, 3 * root + 3)) as unknown as Vec3;
    const level = addScaled(shift, scene.up, -dot(shift, scene.up));
    shifts.set(Math.hypot(...level) <= 1e-15 ? [0, 0, 0] : level, 3 * root);
  }
  return { ...solution, shifts };
}

/** How every unit that has to stand does in `poses`. */
export function reportStanding(scene: Scene, standing: readonly StandingUnit[], poses: readonly Pose[]): Standing[] {
  const given = scene.bodies.map((body) => body.X_WB);
  return standing.map((unit) => {
    const before = standingErrors(scene, unit, given);
    const after = standingErrors(scene, unit, poses);
    return {
      bodyId: unit.root,
      name: (scene.bodies[unit.root] as Body).name,
      support: unit.support.name,
      heightBefore: before.height,
      heightAfter: after.height,
      tiltBefore: before.tilt,
      tiltAfter: after.tilt,
      offSupport: !unit.support.isUnder(transform(poses[unit.root] as Pose, unit.massCentre)),
    };
  });
}
