import { describe, expect, test } from '@jest/globals';
import { S4rError } from '../../src/core/errors.js';
import type { Body, Geom, Mesh, Scene, Shape } from '../../src/core/scene.js';
import { assertScene } from '../../src/core/validate.js';
import { buildScene, ground, sphere } from '../scenes/build.js';
import { boxMesh, icosphereMesh, lShapeMesh, tetrahedronMesh, torusMesh } from '../scenes/meshes.js';
import { assortedShapes, cubeGrid } from '../scenes/scenes.js';

const scene = (): Scene => buildScene([{ name: 'mug', geoms: [sphere(), sphere(0.5)] }, ground(-1), { name: 'lid', geoms: [sphere()] }]);

/** The scene with some fields of one body, geom or the filter replaced. */
const withBody = (index: number, change: object): Scene => {
  const base = scene();
  return { ...base, bodies: base.bodies.map((body, i) => (i === index ? ({ ...body, ...change } as Body) : body)) };
};
const withGeom = (index: number, change: object): Scene => {
  const base = scene();
  return { ...base, geoms: base.geoms.map((geom, i) => (i === index ? ({ ...geom, ...change } as Geom) : geom)) };
};
const withFilter = (change: object): Scene => ({ ...scene(), filter: { ...scene().filter, ...change } });
const withShape = (shape: object): Scene => withGeom(1, { shape });
const withMesh = (mesh: Mesh, type: 'mesh' | 'convex' = 'mesh'): Scene => withShape({ type, mesh });

function messageOf(broken: Scene): string {
  try {
    assertScene(broken);
  } catch (error) {
    expect(error).toBeInstanceOf(S4rError);
    expect((error as S4rError).code).toBe('INVALID_SCENE');
    return (error as S4rError).message;
  }
  throw new Error('the scene was accepted');
}

test('valid scenes are accepted', () => {
  assertScene(scene());
  assertScene(buildScene([]));
  assertScene(buildScene([{ geoms: [] }]));
  assertScene(buildScene(assortedShapes().map((shape) => ({ geoms: [shape] }))));
  assertScene(
    buildScene([
      {
        fixed: true,
        geoms: [{ type: 'heightfield', rows: 2, cols: 3, heights: new Float64Array(6), halfExtents: [1, 1], baseDepth: 0.1 }],
      },
    ]),
  );
});

describe('numbers and poses', () => {
  const pose = (position: unknown, quaternion: unknown = [1, 0, 0, 0]) => ({ position, quaternion });
  test.each([
    [withBody(0, { X_WB: pose([0, Number.NaN, 0]) }), "body 'mug' (bodies[0]).X_WB.position[1]: expected a finite number, got NaN"],
    [withBody(0, { X_WB: pose([0, 0]) }), "body 'mug' (bodies[0]).X_WB.position: expected a position [x, y, z], got [0, 0]"],
    [
      withBody(2, { X_WB: pose([0, 0, 0], [2, 0, 0, 0]) }),
      "body 'lid' (bodies[2]).X_WB.quaternion: expected a unit quaternion [w, x, y, z], got [2, 0, 0, 0] of length 2",
    ],
    [
      withGeom(1, { X_BG: pose([0, 0, 0], [0, 0, 0, 0]) }),
      "geom 'mug/1' (geoms[1]).X_BG.quaternion: expected a unit quaternion [w, x, y, z], got [0, 0, 0, 0] of length 0",
    ],
    [withGeom(1, { X_BG: undefined }), "geom 'mug/1' (geoms[1]).X_BG: expected an object, got undefined"],
    [withBody(0, { weight: 0 }), "body 'mug' (bodies[0]).weight: expected a positive number, got 0"],
    [withGeom(0, { margin: -1e-3 }), "geom 'mug/0' (geoms[0]).margin: expected a number >= 0, got -0.001"],
    [withGeom(0, { mask: -1 }), "geom 'mug/0' (geoms[0]).mask: expected an unsigned 32-bit integer, got -1"],
    [withGeom(0, { category: 2 ** 32 }), "geom 'mug/0' (geoms[0]).category: expected an unsigned 32-bit integer, got 4294967296"],
    [{ ...scene(), up: [0, 0, 2] as const }, 'scene.up: expected a unit vector [x, y, z], got [0, 0, 2] of length 2'],
    [{ ...scene(), up: '+z' as never }, "scene.up: expected a unit vector [x, y, z], got '+z'"],
  ])('%#: refused with its path', (broken, message) => {
    expect(messageOf(broken)).toBe(message);
  });

  test('a quaternion may be off by rounding', () => {
    assertScene(withBody(0, { X_WB: pose([0, 0, 0], [1 + 5e-7, 0, 0, 0]) }));
  });
});

describe('identity', () => {
  test.each([
    [undefined as never, 'scene: expected an object, got undefined'],
    [{ ...scene(), bodies: {} as never }, 'scene.bodies: expected an array, got an object'],
    [{ ...scene(), bodies: [null] as never }, 'bodies[0]: expected an object, got null'],
    [withBody(1, { id: 7 }), "body 'ground' (bodies[1]).id: expected 1, its index in scene.bodies, got 7"],
    [withBody(1, { name: '' }), "bodies[1].name: expected a non-empty text, got ''"],
    [withBody(2, { name: 'mug' }), "body 'mug' (bodies[2]).name: already the name of bodies[0]"],
    [withGeom(3, { name: 'mug/0' }), "geom 'mug/0' (geoms[3]).name: already the name of geoms[0]"],
    [withGeom(0, { bodyId: 3 }), "geom 'mug/0' (geoms[0]).bodyId: expected an index into scene.bodies (0..2), got 3"],
    [withBody(0, { mobility: 'planar' }), "body 'mug' (bodies[0]).mobility: expected 'free' or 'fixed', got 'planar'"],
  ])('%#: refused with its path', (broken, message) => {
    expect(messageOf(broken)).toBe(message);
  });
});

describe('units and welds', () => {
  const link = { geoms: [sphere()] };
  test('a floating tree is accepted', () => {
    assertScene(
      buildScene([link, { ...link, movesWith: 0 }, { ...link, movesWith: 0, weldedTo: 1 }, { ...link, movesWith: 0, weldedTo: 1 }]),
    );
  });
  test.each([
    [
      buildScene([link, { ...link, movesWith: 0 }, { ...link, movesWith: 1 }]),
      "body 'body2' (bodies[2]).movesWith: expected the root of a unit, got 1, body 'body1', which itself moves with 0",
    ],
    [
      buildScene([
        { ...link, fixed: true },
        { ...link, movesWith: 0 },
      ]),
      "body 'body1' (bodies[1]).mobility: expected 'fixed' like that of 'body0', which it moves with, got 'free'",
    ],
    [
      buildScene([
        { ...link, fixed: true },
        { ...link, fixed: true, movesWith: 0 },
      ]),
      "body 'body1' (bodies[1]).movesWith: expected 1: a fixed body moves with itself, got 0",
    ],
    [
      buildScene([link, { ...link, weldedTo: 0 }]),
      "body 'body1' (bodies[1]).weldedTo: expected a body that moves with this one, got 0, body 'body0', of another unit",
    ],
    [
      buildScene([link, { ...link, movesWith: 0, weldedTo: 0 }, { ...link, movesWith: 0, weldedTo: 1 }]),
      "body 'body2' (bodies[2]).weldedTo: expected the representative of a weld, got 1, body 'body1', itself welded to 0",
    ],
    [withBody(0, { movesWith: 9 }), "body 'mug' (bodies[0]).movesWith: expected an index into scene.bodies (0..2), got 9"],
  ])('%#: refused with its path', (broken, message) => {
    expect(messageOf(broken)).toBe(message);
  });
});

describe('shapes', () => {
  const at = "geom 'mug/1' (geoms[1]).shape";
  const field = (change: object) =>
    ({ type: 'heightfield', rows: 2, cols: 2, heights: new Float64Array(4), halfExtents: [1, 1], baseDepth: 1, ...change }) as Shape;
  test.each([
    [{ type: 'sphere', radius: 0 }, `${at}.radius: expected a positive number, got 0`],
    [{ type: 'sphere', radius: '1' }, `${at}.radius: expected a positive number, got '1'`],
    [{ type: 'box', halfExtents: [1, -1, 1] }, `${at}.halfExtents[1]: expected a positive number, got -1`],
    [{ type: 'box', halfExtents: 1 }, `${at}.halfExtents: expected half edge lengths [x, y, z], got 1`],
    [{ type: 'capsule', radius: 1, halfLength: Infinity }, `${at}.halfLength: expected a positive number, got Infinity`],
    [{ type: 'ellipsoid', radii: [1, 1, 0] }, `${at}.radii[2]: expected a positive number, got 0`],
    [{ type: 'plane' }, `${at}.type: expected a known shape type, got 'plane'`],
    [field({ rows: 1 }), `${at}.rows: expected an integer >= 2, got 1`],
    [field({ heights: new Float64Array(5) }), `${at}.heights: expected rows x cols = 4 heights, got 5`],
    [field({ heights: [0, 0, 0, 0] }), `${at}.heights: expected a Float64Array, got [0, 0, 0, 0]`],
    [field({ heights: Float64Array.of(0, 0, -1, 0) }), `${at}.heights[2]: expected a finite height above -baseDepth = -1, got -1`],
    [field({}), `${at}.type: expected a shape that can move, as body 'mug' is free, got 'heightfield'`],
    [{ type: 'halfspace' }, `${at}.type: expected a shape that can move, as body 'mug' is free, got 'halfspace'`],
  ])('%p is refused', (shape, message) => {
    expect(messageOf(withShape(shape))).toBe(message);
  });
});

describe('meshes', () => {
  const at = "geom 'mug/1' (geoms[1]).shape.mesh";
  const changed = (change: Partial<Mesh>): Mesh => ({ ...tetrahedronMesh(), ...change });
  const flat = (): Mesh => ({ vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Int32Array.of(0, 1, 2, 0, 2, 1) });
  const mirrored = (mesh: Mesh): Mesh => ({ ...mesh, vertices: mesh.vertices.map((value, i) => (i % 3 === 0 ? -value : value)) });

  test.each([
    [changed({ vertices: new Float64Array() }), `${at}.vertices: expected 3 numbers per vertex, at least one vertex, got 0`],
    [changed({ triangles: new Int32Array() }), `${at}.triangles: expected 3 indices per triangle, at least one triangle, got 0`],
    [changed({ triangles: Int32Array.of(0, 1) }), `${at}.triangles: expected 3 indices per triangle, at least one triangle, got 2`],
    [changed({ triangles: Int32Array.of(0, 1, 4) }), `${at}.triangles[2]: expected a vertex index below 4, got 4`],
    [changed({ triangles: Int32Array.of(0, 1, -1) }), `${at}.triangles[2]: expected a vertex index below 4, got -1`],
    [changed({ vertices: Float64Array.of(0, 0, Number.NaN) }), `${at}.vertices[2]: expected a finite number, got NaN`],
    [changed({ vertices: new Float32Array(12) as never }), `${at}.vertices: expected a Float64Array, got a Float32Array of 48 bytes`],
    [changed({ vertices: new Float64Array(12) }), `${at}: expected a surface with area, got 0`],
  ])('%#: refused with its path', (mesh, message) => {
    expect(messageOf(withMesh(mesh))).toBe(message);
  });

  test('open surfaces are fine as a mesh', () => {
    assertScene(withMesh(flat()));
  });

  test.each([
    ['open', changed({ triangles: tetrahedronMesh().triangles.slice(0, 9) }), "expected a closed convex surface, got 'an open one'"],
    ['flat', flat(), "expected a convex solid with volume, got 'volume 0'"],
    ['turned inside out', mirrored(boxMesh([1, 2, 3])), 'expected counter-clockwise triangles seen from outside'],
    ['L-shaped', lShapeMesh(), 'expected a convex surface'],
    ['a torus', torusMesh(), 'expected a convex surface'],
  ])('a convex mesh that is %s is refused', (_, mesh, message) => {
    expect(messageOf(withMesh(mesh, 'convex'))).toContain(message);
  });

  test('convex meshes with coordinates rounded to float32 are accepted', () => {
    for (const mesh of [icosphereMesh(0.37, 3), boxMesh([0.1, 0.2, 1e-3]), tetrahedronMesh()]) {
      assertScene(withMesh({ ...mesh, vertices: Float64Array.from(Float32Array.from(mesh.vertices)) }, 'convex'));
    }
  });
});

describe('filter', () => {
  test.each([
    [{ maskRule: 'any' }, "scene.filter.maskRule: expected 'either' or 'both', got 'any'"],
    [{ excludedBodies: [[0, 3]] }, 'scene.filter.excludedBodies[0][1]: expected an index into scene.bodies (0..2), got 3'],
    [{ excludedBodies: [[0]] }, 'scene.filter.excludedBodies[0]: expected a pair of ids, got [0]'],
    [{ excludedGeoms: [[-1, 0]] }, 'scene.filter.excludedGeoms[0][0]: expected an index into scene.geoms (0..3), got -1'],
    [{ explicitPairs: [{ geoms: [1, 1], margin: 0 }] }, 'scene.filter.explicitPairs[0].geoms: expected two different geoms, got [1, 1]'],
    [{ explicitPairs: [{ geoms: [0, 1], margin: Number.NaN }] }, 'scene.filter.explicitPairs[0].margin: expected a number >= 0, got NaN'],
  ])('%j is refused', (change, message) => {
    expect(messageOf(withFilter(change))).toBe(message);
  });
});

test('thousands of bodies, and a large mesh shared by all of them, are checked quickly', () => {
  const shape: Shape = { type: 'mesh', mesh: icosphereMesh(0.1, 5) };
  const grid = cubeGrid(10_000);
  const shared: Scene = { ...grid, geoms: grid.geoms.map((geom) => ({ ...geom, shape: { ...shape } })) };
  const start = performance.now();
  assertScene(shared);
  expect(performance.now() - start).toBeLessThan(1000);
});
