/** A solve as the caller's options want it: one run, or several that keep supports and lift what has no room. */
import type { Backend } from './backend.js';
import { solveKeepingSupports } from './keep-support.js';
import type { Logger } from './logger.js';
import type { ResolvedOptions } from './options.js';
import { solveLifting } from './overflow.js';
import type { Plan } from './plan.js';
import type { Result } from './result.js';
import { RunShare } from './solve-run.js';
import { solveOnce, type Task } from './task.js';

/** The scene of the plan is valid; the time limit starts now. */
export async function solveTask(backend: Backend, logger: Logger, plan: Plan, options: ResolvedOptions): Promise<Result> {
  const task: Task = { backend, logger, plan, options, share: new RunShare(options) };
  const solve = options.keepSupport ? solveKeepingSupports : solveOnce;
  return options.overflow === 'lift' ? await solveLifting(task, solve) : (await solve(task)).result;
}
