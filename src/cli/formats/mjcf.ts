import { bodyPlaces, collectFiles, type MjcfWriteResult, mjcf } from '../../adapters/mjcf/index.js';
import { rolloutMujoco } from '../../rollout/mujoco.js';
import { options } from '../parse.js';
import type { FileFormat } from './format.js';
import { rootElement } from './xml-root.js';

export const MJCF: FileFormat = {
  name: 'MJCF',
  extensions: ['.xml', '.mjcf'],
  recognises: (head) => rootElement(head) === 'mujoco',
  options: [options.key()],
  async open(path, flags) {
    const key = flags.key as string | undefined;
    const { scene, source, notes } = await mjcf.read(path, { key });
    let last: MjcfWriteResult | undefined;
    return {
      scene,
      notes,
      inputs: [...source.files.files.keys()],
      placeOf: bodyPlaces(source),
      async write(result, target) {
        last = await mjcf.write(source, result, target);
        return last;
      },
      async rollout(wanted, written) {
        const top = written?.files.at(-1);
        if (written === undefined || top === undefined) return await rolloutMujoco(source.files, { ...wanted, key });
        const texts = written.files.flatMap(({ path: file, text }): [string, Uint8Array][] =>
          text === undefined ? [] : [[file, new TextEncoder().encode(text)]],
        );
        const state = written === last ? (last.newKey ?? key) : key;
        return await rolloutMujoco(await collectFiles(top.path, new Map(texts)), { ...wanted, key: state });
      },
    };
  },
};
