/** The conformance suite passes an adapter that keeps all promises, and names the one that a wrong adapter breaks. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { FileWriteResult, ReadResult, WriteTarget } from '../../src/adapters/adapter.js';
import { type Pose, type Result, S4rError, type Scene } from '../../src/index.js';
import { adapterConformance, type FileSubject } from '../../src/testing/index.js';
import { failures } from './failures.js';
import { enginePairs, parse, read, TOY, type ToySource, withBodies, write } from './toy.js';

const subject: FileSubject<ToySource> = {
  kind: 'files',
  read,
  write,
  samples: [{ name: 'toy', main: 'scene.toy', files: { 'scene.toy': TOY } }],
  refused: [{ name: 'a word too few', main: 'a.toy', files: { 'a.toy': 'body a free 1 2 3 1 0 0\n' } }],
  enginePairs,
};

const COPY = 'an unmoved scene is copied';
const DRY = 'a dry run writes nothing';
const ELSEWHERE = 'poses written are read again';
const FILTERS = 'what collides is what the engine tests';
const HALF = 'nothing is half written';
const IN_PLACE = 'poses written in place are read again';
const OTHERS = 'bodies that did not move stay bit for bit';
const OWN_TEXT = 'only the text of moved bodies changes';
const REFUSED = 'bad input is refused';
const SAME = 'the same input gives the same scene';
const SHARED = 'geoms of one mesh share it';
const SHOWN = 'the samples show what is to be checked';
const STALE = 'a file that changed since it was read is left alone';
const UNMOVED = 'an unmoved scene is not rewritten in place';
const VALID = 'the scene is valid';

/** The toy with another way to read. */
const reading = (change: (scene: Scene, path: string) => Scene | Promise<Scene>) => ({
  read: async (path: string): Promise<ReadResult<ToySource>> => {
    const { scene, ...rest } = await read(path);
    return { ...rest, scene: await change(scene, path) };
  },
});

type Write = (source: ToySource, result: Result, target: WriteTarget) => Promise<FileWriteResult>;
const writing = (changed: Write) => ({ write: changed });

const withPoses = (result: Result, change: (pose: Pose, i: number) => Pose): Result => ({ ...result, poses: result.poses.map(change) });

let counter = 0;

const FAULTS: readonly (readonly [string, Partial<FileSubject<ToySource>>, readonly string[]])[] = [
  [
    'gives two bodies one name',
    reading((scene) => withBodies(scene, (body) => ({ ...body, name: body.name === 'lid' ? 'cup' : body.name }))),
    [VALID],
  ],
  [
    'renames bodies at every reading',
    reading((scene) => withBodies(scene, (body) => ({ ...body, name: `${body.name}${++counter}` }))),
    [SAME, COPY, ELSEWHERE, IN_PLACE, OTHERS],
  ],
  ['gives a body no weight', reading((scene) => withBodies(scene, (body) => ({ ...body, weight: 0 }))), [VALID]],
  ['loses an exclude', reading((scene) => ({ ...scene, filter: { ...scene.filter, excludedBodies: [] } })), [FILTERS]],
  ['filters too much', reading((scene) => ({ ...scene, filter: { ...scene.filter, excludedGeoms: [[0, 3]] } })), [FILTERS]],
  [
    'copies meshes',
    reading((scene) => ({
      ...scene,
      geoms: scene.geoms.map((geom) => (geom.shape.type === 'convex' ? { ...geom, shape: structuredClone(geom.shape) } : geom)),
    })),
    [SHARED, SHOWN],
  ],
  [
    'writes while it reads',
    reading(async (scene, path) => {
      await writeFile(`${path}.log`, `${++counter}`);
      return scene;
    }),
    [VALID, SAME, SHARED, SHOWN],
  ],
  [
    'is off by a micrometre',
    writing((source, result, target) =>
      write(
        source,
        withPoses(result, (pose, i) => {
          const [x, y, z] = pose.position;
          return pose === source.poses[i] ? pose : { ...pose, position: [x, y, z + 1e-6] };
        }),
        target,
      ),
    ),
    [ELSEWHERE, IN_PLACE],
  ],
  [
    'mixes up the order of quaternions',
    writing((source, result, target) =>
      write(
        source,
        withPoses(result, (pose, i) => {
          const [w, x, y, z] = pose.quaternion;
          return pose === source.poses[i] ? pose : { ...pose, quaternion: [x, y, z, w] };
        }),
        target,
      ),
    ),
    [ELSEWHERE, IN_PLACE],
  ],
  [
    'prints too few digits',
    writing((source, result, target) =>
      write(
        source,
        withPoses(result, (pose) => ({ ...pose, position: pose.position.map((x) => Number(x.toFixed(4))) as never })),
        target,
      ),
    ),
    [COPY, UNMOVED, ELSEWHERE, IN_PLACE, OWN_TEXT],
  ],
  [
    'nudges bodies that did not move',
    writing((source, result, target) =>
      write(
        source,
        withPoses(result, (pose) => ({ ...pose, position: pose.position.map((x) => x * (1 + 2 ** -51)) as never })),
        target,
      ),
    ),
    [COPY, UNMOVED, OTHERS, OWN_TEXT],
  ],
  [
    'formats the whole file anew',
    writing(async (source, result, target) => {
      const tidy = (text: string) => text.replaceAll(/ +/g, ' ');
      const output = await write(source, result, target);
      const files = output.files.map((file) => (file.text === undefined ? file : { ...file, text: tidy(file.text) }));
      if (target.dryRun !== true) for (const { path } of files) await writeFile(path, tidy(await readFile(path, 'utf8')));
      return { ...output, files };
    }),
    [COPY, OWN_TEXT],
  ],
  [
    'rewrites what did not move',
    writing(async (source, result, target) => {
      if (target.dryRun !== true && target.inPlace === true) await writeFile(target.path, `${source.text}\n`);
      return await write({ ...source, text: target.inPlace === true ? `${source.text}\n` : source.text }, result, target);
    }),
    [UNMOVED, STALE, OWN_TEXT],
  ],
  [
    'writes bit by bit',
    writing(async (source, result, target) => {
      if (target.dryRun !== true) await writeFile(`${target.path.slice(0, 150)}.part`, 'half').catch(() => undefined);
      return await write(source, result, target);
    }),
    [HALF, UNMOVED, STALE],
  ],
  ['writes in a dry run', writing((source, result, target) => write(source, result, { ...target, dryRun: false })), [DRY, OWN_TEXT]],
  [
    'shows another text than it writes',
    writing(async (source, result, target) => {
      const output = await write(source, result, target);
      return { ...output, files: output.files.map((file) => (file.text === undefined ? file : { ...file, text: `${file.text} ` })) };
    }),
    [DRY, OWN_TEXT],
  ],
  [
    'overwrites what changed since',
    writing(async (source, result, target) =>
      write(
        (await read(source.path)).source,
        withPoses(result, (pose) => ({ ...pose })),
        target,
      ),
    ),
    [STALE, COPY, UNMOVED, OWN_TEXT],
  ],
  [
    'edits the input instead of a copy',
    writing((source, result, target) => write(source, result, { ...target, path: source.path })),
    [COPY, ELSEWHERE, HALF, OTHERS],
  ],
  [
    'forgets to write',
    writing((source, result, target) => write(source, result, { ...target, dryRun: true })),
    [COPY, ELSEWHERE, IN_PLACE, OTHERS, HALF, DRY],
  ],
  [
    'admits an error',
    writing(async (source, result, target) => ({ ...(await write(source, result, target)), verified: 1e-3 })),
    [ELSEWHERE, IN_PLACE],
  ],
  [
    'refuses with any error',
    {
      read: async (path) =>
        await read(path).catch((error: Error) => {
          throw new TypeError(error.message);
        }),
    },
    [REFUSED],
  ],
  [
    'does not say in which file',
    {
      read: async (path) =>
        await read(path).catch((error: Error) => {
          throw new S4rError('INVALID_INPUT', error.message);
        }),
    },
    [REFUSED],
  ],
  ['refuses nothing', { read: async (path) => await read(path).catch(() => parse(path, TOY)) }, [REFUSED]],
  ['is shown too little', { samples: [{ name: 'bare', main: 'a.toy', files: { 'a.toy': 'body a free 0 0 0 1 0 0 0\n' } }] }, [SHOWN]],
];

describe('files', () => {
  it('pass if all promises are kept', async () => {
    const checks = adapterConformance(subject);
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    expect(await failures(checks)).toEqual([]);
  });

  it.each(FAULTS)('fail where the adapter %s', async (_, fault, expected) => {
    expect(await failures(adapterConformance({ ...subject, ...fault }))).toEqual([...expected].sort());
  });

  it('show every check failing for some fault', async () => {
    const checks = adapterConformance(subject).map(({ name }) => name.replace(/:.*/, ''));
    expect([...new Set(FAULTS.flatMap(([, , expected]) => expected))].sort()).toEqual([...new Set(checks)].sort());
  });
});
