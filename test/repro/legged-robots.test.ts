/** Legged robots in the ground: the root alone is lifted, and what no lift can cure is said to be so. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mjcf } from '../../src/adapters/mjcf/index.js';
import type { Resolution } from '../../src/core/prepared.js';
import { Solver } from '../../src/core/solver.js';
import { simulate } from '../adapters/mjcf/engine.js';
import { expectPoses } from '../adapters/mjcf/repair.js';
import { Workspace } from '../adapters/mjcf/workspace.js';

const FEET = [
  [0.2, 0.15],
  [0.2, -0.15],
  [-0.2, 0.15],
  [-0.2, -0.15],
] as const;
/** Height of the root over the feet's centres with straight legs [m], and a foot's radius. */
const LEG = 0.5;
const FOOT = 0.02;

/** Four legs of hip, knee and foot; `more` goes into the trunk. */
const robot = (height: number, more = '') => `<body name="trunk" pos="0 0 ${height}"><freejoint name="root"/>
    <geom name="trunk" type="box" size=".15 .1 .04"/>${more}
    ${FEET.map(
      (
        [x, y],
        i,
      ) => `<body name="thigh${i}" pos="${x} ${y} 0"><joint name="hip${i}" axis="0 1 0"/><geom name="thigh${i}" type="capsule" fromto="0 0 -.05 0 0 -.2" size=".015"/>
      <body name="shank${i}" pos="0 0 -.25"><joint name="knee${i}" axis="0 1 0"/><geom name="shank${i}" type="capsule" fromto="0 0 -.05 0 0 -.2" size=".012"/>
        <geom name="foot${i}" size="${FOOT}" pos="0 0 -.25"/></body></body>`,
    ).join('\n    ')}
  </body>`;

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

describe('F10: a quadruped on a pyramid', () => {
  const N = 41;
  /** Two metres wide; the height field's own heights run from 0 to 1. */
  const pyramid = (peak: number) => {
    const heights = Array.from({ length: N * N }, (_, k) => 1 - Math.max(Math.abs((k % N) - 20), Math.abs(Math.floor(k / N) - 20)) / 20);
    return `<mujoco><asset><hfield name="pyramid" nrow="${N}" ncol="${N}" size="1 1 ${peak} .1" elevation="${heights.join(' ')}"/></asset>
      <worldbody><geom name="ground" type="hfield" hfield="pyramid"/>${robot(LEG + 0.019)}</worldbody></mujoco>`;
  };

  it.each([0.08, 0.16, 0.32])('of %s m is lifted until the feet stand on it', async (peak) => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', pyramid(peak));
    const { scene, source } = await mjcf.read(path);
    const before = await solver.check(scene);
    expect(before.repairableBodyPairs).toBeGreaterThanOrEqual(4);
    const result = await solver.solve(scene, { axes: { '*': 'z' } });
    expect([result.status, result.moves.map(({ name }) => name)]).toEqual(['solved', ['trunk']]);
    const [x, y, lift] = result.moves[0]!.translation;
    expect([x, y, result.moves[0]!.rotation]).toEqual([0, 0, 0]);
    // The slope is `peak` per metre; at 0.2 m from the middle a foot touches it at its radius over the cosine.
    const wanted = 0.8 * peak + FOOT * Math.hypot(1, peak) - 0.019;
    expect(lift).toBeGreaterThan(wanted - 1e-6);
    expect(lift).toBeLessThan(wanted + 1e-3);
    const output = await mjcf.write(source, result, path, { inPlace: true });
    expect(output.files[0]!.edits.map(({ before: from, attribute }) => [attribute, from])).toEqual([['pos', String(LEG + 0.019)]]);
    await expectPoses(workspace, 'scene.xml', { scene, result, output });
    expect(await simulate(path, -1, ({ data }) => data.ncon)).toBe(0);
  });
});

describe('F11: a legged robot with noise on its joints', () => {
  /** Two pairs of parts that always overlap: cousins in the tree, so no engine leaves them out. */
  const parts = `<body name="battery" pos="0 0 .1"><joint name="latch" type="slide"/><geom name="battery" type="box" size=".05 .05 .05"/></body>
    <body name="mast" pos="0 0 .2"><joint name="pan" axis="0 0 1" range="-90 90"/><geom name="mast" type="capsule" fromto="0 0 0 0 0 -.1" size=".02"/>
      <body name="camera" pos="0 0 .1"><joint name="tilt" range="-30 30"/><geom name="camera" size=".04"/></body></body>
    <body name="shield" pos=".03 0 .3"><joint name="open"/><geom name="shield" type="box" size=".01 .05 .05"/></body>`;
  const XML = `<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>${robot(0.4, parts)}</worldbody></mujoco>`;
  const SEEDS = 40;

  it('has its root moved and nothing else, whatever the seed', async () => {
    const path = new Workspace().put('scene.xml', XML);
    const first = await mjcf.read(path);
    const nq = first.source.qpos.length;
    let seed = 7;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return (2 * seed) / 2147483647 - 1;
    };
    const rows = Array.from({ length: SEEDS }, () => {
      const qpos = Float64Array.from(first.source.qpos);
      for (const { name, qposAddress } of first.source.joints) if (/hip|knee/.test(name)) qpos[qposAddress]! += 0.7 * random();
      return [...qpos];
    });
    const states = await mjcf.states(path, { qpos: Float64Array.from(rows.flat()), nq });
    const root = states.scene.bodies.find(({ name }) => name === 'trunk')!.id;
    const prepared = await solver.prepare(states.scene);
    const found: Resolution[] = [];
    for (let i = 0; i < states.count; i++) found.push(await prepared.resolve(states.poses(i)));
    const repaired = states.repaired(found.map(({ poses }) => poses));
    expect(found.filter(({ status }) => status === 'solved').length).toBeGreaterThan(30);

    const after = await mjcf.states(path, { qpos: repaired, nq });
    for (let i = 0; i < SEEDS; i++) {
      expect(['solved', 'clean']).toContain(found[i]!.status);
      expect(found[i]!.moved.every((id) => id === root)).toBe(true);
      const row = [...repaired.subarray(i * nq, (i + 1) * nq)];
      expect(row.slice(3)).toEqual(rows[i]!.slice(3));
      const check = await solver.check(after.at(i));
      const inner = check.overlaps.filter(({ constant }) => constant).map(({ names }) => [names.geomA, names.geomB].sort().join(' '));
      expect([check.repairable, inner.filter((pair) => !/thigh|shank|foot/.test(pair)).sort()]).toEqual([
        0,
        ['battery mast', 'camera shield'],
      ]);
    }
    const inFloor = await simulate(path, -1, ({ mujoco, model, data }) =>
      rows.map((_, i) => {
        data.qpos.set(repaired.subarray(i * nq, (i + 1) * nq));
        mujoco.mj_forward(model, data);
        const contacts = data.contact;
        const floor = Array.from({ length: data.ncon }, (_, k) => contacts.get(k)!).filter(({ geom1, dist }) => geom1 === 0 && dist < 0);
        contacts.delete();
        return floor.length;
      }),
    );
    expect(inFloor).toEqual(Array(SEEDS).fill(0));
  });
});
