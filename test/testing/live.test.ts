/** The checks for worlds in memory: passed by an adapter that keeps its promises, failed where one is broken. */
import { describe, expect, it } from '@jest/globals';
import type { ReadResult } from '../../src/adapters/adapter.js';
import { type Pose, type Result, S4rError, type Scene } from '../../src/index.js';
import { adapterConformance, type LiveSubject } from '../../src/testing/index.js';
import { failures } from './failures.js';
import { parse, TOY } from './toy.js';

interface World {
  readonly poses: Pose[];
  /** Counts writes. */
  revision: number;
}

const scene = parse('/toy', TOY).scene;

async function read(world: World): Promise<ReadResult<World>> {
  if (world.poses.length !== scene.bodies.length) throw new S4rError('INVALID_INPUT', 'this world is not the toy');
  const bodies = scene.bodies.map((body, i) => ({ ...body, X_WB: world.poses[i] as Pose }));
  return { scene: { ...scene, bodies }, source: world, notes: [] };
}

async function write(world: World, { poses, moves }: Result): Promise<World> {
  if (moves.length > 0) world.revision++;
  for (const { bodyId } of moves) world.poses[bodyId] = poses[bodyId] as Pose;
  return world;
}

const subject: LiveSubject<World, World> = {
  kind: 'live',
  read,
  write,
  samples: [{ name: 'toy', make: async () => ({ poses: scene.bodies.map(({ X_WB }) => X_WB), revision: 0 }) }],
  refused: [{ name: 'an empty world', make: async () => ({ poses: [], revision: 0 }) }],
  // The toy's rule, written out: all but the excluded pair.
  enginePairs: async () => ['floor cup', 'floor lid', 'floor pen', 'cup pen', 'lid pen'].map((pair) => pair.split(' ') as [string, string]),
  state: (world) => Buffer.from(JSON.stringify(world)),
};

const withScene = (change: (read: Scene) => Scene) => ({
  read: async (world: World) => {
    const found = await read(world);
    return { ...found, scene: change(found.scene) };
  },
});

const shifted = ({ position: [x, y, z], quaternion }: Pose, by: number): Pose => ({ position: [x + by, y, z], quaternion });

const FAULTS: readonly (readonly [string, Partial<LiveSubject<World, World>>, readonly string[]])[] = [
  [
    'counts what it does not write',
    {
      write: async (world, result) => {
        world.revision++;
        return await write(world, result);
      },
    },
    ['an unmoved world is left alone'],
  ],
  [
    'changes what it reads',
    {
      read: async (world) => {
        world.revision++;
        return await read(world);
      },
    },
    [
      'an unmoved world is left alone',
      'geoms of one mesh share it',
      'the same input gives the same scene',
      'the samples show what is to be checked',
      'the scene is valid',
    ],
  ],
  [
    'is off by a micrometre',
    { write: async (world, result) => await write(world, { ...result, poses: result.poses.map((pose) => shifted(pose, 1e-6)) }) },
    ['poses written are read again'],
  ],
  [
    'moves everything',
    {
      write: async (world, result) => {
        world.poses.forEach((pose, i) => {
          world.poses[i] = shifted(pose, 1e-9);
        });
        return await write(world, result);
      },
    },
    ['an unmoved world is left alone', 'bodies that did not move stay bit for bit', 'poses written are read again'],
  ],
  [
    'loses an exclude',
    withScene((found) => ({ ...found, filter: { ...found.filter, excludedBodies: [] } })),
    ['what collides is what the engine tests'],
  ],
  [
    'refuses nothing',
    { read: async (world) => (world.poses.length === 0 ? parse('/toy', TOY) : await read(world)) as ReadResult<World> & ReadResult<never> },
    ['bad input is refused'],
  ],
];

describe('worlds in memory', () => {
  it('pass if all promises are kept', async () => {
    expect(await failures(adapterConformance(subject))).toEqual([]);
  });

  it.each(FAULTS)('fail where the adapter %s', async (_, fault, expected) => {
    expect(await failures(adapterConformance({ ...subject, ...fault }))).toEqual([...expected].sort());
  });

  it('show every check failing for some fault', () => {
    const checks = adapterConformance(subject).map(({ name }) => name.replace(/:.*/, ''));
    expect([...new Set(FAULTS.flatMap(([, , expected]) => expected))].sort()).toEqual([...new Set(checks)].sort());
  });
});
