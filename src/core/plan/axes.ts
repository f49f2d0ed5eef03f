/** The `axes` option: in words, what a body may do, read into motions. */
import { S4rError } from '../errors.js';
import type { Motion } from '../motion.js';
import { matchingUnits } from '../patterns.js';
import { unitVector } from '../pose-math.js';
import type { Scene, Vec3 } from '../scene.js';
import { describeValue, nearNames } from '../text.js';

const DISPLACEMENTS = ['xyz', 'xy', 'x', 'y', 'z', 'none', 'along', 'across'];
const TURNS = ['yaw', 'turn', 'about'];
const FORM =
  "a displacement ('xyz', 'xy', 'z', 'x', 'y', 'none', 'along 1 0 0' or 'across 1 0 0'), a rotation ('yaw', 'turn' or 'about 1 0 0'), or both in this order";

/** A motion and the words it comes from. */
export interface WordedMotion {
  readonly motion: Motion;
  readonly pattern: string;
  readonly words: string;
}

/**
 * By root of the unit, the motion that the first matching entry gives it; units without an entry are absent.
 * @throws S4rError INVALID_OPTION for a pattern that matches no free body, or words that make no motion
 */
export function readAxes(scene: Scene, axes: Readonly<Record<string, string>> = {}): Map<number, WordedMotion> {
  const motions = new Map<number, WordedMotion>();
  for (const [pattern, words] of Object.entries(axes)) {
    const motion = parseMotion(pattern, words, scene.up);
    for (const root of matchingUnits(scene.bodies, 'axes', pattern)) {
      if (!motions.has(root)) motions.set(root, { motion, pattern, words });
    }
  }
  return motions;
}

/** What is not said is not allowed: 'xy' does not turn, 'yaw' does not move. */
function parseMotion(pattern: string, words: string, up: Vec3): Motion {
  const left = words.trim().split(/\s+/);
  const fail = (why: string): never => {
    throw new S4rError('INVALID_OPTION', `option axes: '${pattern}': expected ${FORM}, got ${describeValue(words)}${why}`);
  };
  const axis = (word: string): Vec3 => {
    const numbers = left.splice(0, 3).map((text) => (text === '' ? Number.NaN : Number(text)));
    const unit = numbers.length === 3 && numbers.every(Number.isFinite) ? unitVector(numbers as unknown as Vec3) : undefined;
    return unit ?? fail(`; '${word}' needs three numbers, not all 0`);
  };
  let translate: Motion['translate'] = 'none';
  let turn: Motion['turn'] = 'none';
  const first = left[0] as string;
  if (DISPLACEMENTS.includes(first)) {
    left.shift();
    translate = first === 'along' ? { along: axis('along') } : first === 'across' ? { across: axis('across') } : displacement(first, up);
  }
  const second = left[0];
  if (second !== undefined && TURNS.includes(second)) {
    left.shift();
    turn = second === 'turn' ? 'all' : { about: second === 'yaw' ? up : axis('about') };
  }
  const [unread] = left;
  if (unread !== undefined) {
    const [near] = nearNames(unread, [...DISPLACEMENTS, ...TURNS], 1);
    fail(near === undefined || unread === '' || near === unread ? '' : `; did you mean '${near}'?`);
  }
  return { translate, turn };
}

function displacement(word: string, up: Vec3): Motion['translate'] {
  switch (word) {
    case 'xyz':
      return 'all';
    case 'xy':
      return { across: up };
    case 'z':
      return { along: up };
    case 'x':
      return { along: [1, 0, 0] };
    case 'y':
      return { along: [0, 1, 0] };
    default:
      return 'none';
  }
}
