/** What the program and its worker processes say to each other. */
import type { Input } from './inputs.js';
import type { Outcome } from './outcome.js';
import type { Task } from './run-file.js';

export type ToWorker =
  | { readonly type: 'run'; readonly input: Input; readonly task: Task }
  /** The answer to `turn`: whether the file has to be read again. */
  | { readonly type: 'turn'; readonly again: boolean }
  | { readonly type: 'abort' };

export type FromWorker =
  /** It wants to write in place, over files it read. */
  { readonly type: 'turn'; readonly inputs: readonly string[] } | { readonly type: 'done'; readonly outcomes: readonly Outcome[] };
