/** Scenes in which something does not collide. */
import { pairKey } from './filters.js';
import { dot, rotate } from './pose-math.js';
import type { Body, BodyId, Geom, GeomId, Scene, Vec3 } from './scene.js';

/** The scene with some units (by their roots) taken out: they stay where they are and collide with nothing. */
export function withoutUnits(scene: Scene, units: ReadonlySet<BodyId>): Scene {
  const isOut = (body: BodyId) => units.has(scene.bodies[body]?.movesWith as BodyId);
  const outGeoms = new Set(scene.geoms.filter(({ bodyId }) => isOut(bodyId)).map(({ id }) => id));
  return {
    ...scene,
    bodies: scene.bodies.map((body) => (isOut(body.id) ? { ...body, mobility: 'fixed', movesWith: body.id } : body)),
    geoms: scene.geoms.map((geom) => (outGeoms.has(geom.id) ? { ...geom, category: 0, mask: 0 } : geom)),
    filter: {
      ...scene.filter,
      explicitPairs: scene.filter.explicitPairs.filter(({ geoms }) => !geoms.some((id) => outGeoms.has(id))),
    },
  };
}

/** Half-spaces that bound from above: their normals point down, by at least as much as to the side. */
const LID = -Math.SQRT1_2;

/** The scene in which some units do not collide with fixed half-spaces above them, as the lid of a container. */
export function withoutLids(scene: Scene, units: ReadonlySet<BodyId>): Scene {
  const lids = scene.geoms.filter((geom) => geom.shape.type === 'halfspace' && dot(normalOf(scene, geom), scene.up) <= LID);
  if (lids.length === 0) return scene;
  const inside = scene.geoms.filter(({ bodyId }) => units.has(scene.bodies[bodyId]?.movesWith as BodyId));
  return withoutPairs(
    scene,
    lids.flatMap((lid) => inside.map((geom) => [lid.id, geom.id] as const)),
  );
}

/** The scene in which some pairs of geoms do not collide, whatever its filter says. */
export function withoutPairs(scene: Scene, pairs: readonly (readonly [GeomId, GeomId])[]): Scene {
  if (pairs.length === 0) return scene;
  const { filter, geoms } = scene;
  const keyOf = ([a, b]: readonly [GeomId, GeomId]) => pairKey(a, b, geoms.length);
  const out = new Set(pairs.map(keyOf));
  const explicitPairs = filter.explicitPairs.filter((pair) => !out.has(keyOf(pair.geoms)));
  return { ...scene, filter: { ...filter, excludedGeoms: [...filter.excludedGeoms, ...pairs], explicitPairs } };
}

function normalOf(scene: Scene, geom: Geom): Vec3 {
  const body = scene.bodies[geom.bodyId] as Body;
  return rotate(body.X_WB.quaternion, rotate(geom.X_BG.quaternion, [0, 0, 1]));
}
