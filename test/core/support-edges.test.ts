/** Where supports end, and that what stands on them stays over them. */
import { describe, expect, test } from '@jest/globals';
import type { Edge } from '../../src/core/motion.js';
import { findSupports } from '../../src/core/plan/supports.js';
import type { Shape, Vec3 } from '../../src/core/scene.js';
import { Solver } from '../../src/core/solver.js';
import { box, buildScene, ground } from '../scenes/build.js';
import { boxMesh } from '../scenes/meshes.js';

const TURNED = [Math.cos(0.2), 0, 0, Math.sin(0.2)] as const;

function edgesOf(shape: Shape): readonly Edge[] | undefined {
  return findSupports(buildScene([{ fixed: true, at: [1, 2, 0.5], quaternion: TURNED, geoms: [shape] }]))[0]?.edges;
}

/** A point of the turned shape in W. */
const at = (x: number, y: number): Vec3 => [1 + Math.cos(0.4) * x - Math.sin(0.4) * y, 2 + Math.sin(0.4) * x + Math.cos(0.4) * y, 9];

const inside = (edges: readonly Edge[], point: Vec3) =>
  edges.every(({ normal, offset }) => normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] <= offset);

describe('edges', () => {
  test.each<[string, Shape]>([
    ['a box', box(0.5, 0.3, 0.1)],
    ['a mesh', { type: 'mesh', mesh: boxMesh([0.5, 0.3, 0.1]) }],
  ])('of %s are its sides', (_, shape) => {
    const edges = edgesOf(shape) as readonly Edge[];
    expect(edges).toHaveLength(4);
    for (const [x, y, expected] of [
      [0.499, 0.299, true],
      [-0.499, 0.299, true],
      [0.501, 0, false],
      [0, -0.301, false],
    ] as const)
      expect(inside(edges, at(x, y))).toBe(expected);
  });

  test('of a cylinder lie inside its rim', () => {
    const edges = edgesOf({ type: 'cylinder', radius: 0.4, halfLength: 0.1 }) as readonly Edge[];
    for (let k = 0; k < 100; k++) {
      expect(inside(edges, at(0.401 * Math.cos(k), 0.401 * Math.sin(k)))).toBe(false);
      expect(inside(edges, at(0.39 * Math.cos(k), 0.39 * Math.sin(k)))).toBe(true);
    }
  });

  test('the ground has none, and a top that is not convex neither', () => {
    expect(findSupports(buildScene([ground()]))[0]).not.toHaveProperty('edges');
    const [one, two] = [boxMesh([0.5, 0.1, 0.1]), boxMesh([0.1, 0.5, 0.1])];
    const moved = Float64Array.from(two.vertices, (value, i) => (i % 3 === 0 ? value + 0.4 : value));
    const angle: Shape = {
      type: 'mesh',
      mesh: {
        vertices: Float64Array.of(...one.vertices, ...moved),
        triangles: Int32Array.of(...one.triangles, ...two.triangles.map((v) => v + one.vertices.length / 3)),
      },
    };
    expect(edgesOf(angle)).toBeUndefined();
  });
});

test.each(['default', 'reference'] as const)('%s: what stands near an edge stays over the table', async (profile) => {
  const solver = await Solver.create();
  const block = { geoms: [box(0.05, 0.05, 0.05)] };
  const scene = buildScene([
    { name: 'table', fixed: true, at: [0, 0, -0.1], geoms: [box(0.3, 0.3, 0.1)] },
    { name: 'inner', at: [0.23, 0, 0.05], ...block },
    { name: 'outer', at: [0.29, 0.01, 0.05], ...block },
  ]);
  const result = await solver.solve(scene, { profile, upright: true });
  expect(result.status).toBe('solved');
  expect(result.standing?.map(({ offSupport }) => offSupport)).toEqual([false, false]);
  expect(result.poses[2]?.position[0]).toBeLessThan(0.3 + 1e-5);
});

test.each(['default', 'reference'] as const)('%s: a table and a shelf over it, each with its own plane', async (profile) => {
  const tilted = (angle: number) => [Math.cos(angle / 2), Math.sin(angle / 2), 0, 0] as const;
  const block = { geoms: [box(0.05, 0.04, 0.06)] };
  const scene = buildScene([
    { name: 'table', fixed: true, at: [0, 0, 0.35], geoms: [box(0.4, 0.4, 0.05)] },
    { name: 'shelf', fixed: true, at: [0, 0.2, 0.89], geoms: [box(0.4, 0.15, 0.01)] },
    { name: 'low 1', at: [0, 0.2, 0.48], quaternion: tilted(0.2), ...block },
    { name: 'low 2', at: [0.06, 0.22, 0.44], quaternion: tilted(-0.3), ...block },
    { name: 'high 1', at: [0, 0.2, 0.97], quaternion: tilted(0.25), ...block },
    { name: 'high 2', at: [0.07, 0.19, 0.95], quaternion: tilted(-0.15), ...block },
  ]);
  const result = await (await Solver.create()).solve(scene, { profile, upright: { stand: 'file' } });
  expect(result).toMatchObject({ status: 'solved', after: { repairable: 0 } });
  const stands = (name: string, support: string) => ({ name, support, offSupport: false });
  expect(result.standing).toMatchObject([
    stands('low 1', 'table/0'),
    stands('low 2', 'table/0'),
    stands('high 1', 'shelf/0'),
    stands('high 2', 'shelf/0'),
  ]);
  result.poses.slice(2).forEach(({ position }, k) => {
    expect(Math.abs(position[2] - 0.06 - (k < 2 ? 0.4 : 0.9))).toBeLessThan(1e-6);
  });
  for (const { heightAfter, tiltAfter } of result.standing ?? []) {
    expect(Math.abs(heightAfter)).toBeLessThan(1e-6);
    expect(tiltAfter).toBeLessThan(1e-6);
  }
});
