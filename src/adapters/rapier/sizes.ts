/** Numbers of a shape, refused with the place where they stand unless they make a solid. */
import { S4rError } from '../../core/errors.js';
import type { Mesh, Quat, Shape, Vec3 } from '../../core/scene.js';
import { quatFromZAxis, vec3FromXyz, type Xyz } from '../conventions.js';
import { pointsOf } from './meshes.js';
import type { RapierShape } from './world.js';

/** What a solid without thickness gets, relative to its largest size: Rapier accepts plates that are flat. */
const THICKNESS = 1e-6;

/** @throws S4rError INVALID_INPUT, from every method */
export class Sizes {
  /** @param element for messages, such as `body 'cup', collider 0` */
  constructor(readonly element: string) {}

  error(expected: string, got: unknown): S4rError {
    return new S4rError('INVALID_INPUT', `expected ${expected}, got ${got}`, { element: this.element });
  }

  positive(name: string, value: number | undefined): number {
    if (value !== undefined && Number.isFinite(value) && value > 0) return value;
    throw this.error(`a ${name} > 0`, value);
  }

  atLeastZero(name: string, value: number | undefined): number {
    if (value !== undefined && Number.isFinite(value) && value >= 0) return value;
    throw this.error(`a ${name} >= 0`, value);
  }

  extents(given: Xyz | undefined): Vec3 {
    const extents = this.point(given).map((value) => this.atLeastZero('half extent', value));
    const least = THICKNESS * this.positive('half extent', Math.max(...extents));
    return extents.map((value) => Math.max(value, least)) as unknown as Vec3;
  }

  /** Of a cylinder or cone. */
  round({ radius, halfHeight }: RapierShape): { readonly radius: number; readonly halfLength: number } {
    const across = this.positive('radius', radius);
    return { radius: across, halfLength: Math.max(this.atLeastZero('half height', halfHeight), THICKNESS * across) };
  }

  point(given: Xyz | undefined): Vec3 {
    const point = vec3FromXyz(given ?? { x: Number.NaN, y: Number.NaN, z: Number.NaN });
    if (point.every(Number.isFinite)) return point;
    throw this.error('finite numbers', point.join(' '));
  }

  points(vertices: Float32Array | undefined): Vec3[] {
    if (vertices === undefined || vertices.length === 0) throw this.error('vertices', 'none');
    const bad = vertices.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw this.error('finite vertices', `${vertices[bad]} in vertex ${Math.floor(bad / 3)}`);
    return pointsOf(vertices);
  }

  mesh({ vertices, indices }: RapierShape): Mesh {
    const count = this.points(vertices).length;
    if (!indices || indices.length === 0) throw this.error('triangles', 'none');
    // Rapier restores any snapshot whose form is right.
    const bad = indices.findIndex((index) => index >= count);
    if (bad >= 0) throw this.error(`vertex indices below ${count}`, `${indices[bad]} in triangle ${Math.floor(bad / 3)}`);
    return { vertices: Float64Array.from(vertices as Float32Array), triangles: Int32Array.from(indices) };
  }

  hull(mesh: Mesh | undefined): Shape {
    if (mesh === undefined) throw this.error('a convex solid', 'points in one plane');
    return { type: 'convex', mesh };
  }

  /** Rotation that takes z to the direction. */
  direction(given: Xyz | undefined): Quat {
    const rotation = quatFromZAxis(this.point(given));
    if (rotation === undefined) throw this.error('a direction', '0 0 0');
    return rotation;
  }
}
