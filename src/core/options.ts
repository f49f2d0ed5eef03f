/** Options of a check and of a solve, their defaults, and the check that rejects unknown or impossible values. */
import { ALLOW_RULE, LIMIT_RULES, type LimitOptions } from './limit-options.js';
import {
  aboveZero,
  atLeastZero,
  boolean,
  checkOptions,
  fraction,
  integer,
  listOf,
  type OptionRule,
  type OptionRules,
  oneOf,
} from './option-rules.js';
import type { AllowedPair } from './plan/allow.js';
import { resolveUpright, type UprightOptions } from './upright-options.js';

export interface Progress {
  /** `evaluate` before and after, `scale` in the loop, `tail` at full scale and `cleanup` in the penalty pass of `reference`. */
  readonly stage: 'evaluate' | 'scale' | 'tail' | 'cleanup';
  /** Fraction of the stage done, 0..1 (`scale`: of the iterations allowed; in `reference` the scale itself). */
  readonly fraction: number;
  /** Overlapping pairs left as far as known, -1 if unknown. */
  readonly overlaps: number;
}

export interface CheckOptions {
  /** Overlap up to this depth counts as touching [m]. Default 0: strict. */
  readonly tolerance?: number;
  /** Worker threads; results do not depend on it. Default 0: one per core. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  /**
   * Names of hinges and slides that may move, within their limits; patterns as in `movable`. The joints that they drive go with them.
   * Everything else of a robot stays rigid. Not with `upright`, `container`, `keepSupport`, `overflow` and the profile `reference`.
   */
  readonly freeJoints?: readonly string[];
  /** Pairs of bodies that may overlap, each by a name or pattern; these pairs do not collide, in no report either. */
  readonly allow?: readonly AllowedPair[];
}

/** Parameters of the paper's algorithm, Table A7. Lengths in units of a tenth of the objects' typical size. */
export interface ReferenceOptions {
  /** s_min, scale at which the continuation starts. */
  readonly initialScale?: number;
  /** ds_max, base stride of the scale. */
  readonly stride?: number;
  /** ds_min, floor of the step halving. */
  readonly minStride?: number;
  /** K_max, attempts of the scale loop. */
  readonly maxAttempts?: number;
  /** M: exact detection every M-th step; 1 switches the frozen-witness cache off. */
  readonly refreshInterval?: number;
  /** eps_sep, added to the distance near-coincident centres are pushed to. */
  readonly separationPadding?: number;
  /** OSQP absolute and relative tolerance and iteration cap, in the loop and in the tail. */
  readonly qpTolerance?: number;
  readonly qpMaxIterations?: number;
  readonly tailQpTolerance?: number;
  readonly tailQpMaxIterations?: number;
  /** K_tail and the stagnation guard of the tail; 0 iterations switches the tail off. */
  readonly tailMaxIterations?: number;
  readonly tailStagnation?: number;
  /** Scale-event jumps and the 0.9 cull (Sec. 3.4.1). */
  readonly eventJumps?: boolean;
  /** Double stride after a contact-free step (Sec. 3.4.1). */
  readonly adaptiveSkip?: boolean;
  /** Sensitivity warm start of the QP (Sec. 3.4.3). */
  readonly warmStart?: boolean;
  /** Only bodies of active rows enter the QP (App. A.16.6). */
  readonly sparseQp?: boolean;
  /** Grow from initialScale; false starts at full scale: Direct-QP through the tail (App. A.16.1). */
  readonly progressiveScaling?: boolean;
  /** `margin`: boxes padded by the clearance and the closure. `literal`: by 0.2 ds nf only, as the paper states. */
  readonly broadphasePad?: 'margin' | 'literal';
  /**
   * `conflict`: a pair that starts apart keeps at most the clearance it had, and is ignored while neither body has moved,
   * so that only bodies in conflict and what they push take part. `all`: every pair wants the full clearance (the paper).
   */
  readonly scope?: 'conflict' | 'all';
  /**
   * Clearances tried in turn, as fractions of the first, until the evaluator is satisfied. The first attempt is the profile's
   * own; from the second on the clearance holds for every pair, half-spaces and convex ones too. [1] is the paper.
   */
  readonly marginSchedule?: readonly number[];
  /** Pairwise penalty pass after the tail (App. A.2), off in the paper's runs; at most this many iterations. */
  readonly penaltyCleanupIterations?: number;
  /** The input is a layout of bodies shrunk about their centres to this scale; it is grown from there, with scope `all`. */
  readonly startScale?: number;
  /** The run ends at this scale, with a layout of shrunk bodies without overlap, instead of at full scale. */
  readonly stopScale?: number;
}

/** What of `ReferenceOptions` has no default: absent means not used. */
export type ScaleRange = 'startScale' | 'stopScale';

/** Parts of the `default` and `quick` profiles, each to be switched off for comparison. */
export interface SeparationOptions {
  /** Plane rows of one pair of surfaces. 1: the closest points only. */
  readonly maxRows?: number;
  /** Pairs are cleared by arithmetic as long as their last measurement proves them apart; false measures every near pair anew. */
  readonly certificate?: boolean;
  /** Overlapping surfaces that do not come apart with little shrinking are pushed apart along the vector area of their contour. */
  readonly contourPush?: boolean;
  /** A pair that comes apart with little shrinking, or that the push cannot separate, is shrunk and grown back alone. */
  readonly pairScale?: boolean;
  /** Scenes that do not come apart so are shrunk and grown back as a whole. */
  readonly pile?: boolean;
  /** Near the end only the surroundings of the pairs left may move. */
  readonly islands?: boolean;
  /** Steps are pulled towards the input; false takes the shortest ones. */
  readonly pull?: boolean;
  /** Bodies that need not have moved go back to where they were. */
  readonly snapBack?: boolean;
  /** What all this cannot separate goes to `reference`. */
  readonly fallback?: boolean;
}

export type Profile = 'default' | 'quick' | 'reference';

export interface SolverOptions extends CheckOptions, LimitOptions {
  /**
   * `default`: separates at full scale with plane rows; what it cannot separate goes to `reference`. `quick`: the same without
   * the polish. `reference`: the paper's continuation. See docs/algorithm.md.
   */
  readonly profile?: Profile;
  /**
   * Clearance between repaired bodies [m]. Default: the profile's own, in units of ten times the typical extent: 1e-4;
   * `reference`: 0.02, and 1e-4 for half-spaces and convex pairs.
   */
  readonly margin?: number;
  /** No body is displaced by more than this [m]. Default: no limit. */
  readonly maxShift?: number;
  /** Bodies may turn as well as move (Sec. 4.6). Default: orientations stay as they are. */
  readonly rotation?: boolean;
  /** No body is turned by more than this [rad]. Default: no limit. */
  readonly maxTurn?: number;
  /** Names of the only bodies that may move; a trailing or leading `*` matches any text. Default: all free bodies. */
  readonly movable?: readonly string[];
  /** Names of bodies that must not move; same patterns. */
  readonly frozen?: readonly string[];
  /**
   * Bodies that rest on others stay, or are put back, on them: those on fixed scenery are first tried to slide only, and after the
   * solve all are lowered onto, or taken along with, what carried them. Default: false.
   */
  readonly keepSupport?: boolean;
  /**
   * Gap or depth [m], along `up`, of a body that rests. Default 1e-3: stacks of ten, settled in MuJoCo with its default contacts,
   * sink 0.1 to 0.9 mm into each other. Margins of the geoms are added.
   */
  readonly restTolerance?: number;
  /** What becomes of units for which there is no room: `lift` raises them above the others. Default: `fail`, overlaps are left. */
  readonly overflow?: 'fail' | 'lift';
  /** Wall-clock limit of the solve [s]. Default: none. */
  readonly timeLimit?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly reference?: ReferenceOptions;
  readonly separation?: SeparationOptions;
}

/** Table A7 of the paper, plus what s4r adds (scope, marginSchedule). */
export const REFERENCE_DEFAULTS = {
  initialScale: 0.01,
  stride: 0.05,
  minStride: 1e-6,
  maxAttempts: 200,
  refreshInterval: 3,
  separationPadding: 1e-6,
  qpTolerance: 1e-6,
  qpMaxIterations: 4000,
  tailQpTolerance: 1e-7,
  tailQpMaxIterations: 8000,
  tailMaxIterations: 20,
  tailStagnation: 3,
  eventJumps: true,
  adaptiveSkip: true,
  warmStart: true,
  sparseQp: true,
  progressiveScaling: true,
  broadphasePad: 'margin',
  scope: 'conflict',
  marginSchedule: [1, 1, 0.25, 0.05],
  penaltyCleanupIterations: 0,
} as const satisfies Required<Omit<ReferenceOptions, ScaleRange>>;

export const SEPARATION_DEFAULTS = {
  maxRows: 8,
  certificate: true,
  contourPush: true,
  pairScale: true,
  pile: true,
  islands: true,
  pull: true,
  snapBack: true,
  fallback: true,
} as const satisfies Required<SeparationOptions>;

/** What every profile starts from; absent options have no limit or the profile's own value. */
export const SOLVER_DEFAULTS = {
  profile: 'default',
  rotation: false,
  tolerance: 0,
  threads: 0,
  keepSupport: false,
  restTolerance: 1e-3,
  overflow: 'fail',
} as const satisfies SolverOptions;

/** Checked options of a check, defaults filled in. */
export type ResolvedCheckOptions = CheckOptions & Required<Pick<CheckOptions, 'tolerance' | 'threads'>>;

/** Checked options of a solve, defaults filled in. Absent ones have no default value: see `SolverOptions`. */
export type ResolvedOptions = Omit<SolverOptions, 'reference' | 'separation' | 'upright'> &
  ResolvedCheckOptions &
  Required<Pick<SolverOptions, 'profile' | 'rotation' | 'keepSupport' | 'restTolerance' | 'overflow'>> & {
    readonly reference: Required<Omit<ReferenceOptions, ScaleRange>> & Pick<ReferenceOptions, ScaleRange>;
    readonly separation: Required<SeparationOptions>;
    readonly upright?: UprightOptions;
  };

/** @throws S4rError INVALID_OPTION for unknown names and impossible values. `undefined` means the default. */
export function resolveCheckOptions(options?: CheckOptions): ResolvedCheckOptions {
  return { tolerance: SOLVER_DEFAULTS.tolerance, threads: SOLVER_DEFAULTS.threads, ...checkOptions(options, CHECK_RULES) };
}

/** @throws S4rError INVALID_OPTION for unknown names and impossible values. `undefined` means the default. */
export function resolveOptions(options?: SolverOptions): ResolvedOptions {
  const { reference, separation, upright, ...given } = checkOptions(options, SOLVER_RULES);
  const standing = resolveUpright(upright);
  return {
    ...SOLVER_DEFAULTS,
    ...given,
    ...(standing === undefined ? {} : { upright: standing }),
    reference: { ...REFERENCE_DEFAULTS, ...checkOptions(reference, REFERENCE_RULES, 'reference.') },
    separation: { ...SEPARATION_DEFAULTS, ...checkOptions(separation, SEPARATION_RULES, 'separation.') },
  };
}

const names = (kind: string) =>
  listOf(`a list of non-empty ${kind} names`, (items) => items.every((item) => typeof item === 'string' && item !== ''));

const bodyNames = names('body');

const callback: OptionRule = { expected: 'a function', accepts: (value) => typeof value === 'function' };

/** By what it offers, not by class: signals of other realms and polyfills work too. */
const abortSignal: OptionRule = {
  expected: 'an AbortSignal',
  accepts: (value) =>
    typeof (value as AbortSignal | null)?.aborted === 'boolean' && typeof (value as AbortSignal).addEventListener === 'function',
};

const iterations = integer(1, 1e6);

export const CHECK_RULES: OptionRules<CheckOptions> = {
  tolerance: atLeastZero(' [m]'),
  threads: integer(0, 1024, ' (0: one per core)'),
  signal: abortSignal,
  allow: ALLOW_RULE,
  freeJoints: names('joint'),
};

const SOLVER_RULES: OptionRules<SolverOptions> = {
  ...CHECK_RULES,
  profile: oneOf('default', 'quick', 'reference'),
  margin: atLeastZero(' [m]'),
  maxShift: aboveZero(' [m]'),
  rotation: boolean,
  maxTurn: aboveZero(' [rad]'),
  movable: bodyNames,
  frozen: bodyNames,
  ...LIMIT_RULES,
  keepSupport: boolean,
  restTolerance: aboveZero(' [m]'),
  overflow: oneOf('fail', 'lift'),
  timeLimit: aboveZero(' [s]'),
  onProgress: callback,
  // Checked on their own, with longer names.
  reference: { expected: 'an object', accepts: () => true },
  separation: { expected: 'an object', accepts: () => true },
};

const REFERENCE_RULES: OptionRules<ReferenceOptions> = {
  initialScale: fraction,
  stride: fraction,
  minStride: fraction,
  maxAttempts: iterations,
  refreshInterval: iterations,
  separationPadding: atLeastZero(' (units)'),
  qpTolerance: aboveZero(''),
  qpMaxIterations: iterations,
  tailQpTolerance: aboveZero(''),
  tailQpMaxIterations: iterations,
  tailMaxIterations: integer(0, 1e6),
  tailStagnation: iterations,
  eventJumps: boolean,
  adaptiveSkip: boolean,
  warmStart: boolean,
  sparseQp: boolean,
  progressiveScaling: boolean,
  broadphasePad: oneOf('margin', 'literal'),
  scope: oneOf('conflict', 'all'),
  marginSchedule: listOf(
    'a list of numbers in (0, 1], the first of them 1',
    (items) => items[0] === 1 && items.every((item) => fraction.accepts(item)),
  ),
  penaltyCleanupIterations: integer(0, 1e6),
  startScale: fraction,
  stopScale: fraction,
};

const SEPARATION_RULES: OptionRules<SeparationOptions> = {
  maxRows: integer(1, 16),
  certificate: boolean,
  contourPush: boolean,
  pairScale: boolean,
  pile: boolean,
  islands: boolean,
  pull: boolean,
  snapBack: boolean,
  fallback: boolean,
};
