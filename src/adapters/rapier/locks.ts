/** Locked axes of bodies in the words of the option `axes`. */
import type { Freedom, Triple } from './bodies.js';

/** Words of `axes`: how the unit may be displaced and, if units may turn at all, how it may be turned. */
export interface Lock {
  readonly displace: string;
  readonly turn: string;
}

const AXES = ['1 0 0', '0 1 0', '0 0 1'] as const;

/** What a unit may do whose members have these freedoms; undefined if nothing is locked. */
export function lockOf(members: readonly Freedom[]): Lock | undefined {
  const all = (of: (freedom: Freedom) => Triple) => [0, 1, 2].map((k) => members.every((freedom) => of(freedom)[k] as boolean));
  const translations = all(({ translations }) => translations);
  const rotations = all(({ rotations }) => rotations);
  if ([...translations, ...rotations].every(Boolean)) return undefined;
  // Turning a unit displaces all its members but those on the axis.
  const turns = members.length === 1 || translations.every(Boolean);
  return { displace: displacement(translations), turn: turns ? rotation(rotations) : '' };
}

function displacement(free: readonly boolean[]): string {
  const axes = AXES.filter((_, k) => free[k]);
  if (axes.length === 3) return 'xyz';
  if (axes.length === 2) return `across ${AXES[free.indexOf(false)]}`;
  return axes.length === 1 ? `along ${axes[0]}` : 'none';
}

/** Two free axes of rotation are no motion of the solver's: then it turns the body not at all. */
function rotation(free: readonly boolean[]): string {
  const axes = AXES.filter((_, k) => free[k]);
  if (axes.length === 3) return 'turn';
  return axes.length === 1 ? `about ${axes[0]}` : '';
}
