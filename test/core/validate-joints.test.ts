/** Joints, neighbours and surfaces of a scene: what is refused, and that neighbours do not collide. */
import { describe, expect, it } from '@jest/globals';
import { collisionRule } from '../../src/core/filters.js';
import type { Joint, Scene } from '../../src/core/scene.js';
import { assertScene } from '../../src/core/validate.js';
import { buildScene, sphere } from '../scenes/build.js';

const two: Scene = buildScene([{ geoms: [sphere()] }, { at: [0.1, 0, 0], geoms: [sphere()] }]);
const hinge: Joint = { id: 0, name: 'elbow', type: 'hinge', axis: [0, 0, 1], anchor: [0, 0, 0], moves: [1], position: 0 };

describe('joints', () => {
  it.each<[Partial<Joint>, string]>([
    [{ axis: [0, 0, 2] }, "joint 'elbow' (joints[0]).axis: expected a unit vector"],
    [{ moves: [2] }, "joint 'elbow' (joints[0]).moves[0]: expected an index into scene.bodies (0..1), got 2"],
    [{ limits: [1, -1] }, "joint 'elbow' (joints[0]).limits: expected two numbers, the lower limit first"],
    [
      { limits: ['-1', '1'] as unknown as [number, number] },
      "joint 'elbow' (joints[0]).limits: expected two numbers, the lower limit first",
    ],
    [{ follows: { joint: 0, ratio: 1 } }, "joint 'elbow' (joints[0]).follows.joint: expected a joint that follows no other, got 0"],
  ])('are refused with %o', (change, message) => {
    expect(() => assertScene({ ...two, joints: [{ ...hinge, ...change }] })).toThrow(message);
  });

  it.each<[Joint['mobility'], Joint['mobility'], string]>([
    ['free', undefined, "joint 'tip' (joints[1]).mobility: expected 'fixed', as the joint that drives it, got 'free'"],
    ['fixed', 'free', "joint 'tip' (joints[1]).mobility: expected 'free', as the joint that drives it, got 'fixed'"],
  ])('that follow another and are %s are refused where that one is %s', (own, driver, message) => {
    const joints = [
      { ...hinge, ...(driver && { mobility: driver }) },
      { ...hinge, id: 1, name: 'tip', ...(own && { mobility: own }), follows: { joint: 0, ratio: 1 } },
    ];
    expect(() => assertScene({ ...two, joints })).toThrow(message);
  });

  it('may be absent, or be there', () => {
    assertScene({ ...two, joints: [hinge] });
    assertScene(two);
  });
});

describe('neighbours', () => {
  it('do not collide', () => {
    const neighbours = [[0, 1]] as const;
    expect(collisionRule(two)(0, 1)).toBe(true);
    expect(collisionRule({ ...two, filter: { ...two.filter, neighbours } })(0, 1)).toBe(false);
  });
  it('are ids of bodies', () => {
    const scene = { ...two, filter: { ...two.filter, neighbours: [[0, 2]] as const } };
    expect(() => assertScene(scene)).toThrow('scene.filter.neighbours[0][1]: expected an index into scene.bodies (0..1), got 2');
  });
});

describe('a surface', () => {
  it('is a mesh', () => {
    const surface = { vertices: new Float64Array(9), triangles: Int32Array.of(0, 1, 3) };
    const geoms = two.geoms.map((geom) => ({ ...geom, surface }));
    expect(() => assertScene({ ...two, geoms })).toThrow('.surface.triangles[2]: expected a vertex index below 3, got 3');
  });
});
