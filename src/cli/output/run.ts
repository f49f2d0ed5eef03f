/** What an output format is made from. */
import type { Outcome } from '../outcome.js';

export interface Run {
  readonly command: 'check' | 'fix';
  readonly outcomes: readonly Outcome[];
  /** Whether it is a run over many files, however many were found, or states. */
  readonly several: boolean;
  /** List every overlap, also those that need no cure. */
  readonly all: boolean;
  readonly exitCode: number;
}
