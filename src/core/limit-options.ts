/** Options that say what single bodies may do, by name; part of `SolverOptions`. */
import { CONTAINER_RULE, type ContainerOption } from './container-options.js';
import { listOf, type OptionRule, type OptionRules, recordOf } from './option-rules.js';
import { UPRIGHT_RULE, type UprightOptions } from './upright-options.js';

export interface LimitOptions {
  /**
   * What bodies may do, by name or pattern; the first entry that matches holds, and its words say all: what is not said is not
   * allowed, whatever `rotation` says. First how they may be displaced: `xyz`, `xy` (across `up`), `z` (along `up`), `x`, `y` (axes
   * of the world), `along 1 0 0` (any axis), `across 1 0 0` (in the plane across it) or `none`; then how they may be turned: `yaw`
   * (about `up`), `about 1 0 0` or `turn` (in any way). Either may be left out. (JavaScript puts keys that are whole numbers before all
   * others.) Example: `{ 'cup*': 'xy yaw', lamp: 'z' }`. A body that may do nothing counts as frozen.
   */
  readonly axes?: Readonly<Record<string, string>>;
  /** Factors on what moving a body costs, by name or pattern; the first entry that matches holds. Default: 1. */
  readonly weights?: Readonly<Record<string, number>>;
  /**
   * Every body that may move has to end upright, standing on a level support: it slides on it and turns about the vertical (App.
   * A.11). Its support counts as touched, not as overlapped, to 1e-6 m.
   */
  readonly upright?: boolean | UprightOptions;
  /**
   * Every body that may move and has its centre, that of its box, in this region has to be in it as a whole in the end. Without room
   * for them, by volume, the status is `infeasible` at once.
   */
  readonly container?: ContainerOption;
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';

export const LIMIT_RULES: OptionRules<LimitOptions> = {
  axes: recordOf("an object of body names and words, such as { 'cup*': 'xy yaw' }", isName),
  weights: recordOf('an object of body names and numbers from 1e-6 to 1e6', (value) => {
    return typeof value === 'number' && value >= 1e-6 && value <= 1e6;
  }),
  upright: UPRIGHT_RULE,
  container: CONTAINER_RULE,
};

export const ALLOW_RULE: OptionRule = listOf("a list of pairs of body names, such as [['hand', 'cup*']]", (items) =>
  items.every((item) => Array.isArray(item) && item.length === 2 && item.every(isName)),
);
