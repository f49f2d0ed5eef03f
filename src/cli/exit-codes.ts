/** Exit codes: part of the interface, so that scripts can tell a bad scene from a bad call. */
import { type ErrorCode, S4rError, type Status } from '../index.js';

export const EXIT = {
  ok: 0,
  /** Overlaps found, or left; an unstable rollout. */
  overlaps: 1,
  /** Bad input file, option or output. */
  usage: 2,
  /** The native core or an engine is missing, or s4r is defective. */
  environment: 3,
  /** Nothing but hulls overlaps, and not what they stand for. */
  hullOnly: 4,
  /** 128 + SIGINT, as shells report it. */
  interrupted: 130,
} as const;

export const EXIT_CODES_HELP = `
Exit codes:
  0    clean, or solved
  1    overlaps that the engine pushes apart: found (check) or left (fix), those that nothing can cure included; with --strict
       a warning; unstable (rollout)
  2    bad input, option or output; a scene without colliders, in which there is nothing to check
  3    native core or engine missing, or a defect of s4r
  4    only hulls overlap, and not the meshes they stand for
  130  interrupted
Of several files the worst counts: 130, 3, 2, 1, 4, 0.`;

const CODES: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: EXIT.usage,
  INVALID_SCENE: EXIT.usage,
  INVALID_OPTION: EXIT.usage,
  OUTPUT: EXIT.usage,
  ENVIRONMENT: EXIT.environment,
  INTERNAL: EXIT.environment,
};

export function exitCodeOfError(error: unknown): number {
  return error instanceof S4rError ? CODES[error.code] : EXIT.environment;
}

export function exitCodeOfStatus(status: Status): number {
  if (status === 'cancelled') return EXIT.interrupted;
  return status === 'clean' || status === 'solved' ? EXIT.ok : EXIT.overlaps;
}

/** Best first. */
const SEVERITY: readonly number[] = [EXIT.ok, EXIT.hullOnly, EXIT.overlaps, EXIT.usage, EXIT.environment, EXIT.interrupted];

export function worstExitCode(codes: readonly number[]): number {
  return SEVERITY[Math.max(0, ...codes.map((code) => SEVERITY.indexOf(code)))] as number;
}
