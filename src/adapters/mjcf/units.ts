/** Which floating trees may move, and which of them move as one. */
import { Groups } from '../groups.js';
import { listNames } from './notes.js';
import type { SourceBody } from './source.js';

export interface Units {
  /** MuJoCo id of the body that a body moves with, the root of a floating tree; undefined if it cannot move. */
  readonly unitOf: (body: number) => number | undefined;
  readonly notes: readonly string[];
}

/** Stands for everything that cannot move: the lowest id, so the representative of whatever it is joined with. */
const GROUND = 0;

/**
 * Trees that `<weld>` or `<connect>` holds together are one unit; those held to what cannot move, or with a height field on them,
 * cannot move either.
 * @param bodies by MuJoCo id
 * @param pairs bodies held to each other, see `heldPairs`
 * @param landscapes bodies with a height field, by MuJoCo id
 */
export function findUnits(
  bodies: readonly SourceBody[],
  pairs: readonly (readonly [number, number])[],
  landscapes: ReadonlySet<number>,
): Units {
  const units = new Groups(bodies.length);
  const floats = (b: number) => bodies[bodies[b]?.root as number]?.qposAddress !== undefined;
  const moverOf = (b: number) => (floats(b) ? (bodies[b]?.root as number) : GROUND);
  const name = (b: number) => (bodies[b] as SourceBody).name;
  const notes: string[] = [];
  const obstacles = new Set([...landscapes].filter(floats).map(moverOf));
  for (const b of obstacles) {
    units.join(b, GROUND);
    notes.push(`body '${name(b)}' carries a height field, which cannot move, so it is an obstacle`);
  }
  const anchors = new Map<number, Set<string>>();
  const held = pairs.filter(([a, b]) => moverOf(a) !== moverOf(b));
  for (const [a, b] of held) units.join(moverOf(a), moverOf(b));
  for (const [a, b] of held) {
    const group = units.lowest(moverOf(a));
    const list = anchors.get(group) ?? new Set();
    for (const body of [a, b]) if (!floats(body) || obstacles.has(moverOf(body))) list.add(name(body));
    anchors.set(group, list);
  }
  for (const [group, fixed] of anchors) {
    const roots = [...new Set(held.flat().filter(floats).map(moverOf))].filter(
      (root) => units.lowest(root) === group && !obstacles.has(root),
    );
    if (roots.length === 0) continue; // obstacles only
    const [who, are] = roots.length === 1 ? ['body', 'is'] : ['bodies', 'are'];
    const members = `${who} ${listNames(roots.map(name))} ${are} held`;
    notes.push(
      group === GROUND
        ? `${members} by <weld> or <connect> to ${listNames([...fixed])}, which cannot move, so ${roots.length === 1 ? 'it stays' : 'they stay'} in place`
        : `${members} together by <weld> or <connect> and move as one`,
    );
  }
  const unitOf = (b: number) => {
    const unit = units.lowest(moverOf(b));
    return unit === GROUND ? undefined : unit;
  };
  return { unitOf, notes };
}
