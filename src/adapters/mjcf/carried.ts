/** What a joint takes along besides the bodies that hang on it: floating trees that `<weld>` or `<connect>` holds to those. */
import type { SourceBody } from './source.js';

/** What is known of the scene's bodies, by MuJoCo id. */
export interface HeldBodies {
  readonly bodies: readonly SourceBody[];
  /** Bodies held to each other. */
  readonly held: readonly (readonly [number, number])[];
  /** Root of the unit of a body; undefined if it cannot move. */
  readonly unitOf: (body: number) => number | undefined;
  /** Bodies with a joint that is not free. */
  readonly jointed: ReadonlySet<number>;
}

/**
 * All bodies that must move when those from `first` up to `end`, a subtree, do; undefined if a constraint would be broken: one that
 * closes a loop, holds to what stands still, to the root of the unit, or to a tree with joints of its own.
 */
export function carriedBodies({ bodies, held, unitOf, jointed }: HeldBodies, first: number, end: number): readonly number[] | undefined {
  const moved = new Set(bodies.slice(first, end).map((_, i) => first + i));
  const tree = bodies[first]?.root;
  for (let before = 0; before !== moved.size; ) {
    before = moved.size;
    for (const [a, b] of held) {
      if (moved.has(a) === moved.has(b)) continue;
      const root = bodies[moved.has(a) ? b : a]?.root as number;
      const members = bodies.flatMap((body, id) => (body.root === root ? [id] : []));
      const free = bodies[root]?.qposAddress !== undefined && root !== tree && root !== unitOf(first);
      if (!free || members.some((id) => jointed.has(id))) return undefined;
      for (const id of members) moved.add(id);
    }
  }
  return [...moved].sort((a, b) => a - b);
}
