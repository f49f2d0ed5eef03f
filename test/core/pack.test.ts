import { describe, expect, test } from '@jest/globals';
import { PACK_VERSION, packPoses, packScene, SHAPE_KINDS, unpackPoses } from '../../src/core/pack.js';
import type { Quat, Shape } from '../../src/core/scene.js';
import { type BodySpec, box, buildScene, ground, sphere } from '../scenes/build.js';
import { boxMesh, tetrahedronMesh } from '../scenes/meshes.js';

const only = (shape: Shape): BodySpec => ({ fixed: true, geoms: [shape] });

describe('bodies, geoms and filter', () => {
  const scene = buildScene(
    [
      { at: [1, 2, 3], quaternion: [0, 1, 0, 0], weight: 2, geoms: [sphere(), box(1, 2, 3)] },
      { movesWith: 0, weldedTo: 0, geoms: [] },
      {
        fixed: true,
        geoms: [{ shape: sphere(), margin: 0.01, category: 0xffffffff, mask: 2, X_BG: { position: [4, 5, 6], quaternion: [0, 0, 0, 1] } }],
      },
    ],
    { maskRule: 'both', excludedBodies: [[0, 2]], excludedGeoms: [[2, 1]], explicitPairs: [{ geoms: [0, 2], margin: 0.5 }] },
    [0, 1, 0],
  );

  test('cross field by field', () => {
    expect(packScene(scene)).toMatchObject({
      version: PACK_VERSION,
      bodyPoses: Float64Array.of(1, 2, 3, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0),
      bodyUnit: Int32Array.of(0, 0, 2),
      bodyWeld: Int32Array.of(0, 0, 2),
      bodyMovable: Uint8Array.of(1, 1, 0),
      bodyWeight: Float64Array.of(2, 1, 1),
      geomBody: Int32Array.of(0, 0, 2),
      geomShape: Int32Array.of(0, 1, 0),
      geomMargin: Float64Array.of(0, 0, 0.01),
      geomCategory: Uint32Array.of(1, 1, 0xffffffff),
      geomMask: Uint32Array.of(1, 1, 2),
      maskRule: 1,
      excludedBodies: Int32Array.of(0, 2),
      excludedGeoms: Int32Array.of(2, 1),
      explicitPairs: Int32Array.of(0, 2),
      explicitMargins: Float64Array.of(0.5),
      up: Float64Array.of(0, 1, 0),
    });
    expect(packScene(scene).geomPoses.slice(14)).toEqual(Float64Array.of(4, 5, 6, 0, 0, 0, 1));
  });

  test('an empty scene packs to empty arrays', () => {
    const packed = packScene(buildScene([]));
    expect(packed.bodyPoses).toHaveLength(0);
    expect(packed.meshVertexStart).toEqual(Int32Array.of(0));
    expect(packed.fieldStart).toEqual(Int32Array.of(0));
  });
});

describe('shapes', () => {
  test.each<[Shape, number[]]>([
    [sphere(2), [2, 0, 0]],
    [box(1, 2, 3), [1, 2, 3]],
    [{ type: 'capsule', radius: 1, halfLength: 2 }, [1, 2, 0]],
    [{ type: 'cylinder', radius: 1, halfLength: 2 }, [1, 2, 0]],
    [{ type: 'cone', radius: 1, halfLength: 2 }, [1, 2, 0]],
    [{ type: 'ellipsoid', radii: [1, 2, 3] }, [1, 2, 3]],
    [{ type: 'halfspace' }, [0, 0, 0]],
  ])('%j packs its size', (shape, size) => {
    const packed = packScene(buildScene([only(shape)]));
    expect(SHAPE_KINDS[packed.shapeKind[0] as number]).toBe(shape.type);
    expect([...packed.shapeSize]).toEqual(size);
    expect(packed.shapeData[0]).toBe(-1);
  });

  test('meshes lie one after the other and share by identity', () => {
    const tetra = tetrahedronMesh();
    const cube = boxMesh([1, 1, 1]);
    const shapes: Shape[] = [
      { type: 'mesh', mesh: tetra },
      { type: 'convex', mesh: tetra },
      { type: 'mesh', mesh: cube },
      { type: 'mesh', mesh: tetra },
      { type: 'mesh', mesh: tetrahedronMesh() },
    ];
    const packed = packScene(buildScene(shapes.map(only)));
    expect([...packed.geomShape]).toEqual([0, 1, 2, 0, 3]);
    expect([...packed.shapeKind].map((kind) => SHAPE_KINDS[kind])).toEqual(['mesh', 'convex', 'mesh', 'mesh']);
    expect([...packed.shapeData]).toEqual([0, 0, 1, 2]);
    expect([...packed.meshVertexStart]).toEqual([0, 4, 12, 16]);
    expect([...packed.meshTriangleStart]).toEqual([0, 4, 16, 20]);
    expect(packed.meshVertices.slice(12, 36)).toEqual(cube.vertices);
    expect(packed.meshTriangles.slice(12, 48)).toEqual(cube.triangles);
  });

  test('primitives share by value', () => {
    const packed = packScene(buildScene([ground(), only(sphere(1)), only(sphere(1)), only(sphere(2)), only(box(1)), only(box(1))]));
    expect([...packed.geomShape]).toEqual([0, 1, 1, 2, 3, 3]);
  });

  test('height fields carry their grid and base', () => {
    const heights = Float64Array.of(0, 1, 2, 3, 4, 5);
    const field: Shape = { type: 'heightfield', rows: 2, cols: 3, heights, halfExtents: [4, 5], baseDepth: 6 };
    const packed = packScene(
      buildScene([only(sphere()), only(field), only({ ...field, cols: 2, heights: heights.slice(2) }), only(field)]),
    );
    expect([...packed.geomShape]).toEqual([0, 1, 2, 1]);
    expect([...packed.shapeSize.slice(3)]).toEqual([4, 5, 6, 4, 5, 6]);
    expect([...packed.shapeData]).toEqual([-1, 0, 1]);
    expect([...packed.fieldSize]).toEqual([2, 3, 2, 2]);
    expect([...packed.fieldStart]).toEqual([0, 6, 10]);
    expect([...packed.fieldHeights]).toEqual([...heights, 2, 3, 4, 5]);
  });

  test('the scene is copied, not referenced', () => {
    const mesh = tetrahedronMesh();
    const packed = packScene(buildScene([only({ type: 'mesh', mesh })]));
    mesh.vertices[0] = 99;
    expect(packed.meshVertices[0]).not.toBe(99);
  });
});

describe('packPoses', () => {
  test('gives back what unpackPoses makes of it, bit for bit', () => {
    const packed = Float64Array.of(1, -0, 3, 0.6, 0, -0.8, 0, 4, 5, 6, 1, 0, 0, 0);
    const poses = unpackPoses(packed);
    expect(poses[1]).toEqual({ position: [4, 5, 6], quaternion: [1, 0, 0, 0] });
    expect(packPoses(poses)).toEqual(packed); // toEqual tells -0 from 0
  });

  test('makes quaternions unit and keeps the bits of those that are', () => {
    const half = Math.SQRT1_2;
    const rough: Quat = [1 + 9e-7, 0, 0, 0];
    const packed = packPoses([
      { position: [-0, 0, 0], quaternion: [half, half, 0, 0] },
      { position: [0, 0, 0], quaternion: rough },
    ]);
    expect(Object.is(packed[0], -0)).toBe(true);
    expect([...packed.slice(3, 7)]).toEqual([half, half, 0, 0]);
    expect([...packed.slice(10)]).toEqual([1, 0, 0, 0]);
  });
});
