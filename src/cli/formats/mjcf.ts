import { Option } from 'commander';
import type { FileWrite } from '../../adapters/adapter.js';
import {
  bodyPlaces,
  collectFiles,
  type MjcfReadOptions,
  type MjcfSource,
  type MjcfWriteOptions,
  type MjcfWriteResult,
  mjcf,
} from '../../adapters/mjcf/index.js';
import { type Pose, type Result, S4rError } from '../../index.js';
import { type Rollout, rolloutMujoco } from '../../rollout/mujoco.js';
import { options } from '../parse.js';
import type { FileFormat, RolloutOptions } from './format.js';
import { rootElement } from './xml-root.js';

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
  recognises: (head) => rootElement(head) === 'mujoco',
  refusal: (head) =>
    rootElement(head) === 'mujocoinclude'
      ? 'this is a part for scenes to include (<mujocoinclude>); name the scene that includes it'
      : undefined,
  options: [options.key()],
  writeOptions: [write()],
  async open(path, flags) {
    const key = flags.key as MjcfReadOptions['key'];
    const as = flags.write as MjcfWriteOptions['as'];
    const { scene, source, notes } = await mjcf.read(path, { key });
    let repaired: Repaired | undefined;
    return {
      scene,
      notes,
      inputs: [...source.files.files.keys()],
      placeOf: bodyPlaces(source),
      async write(result, target) {
        const written = await mjcf.write(source, result, { ...target, as });
        repaired = { result, written };
        return written;
      },
      async rollout(wanted, written) {
        if (repaired === undefined || written !== repaired.written) return await rolloutMujoco(source.files, { ...wanted, key });
        const start = { ...wanted, key };
        return await (as === 'npz' ? rolloutPoses(source, repaired, start) : rolloutFiles(repaired, start));
      },
    };
  },
  async states(path, flags) {
    if (flags.key !== ALL_KEYS) return [{ label: '', flags }];
    if (flags.write === 'keyframe')
      throw new S4rError('INVALID_OPTION', `--write keyframe keeps one state; with --key ${ALL_KEYS} every keyframe is edited where it is`);
    const keys = await mjcf.keys(path);
    if (keys.length === 0) throw new S4rError('INVALID_INPUT', `--key ${ALL_KEYS}: the file has no keyframe`, { file: path });
    return keys.map(({ index, label }) => ({ label, flags: { ...flags, key: index } }));
  },
  outputExtension: (_, flags) => (flags.write === 'npz' ? '.npz' : undefined),
};

interface Repaired {
  readonly result: Result;
  readonly written: MjcfWriteResult;
}

type Start = RolloutOptions & { readonly key: MjcfReadOptions['key'] };

/** From the files that were written; after a dry run from the texts nobody wrote. */
async function rolloutFiles({ written }: Repaired, start: Start): Promise<Rollout> {
  const { files, newKey } = written;
  const texts = files.flatMap(({ path, text }): [string, Uint8Array][] =>
    text === undefined ? [] : [[path, new TextEncoder().encode(text)]],
  );
  const scene = await collectFiles((files.at(-1) as FileWrite).path, new Map(texts));
  return await rolloutMujoco(scene, { ...start, key: newKey ?? start.key });
}

/** From the scene as it was, whose poses stand elsewhere. */
async function rolloutPoses({ files }: MjcfSource, { result }: Repaired, start: Start): Promise<Rollout> {
  const { joints = [], moves, poses } = result;
  if (joints.length > 0) throw new S4rError('INVALID_OPTION', 'with --write npz there is no scene to roll out in which joints have moved');
  return await rolloutMujoco(files, { ...start, poses: new Map(moves.map(({ bodyId, name }) => [name, poses[bodyId] as Pose])) });
}
