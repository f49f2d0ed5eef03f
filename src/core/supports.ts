/** What rests on what, in the words of the scene. */
import type { Motion } from './motion.js';
import type { PackedSupports } from './pack.js';
import type { Supports } from './result.js';
import type { Body, BodyId, Geom, Scene, Vec3 } from './scene.js';

export interface Support {
  /** Root of the unit. */
  readonly body: BodyId;
  /** Root of the unit it rests on, or a fixed body. */
  readonly onBody: BodyId;
  /** Name of that: of the body if it moves, else of the geom. */
  readonly on: string;
}

export function unpackSupports(scene: Scene, { body, onBody, onGeom }: PackedSupports): Support[] {
  return Array.from(body, (id, k) => {
    const below = scene.bodies[onBody[k] as number] as Body;
    const geom = scene.geoms[onGeom[k] as number] as Geom;
    return { body: id, onBody: below.id, on: below.mobility === 'free' ? below.name : geom.name };
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

/** Motions by body, where the units that rest on nothing but fixed scenery slide: neither up nor down, and upright. */
export function slidingMotions(scene: Scene, motions: readonly Motion[], supports: readonly Support[]): Motion[] {
  const isFixed = ({ onBody }: Support) => scene.bodies[onBody]?.mobility === 'fixed';
  const resting = new Set(supports.filter(isFixed).map(({ body }) => body));
  for (const support of supports) if (!isFixed(support)) resting.delete(support.body);
  return scene.bodies.map(({ id, movesWith }) => {
    const motion = motions[id] as Motion;
    return resting.has(movesWith) ? sliding(motion, scene.up) : motion;
  });
}

function sliding(motion: Motion, up: Vec3): Motion {
  const { translate, turn, stand } = motion;
  if (stand !== undefined || translate !== 'all') return motion;
  return { translate: { across: up }, turn: turn === 'all' ? { about: up } : turn };
}
