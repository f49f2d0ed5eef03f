/** Bodies, shapes and joints, judged by UsdPhysics' own parser, which Isaac Sim uses too. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { angleBetween, compose } from '../../../src/adapters/conventions.js';
import { affineOf, column } from '../../../src/adapters/isaac/affine.js';
import { isaac } from '../../../src/adapters/isaac/index.js';
import type { Body, Geom, Pose, Quat, Shape, Vec3 } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { SHARED_DATA } from '../../shared-data.js';
import { describePxr, runPxr } from './pxr/pxr.js';

interface Facts {
  readonly shapes: Record<string, ShapeFacts>;
  readonly bodies: Record<string, { position: Vec3; rotation: Quat; kinematicBody: boolean; rigidBodyEnabled: boolean }>;
}

interface ShapeFacts {
  readonly type: string;
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly halfExtents?: readonly number[];
  readonly axis?: number;
  readonly approximation?: string;
  readonly rigidBody: string;
  readonly localPos: Vec3;
  readonly localRot: Quat;
  readonly collisionEnabled: boolean;
}

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/usd/${name}.usda`, import.meta.url));
/** UsdPhysics reads animated transforms at no time at all, we at the first. */
const ANIMATED = ['/World/animated', '/World/inherits', '/World/specializes'];
const FILES = [
  ...['physics', 'composition', 'ops'].map(fixture),
  ...globSync('usd/**/*.usd*', { cwd: SHARED_DATA, absolute: true }).sort(),
];
/** Their parser computes in floats. */
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a));

/** Shape types by what PhysX makes of an approximation on a body that rests, and on one that moves. */
const MESHES: Readonly<Record<string, readonly [Shape['type'], Shape['type']]>> = {
  none: ['mesh', 'convex'],
  meshSimplification: ['mesh', 'convex'],
  convexHull: ['convex', 'convex'],
  convexDecomposition: ['mesh', 'mesh'],
  sdf: ['mesh', 'mesh'],
  boundingCube: ['box', 'box'],
  boundingSphere: ['sphere', 'sphere'],
};

function sizesOf(shape: Shape): readonly number[] {
  if (shape.type === 'sphere') return [shape.radius];
  if (shape.type === 'box') return shape.halfExtents;
  if (shape.type === 'capsule' || shape.type === 'cylinder' || shape.type === 'cone') return [shape.radius, shape.halfLength];
  return [];
}

function expectShape(geom: Geom, body: Body, facts: ShapeFacts, base: Pose, unit: number, moving: boolean): void {
  const { shape } = geom;
  if (facts.type === 'MeshShape') {
    expect(shape.type).toBe(MESHES[facts.approximation!]![moving ? 1 : 0]);
    return;
  }
  expect(shape.type).toBe({ CubeShape: 'box', PlaneShape: 'halfspace' }[facts.type] ?? facts.type.replace('Shape', '').toLowerCase());
  const theirs = [facts.radius, facts.halfHeight, ...(facts.halfExtents ?? [])].filter((size) => size !== undefined);
  for (const [i, size] of sizesOf(shape).entries()) expect(near(Math.abs(theirs[i]!) * unit, size)).toBe(true);
  const ours = compose(body.X_WB, geom.X_BG);
  const wanted = compose(base, { position: facts.localPos.map((x) => x * unit) as unknown as Vec3, quaternion: facts.localRot });
  for (const k of [0, 1, 2]) expect(near(wanted.position[k]!, ours.position[k]!)).toBe(true);
  const [a, b] = [affineOf(ours), affineOf(wanted)];
  // Mirror images of a box are boxes; round shapes have one axis, in ours always z.
  const axes = shape.type === 'box' ? [0, 1, 2] : shape.type === 'sphere' ? [] : [2];
  for (const k of axes) {
    const [p, q] = [column(a, k), column(b, shape.type === 'box' ? k : facts.axis!)];
    const cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    expect(near(shape.type === 'cone' || shape.type === 'halfspace' ? cosine : Math.abs(cosine), 1)).toBe(true);
  }
}

describePxr('the physics of a stage is what UsdPhysics makes of it', () => {
  let facts: Record<string, Facts> = {};
  beforeAll(() => {
    facts = runPxr('dump_physics.py', ...FILES);
  });

  it.each(FILES)('%s', async (path) => {
    const { shapes, bodies } = facts[path]!;
    const { scene, source } = await isaac.read(path);
    assertScene(scene);
    const unit = source.stage.metersPerUnit;
    const enabled = Object.entries(bodies).filter(([, { rigidBodyEnabled }]) => rigidBodyEnabled);
    const still = enabled.filter(([name]) => !ANIMATED.includes(name));
    const byName = new Map(scene.bodies.map((body) => [body.name, body]));
    for (const [name, { position, rotation, kinematicBody }] of still) {
      const body = byName.get(name)!;
      for (const k of [0, 1, 2]) expect(near(position[k]! * unit, body.X_WB.position[k]!)).toBe(true);
      expect(angleBetween(rotation, body.X_WB.quaternion)).toBeLessThan(1e-3);
      if (kinematicBody) expect(body.mobility).toBe('fixed');
    }
    const colliding = Object.entries(shapes).filter(([, { collisionEnabled }]) => collisionEnabled);
    expect(scene.geoms.map(({ name }) => name).sort()).toEqual(colliding.map(([name]) => name).sort());
    for (const geom of scene.geoms) {
      const shape = shapes[geom.name]!;
      const body = scene.bodies[geom.bodyId]!;
      const own = enabled.find(([name]) => name === shape.rigidBody);
      expect([geom.name, body.name]).toEqual([geom.name, own?.[0] ?? geom.name]);
      const base: Pose = own === undefined ? { position: [0, 0, 0], quaternion: [1, 0, 0, 0] } : body.X_WB;
      expectShape(geom, body, shape, base, unit, own !== undefined && !own[1].kinematicBody);
    }
  });
});
