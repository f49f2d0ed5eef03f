/** Many states of one scene: those in an archive, and those of a sampler. */
import { describe, expect, it } from '@jest/globals';
import { decodeNpz, encodeNpz, type NpyArray } from '../../../src/adapters/files/npz.js';
import { type MjcfStates, mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Resolution } from '../../../src/core/prepared.js';
import { Solver } from '../../../src/core/solver.js';
import { simulate } from './engine.js';
import { Workspace } from './workspace.js';

/** A table, an arm of one hinge over it, and three boxes on it. */
const SCENE = `<mujoco><worldbody>
  <geom name="table" type="box" size="1 1 .1" pos="0 0 -.1"/>
  <body name="arm" pos="0 -.8 1"><joint name="swing"/><geom type="capsule" fromto="0 0 0 0 .3 0" size=".05"/></body>
  ${['a', 'b', 'c'].map((name, i) => `<body name="${name}" pos="${0.3 * i} 0 .1"><freejoint name="${name}"/><geom type="box" size=".1 .1 .1"/></body>`).join('\n  ')}
</worldbody></mujoco>`;
const NQ = 22;

/** The arm at `swing`, the boxes at these places. */
function row(swing: number, ...places: readonly (readonly [number, number, number])[]): number[] {
  // Not quite unit, as single precision leaves them: what is clean must keep even that.
  return [swing, ...places.flatMap((place) => [...place, 0.6000001, 0, 0, 0.8])];
}

/** 50 states of boxes spread over the table, each a little different. */
function spread(): number[][] {
  return Array.from({ length: 50 }, (_, i) => {
    const s = 0.01 * i;
    return row(-0.02 * i, [-0.5 - s / 2, 0.1 * Math.sin(i), 0.1 + 1e-7], [0, s, 0.1 + 1e-7], [0.5 + s / 2, -s, 0.1 + 1e-7]);
  });
}

async function resolveAll(states: MjcfStates): Promise<Resolution[]> {
  const prepared = await (await Solver.create()).prepare(states.scene);
  const found: Resolution[] = [];
  for (let i = 0; i < states.count; i++) found.push(await prepared.resolve(states.poses(i)));
  return found;
}

/** Depth of the deepest contact in MuJoCo [m]. */
async function deepest(path: string, qpos: ArrayLike<number>): Promise<number> {
  return await simulate(path, -1, ({ mujoco, model, data }) => {
    data.qpos.set(Array.from(qpos));
    mujoco.mj_forward(model, data);
    const contacts = data.contact;
    const depths = Array.from({ length: data.ncon }, (_, i) => -contacts.get(i)!.dist);
    contacts.delete();
    return Math.max(0, ...depths);
  });
}

describe('F12: an archive of states', () => {
  it('with one bad row and one that hovers: exactly those are flagged, the rest is the same bits', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', SCENE);
    const rows = spread();
    rows[17] = row(0, [0, 0, 0.1 + 1e-7], [0.15, 0.02, 0.1 + 1e-7], [0.6, 0, 0.1 + 1e-7]);
    rows[31]![1 + 7 + 2]! += 0.11;
    const qpos = Float64Array.from(rows.flat());
    const seed: NpyArray = { dtype: 'int32', shape: [50], data: Int32Array.from(rows, (_, i) => i) };
    const qvel: NpyArray = { dtype: 'float64', shape: [50, 19], data: new Float64Array(50 * 19).fill(0.5) };
    workspace.put('states.npz', encodeNpz({ seed, qvel, qpos: { dtype: 'float64', shape: [50, NQ], data: qpos } }));

    const states = await mjcf.states(path, workspace.path('states.npz'));
    expect([states.count, states.notes]).toEqual([50, []]);
    const found = await resolveAll(states);
    expect(found.flatMap(({ status }, i) => (status === 'clean' ? [] : [[i, status]]))).toEqual([[17, 'solved']]);
    const solver = await Solver.create();
    const hovering: [number, string, number][] = [];
    for (let i = 0; i < states.count; i++) {
      const { hovering: found } = await solver.survey(states.at(i), { hover: 0.01 });
      for (const { name, gap } of found) hovering.push([i, name, Number(gap.toFixed(6))]);
    }
    expect(hovering).toEqual([[31, 'b', 0.11]]);

    await states.write(
      found.map(({ poses }) => poses),
      workspace.path('repaired.npz'),
    );
    const arrays = decodeNpz(workspace.bytes('repaired.npz'));
    const repaired = arrays.get('qpos')!.data as Float64Array;
    const changed = Array.from({ length: 50 }, (_, i) => i).filter((i) =>
      repaired.subarray(i * NQ, (i + 1) * NQ).some((value, k) => !Object.is(value, qpos[i * NQ + k])),
    );
    expect(changed).toEqual([17]);
    expect(await deepest(path, repaired.subarray(17 * NQ, 18 * NQ))).toBeLessThan(1e-6);
    // What was not asked for stays: the arm, the box that touched nothing, the rotations, the other arrays.
    const after = [...repaired.subarray(17 * NQ, 18 * NQ)];
    expect(
      after
        .map((value, k) => (value === rows[17]![k] ? '=' : 'x'))
        .join('')
        .replace(/x/g, '.'),
    ).toMatch(/^=(...====){2}={7}$/);
    expect(arrays.get('seed')).toEqual(seed);
    const velocities = arrays.get('qvel')!.data as Float64Array;
    const still = Array.from(velocities.subarray(17 * 19, 18 * 19));
    expect([still, velocities.filter((v) => v === 0).length]).toEqual([[0.5, ...Array(12).fill(0), ...Array(6).fill(0.5)], 12]);
    expect(arrays.get('joint_names')).toMatchObject({ data: ['swing', 'a', 'b', 'c'] });
  });

  it('that was made for another scene file is read with a note', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', SCENE);
    const states = await mjcf.states(path, { qpos: Float64Array.from(spread().flat()), nq: NQ });
    await states.write(
      Array.from({ length: 50 }, (_, i) => states.poses(i)),
      workspace.path('states.npz'),
    );
    expect((await mjcf.states(path, workspace.path('states.npz'))).notes).toEqual([]);
    workspace.put('scene.xml', `${SCENE}\n`);
    expect((await mjcf.states(path, workspace.path('states.npz'))).notes).toEqual([
      'the states were made for another version of the scene file; their lengths and names fit',
    ]);
  });

  it.each([
    [
      'no qpos',
      { x: { dtype: 'float64', shape: [2], data: new Float64Array(2) } },
      /expected an array of numbers 'qpos' \(rows, nq\), found x \(2\)/,
    ],
    ['text', { qpos: { dtype: 'string', shape: [1, 1], data: ['a'] } }, /expected an array of numbers 'qpos'/],
    ['three axes', { qpos: { dtype: 'float64', shape: [1, 1, NQ], data: new Float64Array(NQ) } }, /found qpos \(1,1,22\)/],
    [
      'another length',
      { qpos: { dtype: 'float64', shape: [2, 8], data: new Float64Array(16) } },
      /the states have 8 numbers each, the scene's qpos 22/,
    ],
    [
      'NaN',
      { qpos: { dtype: 'float32', shape: [2, NQ], data: new Float32Array(2 * NQ).fill(NaN, 25, 26) } },
      /must be finite, got NaN in state 1, number 3/,
    ],
    [
      'other joints',
      {
        qpos: { dtype: 'float64', shape: [NQ], data: new Float64Array(NQ) },
        joint_names: { dtype: 'string', shape: [3], data: ['swing', 'a', 'b'] },
      },
      /joint 3 of the states is 'none', of the scene 'c'/,
    ],
  ] as const)('with %s is refused', async (_, arrays, message) => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', SCENE);
    const file = workspace.put('states.npz', encodeNpz(arrays as unknown as Record<string, NpyArray>));
    await expect(mjcf.states(path, file)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      place: { file },
      message: expect.stringMatching(message),
    });
  });
});

describe('F13: rows of a sampler', () => {
  it('that it gave up on, all zeros, are found and repaired', async () => {
    const path = new Workspace().put('scene.xml', SCENE);
    const rows = spread().slice(0, 8);
    for (const bad of [2, 3, 6]) rows[bad] = row(0, [0, 0, 0.1 + 1e-7], [0, 0, 0.1 + 1e-7], [0, 0, 0.1 + 1e-7]);
    const qpos = Float64Array.from(rows.flat());
    // One that did not even get its rotations.
    qpos.fill(0, 3 * NQ, 4 * NQ);
    const states = await mjcf.states(path, { qpos, nq: NQ });
    const found = await resolveAll(states);
    expect(found.flatMap(({ status }, i) => (status === 'clean' ? [] : [[i, status]]))).toEqual([2, 3, 6].map((i) => [i, 'solved']));
    const repaired = states.repaired(found.map(({ poses }) => poses));
    for (const [i, { status }] of found.entries()) {
      const [before, after] = [qpos, repaired].map((all) => all.subarray(i * NQ, (i + 1) * NQ)) as [Float64Array, Float64Array];
      if (status === 'clean') expect(after).toEqual(before);
      else expect(await deepest(path, after)).toBeLessThan(1e-6);
    }
    expect(states.qpos).toEqual(qpos);
  });

  it('may not come back with links that moved on their own, or in another number', async () => {
    const path = new Workspace().put('scene.xml', SCENE);
    const states = await mjcf.states(path, { qpos: Float64Array.from(spread()[0]!), nq: NQ });
    const arm = states.scene.bodies.find(({ name }) => name === 'arm')!;
    const moved = states.poses(0).slice();
    moved[7 * arm.id]! += 1;
    expect(() => states.repaired([moved])).toThrow(/state 0 moves body 'arm' on its own/);
    expect(() => states.repaired([])).toThrow(RangeError);
    expect(() => states.repaired([moved.slice(1)])).toThrow(RangeError);
    expect(() => states.poses(1)).toThrow(RangeError);
    await expect(mjcf.states(path, { qpos: new Float64Array(NQ + 1), nq: NQ })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
