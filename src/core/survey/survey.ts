/**
 * All overlaps of a state, those that no engine looks at included, each with its class; and what hovers. The evaluator is asked about a
 * scene whose geoms are bodies of their own without any filter; what a pair means is then read from the user's scene.
 */
import type { Backend } from '../backend.js';
import { countColliders, type PairRule, pairRule } from '../filters.js';
import { packScene } from '../pack.js';
import type { Evaluation, Overlap, OverlapClass, Survey, SurveyedOverlap } from '../result.js';
import type { Body, BodyId, Geom, GeomId, Scene } from '../scene.js';
import type { ResolvedSurveyOptions } from '../survey-options.js';
import { unpackEvaluation } from '../unpack.js';
import { hoveringUnits } from './hover.js';
import { surfaceOverlaps } from './surfaces.js';

/** By rank: what nobody has to look at comes first. */
const CLASSES = ['intra-body', 'neighbours', 'filtered', 'touching', 'constant', 'hull-only', 'contained', 'real'] as const;

/**
 * @param scene valid, with the pairs that are allowed to overlap excluded
 * @param evaluation of that scene, with the same tolerance
 */
export async function makeSurvey(backend: Backend, scene: Scene, evaluation: Evaluation, options: ResolvedSurveyOptions): Promise<Survey> {
  const found = await allOverlaps(backend, scene, options);
  const rule = pairRule(scene);
  const ruled = found.map((overlap) => ({ overlap, rule: rule(overlap.geomA, overlap.geomB) }));
  const colliding = ruled.filter((one) => one.rule === 'collides').map(({ overlap }) => overlap);
  const deep = colliding.filter(({ depth }) => depth > options.tolerance);
  const surfaces = await surfaceOverlaps(backend, scene, deep, options);
  const overlaps = ruled
    .map(({ overlap, rule }): SurveyedOverlap => {
      const surface = surfaces.get(overlap);
      const named = { ...overlap, class: classOf(overlap, rule, options.tolerance, surface) };
      return surface === undefined ? named : { ...named, surfaceDepth: surface?.depth ?? 0 };
    })
    .sort((a, b) => CLASSES.indexOf(b.class) - CLASSES.indexOf(a.class)); // stable: deepest first in each
  const counts = Object.fromEntries(CLASSES.map((name) => [name, 0])) as Record<OverlapClass, number>;
  for (const overlap of overlaps) counts[overlap.class]++;
  return {
    overlaps,
    counts,
    hovering: hoveringUnits(scene, unitsOf(scene, colliding), options.hover),
    colliders: countColliders(scene),
    evaluation,
  };
}

/** @param surface the overlap of the surfaces where hulls stand for them; null if these do not overlap */
function classOf(overlap: Overlap, rule: PairRule, tolerance: number, surface: Overlap | null | undefined): OverlapClass {
  if (rule !== 'collides') return rule;
  if (overlap.depth <= tolerance) return 'touching';
  if (overlap.constant) return 'constant';
  if (surface === null) return 'hull-only';
  return (surface ?? overlap).kind === 'contained' ? 'contained' : 'real';
}

/** Overlaps of all pairs of geoms, without filters, deepest first. */
async function allOverlaps(backend: Backend, scene: Scene, options: ResolvedSurveyOptions): Promise<readonly Overlap[]> {
  const packed = packScene(unfiltered(scene, options.insideFixed));
  const answer = await backend.check(packed, packed.bodyPoses, { ...options, tolerance: 0 });
  if (answer.interrupted) options.signal?.throwIfAborted();
  // Geoms keep their ids, so the answer reads in terms of the user's scene.
  return unpackEvaluation(scene, answer).overlaps;
}

/** The scene in which all pairs of geoms collide, but those of one fixed body unless asked for. */
function unfiltered(scene: Scene, insideFixed: boolean): Scene {
  const { bodies, geoms } = scene;
  const isWhole = ({ bodyId }: Geom) => !insideFixed && bodies[bodyId]?.mobility === 'fixed';
  const firstOf = new Map<BodyId, GeomId>();
  for (const geom of geoms) if (!firstOf.has(geom.bodyId)) firstOf.set(geom.bodyId, geom.id);
  return {
    up: scene.up,
    // Body k carries geom k, or stands in for the body of which it is the first. Mobility counts for the length unit of the core.
    bodies: geoms.map(({ id, name, bodyId }) => ({ ...(bodies[bodyId] as Body), id, name, movesWith: id, weldedTo: id })),
    geoms: geoms.map((geom) => {
      return { ...geom, bodyId: isWhole(geom) ? (firstOf.get(geom.bodyId) as GeomId) : geom.id, category: 1, mask: 1 };
    }),
    filter: { maskRule: 'either', excludedBodies: [], excludedGeoms: [], explicitPairs: [] },
  };
}

/** Roots of the units in these overlaps. */
function unitsOf({ bodies }: Scene, overlaps: readonly Overlap[]): Set<BodyId> {
  return new Set(overlaps.flatMap(({ bodyA, bodyB }) => [bodyA, bodyB]).map((id) => (bodies[id] as Body).movesWith));
}
