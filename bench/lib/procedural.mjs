// The bundled pool: everyday shapes made in code, each one closed surface. Any unit: pools are normalised.
import { boxes, tube, turned } from './surfaces.mjs';

/** '0 1, 2 3' to [[0, 1], [2, 3]]. */
const list = (text) => text.split(', ').map((item) => item.split(' ').map(Number));

/** Points of an arc of [radius, height] from angle `from` to `to`, both included. */
function arc(radius, height, size, from, to, steps) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps;
    return [radius + size * Math.cos(angle), height + size * Math.sin(angle)];
  });
}

/** Half an ellipse from pole to pole. */
const PEBBLE = [
  [0, -0.6],
  ...arc(0, 0, 1, -Math.PI / 2, Math.PI / 2, 10)
    .slice(1, -1)
    .map(([r, z]) => [r, 0.6 * z]),
  [0, 0.6],
];

/** Straight edges between `points` corners of alternating radius. */
const starOutline = (points, inner) => (angle) => {
  const step = Math.PI / points;
  const turn = Math.abs((angle % (2 * step)) / step - 1);
  return inner + (1 - inner) * turn;
};

const pebbleOutline = (angle) => 1 + 0.12 * Math.cos(2 * angle) + 0.08 * Math.sin(3 * angle);

const gearOutline = (angle) => (Math.round((angle * 16) / Math.PI) % 4 < 2 ? 1.1 : 0.85);

const helix = (turns, radius, pitch) => (t) => {
  const angle = 2 * Math.PI * turns * t;
  return [radius * Math.cos(angle), radius * Math.sin(angle), pitch * turns * t];
};

const trefoil = (t) => {
  const a = 2 * Math.PI * t;
  return [Math.sin(a) + 2 * Math.sin(2 * a), Math.cos(a) - 2 * Math.cos(2 * a), -1.6 * Math.sin(3 * a)];
};

const LEGS = '0 0 0 1 1 5, 5 0 0 6 1 5, 0 5 0 1 6 5, 5 5 0 6 6 5';

/** The twelve edges of a cube. */
const BARS = [0, 5].flatMap((a) =>
  [0, 5].flatMap((b) => [
    [0, a, b, 6, a + 1, b + 1],
    [a, 0, b, a + 1, 6, b + 1],
    [a, b, 0, a + 1, b + 1, 6],
  ]),
);

const BOWL = '0 0, 2 0, 3.4 1, 4.2 2.2, 4.6 3.6, 4.1 3.6, 3.7 2.4, 3 1.4, 1.8 0.6, 0 0.6';
const VASE = '0 0, 1.6 0, 2.4 1.4, 2.6 2.8, 1.8 4.6, 1.2 5.6, 1.8 6.6, 1.5 6.6, 0.9 5.6, 1.4 4.5, 2.1 2.8, 1.9 1.5, 1.2 0.5, 0 0.5';
const BOTTLE = '0 0, 1.5 0, 1.6 0.4, 1.6 3.6, 1.3 4.6, 0.6 5.4, 0.55 6.8, 0.7 6.9, 0.7 7.3, 0 7.3';
const MUG = '0 0, 1.9 0, 2 0.8, 2 1.5, 2 3.1, 2 3.8, 2 4.6, 1.7 4.6, 1.7 2.4, 1.7 0.4, 0 0.4';
const DUMBBELL = '0 -4, 1.2 -3.9, 1.8 -3, 1.6 -2.1, 0.6 -1.7, 0.6 1.7, 1.6 2.1, 1.8 3, 1.2 3.9, 0 4';
const HAT = '0 0.3, 1.8 0.3, 1.9 0, 4 0, 4 0.3, 2.3 0.5, 2 2, 1.6 2.8, 0 3';
const STAR = '0 -0.5, 1 -0.5, 2 -0.5, 2 0.5, 1 0.5, 0 0.5';
const GEAR = '1 -0.6, 2.2 -0.6, 3.2 -0.6, 3.2 0.6, 2.2 0.6, 1 0.6';

/** Name and maker, in a fixed order: scenes are drawn by index. */
export const PROCEDURAL = {
  bowl: () => turned(list(BOWL)),
  vase: () => turned(list(VASE)),
  bottle: () => turned(list(BOTTLE)),
  mug: () => turned(list(MUG), { handle: { between: [4, 2], reach: 1.6, steps: 8 } }),
  torus: () => turned(arc(2.2, 0, 0.9, 0, 2 * Math.PI, 10).slice(0, -1), { segments: 24, loop: true }),
  dumbbell: () => turned(list(DUMBBELL)),
  hat: () => turned(list(HAT), { segments: 20 }),
  pebble: () => turned(PEBBLE, { outline: pebbleOutline }),
  star: () => turned(list(STAR), { segments: 20, outline: starOutline(5, 0.45) }),
  gear: () => turned(list(GEAR), { segments: 32, outline: gearOutline, loop: true }),
  spring: () => tube(helix(2.5, 2, 1.5), () => [0, 0, 1], { radius: 0.45, steps: 40 }),
  knot: () => tube(trefoil, trefoil, { radius: 0.55, steps: 54, closed: true }),
  L: () => boxes(list('0 0 0 2 6 2, 2 0 0 5 2 2'), 1),
  U: () => boxes(list('0 0 0 6 2 2, 0 2 0 2 6 2, 4 2 0 6 6 2'), 1.5),
  T: () => boxes(list('0 4 0 6 6 2, 2 0 0 4 4 2'), 1),
  cross: () => boxes(list('-3 -1 -1 3 1 1, -1 -3 -1 1 3 1, -1 -1 -3 1 1 3'), 1),
  chair: () => boxes(list(`${LEGS}, 0 0 5 6 6 6, 0 5 6 6 6 12`), 2.5),
  table: () => boxes(list(`${LEGS}, -1 -1 5 7 7 6`), 2.5),
  shelf: () => boxes(list('0 0 0 1 3 9, 7 0 0 8 3 9, 1 0 0 7 3 1, 1 0 4 7 3 5, 1 0 8 7 3 9'), 2),
  frame: () => boxes(BARS, 2.5),
  stairs: () => boxes(list('0 0 0 6 4 2, 2 0 2 6 4 4, 4 0 4 6 4 6'), 1.4),
};
