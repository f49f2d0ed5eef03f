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
/** Without its SDF, which MuJoCo takes a tenth of a second to compile. */
const SHAPES = {
  'shapes.xml': Buffer.from(files['shapes.xml'] as Uint8Array)
    .toString()
    .replace(/.*type="sdf".*\n/, ''),
};

const SDF = `<mujoco>
  <asset>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3"/>
    <hfield name="hills" nrow="2" ncol="2" size="2 1 .5 .25" elevation="0 1 0 2"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <geom name="terrain" type="hfield" hfield="hills"/>
    <body name="sdf" pos="0 0 3"><freejoint/><geom name="sdf" type="sdf" mesh="wedge"/></body>
    <body name="hull" pos="0 0 5"><freejoint/><geom name="hull" type="mesh" mesh="wedge"/><geom name="box" type="box" size="1 1 1"/></body>
  </worldbody>
</mujoco>
`;

const bad = (name: string, text: string) => ({ name, main: 'scene.xml', files: { 'scene.xml': text } });

const subject: FileSubject<MjcfSource, MjcfReadOptions> = {
  kind: 'files',
  read: async (path, options) => await mjcf.read(path, options),
  write: async (source, result, target) => await mjcf.write(source, result, target),
  samples: [
    sample('filters.xml'),
    { ...sample('shapes.xml'), files: { ...files, ...SHAPES } },
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

  const sdf = { ...subject, samples: [{ name: 'an SDF', main: 'sdf.xml', files: { 'sdf.xml': SDF } }] };
  for (const { name, run } of adapterConformance(sdf)) if (/^(what collides|geoms of one mesh)/.test(name)) it(name, run);
});
