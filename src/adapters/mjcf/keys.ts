/** Which keyframes a scene has. */
import { compile, SMALL_ARENA } from './compile.js';
import { collectFiles } from './files.js';
import { assertFiniteNumbers } from './numbers.js';
import { readKeys } from './state.js';

export interface MjcfKey {
  /** For the `key` option, which never takes a number for a name. */
  readonly index: number;
  /** Its name; with its number behind it where several have that name, as those of attached models may. */
  readonly label: string;
}

/**
 * All keyframes, those of attached models included, in MuJoCo's order.
 * @throws S4rError as `read`
 */
export async function keys(path: string): Promise<readonly MjcfKey[]> {
  const files = await collectFiles(path);
  assertFiniteNumbers(files.tree);
  const { model } = await compile(files, { arena: SMALL_ARENA });
  try {
    const names = readKeys(model).map(({ name }) => name);
    return names.map((name, index) => {
      const unique = names.filter((other) => other === name).length === 1;
      return { index, label: name === '' ? `keyframe ${index}` : unique ? name : `${name} (${index})` };
    });
  } finally {
    model.delete();
  }
}
