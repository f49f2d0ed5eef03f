/** Which units may move: the `movable` and `frozen` options applied to a scene. */
import { S4rError } from './errors.js';
import type { Body, Scene } from './scene.js';
import { nearNames } from './text.js';

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
  const selected = movable === undefined ? undefined : unitsMatching(bodies, 'movable', movable);
  const excluded = frozen === undefined ? undefined : unitsMatching(bodies, 'frozen', frozen);
  const freezes = (body: Body) =>
    body.mobility === 'free' && ((selected !== undefined && !selected.has(body.movesWith)) || (excluded?.has(body.movesWith) ?? false));
  if (!bodies.some(freezes)) return scene;
  // Fixed bodies move with themselves, so a frozen unit falls apart into its bodies; they stay constant to each other.
  return { ...scene, bodies: bodies.map((body) => (freezes(body) ? { ...body, mobility: 'fixed', movesWith: body.id } : body)) };
}

/** Roots of the units with a body that matches one of the patterns. */
function unitsMatching(bodies: readonly Body[], option: 'movable' | 'frozen', patterns: readonly string[]): Set<number> {
  const units = new Set<number>();
  for (const pattern of patterns) {
    const matches = bodies.filter(matcherOf(pattern));
    if (matches.length === 0) throw unmatched(option, pattern, bodies);
    const free = matches.filter((body) => body.mobility === 'free');
    if (option === 'movable' && free.length === 0) {
      throw new S4rError(
        'INVALID_OPTION',
        `option movable: '${pattern}' matches only fixed bodies (${listNames(matches)}), which cannot move`,
      );
    }
    for (const body of free) units.add(body.movesWith);
  }
  return units;
}

function matcherOf(pattern: string): (body: Body) => boolean {
  if (pattern === '*') return () => true;
  const leading = pattern.startsWith('*');
  const trailing = pattern.endsWith('*');
  const text = pattern.slice(leading ? 1 : 0, trailing ? -1 : undefined);
  if (leading && trailing) return (body) => body.name.includes(text);
  if (leading) return (body) => body.name.endsWith(text);
  if (trailing) return (body) => body.name.startsWith(text);
  return (body) => body.name === text;
}

function unmatched(option: string, pattern: string, bodies: readonly Body[]): S4rError {
  const near = nearNames(
    pattern.replace(/^\*|\*$/g, ''),
    bodies.map((body) => body.name),
  );
  const hint = near.length > 0 ? `did you mean ${near.map((name) => `'${name}'`).join(', ')}?` : `bodies are ${listNames(bodies)}`;
  return new S4rError('INVALID_OPTION', `option ${option}: no body matches '${pattern}'; ${hint}`);
}

function listNames(bodies: readonly Body[]): string {
  const shown = bodies.slice(0, 5).map((body) => `'${body.name}'`);
  return bodies.length > shown.length ? `${shown.join(', ')} and ${bodies.length - shown.length} more` : shown.join(', ');
}
