/** Which keyframes a scene has. */
import { compile, SMALL_ARENA } from './compile.js';
import { collectFiles } from './files.js';
import { assertFiniteNumbers } from './numbers.js';
import { readKeys } from './state.js';

export interface MjcfKey {
  /** For the `key` option, which never takes a number for a name. */
  readonly index: number;
  /** Its name, or its number where it has none. */
  readonly label: string;
}

/**
 * All keyframes in MuJoCo's order, with those of attached models, and those `<replicate>` makes for its copies.
 * @throws S4rError as `read`
 */
export async function keys(path: string): Promise<readonly MjcfKey[]> {
  const files = await collectFiles(path);
  assertFiniteNumbers(files.tree);
  const { model } = await compile(files, { arena: SMALL_ARENA });
  try {
    const found = readKeys(model);
    return found.map(({ name }, index) => ({ index, label: name || `keyframe ${index}` }));
  } finally {
    model.delete();
  }
}
