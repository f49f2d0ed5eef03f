/** Pairs of hulls judged by the surfaces that the hulls stand for. */
import type { Backend } from '../backend.js';
import { pairKey } from '../filters.js';
import { packScene } from '../pack.js';
import type { Overlap } from '../result.js';
import type { Body, Geom, GeomId, Mesh, Scene, Shape } from '../scene.js';
import type { ResolvedSurveyOptions } from '../survey-options.js';
import { unpackEvaluation } from '../unpack.js';

/**
 * For each overlap in which a hull stands for a surface: how the pair overlaps with surfaces in place of hulls, null if it does not,
 * or no deeper than the tolerance.
 */
export async function surfaceOverlaps(
  backend: Backend,
  scene: Scene,
  overlaps: readonly Overlap[],
  options: ResolvedSurveyOptions,
): Promise<ReadonlyMap<Overlap, Overlap | null>> {
  const hasSurface = (id: GeomId) => scene.geoms[id]?.surface !== undefined;
  const asked = overlaps.filter(({ geomA, geomB }) => hasSurface(geomA) || hasSurface(geomB));
  if (asked.length === 0) return new Map();
  const { pairs, geomIds } = pairScene(scene, asked);
  const packed = packScene(pairs);
  const answer = await backend.check(packed, packed.bodyPoses, options);
  if (answer.interrupted) options.signal?.throwIfAborted();
  const keyOf = (a: GeomId, b: GeomId) => pairKey(a, b, scene.geoms.length);
  const found = new Map(
    unpackEvaluation(pairs, answer).overlaps.map((overlap) => {
      return [keyOf(geomIds[overlap.geomA] as GeomId, geomIds[overlap.geomB] as GeomId), overlap];
    }),
  );
  return new Map(asked.map((overlap) => [overlap, found.get(keyOf(overlap.geomA, overlap.geomB)) ?? null]));
}

/** The scene of the geoms in these overlaps alone, each a body of its own, in which these pairs and no others collide. */
function pairScene({ bodies, geoms, up }: Scene, overlaps: readonly Overlap[]): { pairs: Scene; geomIds: GeomId[] } {
  const geomIds = [...new Set(overlaps.flatMap(({ geomA, geomB }) => [geomA, geomB]))].sort((a, b) => a - b);
  const idOf = new Map(geomIds.map((old, id) => [old, id]));
  const own = geomIds.map((id) => geoms[id] as Geom);
  const shapeOf = surfaceShapes();
  const pairs: Scene = {
    up,
    bodies: own.map(({ bodyId, name }, id) => ({ ...(bodies[bodyId] as Body), id, name, movesWith: id, weldedTo: id })),
    geoms: own.map((geom, id) => ({ ...geom, id, bodyId: id, shape: shapeOf(geom), category: 0, mask: 0 })),
    filter: {
      maskRule: 'either',
      excludedBodies: [],
      excludedGeoms: [],
      explicitPairs: overlaps.map(({ geomA, geomB }) => ({
        geoms: [idOf.get(geomA) as GeomId, idOf.get(geomB) as GeomId],
        margin: 0,
      })),
    },
  };
  return { pairs, geomIds };
}

/** One shape per surface, so that a surface used by many geoms is processed once. */
function surfaceShapes(): (geom: Geom) => Shape {
  const shapes = new Map<Mesh, Shape>();
  return ({ shape, surface }) => {
    if (surface === undefined) return shape;
    const known = shapes.get(surface) ?? { type: 'mesh', mesh: surface };
    shapes.set(surface, known);
    return known;
  };
}
