/**
 * Waist 1, output side: what a check and a solve report. Plain, readonly data.
 * Lengths in metres, points and directions in the world frame.
 */
import type { BodyId, GeomId, JointId, Pose, Vec3 } from './scene.js';

/**
 * How a solve ended. A finished solve always returns one of these; only misuse or a broken environment throws.
 * - `clean`: nothing repairable overlapped; poses are the input's, bit for bit.
 * - `solved`: the evaluator finds no repairable overlap in the returned poses.
 * - `improved`: fewer overlaps than before and none deeper than the deepest was, but some are left (listed in `after`).
 * - `infeasible`: no room: a limit or a container makes the rows contradict each other; `reason` says which.
 * - `stalled`: the solver found nothing better than the input, which is returned unchanged.
 * - `timeLimit`, `cancelled`: stopped early; poses are the input's.
 */
export type Status = 'clean' | 'solved' | 'improved' | 'infeasible' | 'stalled' | 'timeLimit' | 'cancelled';

export type OverlapKind =
  /** the surfaces cross */
  | 'penetrating'
  /** one solid lies inside the other without touching its surface */
  | 'contained';

/** One pair of geoms whose solids overlap. */
export interface Overlap {
  readonly geomA: GeomId;
  readonly geomB: GeomId;
  /** Of a side of the `container`, the ids are those that follow the scene's. */
  readonly bodyA: BodyId;
  readonly bodyB: BodyId;
  /** Names of bodies and geoms, for people. */
  readonly names: { readonly geomA: string; readonly geomB: string; readonly bodyA: string; readonly bodyB: string };
  readonly kind: OverlapKind;
  /** True when no allowed motion changes the relative pose: both fixed, or both in one rigid unit. */
  readonly constant: boolean;
  /** Local overlap depth [m], > 0. For mesh pairs the deepest contact FCL returns (App. A.9), not a translation distance. */
  readonly depth: number;
  /** A point of the overlap [m]. */
  readonly point: Vec3;
  /** Unit direction from A to B; moving B along it separates the pair locally. */
  readonly normal: Vec3;
}

/** Verdict of the evaluator on one state (App. A.9 with containment). */
export interface Evaluation {
  /** Every overlap deeper than the tolerance, deepest first, constant ones included. */
  readonly overlaps: readonly Overlap[];
  /** Overlaps some allowed motion could cure. */
  readonly repairable: number;
  readonly constant: number;
  /** Distinct body pairs among the repairable overlaps. */
  readonly repairableBodyPairs: number;
  /** Deepest repairable overlap [m], 0 if none. */
  readonly maxDepth: number;
  /** Geom pairs the filters allow and whose boxes overlap. */
  readonly candidates: number;
  /** Present and true if the evaluation was cancelled or ran out of time: there may be more overlaps than listed. */
  readonly interrupted?: boolean;
}

/**
 * What an overlap means to the user; the first that applies, in this order. Only the last three are what the engine pushes apart and
 * a solve can cure.
 * - `intra-body`: of two parts of one body, or of moving bodies welded together; no engine looks at it.
 * - `neighbours`: of two bodies next to each other in a tree of joints, which never collide.
 * - `filtered`: masks, groups, excludes or `allow` keep the two from colliding, or both are fixed and welded together.
 * - `touching`: no deeper than the tolerance.
 * - `constant`: the engine pushes them apart, but no allowed motion does: both immovable, or both in one rigid unit.
 * - `hull-only`: the hulls the engine uses overlap, the surfaces they stand for do not, or no deeper than the tolerance.
 * - `contained`: a solid lies inside one with a surface, without touching it; of two convex solids the evaluator does not tell, and the
 *   pair is `real`. Surfaces that hulls stand for count as such.
 * - `real`: the surfaces cross.
 */
export type OverlapClass = 'intra-body' | 'neighbours' | 'filtered' | 'touching' | 'constant' | 'hull-only' | 'contained' | 'real';

export interface SurveyedOverlap extends Overlap {
  readonly class: OverlapClass;
  /** Depth by the surfaces that hulls stand for [m], 0 if these do not overlap; of the last four classes, where there are hulls. */
  readonly surfaceDepth?: number;
}

/** A free unit that nothing carries, and that overlaps nothing. */
export interface Hover {
  readonly bodyId: BodyId;
  /** Name of its root. */
  readonly name: string;
  /** How far it would fall along -up until the margins of the geoms meet [m]; Infinity if nothing is below. */
  readonly gap: number;
  /** Name of the body it would land on; absent if there is none. */
  readonly above?: string;
}

/** What `Solver.survey` says of a state. */
export interface Survey {
  /** Every overlap, those no engine looks at included: the last of `OverlapClass` first, deepest first in each. */
  readonly overlaps: readonly SurveyedOverlap[];
  readonly counts: Readonly<Record<OverlapClass, number>>;
  /** Units that hover higher than asked for, highest first. */
  readonly hovering: readonly Hover[];
  /** Geoms that collide with any other geom by the filters. 0: the scene is not clean, there is nothing in it to check. */
  readonly colliders: number;
  /** What `Solver.check` returns: only what the engine pushes apart, so without the first four classes. */
  readonly evaluation: Evaluation;
}

/** What became of a joint that was free, in the unit and convention of `Joint.position`. */
export interface JointMove {
  readonly jointId: JointId;
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** How far one unit moved, reported for its root body. */
export interface Move {
  readonly bodyId: BodyId;
  readonly name: string;
  /** World displacement of the root's origin [m]. */
  readonly translation: Vec3;
  /** Length of the translation [m]. */
  readonly distance: number;
  /** Rotation angle [rad]; exactly 0 unless the unit may turn. */
  readonly rotation: number;
  /** True if the unit itself overlapped something before; false if it was only pushed. */
  readonly wasOverlapping: boolean;
}

/** How a unit stands that had to, reported for its root body. */
export interface Standing {
  readonly bodyId: BodyId;
  readonly name: string;
  /** Name of the geom stood on; `the plane` for a height given by hand. */
  readonly support: string;
  /** Height of its lowest point over the support [m], and its tilt from upright [rad], before and after. */
  readonly heightBefore: number;
  readonly heightAfter: number;
  readonly tiltBefore: number;
  readonly tiltAfter: number;
  /** True if its centre of mass is not above the support: it will tip over the edge. */
  readonly offSupport: boolean;
}

export interface SolveStats {
  /** Profile that produced the result: the one asked for, or `reference` where that could not separate everything. */
  readonly profile: string;
  /** How it ended, in the words of Algorithm 1. */
  readonly algorithmStatus: string;
  /** Scale steps accepted, scale reached, full detections, tail iterations. */
  readonly steps: number;
  readonly finalScale: number;
  readonly detections: number;
  readonly tailIterations: number;
  readonly cleanupIterations: number;
  /** Overlapping pairs the tail and the penalty clean-up left, by the solver's own count; -1: that stage did not run. */
  readonly overlapsAfterTail: number;
  readonly overlapsAfterCleanup: number;
  /** Exact narrow-phase queries, QPs, QP iterations, largest and mean number of QP variables. */
  readonly queries: number;
  readonly qpSolves: number;
  readonly qpIterations: number;
  readonly qpVariablesMax: number;
  readonly qpVariablesMean: number;
  /** Metres per internal length unit (objects are normalised to about 0.1 units). */
  readonly lengthUnit: number;
  /** Clearance aimed at [m]. */
  readonly margin: number;
  /** Wall time [ms] per stage. */
  readonly milliseconds: Readonly<
    Record<'evaluateBefore' | 'setup' | 'detect' | 'qp' | 'tail' | 'cleanup' | 'solve' | 'evaluateAfter', number>
  >;
  readonly backend: string;
  readonly threads: number;
}

/** A unit that rested on another one or on scenery; names of bodies, and of the geom where that is fixed. */
export interface SupportEntry {
  readonly body: string;
  readonly on: string;
}

/** What became of the supports of the input. */
export interface Supports {
  readonly kept: readonly SupportEntry[];
  readonly lost: readonly SupportEntry[];
}

/** A unit for which there was no room among the others. */
export interface Lift {
  readonly bodyId: BodyId;
  /** Name of its root. */
  readonly body: string;
  /** How far it was raised [m]. */
  readonly height: number;
}

export interface Result {
  readonly status: Status;
  /** Why, in one sentence, when the status is not `clean` or `solved`, or units were lifted. */
  readonly reason?: string;
  /** Pose of every body in W, by body id. Unmoved bodies keep the input's numbers bit for bit. */
  readonly poses: readonly Pose[];
  /** Units that moved, largest first. */
  readonly moves: readonly Move[];
  readonly before: Evaluation;
  readonly after: Evaluation;
  /** Root mean square of the displacement over all movable units [m]. */
  readonly rmsMove: number;
  readonly stats: SolveStats;
  /** With `freeJoints`: those that moved, and those driven by them. */
  readonly joints?: readonly JointMove[];
  /** With `upright`: how every unit that had to stand does, by body id. */
  readonly standing?: readonly Standing[];
  /** With `keepSupport`, unless the input is returned: what still rests where it did. */
  readonly supports?: Supports;
  /** With `overflow: 'lift'`, where it was needed: the units raised, lowest first. Their pairs with half-spaces above do not count. */
  readonly lifted?: readonly Lift[];
}
