import { Option } from 'commander';
import { type MjcfReadOptions, type MjcfWriteOptions, mjcf } from '../../adapters/mjcf/index.js';
import { S4rError } from '../../index.js';
import { options } from '../parse.js';
import type { FileFormat } from './format.js';

/** `--key` with which every keyframe is a state of its own. */
const ALL_KEYS = 'all';

const write = () =>
  new Option('--write <where>', "where the repaired state goes: the bodies' own poses, a keyframe 's4r', or an npz file of qpos").choices([
    'body',
    'keyframe',
    'npz',
  ] satisfies MjcfWriteOptions['as'][]);

export const MJCF: FileFormat = {
  name: 'MJCF',
  extensions: ['.xml', '.mjcf'],
  recognises: (head) => /<mujoco(include)?[\s/>]/.test(head.toString('latin1')),
  options: [options.key(), write()],
  async open(path, flags) {
    const key = flags.key as MjcfReadOptions['key'];
    const as = flags.write as MjcfWriteOptions['as'];
    const { scene, source, notes } = await mjcf.read(path, { key });
    const inputs = [...source.files.files.keys()];
    return { scene, notes, inputs, write: async (result, target) => await mjcf.write(source, result, { ...target, as }) };
  },
  async states(path, flags) {
    if (flags.key !== ALL_KEYS) return [{ label: '', flags }];
    const keys = await mjcf.keys(path);
    if (keys.length === 0) throw new S4rError('INVALID_INPUT', `--key ${ALL_KEYS}: the file has no keyframe`, { file: path });
    return keys.map(({ index, label }) => ({ label, flags: { ...flags, key: index } }));
  },
};
