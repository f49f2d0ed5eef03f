/** Bodies that have to stay inside: the region, its sides in the scene, and whether there is room. */
import { describe, expect, test } from '@jest/globals';
import { collisionRule } from '../../src/core/filters.js';
import { convexHull, verticesOf } from '../../src/core/geometry/hull.js';
import { isBounded, isInside, type Plane, sidesOf, volumeOf } from '../../src/core/geometry/polytope.js';
import { resolveOptions, type SolverOptions } from '../../src/core/options.js';
import { type Plan, planSolve } from '../../src/core/plan.js';
import { rotate, unitVector } from '../../src/core/pose-math.js';
import type { Geom, Pose, Scene, Shape, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { assertScene } from '../../src/core/validate.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../scenes/build.js';
import { boxMesh, icosphereMesh } from '../scenes/meshes.js';
import { randomPoint, randomSource } from '../scenes/random.js';
import { FakeBackend, overlaps, STATS } from './fake-backend.js';

const plan = (scene: Scene, options: SolverOptions): Plan => planSolve(scene, resolveOptions(options));
const at = (position: Vec3): Pose => ({ position, quaternion: [1, 0, 0, 0] });

/** An open bin, 1 m wide outside and 0.5 m high, walls and floor 0.1 m thick. */
const bin: BodySpec = {
  name: 'bin',
  fixed: true,
  geoms: [
    { shape: box(0.5, 0.5, 0.05), X_BG: at([0, 0, 0.05]) },
    { shape: box(0.05, 0.5, 0.2), X_BG: at([-0.45, 0, 0.3]) },
    { shape: box(0.05, 0.5, 0.2), X_BG: at([0.45, 0, 0.3]) },
    { shape: box(0.4, 0.05, 0.2), X_BG: at([0, -0.45, 0.3]) },
    { shape: box(0.4, 0.05, 0.2), X_BG: at([0, 0.45, 0.3]) },
  ],
};
const cube = (name: string, position: Vec3, half = 0.1): BodySpec => ({ name, at: position, geoms: [box(half)] });
const inBin = buildScene([bin, cube('in', [0, 0, 0.3]), cube('rim', [0.4, 0, 0.49]), cube('out', [0, 0, 0.6]), cube('far', [3, 0, 0])]);

const sideAt = (axis: number, sign: number, offset: number): Plane => ({
  normal: [0, 1, 2].map((k) => (k === axis ? sign : 0)) as unknown as Vec3,
  offset,
});

describe('polytopes', () => {
  const planesOf = (mesh: { vertices: Float64Array; triangles: Int32Array }) => sidesOf(convexHull(verticesOf(mesh))?.faces ?? []);

  test('have the volume of their hull', () => {
    expect(volumeOf(planesOf(boxMesh([1, 2, 3])))).toBeCloseTo(48, 9);
    // No limit on two sides, as people write it.
    const flat = volumeOf([0, 1, 2].flatMap((k) => [1, -1].map((sign) => sideAt(k, sign, k === 2 ? 0.2 : 1e7))));
    expect((flat as number) / 1.6e14).toBeCloseTo(1, 6);
    const random = randomSource(3);
    const hull = convexHull(Array.from({ length: 14 }, () => randomPoint(random, 1)));
    expect(volumeOf(sidesOf(hull?.faces ?? []))).toBeCloseTo(hull?.volume as number, 9);
  });

  test('have at most 64 sides, which hold all that is inside', () => {
    const mesh = icosphereMesh(1, 3);
    const planes = planesOf(mesh);
    expect(planes).toHaveLength(64);
    expect(isBounded(planes)).toBe(true);
    for (const vertex of verticesOf(mesh)) expect(isInside(planes, vertex, 1e-9)).toBe(true);
    expect(volumeOf(planes)).toBeGreaterThan(4.1);
    expect(volumeOf(planes)).toBeLessThan(4.7);
  });

  test('are bounded or not', () => {
    const side = (x: number, y: number, z: number): Plane => ({ normal: unitVector([x, y, z]) as Vec3, offset: 1 });
    const cubeSides = [side(1, 0, 0), side(-1, 0, 0), side(0, 1, 0), side(0, -1, 0), side(0, 0, 1), side(0, 0, -1)];
    expect(isBounded(cubeSides)).toBe(true);
    for (let k = 0; k < 6; k++) expect(isBounded(cubeSides.filter((_, i) => i !== k))).toBe(false);
    expect(isBounded([side(1, 1, 1), side(-1, 0, 0), side(0, -1, 0), side(0, 0, -1)])).toBe(true);
    expect(isBounded([])).toBe(false);
    expect(volumeOf([...cubeSides, { normal: [1, 0, 0], offset: -2 }])).toBe(0);
  });
});

describe('the container', () => {
  test('is the hull of the geoms, and holds the bodies whose centre is in it', () => {
    const { container, scene, bodyCount } = plan(inBin, { container: 'bin' });
    expect(container).toMatchObject({ name: "the container 'bin'", units: [1, 2] });
    expect(container?.planes).toHaveLength(6);
    expect(volumeOf(container?.planes ?? [])).toBeCloseTo(0.5, 9);
    assertScene(scene);
    expect(bodyCount).toBe(5);
    expect(scene.bodies[5]).toMatchObject({ name: "container 'bin'", mobility: 'fixed' });
    expect(scene.geoms.slice(9).map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((k) => `container 'bin' side ${k}`));
  });

  test('has solid sides outwards, which nothing but its bodies meets', () => {
    const { container, scene } = plan(inBin, { container: 'bin' });
    const planes = container?.planes ?? [];
    const collide = collisionRule(scene);
    scene.geoms.slice(9).forEach((side: Geom, k) => {
      const { normal, offset } = planes[k] as Plane;
      const up = rotate(side.X_BG.quaternion, [0, 0, 1]);
      up.forEach((value, i) => {
        expect(value).toBeCloseTo(-(normal[i] as number), 12);
      });
      expect(side.X_BG.position.reduce((sum, value, i) => sum + value * (normal[i] as number), 0)).toBeCloseTo(offset, 12);
      expect(scene.geoms.filter(({ id }) => collide(id, side.id)).map(({ bodyId }) => bodyId)).toEqual([1, 2]);
    });
  });

  test('may be given by planes of any length, a box, a geom or several bodies', () => {
    const planes = [
      { normal: [0, 0, -2], offset: 0 },
      { normal: [0, 0, 4], offset: 2 },
    ] as const;
    expect(plan(inBin, { container: { planes } }).container).toMatchObject({
      name: 'the container',
      units: [1, 2, 4],
      planes: [
        { normal: [0, 0, -1], offset: 0 },
        { normal: [0, 0, 1], offset: 0.5 },
      ],
    });
    const boxed = plan(inBin, { container: { low: [-1, -1, 0.5], high: [1, 1, 1] } });
    expect(boxed.container?.units).toEqual([3]);
    expect(boxed.scene.geoms.at(-1)?.name).toBe('container side 6');
    expect(volumeOf(boxed.container?.planes ?? [])).toBeCloseTo(2, 9);
    const shell: Shape = { type: 'mesh', mesh: boxMesh([1, 1, 1]) };
    const walls = buildScene([
      { name: 'wall_1', fixed: true, at: [-1, 0, 0], geoms: [shell] },
      { name: 'wall_2', fixed: true, at: [3, 0, 0], geoms: [shell] },
      cube('mug', [1, 0, 0]),
    ]);
    expect(volumeOf(plan(walls, { container: 'wall_*' }).container?.planes ?? [])).toBeCloseTo(24, 9);
    expect(
      plan(buildScene([{ ...bin, geoms: [sphere(1)] }, cube('mug', [0, 0, 0])]), { container: 'bin/0' }).container?.planes,
    ).toHaveLength(64);
  });

  test('takes whole units', () => {
    const robot = buildScene([bin, cube('base', [0, 0, 0.3]), { ...cube('arm', [0, 0.1, 0.3]), movesWith: 1 }]);
    const { container, scene } = plan(robot, { container: 'bin' });
    expect(container?.units).toEqual([1]);
    expect(scene.filter.explicitPairs).toHaveLength(12);
  });

  test.each<[SolverOptions['container'], string]>([
    ['bim', "option container: no body or geom matches 'bim'; did you mean 'bin'"],
    ['in', "option container: 'in' can move (geoms 'in/0'); a container must be fixed, so name another or freeze it"],
    ['floor', "option container: 'floor' is ground (geoms 'floor/0'), which holds nothing in; give planes, or low and high"],
    ['plate', "option container: no body that may move has its centre in the container 'plate'; move one in, or leave the option out"],
    [
      { low: [0, 0, 0], high: [1, 0, 1] },
      'option container: expected a name, { low: [x, y, z], high: [x, y, z] } with low < high, or { planes:',
    ],
    [{ planes: [] }, 'option container: expected a name'],
    [{ planes: [{ normal: [0, 0, 0], offset: 1 }] }, 'option container: expected a name'],
    [{ low: [0, 0, 0] } as never, 'option container: expected a name'],
  ])('%j is refused', (container, message) => {
    const scene = buildScene([
      bin,
      cube('in', [0, 0, 0.3]),
      { ...ground(-1), name: 'floor' },
      { name: 'plate', fixed: true, at: [5, 0, 0], geoms: [box(1, 1, 0.1)] },
    ]);
    expect(() => plan(scene, { container: container as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) }),
    );
  });
});

describe('room', () => {
  const reason = (scene: Scene, options: SolverOptions = { container: { low: [0, 0, 0], high: [1, 1, 1] } }) =>
    plan(scene, options).impossible;
  const many = (count: number, shape: Shape) =>
    Array.from({ length: count }, (_, i): BodySpec => ({ name: `b${i}`, at: [0.5, 0.5, 0.5], geoms: [shape] }));

  test('is what the volumes leave, for every shape', () => {
    // 0.3 m cubes: 0.027 m^3 each, 37 of them in a cubic metre.
    for (const shape of [
      box(0.15),
      { type: 'mesh', mesh: boxMesh([0.15, 0.15, 0.15]) },
      { type: 'convex', mesh: boxMesh([0.15, 0.15, 0.15]) },
    ] as Shape[]) {
      expect(reason(buildScene(many(37, shape)))).toBeUndefined();
      expect(reason(buildScene(many(38, shape)))).toBe('the container holds 1000 l, the 38 bodies in it need at least 1030 l');
    }
    expect(reason(buildScene(many(1, sphere(0.7))))).toBe('the container holds 1000 l, the body in it needs at least 1400 l');
  });

  test('is less by the walls of the container', () => {
    // 0.5 - 0.1 - 2 * 0.04 - 2 * 0.032 = 0.256 m^3 inside; a cube of 0.4 m has 0.064.
    const cubes = (count: number) => buildScene([bin, ...Array.from({ length: count }, (_, i) => cube(`b${i}`, [0, 0, 0.3], 0.2))]);
    expect(reason(cubes(4), { container: 'bin' })).toBeUndefined();
    expect(reason(cubes(5), { container: 'bin' })).toBe("the container 'bin' holds 260 l, the 5 bodies in it need at least 320 l");
  });

  test('counts nothing twice, and nothing that is not certain', () => {
    const half = { shape: box(0.4, 0.5, 0.5), X_BG: at([0.05, 0, 0]) };
    // Two overlapping halves of one body, or two that may overlap each other.
    expect(reason(buildScene([{ at: [0.5, 0.5, 0.5], geoms: [half, { ...half, X_BG: at([-0.05, 0, 0]) }] }]))).toBeUndefined();
    const two = many(2, box(0.45));
    expect(reason(buildScene(two))).toMatch(/need at least 1500 l/);
    expect(reason(buildScene(two), { container: { low: [0, 0, 0], high: [1, 1, 1] }, allow: [['b0', 'b1']] })).toBeUndefined();
    expect(
      reason(buildScene(two.map((body, i) => ({ ...body, geoms: [{ shape: box(0.45), category: 1 << i, mask: 1 << i }] })))),
    ).toBeUndefined();
    expect(reason(buildScene(two), { container: { low: [0, 0, 0], high: [1, 1, 1] }, tolerance: 1e-4 })).toBeUndefined();
    // An open surface encloses nothing; the region is open too.
    const { vertices, triangles } = boxMesh([0.45, 0.45, 0.45]);
    expect(reason(buildScene(many(2, { type: 'mesh', mesh: { vertices, triangles: triangles.slice(3) } })))).toBeUndefined();
    expect(reason(buildScene(two), { container: { planes: [{ normal: [0, 0, 1], offset: 1 }] } })).toBeUndefined();
    // A mesh sphere in a cavity of another is not solid twice.
    const disjoint = {
      at: [0.5, 0.5, 0.5],
      geoms: [
        { shape: box(0.2), X_BG: at([-0.2, 0, 0]) },
        { shape: box(0.2), X_BG: at([0.2, 0, 0]) },
      ],
    } as const;
    expect(
      reason(
        buildScene(
          Array(8)
            .fill(disjoint)
            .map((body, i) => ({ ...body, name: `d${i}` })),
        ),
      ),
    ).toMatch(/at least 1020 l/);
  });

  test('between half-spaces that close a space is looked at without the option', () => {
    const sides: Vec3[] = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ];
    const walls = plan(buildScene([cube('in', [0, 0, 0])]), {
      container: { planes: sides.map((normal) => ({ normal, offset: 0.5 })) },
    }).scene.geoms.slice(1);
    const room = { name: 'room', fixed: true, geoms: walls.map(({ shape, X_BG }) => ({ shape, X_BG })) } as const;
    const balls = (count: number) =>
      Array.from({ length: count }, (_, i): BodySpec => ({ name: `ball${i}`, at: [9, 0, 0], geoms: [sphere(0.25)] }));
    expect(plan(buildScene([room, ...balls(15)]), {}).impossible).toBeUndefined();
    expect(plan(buildScene([room, ...balls(16)]), {}).impossible).toBe(
      "the space between the half-spaces 'room/0', 'room/1' and 4 more holds 1000 l, the 16 bodies in it need at least 1050 l",
    );
    expect(plan(buildScene([{ ...room, geoms: room.geoms.slice(1) }, ...balls(16)]), {}).impossible).toBeUndefined();
  });
});

describe('a solve', () => {
  test('without room is infeasible at once, and clean if nothing overlaps all the same', async () => {
    const scene = buildScene([bin, ...Array.from({ length: 5 }, (_, i) => cube(`b${i}`, [0, 0, 0.3], 0.2))]);
    const run = async (count: number) =>
      await (
        await Solver.create({
          backend: new FakeBackend([{ ...overlaps(count), geoms: new Int32Array(2 * count).map((_, i) => 5 + (i % 2)) }]),
        })
      ).solve(scene, { container: 'bin' });
    expect(await run(3)).toMatchObject({ status: 'infeasible', reason: expect.stringMatching(/^the container 'bin' holds /), moves: [] });
    expect((await run(0)).status).toBe('clean');
  });

  test('reports sides by name and no pose for them', async () => {
    const solver = await Solver.create();
    const scene = buildScene([cube('a', [0, 0, 0.05]), cube('b', [0.3, 0, 0.3])]);
    const container = { low: [-0.5, -0.5, 0], high: [0.5, 0.5, 0.5] } as const;
    const result = await solver.solve(scene, { container });
    expect(result.status).toBe('solved');
    expect(result.before.overlaps).toMatchObject([{ names: { bodyA: 'a', bodyB: 'container', geomB: 'container side 5' }, bodyB: 2 }]);
    expect(result.poses).toHaveLength(2);
    expect(result.poses[0]?.position[2]).toBeGreaterThanOrEqual(0.1);
    expect(result.poses[1]).toBe(scene.bodies[1]?.X_WB);
    expect((await solver.solve(scene)).status).toBe('clean');
  });

  test('names the tightest group when it fails', async () => {
    const scene = buildScene([bin, ...Array.from({ length: 8 }, (_, i) => cube(`b${i}`, [0, 0, 0.3], 0.05)), cube('out', [0, 0, 3])]);
    const geomOf = (body: number) => body + 4;
    const pairs = [
      [1, 2],
      [3, 4],
      [4, 5],
      [6, 7],
      [7, 8],
      [8, 6],
    ] as const;
    const found = { ...overlaps(pairs.length), geoms: Int32Array.from(pairs.flat(), geomOf) };
    const still = {
      status: 'stagnation',
      reason: '',
      shifts: new Float64Array(33).map((_, i) => (i === 3 ? 1e-3 : 0)),
      turns: new Float64Array(44).map((_, i) => (i % 4 === 0 ? 1 : 0)),
      joints: new Float64Array(0),
      centres: new Float64Array(33),
      stats: STATS,
    };
    const options: SolverOptions = { container: 'bin', profile: 'reference', reference: { marginSchedule: [1] } };
    const solver = await Solver.create({ backend: new FakeBackend([found, found], [still]) });
    const { status, reason } = await solver.solve(scene, options);
    expect({ status, reason }).toEqual({
      status: 'stalled',
      reason:
        "nothing better than the 6 overlaps of the input was found (the continuation ended as stagnation); tightest in the container 'bin': 'b5', 'b6', 'b7'",
    });
    const fewer = { ...overlaps(2), geoms: Int32Array.from([3, 4, 4, 5], geomOf) };
    const better = await Solver.create({ backend: new FakeBackend([found, fewer], [still]) });
    expect((await better.solve(scene, options)).reason).toMatch(
      /^2 of 6 overlaps are left .*; tightest in the container 'bin': 'b2', 'b3', 'b4'$/,
    );
  });

  test('cannot be prepared', async () => {
    const solver = await Solver.create({ backend: new FakeBackend([]) });
    await expect(solver.prepare(inBin, { container: 'bin' })).rejects.toThrow('option container: what is in it depends on the state');
  });
});
