/** Reports of users about robots that start in something, rebuilt with their numbers. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mjcf } from '../../src/adapters/mjcf/index.js';
import type { Scene } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { Workspace } from '../adapters/mjcf/workspace.js';
import { type BodySpec, box, buildScene, ground } from '../scenes/build.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

/** The two bodies and the depth [mm] of every overlap, deepest first. */
async function listOf(scene: Scene): Promise<string[]> {
  const { overlaps } = await solver.survey(scene);
  return overlaps.map(({ names, depth, class: found }) => `${names.bodyA} ${names.bodyB} ${(1000 * depth).toFixed(3)} ${found}`);
}

describe('F9: an arm in a stack of pallets whose edge is at y = -0.05', () => {
  interface Arm {
    readonly fixedBase?: boolean;
    readonly fixedPallet?: boolean;
  }

  /** link0 reaches to y = -0.095, link1 to y = -0.14. They are neighbours, and overlap. */
  function arm({ fixedBase = false, fixedPallet = false }: Arm): Scene {
    const links: BodySpec[] = [
      { name: 'link0', fixed: fixedBase, at: [0, 0, 0.1], geoms: [box(0.095, 0.095, 0.1)] },
      { name: 'link1', fixed: fixedBase, at: [0, 0, 0.3], movesWith: fixedBase ? 1 : 0, geoms: [box(0.06, 0.14, 0.11)] },
    ];
    const pallet: BodySpec = { name: 'pallet', fixed: fixedPallet, at: [0, -0.45, 0.3], geoms: [box(0.4, 0.4, 0.3)] };
    return buildScene([...links, pallet], { neighbours: [[0, 1]] });
  }

  test('both links are named with what they overlap and how deep', async () => {
    for (const fixedBase of [false, true]) {
      expect(await listOf(arm({ fixedBase }))).toEqual([
        'link1 pallet 90.000 real',
        'link0 pallet 45.000 real',
        'link0 link1 10.000 neighbours',
      ]);
    }
  });

  test.each([
    ['a fixed base', { fixedBase: true }, {}],
    ['the floating base frozen', {}, { frozen: ['link0'] }],
  ])('%s: the pallet moves by the deeper of the two', async (_, fixed, options) => {
    const result = await solver.solve(arm(fixed), options);
    expect(result).toMatchObject({ status: 'solved', moves: [{ name: 'pallet' }] });
    expect(result.moves[0]?.translation[1]).toBeLessThanOrEqual(-0.09);
    expect(result.moves[0]?.distance).toBeLessThan(0.092);
  });

  test('both fixed: constant, and no solve can help', async () => {
    const scene = arm({ fixedBase: true, fixedPallet: true });
    expect(await listOf(scene)).toEqual(['link1 pallet 90.000 constant', 'link0 pallet 45.000 constant', 'link0 link1 10.000 neighbours']);
    const result = await solver.solve(scene);
    expect(result).toMatchObject({ status: 'clean', moves: [], before: { repairable: 0, constant: 2 } });
  });
});

describe('F17: a capsule of a fixed robot, 60 mm in the ground', () => {
  // Radius 0.05 m, level, its axis 0.01 m under the surface: 0.06 m.
  test('it is listed as constant, and the solve ends at once', async () => {
    const side = Math.SQRT1_2;
    const capsule: BodySpec = {
      name: 'link3',
      fixed: true,
      at: [0.3, 0, -0.01],
      quaternion: [side, side, 0, 0],
      geoms: [{ type: 'capsule', radius: 0.05, halfLength: 0.1 }],
    };
    const scene = buildScene([ground(), capsule, { name: 'cube', at: [1, 0, 0.05], geoms: [box(0.05)] }]);
    expect(await listOf(scene)).toEqual(['ground link3 60.000 constant']);
    const result = await solver.solve(scene);
    expect(result).toMatchObject({ status: 'clean', moves: [], before: { repairable: 0, constant: 1, maxDepth: 0 } });
  });

  test('from MJCF: a link on a hinge is constant; a base without a joint is what MuJoCo never tests', async () => {
    const xml = `<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body name="base" pos="0 0 0.03"><geom type="box" size="0.05 0.05 0.05"/>
        <body name="link" pos="0.3 0 -0.04"><joint type="hinge" axis="0 0 1"/><geom type="capsule" size="0.05 0.1" euler="90 0 0"/></body>
      </body></worldbody></mujoco>`;
    const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml));
    expect(await listOf(scene)).toEqual(['world link 60.000 constant', 'world base 20.000 filtered']);
    expect((await solver.solve(scene)).status).toBe('clean');
  });
});
