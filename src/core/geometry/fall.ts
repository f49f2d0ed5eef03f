/** How far a convex solid falls until it meets another one. All in a frame whose z axis is up [m]. */
import { cross, dot, subtract } from '../pose-math.js';
import type { Vec3 } from '../scene.js';
import type { Box } from './units.js';

/** A convex solid by its farthest points. */
export interface Convex {
  /** A point that lies farthest along a direction, which need not be unit. */
  readonly farthest: (direction: Vec3) => Vec3;
  readonly box: Box;
}

/** Iterations of one search; polytopes take about ten. */
const MAX_STEPS = 200;
/** Accuracy, relative to the size of the two. */
const PRECISION = 1e-10;
/** How far below C a search starts, in the size of the two. */
const FAR = 1e4;

/** Corners of a triangle, counter-clockwise as seen from above, with the origin over or under it. */
type Portal = readonly [Vec3, Vec3, Vec3];

/**
 * How far `a`, which does not overlap `b`, falls along -z until it meets it; Infinity if it falls past, or is below. What passes each
 * other by less than about 1e-6 of the sizes may be taken for either.
 *
 * The set of differences C = b - a is convex, and a displaced by x meets b if x is in C. So the distance is the depth under the origin
 * at which the vertical through it enters C.
 */
export function fallDistance(a: Convex, b: Convex): number {
  const top = highest(a, b, 1);
  if (top <= 0) return -top;
  const bottom = -highest(a, b, -1);
  // The origin is outside C, above it unless rounding says otherwise: where they touch.
  return bottom < 0 && top < -bottom ? 0 : Infinity;
}

/**
 * The greatest z (of C mirrored in z for `side` -1) of the points of C over the origin; -Infinity if there is none.
 *
 * Portal refinement, as in XenoCollide (Snethen, Game Programming Gems 7): a triangle of points of C over or under the origin is
 * replaced by one with the farthest point along its normal, until that is no higher. It starts from three points around the origin so
 * far below C that they are part of the end only if no point of C is over the origin.
 */
function highest(a: Convex, b: Convex, side: 1 | -1): number {
  const farthest = (n: Vec3): Vec3 => {
    const to = b.farthest([n[0], n[1], side * n[2]]);
    const from = a.farthest([-n[0], -n[1], -side * n[2]]);
    return [to[0] - from[0], to[1] - from[1], side * (to[2] - from[2])];
  };
  const size = Math.max(...[a, b].flatMap(({ box }) => subtract(box.high, box.low)));
  const lowest = side > 0 ? b.box.low[2] - a.box.high[2] : a.box.low[2] - b.box.high[2];
  const around = (x: number, y: number): Vec3 => [x * size, y * size, lowest - FAR * size];
  const start = [around(4, 0.2), around(-2.2, 3.5), around(-1.8, -3.5)] as const;
  let [p, q, o]: Portal = start;
  for (let step = 0; step < MAX_STEPS; step++) {
    const n = cross(subtract(q, p), subtract(o, p));
    if (!(n[2] > 0)) break;
    const c = farthest(n);
    if (dot(n, subtract(c, p)) <= PRECISION * size * n[2]) break;
    [p, q, o] = portal([p, q, o], c);
  }
  if (start.some((point) => [p, q, o].includes(point))) return -Infinity;
  const n = cross(subtract(q, p), subtract(o, p));
  return n[2] > 0 ? dot(n, p) / n[2] : Math.max(p[2], q[2], o[2]);
}

/** Of the triangles that a new point makes with the edges of the old one, that around the origin; the largest, as seen from above. */
function portal(corners: Portal, c: Vec3): Portal {
  let best: Portal = [corners[0], corners[1], c];
  let largest = -Infinity;
  for (let i = 0; i < 3; i++) {
    const [p, q] = [corners[i] as Vec3, corners[(i + 1) % 3] as Vec3];
    const [fromC, toC] = [flatCross(c, p), flatCross(q, c)];
    const area = flatCross(p, q) + toC + fromC;
    if (Math.min(fromC, toC) >= 0 && area > largest) [best, largest] = [[p, q, c], area];
  }
  return best;
}

function flatCross(a: Vec3, b: Vec3): number {
  return a[0] * b[1] - a[1] * b[0];
}
