/** Which units may move: the `movable` and `frozen` options applied to a scene. */
import { matching, matchingUnits } from './patterns.js';
import type { Body, Scene } from './scene.js';

export interface Selection {
  /** Names of the only bodies that may move; absent: all free ones. */
  readonly movable?: readonly string[] | undefined;
  /** Names of bodies that must not move; wins over `movable`. */
  readonly frozen?: readonly string[] | undefined;
}

/**
 * A scene in which every unit that is not selected is fixed; the same object if that changes nothing.
 * A leading or trailing `*` in a pattern matches any text. A pattern that matches one link selects its whole unit.
 * @throws S4rError INVALID_OPTION for a pattern that matches no body, or as `movable` only fixed ones.
 */
export function selectMovable(scene: Scene, { movable, frozen }: Selection): Scene {
  const { bodies } = scene;
  const selected = movable && new Set(movable.flatMap((pattern) => [...matchingUnits(bodies, 'movable', pattern)]));
  const excluded = new Set((frozen ?? []).flatMap((pattern) => matching(bodies, 'frozen', pattern).map((body) => body.movesWith)));
  return freezeUnits(scene, (root) => (selected !== undefined && !selected.has(root)) || excluded.has(root));
}

/** The scene with the free units for whose root `freezes` holds made fixed; the same object if there are none. */
export function freezeUnits(scene: Scene, freezes: (root: number) => boolean): Scene {
  const frozen = (body: Body) => body.mobility === 'free' && freezes(body.movesWith);
  if (!scene.bodies.some(frozen)) return scene;
  // Fixed bodies move with themselves, so a frozen unit falls apart into its bodies; they stay constant to each other.
  return { ...scene, bodies: scene.bodies.map((body) => (frozen(body) ? { ...body, mobility: 'fixed', movesWith: body.id } : body)) };
}
