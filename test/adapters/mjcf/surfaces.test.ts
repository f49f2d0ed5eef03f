/** The triangles behind the hulls MuJoCo collides with. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Mesh } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import { assertScene } from '../../../src/core/validate.js';
import { cupSurface } from '../../scenes/cups.js';
import { FIXTURES, Workspace } from './workspace.js';

/** Signed: positive if the triangles are wound outwards. */
function volume({ vertices: v, triangles: t }: Mesh): number {
  let sum = 0;
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => v.subarray(3 * t[i + k]!, 3 * t[i + k]! + 3)) as [Float64Array, Float64Array, Float64Array];
    sum += a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) + a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) + a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
  }
  return sum / 6;
}

const TETRAHEDRON = 'vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3"';

describe('a mesh', () => {
  it('that is not convex is kept beside its hull, once for all geoms of the asset', async () => {
    const { scene } = await mjcf.read(`${FIXTURES}/shapes.xml`);
    const [first, second] = scene.geoms.filter(({ shape, name }) => shape.type === 'convex' && name.startsWith('ell'));
    expect(volume(first!.surface!)).toBeCloseTo(3e-3, 8);
    expect(second!.surface).toBe(first!.surface);
    const field = scene.geoms.find(({ shape }) => shape.type === 'mesh')!;
    expect(field).not.toHaveProperty('surface');
    expect(field.shape.type === 'mesh' && field.shape.mesh).toBe(first!.surface);
    expect(first!.surface!.vertices).toHaveLength(3 * 12);
  });

  it.each(['1 1 1', '-1 1 1', '-1 -1 -1'])('is wound outwards at scale %s, and shared', async (scale) => {
    const xml = `<mujoco><asset><mesh name="ell" file="${FIXTURES}/assets/l-shape.obj" scale="${scale}"/></asset>
      <worldbody>${[0, 1].map((x) => `<body pos="${x} 0 0"><freejoint/><geom type="mesh" mesh="ell"/></body>`).join('')}</worldbody></mujoco>`;
    const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml));
    assertScene(scene);
    const [a, b] = scene.geoms.map(({ surface }) => surface!);
    expect(volume(a!)).toBeCloseTo(3, 5);
    expect(b).toBe(a);
  });

  it('that is its own hull is not kept twice; one whose hull is simplified is', async () => {
    const read = async (attributes: string) => {
      const xml = `<mujoco><asset><mesh name="m" ${attributes}/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>`;
      const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml));
      return scene.geoms[0]!;
    };
    expect(await read(TETRAHEDRON)).not.toHaveProperty('surface');
    expect(await read(`${TETRAHEDRON} scale="1 -1 1"`)).not.toHaveProperty('surface');
    const round = await read('builtin="sphere" params="2" maxhullvert="8"');
    expect(round.shape.type === 'convex' && round.shape.mesh.vertices.length).toBe(3 * 8);
    expect(volume(round.surface!)).toBeGreaterThan(3);
  });

  it('with a ball in its cavity overlaps by its hull only', async () => {
    const { vertices, triangles } = cupSurface();
    const xml = `<mujoco><asset><mesh name="cup" vertex="${vertices.join(' ')}" face="${triangles.join(' ')}"/></asset><worldbody>
      <body name="cup"><freejoint/><geom type="mesh" mesh="cup"/></body>
      <body name="ball" pos="0 0 .05"><freejoint/><geom size=".02"/></body></worldbody></mujoco>`;
    const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml));
    const { overlaps, counts } = await (await Solver.create()).survey(scene);
    expect([overlaps.map(({ names }) => [names.bodyA, names.bodyB]), counts['hull-only']]).toEqual([[['cup', 'ball']], 1]);
  });
});
