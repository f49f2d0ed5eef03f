/** Rollouts in MuJoCo against motion that is known in closed form, or known to be none. */
import { describe, expect, test } from '@jest/globals';
import { rolloutMujoco } from '../../src/rollout/mujoco.js';
import { cube, filesOf, scene } from './scenes.js';

const FREE_FALL = { g: 9.81, timestep: 0.001 };

describe('motion', () => {
  test('overlapping cubes fly apart without gravity', async () => {
    const { movable, start, end, badStep } = await rolloutMujoco(scene(cube('a', '0 0 1') + cube('b', '0.08 0 1')), { gravity: false });
    // Measured: about 9.4 m/s per metre of depth.
    expect(movable.speed?.value).toBeGreaterThan(0.1);
    expect(movable.speed?.value).toBeLessThan(0.3);
    expect(start.penetrating).toBe(4);
    expect(start.deepest?.dist).toBeCloseTo(-0.02, 12);
    expect(end).toEqual({ count: 0, penetrating: 0, deepest: null, constant: 0, flex: 0 });
    expect(badStep).toBeNull();
  });

  test('separate cubes stay exactly where they are without gravity', async () => {
    const { movable, all } = await rolloutMujoco(scene(cube('a', '0 0 1') + cube('b', '0.1001 0 1')), { gravity: false });
    expect(movable.bodies).toBe(2);
    expect(movable.speed?.value).toBe(0);
    expect(movable.angularSpeed?.value).toBe(0);
    expect(movable.displacement?.value).toBe(0);
    expect(all).toEqual(movable);
  });

  test('a body in free fall reaches g t after g t^2 / 2', async () => {
    const { g, timestep } = FREE_FALL;
    const { movable, steps, seconds, gravity } = await rolloutMujoco(scene(cube('a', '0 0 9')), { seconds: 0.5, timestep });
    expect(steps).toBe(500);
    expect(seconds).toBeCloseTo(0.5, 12);
    expect(gravity).toEqual([0, 0, -g]);
    expect(movable.speed).toEqual({ value: expect.closeTo(g * 0.5, 6), body: 'a', time: 0.5 });
    // Semi-implicit Euler is ahead by g t dt / 2.
    expect(movable.displacement?.value).toBeCloseTo((g * 0.25) / 2 + (g * 0.5 * timestep) / 2, 6);
  });

  test('starts with the velocities of a keyframe', async () => {
    const keys = '<keyframe><key name="rest"/><key name="spin" qvel="0.5 0 0 0 0 2"/></keyframe>';
    const files = scene(cube('a', '0 0 1'), keys);
    const { movable } = await rolloutMujoco(files, { key: 'spin', gravity: false });
    expect(movable.speed?.value).toBeCloseTo(0.5, 9);
    expect(movable.angularSpeed?.value).toBeCloseTo(2, 9);
    expect(movable.displacement).toEqual({ value: expect.closeTo(0.5, 9), body: 'a', time: 1 });
    expect((await rolloutMujoco(files, { key: '0', gravity: false })).movable.speed?.value).toBe(0);
    expect((await rolloutMujoco(files, { key: 1, gravity: false })).movable.speed?.value).toBeCloseTo(0.5, 9);
  });

  test('tells floating bodies from robots that move by themselves', async () => {
    const pendulum = '<body name="arm" pos="0 0 2"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/></body>';
    const { movable, all } = await rolloutMujoco(
      scene(`${pendulum}<body mocap="true"/>${cube('a', '0 1 0.0501')}<geom type="plane" size="1 1 1"/>`),
    );
    expect(movable.bodies).toBe(1);
    // It settles by a tenth of a millimetre.
    expect(movable.speed?.value).toBeLessThan(0.05);
    expect(all.bodies).toBe(2);
    expect(all.speed?.body).toBe('arm');
    expect(all.speed?.value).toBeGreaterThan(1);
  });

  test('has no peaks without bodies', async () => {
    const { movable, all } = await rolloutMujoco(scene('<geom type="plane" size="1 1 1"/>'));
    expect(movable).toEqual({ bodies: 0, speed: null, angularSpeed: null, displacement: null });
    expect(all).toEqual(movable);
  });

  test('gives the same bits every time', async () => {
    const files = scene(
      `<geom type="plane" size="1 1 1"/>${cube('a', '0 0 0.04')}${cube('b', '0.03 0.02 0.08')}${cube('c', '0.05 0 0.1')}`,
    );
    const { milliseconds: _, ...first } = await rolloutMujoco(files);
    const { milliseconds: __, ...second } = await rolloutMujoco(files);
    expect(second).toEqual(first);
  });
});

describe('bad states', () => {
  test('NaN at the start is reported, not reset', async () => {
    const { badStep, steps, end, movable, warnings } = await rolloutMujoco(scene(cube('a', '0 0 1') + cube('b', 'nan 0 1')));
    expect(badStep).toEqual({ step: 1, time: 0.002, quantity: 'qpos', body: 'b' });
    expect(steps).toBe(1);
    expect(warnings.map(({ name }) => name)).toContain('BADQPOS');
    expect(end).toBeNull();
    expect(movable.speed).toBeNull();
  });

  test('a scene that blows up is stopped at the first bad step', async () => {
    const rest = '<actuator><motor joint="hinge" gear="1e13"/></actuator><keyframe><key name="full" ctrl="1"/></keyframe>';
    const arm = '<body name="arm"><joint name="hinge"/><geom type="sphere" size="0.1" pos="0.2 0 0"/></body>';
    const files = scene(arm, rest);
    const { badStep, warnings } = await rolloutMujoco(files, { key: 'full' });
    expect(badStep).toEqual({ step: 1, time: 0.002, quantity: expect.stringMatching(/qvel|qacc/), body: 'arm' });
    expect(warnings).toEqual([{ name: 'BADQACC', count: expect.any(Number), text: expect.stringContaining('unstable') }]);
    expect((await rolloutMujoco(files)).badStep).toBeNull();
  });

  test('warnings that do not end the rollout come with their counts', async () => {
    const rest = '<actuator><motor joint="hinge"/></actuator><keyframe><key name="huge" ctrl="1e11"/></keyframe>';
    const arm = '<body name="arm"><joint name="hinge"/><geom type="sphere" size="0.1" pos="0.2 0 0"/></body>';
    const { badStep, warnings } = await rolloutMujoco(scene(arm, rest), { key: 'huge', seconds: 0.01 });
    expect(badStep).toBeNull();
    expect(warnings).toEqual([{ name: 'BADCTRL', count: expect.any(Number), text: expect.stringContaining('CTRL') }]);
  });
});

describe('misuse', () => {
  const files = scene(cube('a', '0 0 1'));

  test.each([
    ['seconds', { seconds: 0 }],
    ['seconds', { seconds: Number.NaN }],
    ['timestep', { timestep: -0.001 }],
    ['key', { key: 'home' }],
    ['key', { key: 3 }],
    ['key', { key: '' }],
  ])('%s: %o is an INVALID_OPTION', async (_, options) => {
    await expect(rolloutMujoco(files, options)).rejects.toMatchObject({ name: 'S4rError', code: 'INVALID_OPTION' });
  });

  test('an unknown key names those there are', async () => {
    const keys = '<keyframe><key name="home"/><key name="away"/></keyframe>';
    await expect(rolloutMujoco(scene(cube('a', '0 0 1'), keys), { key: 'hom' })).rejects.toThrow(
      "no keyframe 'hom': the model has home, away",
    );
  });

  test.each([
    ['unclosed', '<mujoco'],
    ['no mass', '<mujoco><worldbody><body><freejoint/></body></worldbody></mujoco>'],
    ['missing mesh', '<mujoco><asset><mesh file="none.obj"/></asset></mujoco>'],
  ])('%s XML is INVALID_INPUT on one line with the file', async (_, xml) => {
    const error: unknown = await rolloutMujoco(filesOf({ 'dir/broken.xml': xml })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(/^dir\/broken\.xml: .*$/) });
  });

  test('a main file that is not there is INVALID_INPUT', async () => {
    await expect(rolloutMujoco({ files: new Map(), main: 'scene.xml' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('an aborted signal ends the rollout with its reason', async () => {
    const signal = AbortSignal.timeout(100);
    const error: unknown = await rolloutMujoco(files, { seconds: 1e6, signal }).catch((thrown: unknown) => thrown);
    expect(error).toBe(signal.reason);
  });
});

describe('resources', () => {
  test('many rollouts need no more memory than a few', async () => {
    const files = scene(cube('a', '0 0 1') + cube('b', '0.08 0 1'));
    // A model and its data take 30 MB of the 2 GiB, so a leak of either ends this early.
    for (let i = 0; i < 150; i++) await rolloutMujoco(files, { seconds: 0.004 });
  });

  test('1300 free bodies fit, though not with the arena MuJoCo would choose', async () => {
    const balls = Array.from(
      { length: 1300 },
      (_, i) => `<body pos="${i % 40} ${Math.floor(i / 40)} 0"><freejoint/><geom size="0.1"/></body>`,
    );
    const xml = `<mujoco><worldbody>${balls.join('')}</worldbody></mujoco >\n<!-- not </mujoco> --><!-- nor this -->\n`;
    const { movable, badStep } = await rolloutMujoco(filesOf({ 'scene.xml': xml }), { seconds: 0.004 });
    expect(movable.bodies).toBe(1300);
    expect(badStep).toBeNull();
  });
});
