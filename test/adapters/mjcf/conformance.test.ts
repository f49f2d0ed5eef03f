/** The MJCF adapter keeps what `docs/adapters.md` promises of every adapter; MuJoCo is the judge of what collides. */
import { describe, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import type { MjcfReadOptions } from '../../../src/adapters/mjcf/read.js';
import type { MjcfSource } from '../../../src/adapters/mjcf/source.js';
import { adapterConformance, type FileSubject, filesIn } from '../../../src/testing/index.js';
import { enginePairs } from './engine.js';
import { FIXTURES } from './workspace.js';

const files = await filesIn(FIXTURES);
const sample = (main: string, options?: MjcfReadOptions) => ({
  name: options?.key === undefined ? main : `${main} at key ${options.key}`,
  files,
  main,
  ...(options === undefined ? {} : { options }),
});
const bad = (name: string, text: string) => ({ name, main: 'scene.xml', files: { 'scene.xml': text } });

const subject: FileSubject<MjcfSource, MjcfReadOptions> = {
  kind: 'files',
  read: async (path, options) => await mjcf.read(path, options),
  write: async (source, result, target) => await mjcf.write(source, result, target),
  samples: [
    sample('filters.xml'),
    sample('shapes.xml'),
    sample('frames.xml'),
    sample('align.xml'),
    sample('include/scene.xml'),
    sample('keys.xml', { key: 'spread' }),
  ],
  refused: [
    bad('a number that is none', '<mujoco><worldbody><body pos="0 nan 0"><freejoint/><geom size="1"/></body></worldbody></mujoco>'),
    bad('an element MuJoCo does not know', '<mujoco><worldbody><nobody/></worldbody></mujoco>'),
    bad('a file that is not there', '<mujoco><include file="missing.xml"/></mujoco>'),
  ],
  enginePairs,
};

describe('conformance', () => {
  for (const { name, run } of adapterConformance(subject)) it(name, run);
});
