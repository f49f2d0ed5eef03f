/** Rollouts from poses that stand in no file. */
import { describe, expect, test } from '@jest/globals';
import { collectFiles, mjcf } from '../../src/adapters/mjcf/index.js';
import type { Pose, Vec3 } from '../../src/core/scene.js';
import { mujocoContacts, rolloutMujoco } from '../../src/rollout/mujoco.js';
import { Simulation } from '../../src/rollout/mujoco-simulation.js';
import { cube, scene } from './scenes.js';

const at = (...position: Vec3): Pose => ({ position, quaternion: [1, 0, 0, 0] });

/** Runs `use` on the start state. */
async function started<T>(...args: [...Parameters<typeof Simulation.create>, use: (simulation: Simulation) => T]): Promise<T> {
  const [files, options, use] = args;
  const simulation = await Simulation.create(files, options);
  try {
    return use(simulation);
  } finally {
    simulation.free();
  }
}

describe('poses', () => {
  const overlapping = scene(cube('a', '0 0 1') + cube('b', '0.08 0 1'));

  test('replace those of the state', async () => {
    const poses = new Map([['b', at(0.11, 0, 1)]]);
    expect(await mujocoContacts(overlapping)).toHaveLength(4);
    expect(await mujocoContacts(overlapping, { poses })).toEqual([]);
    const { movable, start } = await rolloutMujoco(overlapping, { poses, gravity: false });
    expect(movable.speed?.value).toBe(0);
    expect(start.count).toBe(0);
    expect((await rolloutMujoco(overlapping, { poses: new Map(), gravity: false })).movable.speed?.value).toBeGreaterThan(0.1);
  });

  test('turn bodies, w first', async () => {
    const poses = new Map<string, Pose>([['b', { position: [0.2, 0, 1], quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }]]);
    const [xpos, xquat] = await started(overlapping, { poses }, ({ data }) => [[...data.xpos], [...data.xquat]]);
    expect(xpos.slice(6)).toEqual([0.2, 0, 1]);
    expect(xquat.slice(8)).toEqual([Math.SQRT1_2, 0, 0, Math.SQRT1_2].map((value) => expect.closeTo(value, 15)));
  });

  test('leave the other bodies and the velocities of a keyframe alone', async () => {
    const key = '<keyframe><key name="go" qpos="5 0 1 1 0 0 0 0 0 1 1 0 0 0" qvel="0 0 0 0 0 0 0.5 0 0 0 0 0"/></keyframe>';
    const files = scene(cube('a', '0 0 1') + cube('b', '0.08 0 1'), key);
    const options = { key: 'go', poses: new Map([['b', at(0, 3, 1)]]) };
    expect(await started(files, options, ({ data }) => [...data.xpos].slice(3))).toEqual([5, 0, 1, 0, 3, 1]);
    const { movable } = await rolloutMujoco(files, { ...options, gravity: false });
    expect(movable.speed).toMatchObject({ value: expect.closeTo(0.5, 9), body: 'b' });
    expect(movable.displacement?.value).toBeCloseTo(0.5, 9);
  });

  test('carry links along', async () => {
    const robot =
      '<body name="base" pos="0 0 1"><freejoint/><geom size="0.1"/><body name="tip" pos="0 0 0.5"><joint/><geom size="0.1"/></body></body>';
    const poses = new Map([['base', at(1, 2, 3)]]);
    expect(await started(scene(robot), { poses }, ({ data }) => [...data.xpos].slice(3))).toEqual([1, 2, 3, 1, 2, 3.5]);
  });

  test('go by the names of the Scene, also for bodies no file names', async () => {
    for (const file of ['test/fixtures/mjcf/replicate.xml', 'test/fixtures/mjcf/attach/scene.xml']) {
      const { scene: read } = await mjcf.read(file);
      const units = read.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id);
      const poses = new Map(units.map(({ name, id }) => [name, at(id, 0, 100)]));
      const found = await started(await collectFiles(file), { poses }, (simulation) =>
        units.map(({ name }) => {
          const body = Array.from({ length: simulation.model.nbody }, (_, b) => simulation.bodyName(b)).indexOf(name);
          return [...simulation.data.xpos.subarray(3 * body, 3 * body + 3)];
        }),
      );
      expect(found).toEqual(units.map(({ id }) => [id, 0, 100]));
    }
  });

  test('of a name the file gives, not of the same one made up', async () => {
    const unnamed = '<body pos="0 0 1"><freejoint/><geom size="0.1"/></body>';
    for (const bodies of [cube('body_2', '5 0 1') + unnamed, unnamed + cube('body_1', '5 0 1')]) {
      const named = bodies.startsWith('<body name') ? 'body_2' : 'body_1';
      const xpos = await started(scene(bodies), { poses: new Map([[named, at(9, 9, 9)]]) }, ({ data }) => [...data.xpos]);
      expect(xpos.slice(named === 'body_2' ? 3 : 6).slice(0, 3)).toEqual([9, 9, 9]);
      expect(xpos.slice(named === 'body_2' ? 6 : 3).slice(0, 3)).toEqual([0, 0, 1]);
    }
  });

  const link = '<body name="base"><freejoint/><geom size="0.1"/><body name="link" pos="1 0 0"><joint/><geom size="0.1"/></body></body>';
  test.each<[string, string, Pose]>([
    ["cannot place body 'nobody': the model has no such body", 'nobody', at(0, 0, 0)],
    ["cannot place body 'link': it has no free joint of its own", 'link', at(0, 0, 0)],
    ["cannot place body 'wall': it has no free joint of its own", 'wall', at(0, 0, 0)],
    ["cannot place body 'world': it has no free joint of its own", 'world', at(0, 0, 0)],
    ["expected 3 + 4 finite numbers for body 'base', got NaN 0 0 1 0 0 0", 'base', at(Number.NaN, 0, 0)],
    ["expected a quaternion that is not 0 for body 'base'", 'base', { position: [0, 0, 0], quaternion: [0, 0, 0, 0] }],
  ])('%s', async (message, name, pose) => {
    const files = scene(`${link}<body name="wall"><geom size="0.1"/></body>`);
    const error: unknown = await rolloutMujoco(files, { poses: new Map([[name, pose]]) }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(message) });
    expect((error as Error).message).toContain('option poses');
  });
});
