/** Shapes of a `Scene` as colliders of Rapier. */
import { type ColliderDesc, invert, ORIGIN, type RapierModule, Y_AXIS } from '../adapters/rapier/engine.js';
import { S4rError } from '../core/errors.js';
import type { Geom, Pose, Shape, Vec3 } from '../core/scene.js';

/** A collider without a pose, and the pose of its frame in the geom's. */
export interface GeomCollider {
  readonly desc: ColliderDesc;
  readonly X_GC: Pose;
}

const ALONG_Y = invert(Y_AXIS);

/** Rings and points on each, of the hull that stands for an ellipsoid, which Rapier does not have. */
const RINGS = 12;
const RING_POINTS = 24;

/**
 * Meshes, of free bodies too, become triangle meshes whose inner edges do not catch: Rapier collides these with everything. An
 * ellipsoid becomes a hull of points on it, so it is never larger.
 * @throws S4rError INVALID_INPUT for a shape that Rapier refuses
 */
export function geomCollider(rapier: RapierModule, { name, shape }: Geom): GeomCollider {
  const desc = describe(rapier, shape);
  if (desc === null) throw new S4rError('INVALID_INPUT', 'Rapier cannot make a collider of this shape', { element: `geom '${name}'` });
  const turned = shape.type === 'capsule' || shape.type === 'cylinder' || shape.type === 'cone' || shape.type === 'heightfield';
  return { desc, X_GC: turned ? ALONG_Y : ORIGIN };
}

function describe(rapier: RapierModule, shape: Shape): ColliderDesc | null {
  const { ColliderDesc } = rapier;
  switch (shape.type) {
    case 'sphere':
      return ColliderDesc.ball(shape.radius);
    case 'box':
      return ColliderDesc.cuboid(...shape.halfExtents);
    case 'capsule':
      return ColliderDesc.capsule(shape.halfLength, shape.radius);
    case 'cylinder':
      return ColliderDesc.cylinder(shape.halfLength, shape.radius);
    case 'cone':
      return ColliderDesc.cone(shape.halfLength, shape.radius);
    case 'ellipsoid':
      return ColliderDesc.convexHull(ellipsoidPoints(shape.radii));
    case 'halfspace':
      return new ColliderDesc(new rapier.HalfSpace({ x: 0, y: 0, z: 1 }));
    case 'heightfield': {
      const { rows, cols, heights, halfExtents } = shape;
      return ColliderDesc.heightfield(cols - 1, rows - 1, Float32Array.from(heights), {
        x: 2 * halfExtents[1],
        y: 1,
        z: 2 * halfExtents[0],
      });
    }
    case 'convex':
      return ColliderDesc.convexHull(Float32Array.from(shape.mesh.vertices));
    case 'mesh': {
      const { vertices, triangles } = shape.mesh;
      const flags = rapier.TriMeshFlags.FIX_INTERNAL_EDGES_TWO_SIDED;
      return ColliderDesc.trimesh(Float32Array.from(vertices), Uint32Array.from(triangles), flags);
    }
  }
}

function ellipsoidPoints([a, b, c]: Vec3): Float32Array {
  const points: number[] = [0, 0, c, 0, 0, -c];
  for (let ring = 1; ring < RINGS; ring++) {
    const polar = (Math.PI * ring) / RINGS;
    for (let i = 0; i < RING_POINTS; i++) {
      const around = (2 * Math.PI * i) / RING_POINTS;
      points.push(a * Math.sin(polar) * Math.cos(around), b * Math.sin(polar) * Math.sin(around), c * Math.cos(polar));
    }
  }
  return Float32Array.from(points);
}
