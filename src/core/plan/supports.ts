/** Horizontal planes that bodies can stand on: half-spaces, and flat tops of fixed solids. */
import { S4rError } from '../errors.js';
import { supportPoint } from '../geometry/support-point.js';
import type { Edge } from '../motion.js';
import { listNames, matcherOf, matching } from '../patterns.js';
import { addScaled, compose, conjugate, cross, dot, rotate, scaled, subtract, transform, unitVector } from '../pose-math.js';
import type { Body, Geom, GeomId, Mesh, Pose, Scene, Vec3 } from '../scene.js';

export interface Support {
  /** Of the geom; undefined for a height given by hand. */
  readonly geomId?: GeomId;
  readonly name: string;
  /** The plane up . x = height [m]. */
  readonly height: number;
  /** Whether a point of the world lies over it, however high. */
  readonly isUnder: (point: Vec3) => boolean;
  /** Its edges in W, if it has an end and is convex; of a round one an inscribed polygon's. */
  readonly edges?: readonly Edge[];
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

function topOf({ shape }: Geom, X_WG: Pose, up: Vec3): Pick<Support, 'height' | 'isUnder' | 'edges'> | undefined {
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
        edges: sides.flatMap((k) => {
          const axis = rotate(X_WG.quaternion, [0, 1, 2].map((i) => (i === k ? 1 : 0)) as unknown as Vec3);
          return [1, -1].map((sign) => edgeAt(X_WG.position, scaled(axis, sign), shape.halfExtents[k], up));
        }),
      };
    }
    case 'cylinder':
      if (along !== 2) return undefined;
      return {
        height: height + shape.halfLength,
        isUnder: (point) => Math.hypot(local(point)[0], local(point)[1]) <= shape.radius,
        edges: Array.from({ length: ROUND }, (_, i) => {
          const angle = (2 * Math.PI * i) / ROUND;
          const axis = rotate(X_WG.quaternion, [Math.cos(angle), Math.sin(angle), 0]);
          return edgeAt(X_WG.position, axis, shape.radius * Math.cos(Math.PI / ROUND), up);
        }),
      };
    case 'convex':
    case 'mesh':
      return flatTop(shape.mesh, X_WG, up);
    default:
      return undefined;
  }
}

/** Sides of the polygon in a round top. */
const ROUND = 32;

/** The edge at this distance from a point, in a direction that is level but for rounding. */
function edgeAt(from: Vec3, direction: Vec3, distance: number, up: Vec3): Edge {
  const normal = unitVector(addScaled(direction, up, -dot(direction, up))) as Vec3;
  return { normal, offset: dot(normal, from) + distance };
}

/** The edges around level points, if the area they are to bound is that of their hull: it is convex. */
function outline(points: readonly Vec3[], area: number, up: Vec3): Edge[] | undefined {
  const x = unitVector(cross(up, Math.abs(up[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0])) as Vec3;
  const y = cross(up, x);
  const flat = points.map((point) => [dot(x, point), dot(y, point)] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  type Point = (typeof flat)[number];
  const turns = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (ordered: readonly Point[]) => {
    const kept: Point[] = [];
    for (const point of ordered) {
      while (kept.length > 1 && turns(kept.at(-2) as Point, kept.at(-1) as Point, point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  const corners = [...chain(flat), ...chain([...flat].reverse())];
  const next = (i: number) => corners[(i + 1) % corners.length] as Point;
  const hull = 0.5 * corners.reduce((sum, a, i) => sum + a[0] * next(i)[1] - a[1] * next(i)[0], 0);
  if (!(hull > 0) || Math.abs(hull - area) > 1e-6 * hull) return undefined;
  return corners.map((a, i) => {
    const b = next(i);
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const [nx, ny] = [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
    return { normal: addScaled(scaled(x, nx), y, ny), offset: nx * a[0] + ny * a[1] };
  });
}

/** The level triangles as high as the mesh reaches. */
function flatTop(mesh: Mesh, X_WG: Pose, up: Vec3): Pick<Support, 'height' | 'isUnder' | 'edges'> | undefined {
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
  const edges = outline(
    triangles.flatMap((corners) => corners.map((corner) => transform(X_WG, corner))),
    triangles.reduce((sum, [a, b, c]) => sum + 0.5 * Math.abs(dot(inGeom, cross(subtract(b, a), subtract(c, a)))), 0),
    up,
  );
  return {
    height: dot(up, X_WG.position) + highest,
    ...(edges === undefined ? {} : { edges }),
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
