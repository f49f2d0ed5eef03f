/** What hovers, and how far it would fall. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Scene, Shape, Vec3 } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import { hoveringUnits } from '../../../src/core/survey/hover.js';
import { type BodySpec, box, buildScene, ground, permuteBodies, sphere, translateScene } from '../../scenes/build.js';
import { CUP, cupPieces, cupSurface } from '../../scenes/cups.js';
import { between, randomQuat, randomSource } from '../../scenes/random.js';
import { assortedShapes, randomScene } from '../../scenes/scenes.js';

const NOBODY: ReadonlySet<number> = new Set();
const gapsOf = (scene: Scene, height = 1e-3) =>
  hoveringUnits(scene, NOBODY, height).map(({ name, gap, above }) => [name, gap === Infinity ? gap : Number(gap.toFixed(9)), above]);
const table: BodySpec = { name: 'table', fixed: true, at: [0, 0, 0.7], geoms: [box(0.5, 0.5, 0.05)] };
const cube = (name: string, at: Vec3): BodySpec => ({ name, at, geoms: [box(0.05)] });

describe('closed forms', () => {
  test('over the ground, over a table, past its edge', () => {
    const scene = buildScene([
      ground(),
      table,
      cube('over table', [0, 0, 0.9]),
      cube('beside', [0.6, 0, 0.9]),
      cube('resting', [0.2, 0, 0.8]),
    ]);
    expect(gapsOf(scene)).toEqual([
      ['beside', 0.85, 'ground'],
      ['over table', 0.1, 'table'],
    ]);
  });

  test('only what hovers higher than asked for', () => {
    const scene = buildScene([ground(), cube('low', [0, 0, 0.052]), cube('high', [1, 0, 0.06])]);
    expect(gapsOf(scene, 1e-3).map(([name]) => name)).toEqual(['high', 'low']);
    expect(gapsOf(scene, 5e-3).map(([name]) => name)).toEqual(['high']);
    expect(gapsOf(scene, 2e-2)).toEqual([]);
  });

  test('without anything below: it falls for ever', () => {
    expect(gapsOf(buildScene([table, cube('lost', [2, 0, 0]), cube('under', [0, 0, 0.5])]))).toEqual([
      ['lost', Infinity, undefined],
      ['under', Infinity, undefined],
    ]);
  });

  test('up may point anywhere', () => {
    const wall: BodySpec = { name: 'wall', fixed: true, geoms: [box(0.1, 1, 1)] };
    expect(gapsOf(buildScene([wall, cube('left', [-0.4, 0.3, 0.2])], {}, [-1, 0, 0]))).toEqual([['left', 0.25, 'wall']]);
  });

  test('a slope of 45 degrees: the gap is measured along the fall', () => {
    const slope: BodySpec = { ...ground(), name: 'slope', quaternion: [Math.cos(Math.PI / 8), 0, Math.sin(Math.PI / 8), 0] };
    // The plane x + z = 0; a ball of 0.1 m touches it when its centre is 0.1 sqrt(2) m above.
    expect(gapsOf(buildScene([slope, { name: 'ball', at: [0.5, 0, 0.5], geoms: [sphere(0.1)] }]))).toEqual([
      ['ball', Number((1 - 0.1 * Math.SQRT2).toFixed(9)), 'slope'],
    ]);
    const ceiling: BodySpec = { ...ground(3), quaternion: [0, 1, 0, 0] };
    expect(gapsOf(buildScene([ceiling, cube('a', [0, 0, 0])]))).toEqual([['a', Infinity, undefined]]);
  });

  test('in a cup, of pieces or as a surface, it falls to the floor of the cup', () => {
    const ball: BodySpec = { name: 'ball', at: [0, 0, CUP.floor + 0.035], geoms: [sphere(0.03)] };
    for (const geoms of [cupPieces(), [{ type: 'mesh', mesh: cupSurface() }]] satisfies Shape[][]) {
      expect(gapsOf(buildScene([{ name: 'cup', fixed: true, geoms }, ball]))).toEqual([['ball', 0.005, 'cup']]);
    }
  });
});

describe('rules', () => {
  const below: BodySpec = { name: 'below', fixed: true, geoms: [box(0.05)] };
  const above = cube('above', [0, 0, 0.2]);

  test('what does not collide does not carry', () => {
    expect(gapsOf(buildScene([below, above]))).toEqual([['above', 0.1, 'below']]);
    expect(gapsOf(buildScene([below, above], { excludedBodies: [[0, 1]] }))).toEqual([['above', Infinity, undefined]]);
  });

  test('a unit does not land on its own links, and the lowest of them counts', () => {
    const link: BodySpec = { ...cube('link', [0, 0, 0.5]), movesWith: 1 };
    expect(gapsOf(buildScene([below, above, link]))).toEqual([['above', 0.1, 'below']]);
  });

  test('margins are kept', () => {
    const soft = { shape: box(0.05), margin: 0.02 };
    expect(
      gapsOf(
        buildScene([
          { ...below, geoms: [soft] },
          { ...above, geoms: [soft] },
        ]),
      ),
    ).toEqual([['above', 0.06, 'below']]);
    const explicitPairs = [{ geoms: [0, 1], margin: 0.1 }] as const;
    expect(gapsOf(buildScene([below, above], { explicitPairs }))).toEqual([]);
  });

  test('of a stack each hovers over the next', () => {
    const stack = buildScene([ground(), ...[0, 1, 2].map((k) => cube(`cube ${k}`, [0, 0, 0.07 + 0.12 * k]))]);
    expect(gapsOf(stack).sort()).toEqual([
      ['cube 0', 0.02, 'ground'],
      ['cube 1', 0.02, 'cube 0'],
      ['cube 2', 0.02, 'cube 1'],
    ]);
  });

  test('what overlaps does not hover, and bodies without geoms do not', async () => {
    const solver = await Solver.create();
    const scene = buildScene([
      ground(),
      cube('a', [0, 0, 0.3]),
      cube('b', [0.05, 0, 0.3]),
      cube('c', [1, 0, 0.3]),
      { name: 'dot', geoms: [] },
    ]);
    expect((await solver.survey(scene)).hovering.map(({ name }) => name)).toEqual(['c']);
    expect((await solver.survey(scene, { allow: [['a', 'b']] })).hovering.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect((await solver.survey(scene, { hover: 0.3 })).hovering).toEqual([]);
  });

  test('neither the order of the bodies nor their place matters', () => {
    const scene = randomScene(3, 40, 0.1);
    const order = scene.bodies.map(({ id }) => (7 * id + 3) % 40);
    const sorted = (of: Scene) => gapsOf(of).sort((a, b) => String(a[0]).localeCompare(String(b[0])));
    expect(sorted(permuteBodies(scene, order))).toEqual(sorted(scene));
    const moved = gapsOf(translateScene(scene, [3, -4, 100]));
    gapsOf(scene).forEach(([, gap], k) => {
      if (gap !== Infinity) expect(moved[k]?.[1]).toBeCloseTo(gap as number, 8);
    });
  });
});

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

/** Whether `falling`, displaced by `distance` along -z, overlaps what is fixed. */
async function meets(scene: Scene, distance: number): Promise<boolean> {
  const bodies = scene.bodies.map((body) => {
    const [x, y, z] = body.X_WB.position;
    return body.mobility === 'fixed' ? body : { ...body, X_WB: { ...body.X_WB, position: [x, y, z - distance] as const } };
  });
  return (await solver.check({ ...scene, bodies })).overlaps.length > 0;
}

describe('against the evaluator', () => {
  const field: Shape = {
    type: 'heightfield',
    rows: 3,
    cols: 4,
    heights: Float64Array.from([0, 0.02, 0, 0.03, 0.04, 0, 0.01, 0, 0, 0.05, 0.02, 0]),
    halfExtents: [0.15, 0.1],
    baseDepth: 0.05,
  };
  const shapes = [...assortedShapes(), field];

  test.each(shapes.map((shape, k) => [k, shape.type, shape] as const))('fall onto shape %i, a %s', async (seed, _, below) => {
    const random = randomSource(seed + 1);
    for (const shape of assortedShapes()) {
      const at: Vec3 = [between(random, -0.04, 0.04), between(random, -0.04, 0.04), between(random, 0.25, 0.6)];
      const scene = buildScene([
        { name: 'below', fixed: true, quaternion: below.type === 'heightfield' ? [1, 0, 0, 0] : randomQuat(random), geoms: [below] },
        { name: 'falling', at, quaternion: randomQuat(random), geoms: [shape] },
      ]);
      const [hover] = hoveringUnits(scene, NOBODY, 1e-3);
      const gap = hover?.gap ?? 0;
      if (gap === Infinity) {
        for (let down = 0; down < 1; down += 0.004) expect(await meets(scene, down)).toBe(false);
      } else {
        expect(await meets(scene, gap - 1e-5)).toBe(false);
        expect(await meets(scene, gap + 1e-5)).toBe(true);
      }
    }
  });
});
