/**
 * The public surface of s4r, written out. Importing it loads nothing heavy: the native core comes with `Solver.create()`.
 * Formats and engines have entries of their own: `s4r/adapters/mjcf`, `s4r/rollout/mujoco`.
 */

export type { ContainerOption } from './core/container-options.js';
export { type ErrorCode, type ErrorPlace, S4rError } from './core/errors.js';
export { collisionRule } from './core/filters.js';
export { jointChain } from './core/joints.js';
export { type Logger, SILENT_LOGGER } from './core/logger.js';
export {
  type CheckOptions,
  type Progress,
  REFERENCE_DEFAULTS,
  type ReferenceOptions,
  SEPARATION_DEFAULTS,
  type SeparationOptions,
  type SolverOptions,
} from './core/options.js';
export type { PreparedSolver, Resolution, ResolveOptions } from './core/prepared.js';
export type {
  Evaluation,
  Hover,
  JointMove,
  Lift,
  Move,
  Overlap,
  OverlapClass,
  OverlapKind,
  Result,
  SolveStats,
  Standing,
  Status,
  SupportEntry,
  Supports,
  Survey,
  SurveyedOverlap,
} from './core/result.js';
export type {
  Body,
  BodyId,
  ExplicitPair,
  Geom,
  GeomId,
  Joint,
  JointId,
  Mesh,
  PairFilter,
  Pose,
  Quat,
  Scene,
  Shape,
  Vec3,
} from './core/scene.js';
export type { GrowOptions, ShrinkOptions, ShrunkLayout } from './core/shrink.js';
export { type CreateOptions, Solver } from './core/solver.js';
export type { SurveyOptions } from './core/survey-options.js';
export type { StandMode, UprightOptions } from './core/upright-options.js';
export { assertScene } from './core/validate.js';
