/** What a plan makes of the options that name single bodies. */
import { describe, expect, test } from '@jest/globals';
import { collisionRule } from '../../src/core/filters.js';
import { RIGID, TRANSLATION } from '../../src/core/motion.js';
import { resolveOptions, type SolverOptions } from '../../src/core/options.js';
import { planSolve } from '../../src/core/plan.js';
import { Solver } from '../../src/core/solver.js';
import { assertScene } from '../../src/core/validate.js';
import { buildScene, sphere } from '../scenes/build.js';
import { twoSpheres } from '../scenes/scenes.js';
import { FakeBackend, overlaps, solution } from './fake-backend.js';

const geoms = [sphere()];
const scene = buildScene(
  [
    { name: 'table', fixed: true, geoms },
    { name: 'cup_1', geoms },
    { name: 'cup_2', weight: 3, geoms },
    { name: 'robot', geoms },
    { name: 'hand', movesWith: 3, geoms },
  ],
  {
    explicitPairs: [
      { geoms: [1, 4], margin: 0 },
      { geoms: [2, 4], margin: 0 },
    ],
  },
  [0, 1, 0],
);
const UP = [0, 1, 0];

const plan = (options: SolverOptions) => planSolve(scene, resolveOptions(options));

describe('axes', () => {
  test.each<[string, object]>([
    ['xyz', { translate: 'all', turn: 'none' }],
    ['xyz turn', { translate: 'all', turn: 'all' }],
    ['xy', { translate: { across: UP }, turn: 'none' }],
    ['xy yaw', { translate: { across: UP }, turn: { about: UP } }],
    ['z', { translate: { along: UP }, turn: 'none' }],
    ['x', { translate: { along: [1, 0, 0] }, turn: 'none' }],
    ['y turn', { translate: { along: [0, 1, 0] }, turn: 'all' }],
    ['yaw', { translate: 'none', turn: { about: UP } }],
    ['none turn', { translate: 'none', turn: 'all' }],
    [' along 3  0 4 ', { translate: { along: [0.6, 0, 0.8] }, turn: 'none' }],
    ['across 0 2 0 yaw', { translate: { across: [0, 1, 0] }, turn: { about: UP } }],
    ['along 0 0 2 about -1e1 0 0', { translate: { along: [0, 0, 1] }, turn: { about: [-1, 0, 0] } }],
    ['about 0 0 1', { translate: 'none', turn: { about: [0, 0, 1] } }],
  ])("'%s'", (words, motion) => {
    expect(plan({ axes: { cup_1: words } }).motions[1]).toEqual(motion);
  });

  test('the first entry that matches holds, one link stands for its unit, the others keep the general rule', () => {
    const { motions } = plan({ axes: { cup_1: 'z', 'cup*': 'x', hand: 'yaw' }, rotation: true });
    expect(motions[1]?.translate).toEqual({ along: UP });
    expect(motions[2]?.translate).toEqual({ along: [1, 0, 0] });
    expect(motions[3]).toBe(motions[4]);
    expect(motions[3]?.turn).toEqual({ about: UP });
    expect(plan({ axes: { cup_1: 'z' }, rotation: true }).motions[2]).toBe(RIGID);
    expect(plan({ axes: { cup_1: 'z' } }).motions[2]).toBe(TRANSLATION);
  });

  test('a body that may do nothing is frozen', () => {
    const planned = plan({ axes: { 'cup*': 'none' } });
    assertScene(planned.scene);
    expect(planned.scene.bodies.map((body) => body.mobility)).toEqual(['fixed', 'fixed', 'fixed', 'free', 'free']);
  });

  test.each([
    [{ cup: 'xy' }, "option axes: no body matches 'cup'; did you mean 'cup_1', 'cup_2'?"],
    [{ table: 'xy' }, "option axes: 'table' matches only fixed bodies ('table'), which cannot move"],
    [{ 'cup*': 'xy jaw' }, /^option axes: 'cup\*': expected a displacement .*, or both in this order, got 'xy jaw'; did you mean 'yaw'\?$/],
    [{ 'cup*': 'xq' }, /got 'xq'; did you mean /],
    [{ 'cup*': 'yaw xy' }, /or both in this order, got 'yaw xy'$/],
    [{ 'cup*': 'along 1 0' }, /got 'along 1 0'; 'along' needs three numbers, not all 0$/],
    [{ 'cup*': 'xy about 0 0 0' }, /'about' needs three numbers, not all 0$/],
    [{ 'cup*': 'along 1 0 yaw' }, /'along' needs three numbers/],
    [{ 'cup*': ' ' }, /got ' '$/],
  ])('%j is refused', (axes, message) => {
    const text = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(() => plan({ axes })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message: text }));
  });
});

describe('weights', () => {
  test('multiply, by the first pattern that matches', () => {
    const { bodies } = plan({ weights: { cup_2: 10, 'cup*': 0.5, hand: 4 } }).scene;
    expect(bodies.map((body) => body.weight)).toEqual([1, 0.5, 30, 4, 4]);
  });

  test('must name bodies that can move', () => {
    expect(() => plan({ weights: { anvil: 10 } })).toThrow("option weights: no body matches 'anvil'");
    expect(() => plan({ weights: { table: 10 } })).toThrow("option weights: 'table' matches only fixed bodies");
  });
});

describe('allow', () => {
  test('these pairs do not collide, explicit ones included; the others do', () => {
    const { scene: planned } = plan({ allow: [['cup*', 'hand']] });
    assertScene(planned);
    const collide = collisionRule(planned);
    expect([collide(1, 4), collide(4, 2), collide(1, 2), collide(1, 3)]).toEqual([false, false, true, true]);
    expect(collisionRule(scene)(1, 4)).toBe(true);
    expect(plan({ allow: [['hand', 'cup_1']] }).scene.filter.explicitPairs).toEqual([{ geoms: [2, 4], margin: 0 }]);
    expect(plan({ allow: [['cup*', 'cup*']] }).scene.filter.excludedBodies).toEqual([[2, 1]]);
  });

  test('must name two bodies', () => {
    expect(() => plan({ allow: [['cup_3', 'hand']] })).toThrow("option allow: no body matches 'cup_3'; did you mean 'cup_1', 'cup_2'?");
    expect(() => plan({ allow: [['hand', '*and']] })).toThrow("option allow: 'hand' and '*and' are one and the same body; name two");
  });

  test('holds for a check and a solve', async () => {
    const solver = await Solver.create();
    const allow = [['left', 'right']] as const;
    expect(await solver.check(twoSpheres(), { allow })).toMatchObject({ repairable: 0, candidates: 0 });
    expect(await solver.solve(twoSpheres(), { allow })).toMatchObject({ status: 'clean', before: { candidates: 0 } });
    expect((await solver.check(twoSpheres())).repairable).toBe(1);
  });
});

test('a heavier body moves less', async () => {
  const result = await (await Solver.create()).solve(twoSpheres(), { weights: { left: 3 }, margin: 1e-4 });
  const [light, heavy] = result.moves;
  expect(light?.name).toBe('right');
  expect(light?.distance).toBeCloseTo(3 * (heavy?.distance as number), 3);
});

describe('what comes back is checked', () => {
  const solve = async (axes: string, change: object = {}) => {
    const warnings: string[] = [];
    const backend = new FakeBackend([overlaps(1), overlaps(0)], [{ ...solution(0.5), ...change }]);
    const solver = await Solver.create({ backend, logger: { warn: (text) => warnings.push(text), info() {} } });
    const options = { profile: 'reference', axes: { right: axes }, reference: { marginSchedule: [1] } } as const;
    return { status: (await solver.solve(twoSpheres(), options)).status, warnings };
  };
  const turned = (axis: number[]) => ({ turns: Float64Array.of(1, 0, 0, 0, Math.cos(0.1), ...axis.map((value) => value * Math.sin(0.1))) });

  test.each([
    ['x', {}],
    ['xy', {}],
    ['xy yaw', turned([0, 0, 1])],
    ['x about 0 1 0', turned([0, -1, 0])],
    ['xyz turn', turned([0.6, 0, 0.8])],
  ])("a move within '%s' is taken", async (axes, change) => {
    expect(await solve(axes, change)).toEqual({ status: 'solved', warnings: [] });
  });

  test.each([
    ['z', {}, "body 'right' moved off its axes"],
    ['along 1 1 0', {}, "body 'right' moved off its axes"],
    ['yaw', {}, "body 'right' moved off its axes"],
    ['xy', turned([0, 0, 1]), "body 'right' was turned"],
    ['xy yaw', turned([0, 1, 0]), "body 'right' was turned off its axis"],
    ['y yaw', turned([0, 0, 1]), "body 'right' moved off its axes"],
  ])("one outside of '%s' is not", async (axes, change, warning) => {
    const { status, warnings } = await solve(axes, change);
    expect(status).toBe('stalled');
    expect(warnings).toEqual([`an attempt was rejected: ${warning}`]);
  });
});
