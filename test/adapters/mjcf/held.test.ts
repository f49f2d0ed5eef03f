/** Bodies held together by equality constraints move as one, or not at all. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Scene } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import { assertScene } from '../../../src/core/validate.js';
import { allowedPairs, contactPairs, simulate } from './engine.js';
import { Workspace } from './workspace.js';

const body = (name: string, x: number, inside = '<freejoint/>') =>
  `<body name="${name}" pos="${x} 0 1">${inside}<geom name="${name}" size=".1"/><site name="${name}"/></body>`;

const withEqualities = (equality: string, more = '') => `<mujoco><worldbody>
  ${body('a', 0)}${body('b', 1.5)}${body('c', 0.6)}${body('d', 0.9)}
  ${body('arm', 2, '<joint name="j"/>')}<body name="hand" mocap="true" pos="3 0 0"><geom size=".1"/></body><site name="post"/>
  ${more}</worldbody><equality>${equality}</equality></mujoco>`;

async function readText(xml: string) {
  const read = await mjcf.read(new Workspace().put('scene.xml', xml));
  assertScene(read.scene);
  return read;
}

/** Name of the body that each moves with; 'fixed' for what does not move. */
const movers = ({ bodies }: Scene) =>
  Object.fromEntries(
    bodies
      .filter(({ name }) => /^[a-d]$/.test(name))
      .map(({ name, mobility, movesWith }) => [name, mobility === 'fixed' ? 'fixed' : bodies[movesWith]!.name]),
  );

describe('bodies held by equality constraints', () => {
  it.each([
    [
      '<weld body1="c" body2="b"/>',
      { a: 'a', b: 'b', c: 'b', d: 'd' },
      ["bodies 'c', 'b' are held together by <weld> or <connect> and move as one"],
    ],
    [
      '<connect site1="d" site2="b"/><weld site1="b" site2="a"/>',
      { a: 'a', b: 'a', c: 'c', d: 'a' },
      [expect.stringMatching(/'d', 'b', 'a' are held together/)],
    ],
    [
      '<weld body1="a" body2="b"/><connect body1="c" body2="d" anchor="0 0 0"/>',
      { a: 'a', b: 'a', c: 'c', d: 'c' },
      [expect.anything(), expect.anything()],
    ],
    [
      '<weld body1="a"/>',
      { a: 'fixed', b: 'b', c: 'c', d: 'd' },
      ["body 'a' is held by <weld> or <connect> to 'world', which cannot move, so it stays in place"],
    ],
    [
      '<weld body1="a" body2="hand"/><connect body1="b" body2="a" anchor="0 0 0"/>',
      { a: 'fixed', b: 'fixed', c: 'c', d: 'd' },
      [expect.stringMatching(/'a', 'b' are held .* to 'hand', which cannot move, so they stay/)],
    ],
    ['<connect site1="a" site2="arm"/>', { a: 'fixed', b: 'b', c: 'c', d: 'd' }, [expect.stringMatching(/to 'arm', which cannot move/)]],
    [
      '<weld body1="a" body2="b" active="false"/><weld body1="arm" body2="hand"/>',
      { a: 'a', b: 'b', c: 'c', d: 'd' },
      ["joint 'j': moving it alone would break a <weld> or <connect>, so it cannot be freed"],
    ],
  ])('move as one, or stay: %s', async (equality, expected, notes) => {
    const read = await readText(withEqualities(equality));
    expect(movers(read.scene)).toEqual(expected);
    expect(read.notes).toEqual(notes);
  });

  it('held to a tree with a height field stay with it', async () => {
    const xml = `<mujoco><asset><hfield name="h" nrow="2" ncol="2" elevation="0 1 1 0" size="1 1 1 .1"/></asset><worldbody>
      <body name="island"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="hfield" hfield="h" mass="1"/></body>
      ${body('boat', 3)}</worldbody><equality><weld body1="boat" body2="island"/></equality></mujoco>`;
    const { scene, notes } = await readText(xml);
    expect(scene.bodies.map(({ mobility }) => mobility)).toEqual(['fixed', 'fixed']);
    expect(notes).toEqual([
      "body 'island' carries a height field, which cannot move, so it is an obstacle",
      "body 'boat' is held by <weld> or <connect> to 'island', which cannot move, so it stays in place",
    ]);
  });

  it('collide as MuJoCo has it, each other included', async () => {
    const path = new Workspace().put('scene.xml', withEqualities('<weld body1="a" body2="near"/>', body('near', 0.15)));
    const { scene } = await mjcf.read(path);
    const contacts = await simulate(path, -1, contactPairs);
    expect(contacts.size).toBe(1);
    for (const pair of contacts) expect(allowedPairs(scene).has(pair)).toBe(true);
  });

  it('are repaired as one and written one by one', async () => {
    const workspace = new Workspace();
    const xml = withEqualities('<weld body1="a" body2="c"/>', `<geom name="wall" type="box" size=".05 1 1" pos="-.05 0 1"/>`);
    const path = workspace.put('scene.xml', xml);
    const { scene, source } = await mjcf.read(path);
    const solver = await Solver.create();
    const result = await solver.solve(scene, { margin: 0 });
    expect(result.status).toBe('solved');
    expect(result.moves.map(({ name }) => name)).toContain('a');
    const shiftOf = (name: string) => {
      const { id, X_WB } = scene.bodies.find((candidate) => candidate.name === name)!;
      return result.poses[id]!.position.map((x, k) => x - X_WB.position[k]!);
    };
    expect(shiftOf('a')[0]).toBeCloseTo(0.1, 6);
    shiftOf('a').forEach((x, k) => {
      expect(shiftOf('c')[k]).toBeCloseTo(x, 12);
    });
    const output = await mjcf.write(source, result, path, { inPlace: true });
    expect(output.files[0]!.edits.map(({ element, attribute }) => `${element} ${attribute}`)).toEqual(['body pos', 'body pos']);
    const again = await mjcf.read(path);
    expect((await solver.check(again.scene)).repairable).toBe(0);
  });
});

describe('what is deformable', () => {
  it('takes no part, and is named', async () => {
    const xml = `<mujoco><worldbody><flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" mass="1"/>${body('a', 0)}</worldbody>
      <asset><skin name="coat" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></asset></mujoco>`;
    const { scene, notes } = await readText(xml);
    expect(scene.geoms.map(({ name }) => name)).toEqual(['a']);
    expect(notes).toEqual([
      "flex 'cloth': deformable bodies take no part and may overlap anything",
      "skin 'coat': skins are for looks and take no part",
    ]);
  });
});
