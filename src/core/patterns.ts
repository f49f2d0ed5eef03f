/** Names with a leading or trailing `*`, as the options write them. */
import { S4rError } from './errors.js';
import type { Body } from './scene.js';
import { nearNames } from './text.js';

interface Named {
  readonly name: string;
}

/** Whether a name matches the pattern; a leading or trailing `*` matches any text. */
export function matcherOf(pattern: string): (item: Named) => boolean {
  if (pattern === '*') return () => true;
  const leading = pattern.startsWith('*');
  const trailing = pattern.endsWith('*');
  const text = pattern.slice(leading ? 1 : 0, trailing ? -1 : undefined);
  if (leading && trailing) return ({ name }) => name.includes(text);
  if (leading) return ({ name }) => name.endsWith(text);
  if (trailing) return ({ name }) => name.startsWith(text);
  return ({ name }) => name === text;
}

/** What the items of a list are called in messages. */
export interface Noun {
  readonly one: string;
  readonly many: string;
}

const BODIES: Noun = { one: 'body', many: 'bodies' };

/**
 * The items that match; at least one.
 * @throws S4rError INVALID_OPTION if there is none, with the nearest names
 */
export function matching<Item extends Named>(items: readonly Item[], option: string, pattern: string, noun: Noun = BODIES): Item[] {
  const matches = items.filter(matcherOf(pattern));
  if (matches.length === 0) throw unmatched(option, pattern, items, noun);
  return matches;
}

/**
 * Roots of the free units with a body that matches.
 * @throws S4rError INVALID_OPTION if no body matches, or only fixed ones
 */
export function matchingUnits(bodies: readonly Body[], option: string, pattern: string): Set<number> {
  const matches = matching(bodies, option, pattern);
  const free = matches.filter((body) => body.mobility === 'free');
  if (free.length === 0) {
    const names = listNames(matches);
    throw new S4rError('INVALID_OPTION', `option ${option}: '${pattern}' matches only fixed bodies (${names}), which cannot move`);
  }
  return new Set(free.map((body) => body.movesWith));
}

function unmatched(option: string, pattern: string, items: readonly Named[], { one, many }: Noun): S4rError {
  const near = nearNames(
    pattern.replace(/^\*|\*$/g, ''),
    items.map((item) => item.name),
  );
  const hint = near.length > 0 ? `did you mean ${near.map((name) => `'${name}'`).join(', ')}?` : `${many} are ${listNames(items)}`;
  return new S4rError('INVALID_OPTION', `option ${option}: no ${one} matches '${pattern}'; ${hint}`);
}

/** `'a', 'b' and 3 more`. */
export function listNames(items: readonly Named[], limit = 5): string {
  const shown = items.slice(0, limit).map(({ name }) => `'${name}'`);
  return items.length > shown.length ? `${shown.join(', ')} and ${items.length - shown.length} more` : shown.join(', ');
}
