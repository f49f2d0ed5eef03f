import { mjcf } from '../../adapters/mjcf/index.js';
import { options } from '../parse.js';
import type { FileFormat } from './format.js';

export const MJCF: FileFormat = {
  name: 'MJCF',
  extensions: ['.xml', '.mjcf'],
  recognises: (head) => /<mujoco(include)?[\s/>]/.test(head.toString('latin1')),
  options: [options.key()],
  async open(path, { key }) {
    const { scene, source, notes } = await mjcf.read(path, { key: key as string | undefined });
    const inputs = [...source.files.files.keys()];
    return { scene, notes, inputs, write: async (result, target) => await mjcf.write(source, result, target) };
  },
};
