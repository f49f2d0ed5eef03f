/** Horizontal planes that bodies can stand on: half-spaces, and flat tops of fixed solids. */
import { S4rError } from '../errors.js';
import { supportPoint } from '../geometry/support-point.js';
import { listNames, matcherOf, matching } from '../patterns.js';
import { compose, conjugate, cross, dot, rotate, subtract, unitVector } from '../pose-math.js';
import type { Body, Geom, GeomId, Mesh, Pose, Scene, Vec3 } from '../scene.js';

export interface Support {
  /** Of the geom; undefined for a height given by hand. */
  readonly geomId?: GeomId;
  readonly name: string;
  /** The plane up . x = height [m]. */
  readonly height: number;
  /** Whether a point of the world lies over it, however high. */
  readonly isUnder: (point: Vec3) => boolean;
}

/** How far from level a face may be: the sine of the angle. */
const LEVEL = 1e-6;

/** The supports the scene offers, in the order of its geoms. */
export function findSupports(scene: Scene): Support[] {
  return scene.geoms.flatMap((geom) => supportOf(scene, geom) ?? []);
}

/**
 * Those with the given names or patterns, of geoms or bodies.
 * @throws S4rError INVALID_OPTION for a name that nothing has, a body that is free, and one without a level top
 */
export function namedSupports(scene: Scene, patterns: readonly string[]): Support[] {
  return patterns.flatMap((pattern) => {
    const bodies = scene.bodies.filter(matcherOf(pattern));
    const names = { one: 'body or geom', many: 'bodies' };
    const named = bodies.length > 0 ? [] : matching([...scene.geoms, ...scene.bodies], 'upright.supports', pattern, names);
    const wanted = new Set<Geom>(scene.geoms.filter((geom) => named.includes(geom) || bodies.some((body) => body.id === geom.bodyId)));
    const fixed = [...wanted].filter((geom) => scene.bodies[geom.bodyId]?.mobility === 'fixed');
    const fail = (why: string) => new S4rError('INVALID_OPTION', `option upright.supports: '${pattern}' ${why}`);
    if (fixed.length === 0) throw fail('can move; a support must be fixed, so name another or freeze it');
    const supports = fixed.flatMap((geom) => supportOf(scene, geom) ?? []);
    if (supports.length > 0) return supports;
    throw fail(`has no level top (geoms ${listNames(fixed)}); name another, or give the height of the plane`);
  });
}

function supportOf(scene: Scene, geom: Geom): Support | undefined {
  const body = scene.bodies[geom.bodyId] as Body;
  if (body.mobility !== 'fixed') return undefined;
  const X_WG = compose(body.X_WB, geom.X_BG);
  const top = topOf(geom, X_WG, scene.up);
  return top && { geomId: geom.id, name: geom.name, ...top };
}

function topOf({ shape }: Geom, X_WG: Pose, up: Vec3): Pick<Support, 'height' | 'isUnder'> | undefined {
  const inGeom = rotate(conjugate(X_WG.quaternion), up);
  const height = dot(up, X_WG.position);
  const local = (point: Vec3) => rotate(conjugate(X_WG.quaternion), subtract(point, X_WG.position));
  const along = ([0, 1, 2] as const).find((k) => Math.abs(inGeom[k]) > 0.5 && Math.hypot(...inGeom.filter((_, i) => i !== k)) <= LEVEL);
  switch (shape.type) {
    case 'halfspace':
      return along === 2 && inGeom[2] > 0 ? { height, isUnder: () => true } : undefined;
    case 'box': {
      if (along === undefined) return undefined;
      const sides = [0, 1, 2].filter((k) => k !== along) as (0 | 1 | 2)[];
      return {
        height: height + shape.halfExtents[along],
        isUnder: (point) => sides.every((k) => Math.abs(local(point)[k]) <= shape.halfExtents[k]),
      };
    }
    case 'cylinder':
      if (along !== 2) return undefined;
      return { height: height + shape.halfLength, isUnder: (point) => Math.hypot(local(point)[0], local(point)[1]) <= shape.radius };
    case 'convex':
    case 'mesh':
      return flatTop(shape.mesh, X_WG, up);
    default:
      return undefined;
  }
}

/** The level triangles as high as the mesh reaches. */
function flatTop(mesh: Mesh, X_WG: Pose, up: Vec3): Pick<Support, 'height' | 'isUnder'> | undefined {
  const inGeom = rotate(conjugate(X_WG.quaternion), up);
  const highest = dot(inGeom, supportPoint({ type: 'mesh', mesh }, inGeom));
  const lowest = dot(inGeom, supportPoint({ type: 'mesh', mesh }, [-inGeom[0], -inGeom[1], -inGeom[2]]));
  const level = highest - LEVEL * Math.max(highest - lowest, Math.abs(highest));
  const at = (i: number): Vec3 => [0, 1, 2].map((k) => mesh.vertices[3 * (mesh.triangles[i] as number) + k]) as unknown as Vec3;
  const triangles: (readonly [Vec3, Vec3, Vec3])[] = [];
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const corners = [at(i), at(i + 1), at(i + 2)] as const;
    if (corners.some((corner) => dot(inGeom, corner) < level)) continue;
    const normal = unitVector(cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0])));
    if (normal !== undefined && dot(normal, inGeom) > 0.9) triangles.push(corners);
  }
  if (triangles.length === 0) return undefined;
  return {
    height: dot(up, X_WG.position) + highest,
    isUnder: (point) => {
      const local = rotate(conjugate(X_WG.quaternion), subtract(point, X_WG.position));
      return triangles.some((corners) => isOver(corners, local, inGeom));
    },
  };
}

function isOver(corners: readonly [Vec3, Vec3, Vec3], point: Vec3, up: Vec3): boolean {
  return corners.every((corner, i) => {
    const edge = subtract(corners[(i + 1) % 3] as Vec3, corner);
    return dot(up, cross(edge, subtract(point, corner))) >= -1e-12 * Math.hypot(...edge);
  });
}
