/** Bodies that have to stand: which way is up for them, on what, and what a solve makes of it. */
import { describe, expect, test } from '@jest/globals';
import { resolveOptions, type SolverOptions } from '../../src/core/options.js';
import type { PackedScene, PackedSolution } from '../../src/core/pack.js';
import { type Plan, planSolve } from '../../src/core/plan.js';
import { angleOfVectors, multiplyQuat, quatFromRotationVector, rotate } from '../../src/core/pose-math.js';
import type { Quat, Scene, Shape, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import type { UprightOptions } from '../../src/core/upright-options.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../scenes/build.js';
import { boxMesh, icosphereMesh, lShapeMesh } from '../scenes/meshes.js';
import { FakeBackend, overlaps, STATS } from './fake-backend.js';

const UP: Vec3 = [0, 0, 1];
const about = (x: number, y: number, z: number): Quat => quatFromRotationVector([x, y, z]);
const plan = (scene: Scene, upright: UprightOptions | boolean = true, more: SolverOptions = {}): Plan =>
  planSolve(scene, resolveOptions({ upright, ...more }));
/** The only standing unit of one body over the ground. */
const standing = (shape: Shape | BodySpec['geoms'], quaternion: Quat, upright: UprightOptions | boolean = true) => {
  const geoms = 'type' in shape ? [shape] : shape;
  const unit = plan(buildScene([ground(), { at: [0.3, -0.2, 5], quaternion, geoms }]), upright).standing[0];
  if (unit === undefined) throw new Error('nothing stands');
  return unit;
};
const tiltOf = (...given: Parameters<typeof standing>) => Math.hypot(...standing(...given).motion.stand.tilt);

const cylinder: Shape = { type: 'cylinder', radius: 0.03, halfLength: 0.06 };
const capsule: Shape = { type: 'capsule', radius: 0.05, halfLength: 0.04 };

describe('stable: the nearest resting pose', () => {
  test.each<[string, Shape, Quat, number]>([
    ['a box flat on a face', box(0.1, 0.2, 0.3), about(0, 0, 1), 0],
    ['a box 0.3 rad off a face', box(0.1, 0.2, 0.3), about(0.3, 0, 0), 0.3],
    ['a cube all but on its edge', box(0.1), about(0.78, 0, 0), 0.78],
    ['a cube past its edge', box(0.1), about(0.8, 0, 0), Math.PI / 2 - 0.8],
    ['a thin plate on its rim, nearer than its face', box(0.2, 0.2, 0.01), about(Math.PI / 2 - 0.2, 0, 0), 0.2],
    ['a ball, turned anyhow', sphere(0.05), about(0.3, -0.7, 0.4), 0],
    ['a cylinder on its side, rolled anyhow', cylinder, multiplyQuat(about(0, Math.PI / 2, 0), about(0, 0, 0.37)), 0],
    ['a cylinder on its side, 0.2 rad from level', cylinder, multiplyQuat(about(0, Math.PI / 2 + 0.2, 0), about(0, 0, 0.37)), 0.2],
    ['a cylinder leaning by 0.2 rad', cylinder, about(0.2, 0, 0), 0.2],
    ['a capsule on its end falls over', capsule, about(0.01, 0, 0), Math.PI / 2 - 0.01],
    ['a cone on its base', { type: 'cone', radius: 0.05, halfLength: 0.05 }, about(0, 0.1, 0), 0.1],
    // On its side, its slant: the surface makes atan(r / h) with the axis.
    ['a cone on its side', { type: 'cone', radius: 0.05, halfLength: 0.05 }, about(Math.PI / 2 + Math.atan(0.5), 0, 0), 0],
    ['an egg falls from its long axis', { type: 'ellipsoid', radii: [0.03, 0.04, 0.06] }, about(0.02, 0, 0), Math.PI / 2],
    ['a lens lies on its short axis', { type: 'ellipsoid', radii: [0.06, 0.05, 0.02] }, about(0.2, 0, 0), 0.2],
    ['a mesh box', { type: 'mesh', mesh: boxMesh([0.1, 0.2, 0.3]) }, about(0, 0.1, 0), 0.1],
    ['a convex box', { type: 'convex', mesh: boxMesh([0.1, 0.2, 0.3]) }, about(0, 0.1, 0), 0.1],
    ['an L lies on the hull across its mouth', { type: 'mesh', mesh: lShapeMesh(0.1) }, about(0, 0.05, 0), 0.05],
  ])('%s: %d rad', (_, shape, quaternion, turn) => {
    const found = tiltOf(shape, quaternion, { stand: 'stable' });
    // The long egg may fall either way.
    if (shape.type === 'ellipsoid' && turn > 1) expect(found).toBeGreaterThan(1.5);
    else expect(found).toBeCloseTo(turn, 6);
  });

  test('the centre of mass is above the face that is chosen', () => {
    // A hammer: a heavy head on a thin handle, standing on the handle's end. It leans 0.05 rad and lies down.
    const geoms = [
      { shape: box(0.01, 0.01, 0.15), X_BG: { position: [0, 0, 0], quaternion: [1, 0, 0, 0] } },
      { shape: box(0.1, 0.02, 0.02), X_BG: { position: [0.09, 0, 0.15], quaternion: [1, 0, 0, 0] } },
    ] as const;
    expect(tiltOf(geoms, [1, 0, 0, 0])).toBeGreaterThan(0.3);
    // With the head in the middle it stands.
    const hammer = [geoms[0], { ...geoms[1], X_BG: { position: [0, 0, 0.15], quaternion: [1, 0, 0, 0] } }] as const;
    expect(tiltOf(hammer, about(0, 0.05, 0))).toBeCloseTo(0.05, 9);
  });

  test('a fine mesh ball barely turns', () => {
    expect(tiltOf({ type: 'mesh', mesh: icosphereMesh(0.05, 3) }, about(1, 2, 0.5))).toBeLessThan(0.1);
  });

  test('a scanned face that is not quite flat counts as one', () => {
    const mesh = boxMesh([0.1, 0.1, 0.1]);
    const rough = { ...mesh, vertices: mesh.vertices.map((value, i) => value + 1e-8 * Math.sin(7 * i)) };
    expect(tiltOf({ type: 'mesh', mesh: rough }, about(0.2, 0, 0))).toBeCloseTo(0.2, 6);
  });
});

describe('balanced: on a round end too', () => {
  test.each<[string, Shape, Quat, number]>([
    ['a capsule on its end', capsule, about(0.3, 0, 0), 0.3],
    ['a capsule on its side', capsule, about(1.4, 0, 0), Math.PI / 2 - 1.4],
    ['a long capsule', { type: 'capsule', radius: 0.02, halfLength: 0.2 }, about(0, 0.1, 0), 0.1],
    ['a short capsule', { type: 'capsule', radius: 0.05, halfLength: 0.005 }, about(0.6, 0, 0), 0.6],
    ['an egg on its long axis', { type: 'ellipsoid', radii: [0.03, 0.04, 0.06] }, about(0.2, 0, 0), 0.2],
    ['a cube near its edge has no round end', box(0.1), about(0.78, 0, 0), 0.78],
    [
      'nor has a cone a round tip',
      { type: 'cone', radius: 0.05, halfLength: 0.05 },
      about(Math.PI - 0.1, 0, 0),
      Math.PI / 2 - Math.atan(0.5) - 0.1,
    ],
  ])('%s: %d rad', (_, shape, quaternion, turn) => {
    expect(tiltOf(shape, quaternion)).toBeCloseTo(turn, 6);
    expect(tiltOf(shape, quaternion, { stand: 'balanced' })).toBeCloseTo(turn, 6);
  });

  test('not beside the centre of mass', () => {
    const geoms = [
      { shape: { type: 'capsule', radius: 0.03, halfLength: 0.1 }, X_BG: { position: [0, 0, 0], quaternion: [1, 0, 0, 0] } },
      { shape: box(0.04), X_BG: { position: [0.06, 0, 0], quaternion: [1, 0, 0, 0] } },
    ] as const;
    expect(tiltOf(geoms, [1, 0, 0, 0])).toBeGreaterThan(0.5);
  });
});

describe('other modes', () => {
  test('file: the axis of the body that is up when it is not turned', () => {
    expect(tiltOf(box(0.1, 0.2, 0.3), multiplyQuat(about(1.2, 0, 0), about(0, 0, 0.5)), { stand: 'file' })).toBeCloseTo(1.2, 12);
    expect(tiltOf(box(0.1), about(Math.PI, 0, 0), { stand: 'file' })).toBeCloseTo(Math.PI, 9);
  });

  test('an axis, by name; the others are stable', () => {
    const scene = buildScene([
      ground(),
      { name: 'can', at: [0, 0, 1], geoms: [cylinder] },
      { name: 'tin', at: [1, 0, 1], quaternion: about(0.1, 0, 0), geoms: [cylinder] },
      { name: 'jar', at: [2, 0, 1], quaternion: about(0.9, 0, 0), geoms: [box(0.05)] },
    ]);
    const stand = { can: [0, 2, 0], 'ti*': 'file', '*': 'stable' } as const;
    const tilts = plan(scene, { stand }).standing.map(({ motion }) => Math.hypot(...motion.stand.tilt));
    expect(tilts).toEqual([expect.closeTo(Math.PI / 2, 12), expect.closeTo(0.1, 12), expect.closeTo(Math.PI / 2 - 0.9, 9)]);
    expect(() => plan(scene, { stand: { cna: 'file' } })).toThrow("option upright.stand: no body matches 'cna'; did you mean 'can'");
  });
});

test('the tilt is horizontal and takes the upright orientation to the given one', () => {
  const quaternion = about(0.4, 0.3, 0.9);
  const { axis, motion } = standing(box(0.1, 0.2, 0.3), quaternion, { stand: 'file' });
  const { tilt } = motion.stand;
  expect(tilt[2]).toBeCloseTo(0, 15);
  const upright = multiplyQuat(quatFromRotationVector([-tilt[0], -tilt[1], 0]), quaternion);
  expect(angleOfVectors(rotate(upright, axis), UP)).toBeLessThan(1e-12);
  expect(motion).toMatchObject({ translate: { across: UP }, turn: { about: UP } });
});

describe('supports', () => {
  const table: BodySpec = { name: 'table', fixed: true, at: [0, 0, 0.35], quaternion: about(0, 0, 0.5), geoms: [box(0.5, 0.3, 0.05)] };
  const support = (scene: Scene, upright: UprightOptions | boolean = true) => plan(scene, upright).standing[0]?.support;
  const cube = (at: Vec3): BodySpec => ({ name: 'cube', at, geoms: [box(0.05)] });

  test.each<[string, Vec3, string, number]>([
    ['over the table', [0, 0, 1], 'table/0', 0.4],
    ['sunk into the table', [0.1, 0, 0.41], 'table/0', 0.4],
    ['beside the table, whose corner is turned', [0.49, 0.29, 1], 'ground/0', 0],
    ['under the table', [0, 0, 0.2], 'ground/0', 0],
    ['deep in the ground', [3, 0, -0.02], 'ground/0', 0],
  ])('%s', (_, at, name, height) => {
    const found = support(buildScene([ground(), table, cube(at)]));
    expect(found?.name).toBe(name);
    expect(found?.height).toBeCloseTo(height, 12);
  });

  test('tops of cylinders and meshes, level ones only', () => {
    const round = { name: 'stool', fixed: true, at: [0, 0, 0.2], geoms: [{ type: 'cylinder', radius: 0.3, halfLength: 0.2 }] } as const;
    expect(support(buildScene([ground(), round, cube([0.2, 0.2, 1])]))?.height).toBeCloseTo(0.4, 12);
    expect(support(buildScene([ground(), round, cube([0.25, 0.2, 1])]))?.name).toBe('ground/0');
    const mesh: Shape = { type: 'mesh', mesh: lShapeMesh(0.4) };
    const bench: BodySpec = { name: 'bench', fixed: true, at: [0, 0, 0.2], geoms: [mesh] };
    expect(support(buildScene([ground(), bench, cube([-0.2, 0.2, 1])]))?.height).toBeCloseTo(0.4, 12);
    // In the mouth of the L there is nothing.
    expect(support(buildScene([ground(), bench, cube([0.2, 0.2, 1])]))?.name).toBe('ground/0');
    const slope = { ...bench, quaternion: about(0.01, 0, 0) };
    expect(support(buildScene([ground(), slope, cube([-0.2, 0.2, 1])]))?.name).toBe('ground/0');
  });

  test('by name of a body or geom, or a height by hand', () => {
    const scene = buildScene([ground(), table, cube([0, 0, 1])]);
    expect(support(scene, { supports: ['ground'] })?.height).toBe(0);
    expect(support(scene, { supports: ['table/*'] })?.name).toBe('table/0');
    expect(support(scene, { height: 0.7 })).toMatchObject({ name: 'the plane', height: 0.7 });
  });

  test('what the body does not collide with carries nothing', () => {
    const ghost: BodySpec = { ...table, geoms: [{ shape: box(0.5, 0.3, 0.05), category: 2, mask: 2 }] };
    expect(support(buildScene([ground(), ghost, cube([0, 0, 1])]))?.name).toBe('ground/0');
    expect(support(buildScene([ground(), table, cube([0, 0, 1])]))?.name).toBe('table/0');
  });

  test.each<[UprightOptions | boolean, RegExp]>([
    [true, /^option upright: nothing is below 'cube' at \[2, 0, 1\] for it to stand on: none of 1 is; name a support, give the height/],
    [{ supports: ['tabel'] }, /^option upright\.supports: no body or geom matches 'tabel'; did you mean 'table'/],
    [{ supports: ['cube'] }, /^option upright\.supports: 'cube' can move; a support must be fixed/],
    [{ supports: ['ball'] }, /^option upright\.supports: 'ball' has no level top \(geoms 'ball\/0'\); name another, or give the height/],
    [{ supports: ['table'], height: 1 }, /^option upright: supports and height say the same thing in two ways/],
    [{ supports: [] }, /^option upright\.supports: expected a list of names of geoms or bodies, not empty, got \[\]/],
    [{ stand: 'up' } as never, /^option upright\.stand: expected 'balanced', 'stable', 'file', or an object .*, got 'up'/],
    [{ stand: { cube: [0, 0, 0] } }, /^option upright\.stand: expected/],
    [{ hight: 1 } as never, /^option upright\.hight: unknown; did you mean 'upright\.height'\?/],
    [3 as never, /^option upright: expected true, false or an object, got 3/],
  ])('%j is refused', (upright, message) => {
    const ball: BodySpec = { name: 'ball', fixed: true, at: [9, 0, 0], geoms: [sphere()] };
    expect(() => plan(buildScene([table, ball, cube([2, 0, 1])]), upright)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringMatching(message) }),
    );
  });
});

describe('with other options', () => {
  const scene = buildScene([
    ground(),
    { name: 'a', at: [0, 0, 1], quaternion: about(0.2, 0, 0), geoms: [box(0.1)] },
    { name: 'b', at: [9, 0, 1], geoms: [box(0.1)] },
  ]);

  test('frozen bodies need not stand', () => {
    expect(plan(scene, true, { frozen: ['a'] }).standing.map(({ root }) => root)).toEqual([2]);
  });

  test('axes may forbid turning about the vertical, and nothing else', () => {
    const turns = (words: string) => plan(scene, true, { axes: { a: words } }).motions[1];
    for (const words of ['xy yaw', 'xyz turn', 'xy about 0 0 -1']) expect(turns(words)).toMatchObject({ turn: { about: UP } });
    expect(turns('xy')).toMatchObject({ translate: { across: UP }, turn: 'none' });
    for (const words of ['z', 'x yaw', 'yaw', 'xy about 1 0 0']) {
      expect(() => turns(words)).toThrow(`option axes: 'a': '${words}' does not go with upright, under which 'a' slides`);
    }
  });

  test('a tilt beyond maxTurn is impossible', () => {
    expect(plan(scene, true, { maxTurn: 0.1 }).impossible).toBe("to stand, 'a' has to turn by 0.200 rad, more than maxTurn = 0.1 rad");
    expect(plan(scene, true, { maxTurn: 0.3 })).not.toHaveProperty('impossible');
  });

  test('what is stood on may touch', () => {
    const planned = plan(scene);
    expect(planned.resting).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(planned.scene).toEqual(scene);
  });

  test('a solver cannot be prepared', async () => {
    const solver = await Solver.create({ backend: new FakeBackend([]) });
    await expect(solver.prepare(scene, { upright: true })).rejects.toThrow('option upright: what a body stands on depends on the state');
  });
});

describe('a solve', () => {
  /** A cube of 0.1 m edges `above` the table and tilted. */
  const sceneWith = (above: number, tilt: number): Scene =>
    buildScene([
      { name: 'table', fixed: true, at: [0, 0, -0.05], geoms: [box(0.5, 0.5, 0.05)] },
      { name: 'cube', at: [0.2, 0, 0.05 + above], quaternion: about(tilt, 0, 0), geoms: [box(0.05)] },
    ]);

  /** Moves the cube. */
  const answer = (shift: Vec3, turn: Quat, status = 'solved'): PackedSolution => ({
    status,
    reason: '',
    shifts: Float64Array.of(0, 0, 0, ...shift),
    turns: Float64Array.of(1, 0, 0, 0, ...turn),
    joints: new Float64Array(0),
    centres: new Float64Array(6),
    stats: STATS,
  });

  async function solve(scene: Scene, evaluations: ConstructorParameters<typeof FakeBackend>[0], solutions: PackedSolution[]) {
    const backend = new FakeBackend(evaluations, solutions);
    const log: string[] = [];
    const solver = await Solver.create({ backend, logger: { warn: (text) => log.push(text), info: (text) => log.push(text) } });
    const result = await solver.solve(scene, { upright: true, profile: 'reference', reference: { marginSchedule: [1] } });
    return { result, log, backend };
  }

  test('a body that stands and overlaps nothing is clean, touching its support by a rounding or not', async () => {
    const touching = { ...overlaps(1), depth: Float64Array.of(1e-7) };
    for (const [above, evaluation] of [
      [0, overlaps(0)],
      [5e-7, overlaps(0)],
      [-1e-7, touching],
    ] as const) {
      const scene = sceneWith(above, 0);
      const { result, backend } = await solve(scene, [evaluation], []);
      expect(result).toMatchObject({ status: 'clean', moves: [], before: { repairable: 0 } });
      expect(result.poses[1]).toBe(scene.bodies[1]?.X_WB);
      expect(backend.solved).toHaveLength(0);
      expect(result.standing).toEqual([
        {
          bodyId: 1,
          name: 'cube',
          support: 'table/0',
          heightBefore: expect.closeTo(above, 12),
          heightAfter: expect.closeTo(above, 12),
          tiltBefore: 0,
          tiltAfter: 0,
          offSupport: false,
        },
      ]);
    }
  });

  test('a body that hovers or is tilted is brought down and upright though nothing overlaps', async () => {
    const { result } = await solve(sceneWith(0.1, 0.3), [overlaps(0), overlaps(0)], [answer([0, 0, -0.1], about(-0.3, 0, 0))]);
    expect(result).toMatchObject({ status: 'solved', moves: [{ name: 'cube', distance: 0.1 }] });
    expect(result.moves[0]?.rotation).toBeCloseTo(0.3, 12);
    expect(result.standing?.[0]).toMatchObject({
      tiltBefore: expect.closeTo(0.3, 9),
      heightAfter: expect.closeTo(0, 9),
      offSupport: false,
    });
    expect(result.standing?.[0]?.tiltAfter).toBeLessThan(1e-12);
  });

  test('one left hovering or tilted is rejected', async () => {
    for (const [shift, turn, rejection] of [
      [[0, 0, -0.09], about(-0.3, 0, 0), /^an attempt was rejected: body 'cube' does not stand on 'table\/0' but 0\.0[01]\d+ m above it\b/],
      [[0, 0, -0.1], about(-0.29999, 0, 0), /does not stand|is tilted by 0\.0000\d/],
      [[0, 0, 0], [1, 0, 0, 0], /is tilted by 0\.(3|29999)/],
    ] as const) {
      const { result, log } = await solve(sceneWith(0.1, 0.3), [overlaps(0), overlaps(0)], [answer(shift, turn, 'stagnation')]);
      expect(result).toMatchObject({
        status: 'stalled',
        reason: 'not all bodies can stand without overlap (the continuation ended as stagnation)',
        moves: [],
      });
      expect(log.some((line) => rejection.test(line))).toBe(true);
    }
  });

  test('a body pushed over the edge is said to be', async () => {
    const { result } = await solve(sceneWith(0.1, 0), [overlaps(0), overlaps(0)], [answer([0.31, 0, -0.1], [1, 0, 0, 0])]);
    expect(result.standing?.[0]?.offSupport).toBe(true);
    expect(result.status).toBe('solved');
  });

  test('roundings of the height move nothing that stands', async () => {
    const deep = overlaps(1); // with somebody, whoever
    const scene = sceneWith(0, 0);
    const { result } = await solve(scene, [deep], [answer([0, 0, 3e-16], [1, 0, 0, 0], 'stagnation')]);
    expect(result.poses[1]).toBe(scene.bodies[1]?.X_WB);
  });

  test('the backend gets the motion, and the pair of the cube and the table is its own business', async () => {
    const scenes: PackedScene[] = [];
    const backend = new FakeBackend([overlaps(0), overlaps(0)], [answer([0, 0, -0.1], about(-0.3, 0, 0))]);
    const spied = Object.assign(Object.create(backend) as FakeBackend, {
      solve: (scene: PackedScene, options: never) => {
        scenes.push(scene);
        return backend.solve(scene, options);
      },
    });
    await (await Solver.create({ backend: spied })).solve(sceneWith(0.1, 0.3), { upright: true });
    expect([...(scenes[0]?.motionStands ?? [])]).toEqual([0, 1]);
    expect(scenes[0]?.motionTilt[3]).toBeCloseTo(0.3, 12);
    expect(scenes[0]?.motionHeight[1]).toBe(0);
    expect([...(scenes[0]?.excludedGeoms ?? [])]).toEqual([]);
  });

  test('what is impossible is infeasible at once', async () => {
    const solver = await Solver.create({ backend: new FakeBackend([overlaps(1)]) });
    const result = await solver.solve(sceneWith(0, 0.3), { upright: true, maxTurn: 0.2 });
    expect(result).toMatchObject({ status: 'infeasible', reason: expect.stringContaining("'cube' has to turn by 0.300 rad"), moves: [] });
  });
});

test('a unit of several geoms that was stood up rests where it is', () => {
  const at = (x: number) => ({ position: [x, 0.02 * x, 0] as Vec3, quaternion: [1, 0, 0, 0] as Quat });
  const geoms = [
    { shape: sphere(0.08), X_BG: at(0.1) },
    { shape: { type: 'mesh', mesh: lShapeMesh() } as Shape, X_BG: at(-0.1) },
    { shape: capsule, X_BG: at(0.2) },
  ];
  for (let k = 0; k < 40; k++) {
    const start = about(Math.sin(k), Math.cos(2 * k), Math.sin(3 * k));
    const [x, y, z] = standing(geoms, start, { stand: 'stable' }).motion.stand.tilt;
    expect(tiltOf(geoms, multiplyQuat(about(-x, -y, -z), start), { stand: 'stable' })).toBeLessThan(1e-9);
  }
});
