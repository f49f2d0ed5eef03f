/** Cutting convex polygons by planes, in space and on the page. */
import { between, dot } from './vectors.mjs';

/** Thinner than this is nothing [m]. */
const THIN = 1e-7;

/** The parts of a convex polygon in front of (n.x > d) and behind a plane; undefined if there is none. */
export function split(polygon, { n, d }) {
  const heights = polygon.map((p) => dot(n, p) - d);
  const front = [];
  const behind = [];
  polygon.forEach((p, i) => {
    const j = (i + 1) % polygon.length;
    if (heights[i] >= 0) front.push(p);
    if (heights[i] <= 0) behind.push(p);
    if (heights[i] * heights[j] < 0) {
      const cut = between(p, polygon[j], heights[i] / (heights[i] - heights[j]));
      front.push(cut);
      behind.push(cut);
    }
  });
  return {
    front: Math.max(...heights) > THIN ? front : undefined,
    behind: Math.min(...heights) < -THIN ? behind : undefined,
  };
}

/** The parts of a convex polygon outside the solid behind all `planes`. */
export function outside(polygon, planes) {
  const parts = [];
  let rest = polygon;
  for (const plane of planes) {
    const { front, behind } = split(rest, plane);
    if (front !== undefined) parts.push(front);
    // Nothing of it is inside after all: leave it whole.
    if (behind === undefined) return [polygon];
    rest = behind;
  }
  return parts;
}

/** Intersection of two convex polygons on the page, both counter-clockwise; empty if there is none. */
export function intersect(subject, clip) {
  let result = subject;
  for (let i = 0; i < clip.length && result.length > 0; i++) {
    const a = clip[i];
    const b = clip[(i + 1) % clip.length];
    const side = (p) => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    const next = [];
    result.forEach((p, k) => {
      const q = result[(k + 1) % result.length];
      const [sp, sq] = [side(p), side(q)];
      if (sp >= 0) next.push(p);
      if (sp * sq < 0) next.push([p[0] + ((q[0] - p[0]) * sp) / (sp - sq), p[1] + ((q[1] - p[1]) * sp) / (sp - sq)]);
    });
    result = next;
  }
  return result;
}

/** Twice the area, positive if counter-clockwise. */
export function doubleArea(polygon) {
  return polygon.reduce((sum, p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    return sum + p[0] * q[1] - p[1] * q[0];
  }, 0);
}

/** Convex hull of points on a plane [m], counter-clockwise. */
export function convexHull(points) {
  // In millionths and whole numbers: products are exact, so that points on one line do not seem to turn back and forth.
  const whole = points.map(([x, y]) => [Math.round(1e6 * x), Math.round(1e6 * y)]);
  const sorted = whole.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())].map(([x, y]) => [x / 1e6, y / 1e6]);
}
