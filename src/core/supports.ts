/** What rests on what, in the words of the scene. */
import { withoutPairs } from './leave-out.js';
import type { Motion } from './motion.js';
import type { PackedSupports } from './pack.js';
import type { Plan } from './plan.js';
import type { Supports } from './result.js';
import type { Body, BodyId, Geom, GeomId, Scene, Vec3 } from './scene.js';

export interface Support {
  /** Root of the unit. */
  readonly body: BodyId;
  /** Root of the unit it rests on, or a fixed body. */
  readonly onBody: BodyId;
  /** A geom of that. */
  readonly onGeom: GeomId;
  /** Name of that: of the body if it moves, else of the geom. */
  readonly on: string;
}

export function unpackSupports(scene: Scene, { body, onBody, onGeom }: PackedSupports): Support[] {
  return Array.from(body, (id, k) => {
    const below = scene.bodies[onBody[k] as number] as Body;
    const geom = scene.geoms[onGeom[k] as number] as Geom;
    return { body: id, onBody: below.id, onGeom: geom.id, on: below.mobility === 'free' ? below.name : geom.name };
  });
}

/** @param isKept by support, in their order */
export function reportSupports(scene: Scene, supports: readonly Support[], isKept: (support: Support, index: number) => boolean): Supports {
  const named = supports.map((support, k) => ({
    entry: { body: (scene.bodies[support.body] as Body).name, on: support.on },
    kept: isKept(support, k),
  }));
  const those = (kept: boolean) => named.filter((one) => one.kept === kept).map(({ entry }) => entry);
  return { kept: those(true), lost: those(false) };
}

/** The supports of units that rest on nothing but fixed scenery. */
export function groundedSupports(scene: Scene, supports: readonly Support[]): Support[] {
  const isFixed = ({ onBody }: Support) => scene.bodies[onBody]?.mobility === 'fixed';
  const carried = new Set(supports.filter((support) => !isFixed(support)).map(({ body }) => body));
  return supports.filter(({ body }) => !carried.has(body));
}

/**
 * The plan in which those units slide: neither up nor down, and upright. What carries them does not hinder them, as sliding does not
 * bring them closer; surfaces that have walls of their own, meshes and height fields, do.
 */
export function slidingPlan(plan: Plan, grounded: readonly Support[]): Plan {
  const { motions, scene } = plan;
  const units = new Set(grounded.map(({ body }) => body));
  const flat = grounded.filter(({ onGeom }) => !WALLED.has((scene.geoms[onGeom] as Geom).shape.type));
  const pairs = flat.flatMap(({ body, onGeom }) =>
    scene.geoms.filter(({ bodyId }) => scene.bodies[bodyId]?.movesWith === body).map(({ id }) => [onGeom, id] as const),
  );
  return {
    ...plan,
    scene: withoutPairs(scene, pairs),
    motions: scene.bodies.map(({ id, movesWith }) => {
      const motion = motions[id] as Motion;
      return units.has(movesWith) ? sliding(motion, scene.up) : motion;
    }),
  };
}

const WALLED = new Set(['mesh', 'heightfield']);

function sliding(motion: Motion, up: Vec3): Motion {
  const { translate, turn, stand } = motion;
  if (stand !== undefined || translate !== 'all') return motion;
  return { translate: { across: up }, turn: turn === 'all' ? { about: up } : turn };
}
