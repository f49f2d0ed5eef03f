/** A short way to write scenes in tests: everything not said has a plain default. */
import type { Geom, PairFilter, Pose, Quat, Scene, Shape, Vec3 } from '../../src/core/scene.js';

export const IDENTITY: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };

export interface GeomSpec extends Partial<Omit<Geom, 'id' | 'bodyId' | 'shape'>> {
  readonly shape: Shape;
}

export interface BodySpec {
  /** Default: `body<index>`. Geoms are named `<body>/<index in body>`. */
  readonly name?: string;
  /** Position [m]. Default: the origin. */
  readonly at?: Vec3;
  readonly quaternion?: Quat;
  readonly fixed?: boolean;
  readonly weight?: number;
  /** Default: the body itself. */
  readonly movesWith?: number;
  readonly weldedTo?: number;
  readonly geoms: readonly (Shape | GeomSpec)[];
}

export function buildScene(bodies: readonly BodySpec[], filter: Partial<PairFilter> = {}, up: Vec3 = [0, 0, 1]): Scene {
  const names = bodies.map((body, id) => body.name ?? `body${id}`);
  return {
    bodies: bodies.map((body, id) => ({
      id,
      name: names[id] as string,
      mobility: body.fixed ? 'fixed' : 'free',
      X_WB: { position: body.at ?? [0, 0, 0], quaternion: body.quaternion ?? [1, 0, 0, 0] },
      weight: body.weight ?? 1,
      movesWith: body.movesWith ?? id,
      weldedTo: body.weldedTo ?? id,
    })),
    geoms: bodies
      .flatMap((body, bodyId) => body.geoms.map((spec, i) => ({ spec: 'shape' in spec ? spec : { shape: spec }, bodyId, i })))
      .map(({ spec, bodyId, i }, id) => ({
        name: `${names[bodyId]}/${i}`,
        X_BG: IDENTITY,
        margin: 0,
        category: 1,
        mask: 1,
        ...spec,
        id,
        bodyId,
      })),
    filter: { maskRule: 'either', excludedBodies: [], excludedGeoms: [], explicitPairs: [], ...filter },
    up,
  };
}

export const sphere = (radius = 1): Shape => ({ type: 'sphere', radius });
export const box = (x: number, y = x, z = x): Shape => ({ type: 'box', halfExtents: [x, y, z] });

/** A fixed half-space below z = `height` [m]. */
export const ground = (height = 0): BodySpec => ({ name: 'ground', fixed: true, at: [0, 0, height], geoms: [{ type: 'halfspace' }] });

/** The scene with its bodies in another order: body k of the result is body `order[k]` of the input. */
export function permuteBodies(scene: Scene, order: readonly number[]): Scene {
  const newId = new Map(order.map((old, id) => [old, id]));
  const id = (old: number): number => newId.get(old) as number;
  const geoms = order.flatMap((old) => scene.geoms.filter((geom) => geom.bodyId === old));
  const newGeomId = new Map(geoms.map((geom, k) => [geom.id, k]));
  const geomId = (old: number): number => newGeomId.get(old) as number;
  const { filter } = scene;
  return {
    ...scene,
    bodies: order.map((old, k) => {
      const body = scene.bodies[old] as Scene['bodies'][number];
      return { ...body, id: k, movesWith: id(body.movesWith), weldedTo: id(body.weldedTo) };
    }),
    geoms: geoms.map((geom, k) => ({ ...geom, id: k, bodyId: id(geom.bodyId) })),
    filter: {
      ...filter,
      excludedBodies: filter.excludedBodies.map(([a, b]) => [id(a), id(b)] as const),
      excludedGeoms: filter.excludedGeoms.map(([a, b]) => [geomId(a), geomId(b)] as const),
      explicitPairs: filter.explicitPairs.map((pair) => ({ ...pair, geoms: [geomId(pair.geoms[0]), geomId(pair.geoms[1])] as const })),
    },
  };
}

/** The scene with every body displaced by the same vector [m]. */
export function translateScene(scene: Scene, [x, y, z]: Vec3): Scene {
  return {
    ...scene,
    bodies: scene.bodies.map((body) => {
      const [px, py, pz] = body.X_WB.position;
      return { ...body, X_WB: { ...body.X_WB, position: [px + x, py + y, pz + z] } };
    }),
  };
}

/** The scene with the poses of a result. */
export function withPoses(scene: Scene, poses: readonly Pose[]): Scene {
  return { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] as Pose })) };
}
