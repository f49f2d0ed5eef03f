/**
 * Waist 1, output side: what a check and a solve report. Plain, readonly data.
 * Lengths in metres, points and directions in the world frame.
 */
import type { BodyId, GeomId, Pose, Vec3 } from './scene.js';

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
  readonly milliseconds: Readonly<Record<'evaluateBefore' | 'setup' | 'detect' | 'qp' | 'tail' | 'solve' | 'evaluateAfter', number>>;
  readonly backend: string;
  readonly threads: number;
}

export interface Result {
  readonly status: Status;
  /** Why, in one sentence, when the status is not `clean` or `solved`. */
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
  /** With `upright`: how every unit that had to stand does, by body id. */
  readonly standing?: readonly Standing[];
}
