/** The classes of overlaps, through the real native core. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { jointChain } from '../../../src/core/joints.js';
import type { Joint, PairFilter, Scene, Shape, Vec3 } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import type { SurveyOptions } from '../../../src/core/survey-options.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../../scenes/build.js';
import { CUP, cupHull, cupSurface } from '../../scenes/cups.js';
import { icosphereMesh } from '../../scenes/meshes.js';
import { assortedShapes, pile, randomScene } from '../../scenes/scenes.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

/** Every overlap as `a/0 b/0: class`. */
async function classesOf(scene: Scene, options?: SurveyOptions): Promise<string[]> {
  const { overlaps } = await solver.survey(scene, options);
  return overlaps.map(({ names, class: found }) => `${names.geomA} ${names.geomB}: ${found}`);
}

/** Two balls of 1 m that overlap by 0.5 m. */
const balls = (a: Partial<BodySpec> = {}, b: Partial<BodySpec> = {}): BodySpec[] => [
  { name: 'a', geoms: [sphere()], ...a },
  { name: 'b', at: [1.5, 0, 0], geoms: [sphere()], ...b },
];

describe('classes', () => {
  test.each([
    ['real', balls(), {}],
    ['filtered', balls(), { excludedBodies: [[1, 0]] }],
    ['filtered', balls(), { excludedGeoms: [[1, 0]] }],
    ['filtered', balls({ geoms: [{ shape: sphere(), category: 0, mask: 0 }] }, { geoms: [{ shape: sphere(), category: 0, mask: 2 }] }), {}],
    ['neighbours', balls(), { neighbours: [[1, 0]] }],
    ['neighbours', balls(), { neighbours: [[0, 1]], excludedBodies: [[0, 1]] }],
    ['real', balls(), { neighbours: [[0, 1]], explicitPairs: [{ geoms: [1, 0], margin: 0 }] }],
    ['intra-body', balls({}, { movesWith: 0, weldedTo: 0 }), {}],
    ['constant', balls({}, { movesWith: 0 }), {}],
    ['constant', balls({}, { movesWith: 0, weldedTo: 0 }), { explicitPairs: [{ geoms: [0, 1], margin: 0 }] }],
    ['constant', balls({ fixed: true }, { fixed: true }), {}],
    ['filtered', balls({ fixed: true }, { fixed: true, weldedTo: 0 }), {}],
    ['contained', balls({ geoms: [{ type: 'mesh', mesh: icosphereMesh(1, 2) }] }, { at: [0.2, 0, 0], geoms: [sphere(0.1)] }), {}],
  ] satisfies [string, BodySpec[], Partial<PairFilter>][])('%s', async (expected, bodies, filter) => {
    const scene = buildScene(bodies, filter);
    const survey = await solver.survey(scene);
    expect(survey.overlaps.map((overlap) => overlap.class)).toEqual([expected]);
    expect(survey.counts).toMatchObject({ [expected]: 1 });
    expect(Object.values(survey.counts).reduce((sum, count) => sum + count)).toBe(1);
    expect(survey.evaluation).toEqual(await solver.check(scene));
  });
});

describe('depth and class', () => {
  const scene = buildScene(balls());

  test('no deeper than the tolerance is touching', async () => {
    expect(await classesOf(scene, { tolerance: 0.499 })).toEqual(['a/0 b/0: real']);
    const survey = await solver.survey(scene, { tolerance: 0.501 });
    expect(survey.counts.touching).toBe(1);
    expect(survey.overlaps[0]?.depth).toBeCloseTo(0.5, 6);
    expect(survey.evaluation).toMatchObject({ overlaps: [], repairable: 0 });
  });

  test('who the two are comes before how deep they are', async () => {
    const constant = buildScene(balls({ fixed: true }, { fixed: true }));
    expect(await classesOf(constant, { tolerance: 0.6 })).toEqual(['a/0 b/0: touching']);
    expect(await classesOf(buildScene(balls(), { neighbours: [[0, 1]] }), { tolerance: 0.6 })).toEqual(['a/0 b/0: neighbours']);
  });

  test('pairs that are allowed to overlap are filtered, in the evaluation too', async () => {
    const survey = await solver.survey(scene, { allow: [['a', 'b']] });
    expect(survey.counts.filtered).toBe(1);
    expect(survey.evaluation).toEqual(await solver.check(scene, { allow: [['a', 'b']] }));
    expect(survey.evaluation).toMatchObject({ overlaps: [], candidates: 0 });
  });

  test('what is worse comes first, deeper first within a class', async () => {
    const row = buildScene(
      [0, 1.5, 2.7, 4, 5.8].map((x, k) => ({ name: `${k}`, at: [x, 0, 0], geoms: [sphere()] })),
      { excludedBodies: [[1, 2]] },
    );
    expect(await classesOf(row)).toEqual(['2/0 3/0: real', '0/0 1/0: real', '3/0 4/0: real', '1/0 2/0: filtered']);
  });
});

describe('geoms of one body', () => {
  const pair = [{ shape: sphere() }, { shape: sphere(), X_BG: { position: [1, 0, 0] as Vec3, quaternion: [1, 0, 0, 0] as const } }];

  test('of a free body they are listed, of a fixed one where asked for', async () => {
    const scene = buildScene([
      { name: 'free', geoms: pair },
      { name: 'fixed', fixed: true, at: [9, 0, 0], geoms: pair },
    ]);
    expect(await classesOf(scene)).toEqual(['free/0 free/1: intra-body']);
    expect((await classesOf(scene, { insideFixed: true })).sort()).toEqual(['fixed/0 fixed/1: intra-body', 'free/0 free/1: intra-body']);
  });

  test('thousands of scenery, made to touch, are left out unless asked for', async () => {
    const boards = Array.from({ length: 2_500 }, (_, k) => {
      const position: Vec3 = [0.1 * (k % 50), 0.1 * Math.floor(k / 50), 0];
      return { shape: box(0.0501), X_BG: { position, quaternion: [1, 0, 0, 0] as const } };
    });
    const scene = buildScene([
      { fixed: true, geoms: boards },
      { at: [0, 0, 0.09], geoms: [box(0.05)] },
    ]);
    const survey = await solver.survey(scene);
    expect(survey.counts).toMatchObject({ 'intra-body': 0, real: 4 });
    expect(survey.colliders).toBe(2_501);
    // 2 x 50 x 49 pairs side by side and 2 x 49 x 49 corner to corner.
    expect((await solver.survey(scene, { insideFixed: true })).counts['intra-body']).toBe(9_702);
  });
});

describe('hulls that stand for surfaces', () => {
  const cup: BodySpec = { name: 'cup', geoms: [{ shape: cupHull(), surface: cupSurface() }] };
  const ballAt = (x: number, z: number): BodySpec => ({ name: 'ball', at: [x, 0, z], geoms: [sphere(0.02)] });

  test('a ball in the hollow: the hull alone is in its way', async () => {
    const survey = await solver.survey(buildScene([cup, ballAt(0, 0.05)]));
    expect(survey.overlaps).toMatchObject([{ class: 'hull-only', surfaceDepth: 0 }]);
    expect(survey.overlaps[0]?.depth).toBeGreaterThan(0.05);
    expect(survey.evaluation.repairable).toBe(1); // the engine does push it out
  });

  test('of a pair that nothing can move apart it is said too, but constant it is', async () => {
    const { overlaps } = await solver.survey(
      buildScene([
        { ...cup, fixed: true },
        { ...ballAt(0, 0.05), fixed: true },
      ]),
    );
    expect(overlaps).toMatchObject([{ class: 'constant', surfaceDepth: 0 }]);
  });

  test('a ball 2 mm in the wall, or in the floor', async () => {
    const floor = await solver.survey(buildScene([cup, ballAt(0, CUP.floor + 0.018)]));
    expect(floor.overlaps).toMatchObject([{ class: 'real' }]);
    expect(floor.overlaps[0]?.surfaceDepth).toBeCloseTo(0.002, 4);
    // Towards a corner of the 27-gon, from inside; less than in a round cup.
    const wall = await solver.survey(buildScene([cup, ballAt(CUP.inner - 0.018, 0.05)]));
    expect(wall.overlaps).toMatchObject([{ class: 'real' }]);
    expect((await solver.survey(buildScene([cup, ballAt(0, CUP.floor + 0.018)]), { tolerance: 0.003 })).counts['hull-only']).toBe(1);
  });

  test('a ball within the wall is contained', async () => {
    const survey = await solver.survey(buildScene([cup, { at: [0.045, 0, 0.05], geoms: [sphere(0.002)] }]));
    expect(survey.overlaps).toMatchObject([{ class: 'contained' }]);
    expect(survey.overlaps[0]?.surfaceDepth).toBeGreaterThan(0);
  });

  test('two cups, one standing in the other: both hulls are taken off', async () => {
    const scaled = (factor: number): Shape & { type: 'convex' } => {
      const hull = cupHull() as Shape & { type: 'convex' };
      return { type: 'convex', mesh: { ...hull.mesh, vertices: hull.mesh.vertices.map((value) => factor * value) } };
    };
    const small = cupSurface();
    const surface = { ...small, vertices: small.vertices.map((value) => value / 2) };
    const inner: BodySpec = { name: 'inner', at: [0, 0, 0.02], geoms: [{ shape: scaled(0.5), surface }] };
    expect(await classesOf(buildScene([cup, inner]))).toEqual(['cup/0 inner/0: hull-only']);
    // Without the surface of one of them the other's is used still.
    const filled: BodySpec = { ...inner, geoms: [scaled(0.5)] };
    expect(await classesOf(buildScene([cup, filled]))).toEqual(['cup/0 inner/0: hull-only']);
    const hullOnly: BodySpec = { ...cup, geoms: [cupHull()] };
    expect(await classesOf(buildScene([hullOnly, inner]))).toEqual(['cup/0 inner/0: contained']);
  });
});

describe('colliders', () => {
  const ball = sphere();
  const deaf = { shape: ball, category: 0, mask: 0 };
  test.each([
    [0, 'no geom at all', [{ geoms: [] }], {}],
    [0, 'one geom alone', [{ geoms: [ball] }], {}],
    [0, 'geoms of one body', [{ geoms: [ball, ball] }], {}],
    [0, 'decoration', [{ geoms: [deaf, deaf] }, { geoms: [deaf] }], {}],
    [2, 'two that collide, one that does not', [{ geoms: [ball, deaf] }, { geoms: [ball] }], {}],
    [0, 'two bodies excluded from each other', [{ geoms: [ball] }, { geoms: [ball] }], { excludedBodies: [[0, 1]] }],
    [2, 'two geoms excluded, others not', [{ geoms: [ball, ball] }, { geoms: [ball] }], { excludedGeoms: [[0, 2]] }],
    [2, 'an explicit pair of decoration', [{ geoms: [deaf, deaf] }, { geoms: [deaf] }], { explicitPairs: [{ geoms: [1, 2], margin: 0 }] }],
  ] satisfies [number, string, BodySpec[], Partial<PairFilter>][])('%i: %s', async (count, _, bodies, filter) => {
    expect((await solver.survey(buildScene(bodies, filter))).colliders).toBe(count);
  });
});

describe('against check', () => {
  test.each([
    ['mixed shapes', randomScene(5, 80, 1)],
    ['a pile', pile(100)],
  ])('%s: what the engine pushes apart is the same, bit for bit', async (_, scene) => {
    for (const tolerance of [0, 0.005]) {
      const { overlaps, evaluation, counts } = await solver.survey(scene, { tolerance });
      const pushed = overlaps.filter((overlap) => ['real', 'contained', 'hull-only', 'constant'].includes(overlap.class));
      const plain = pushed.map(({ class: _class, surfaceDepth: _depth, ...overlap }) => overlap);
      expect(plain.sort((a, b) => b.depth - a.depth || a.geomA - b.geomA || a.geomB - b.geomB)).toEqual(evaluation.overlaps);
      expect(evaluation).toEqual(await solver.check(scene, { tolerance }));
      expect(evaluation.overlaps.length).toBeGreaterThan(10);
      expect(counts.touching > 0).toBe(tolerance > 0);
    }
  });

  test('any thread count, any run', async () => {
    const scene = randomScene(5, 80, 1);
    const reference = await solver.survey(scene, { threads: 1 });
    for (const threads of [2, 1]) expect(await solver.survey(scene, { threads })).toEqual(reference);
  });

  test('every pair of shapes, scenery of one weld included, has a depth', async () => {
    const heights = new Float64Array(9).fill(0.01);
    const shapes: Shape[] = [
      ...assortedShapes(),
      { type: 'heightfield', rows: 3, cols: 3, heights, halfExtents: [0.1, 0.1], baseDepth: 0.05 },
      { type: 'heightfield', rows: 3, cols: 3, heights, halfExtents: [0.1, 0.1], baseDepth: 0.06 },
      { type: 'halfspace' },
    ];
    const scene = buildScene(
      shapes.map((shape, k) => ({ name: `${k}`, fixed: true, weldedTo: 0, at: [0.001 * k, 0, -0.002 * k], geoms: [shape] })),
    );
    const { overlaps, counts, colliders } = await solver.survey(scene);
    expect([colliders, counts.filtered]).toEqual([0, (shapes.length * (shapes.length - 1)) / 2]);
    for (const { depth, normal } of overlaps) {
      expect(depth).toBeGreaterThan(0);
      expect(Math.hypot(...normal)).toBeCloseTo(1, 9);
    }
  });
});

describe('misuse', () => {
  test('options are checked, and a signal stops it', async () => {
    const scene = buildScene([ground(), ...balls()]);
    await expect(solver.survey(scene, { hover: 0 })).rejects.toThrow('option hover: expected a finite number > 0 [m], got 0');
    await expect(solver.survey(scene, { hovering: 1 } as SurveyOptions)).rejects.toThrow("did you mean 'hover'?");
    await expect(solver.survey(scene, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

test('jointChain: the joints that move one of two bodies and not the other', () => {
  const joint = (id: number, moves: readonly number[]): Joint => {
    return { id, name: `joint ${id}`, type: 'hinge', axis: [0, 0, 1], anchor: [0, 0, 0], moves, position: 0 };
  };
  // 0 - 1 - 2, and 3 on 1.
  const tree = buildScene([0, 1, 2, 3].map((k) => ({ name: `${k}`, geoms: [sphere()], movesWith: 0 })));
  const scene: Scene = { ...tree, joints: [joint(0, [1, 2, 3]), joint(1, [2]), joint(2, [3])] };
  expect(jointChain(scene, 0, 2)).toEqual([0, 1]);
  expect(jointChain(scene, 2, 3)).toEqual([1, 2]);
  expect(jointChain(scene, 3, 1)).toEqual([2]);
  expect(jointChain(scene, 1, 1)).toEqual([]);
  expect(jointChain(tree, 0, 1)).toEqual([]);
});
