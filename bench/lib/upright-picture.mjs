// A scene before and after, from the side and from above: bodies that overlap are red.
import { placedTriangles, rasterise, viewFrom } from './raster.mjs';
import { Drawing, MUTED } from './svg.mjs';

const COLOURS = [
  [0.36, 0.53, 0.75],
  [0.42, 0.66, 0.55],
  [0.87, 0.69, 0.36],
  [0.62, 0.52, 0.74],
  [0.55, 0.6, 0.66],
  [0.8, 0.76, 0.66],
];
const TABLE = [0.84, 0.83, 0.81];
const BACKGROUND = '#fafaf8';

/** Seen from the front a little from above, and straight down. */
const VIEWS = [viewFrom([0, -1, 0.22], [0, 0, 1]), viewFrom([0, 0, 1], [0, 1, 0])];

const PANEL = 560;
const LEFT = 24;
const TOP = 92;
const GAP = 16;
/** Pixels of the picture to one of the page. */
const SHARP = 1.25;

/** `states`: two of {title, facts, poses, alarmed: set of body ids}. */
export function uprightPicture(title, scene, states) {
  const placed = states.map(({ poses }) => placedTriangles(scene, poses));
  const windows = VIEWS.map((view) => windowOf(view, placed.flat(), scene));
  // One scale for all: the wider window fills a panel.
  const scale = PANEL / Math.max(...windows.map(({ width }) => width));
  const heights = windows.map(({ height }) => height * scale);
  const drawing = new Drawing(2 * LEFT + 2 * PANEL + GAP, TOP + heights[0] + heights[1] + GAP + LEFT, title);
  drawing.text(LEFT, 32, title, { size: 16, weight: 'bold' });
  states.forEach((state, column) => {
    const x = LEFT + column * (PANEL + GAP);
    drawing.text(x, 60, state.title, { size: 14, weight: 'bold' });
    drawing.text(x, 78, state.facts, { fill: MUTED });
    const look = (bodyId) => lookOf(scene.bodies[bodyId], state.alarmed);
    VIEWS.forEach((view, row) => {
      const window = windows[row];
      const png = rasterise(placed[column], view, window, scale * SHARP, look, BACKGROUND);
      const left = x + (PANEL - window.width * scale) / 2;
      drawing.image(left, TOP + row * (heights[0] + GAP), window.width * scale, heights[row], png);
    });
  });
  return drawing.toString();
}

function lookOf({ id, mobility }, alarmed) {
  if (mobility === 'fixed') return { color: TABLE, alarmed: false };
  return { color: COLOURS[id % COLOURS.length], alarmed: alarmed.has(id) };
}

/** What holds every movable body in all states, with a rim. */
function windowOf({ project }, solids, { bodies }) {
  const points = solids.filter(({ bodyId }) => bodies[bodyId].mobility === 'free').flatMap(({ corners }) => corners.map(project));
  const range = (k) => points.reduce(([low, high], p) => [Math.min(low, p[k]), Math.max(high, p[k])], [Infinity, -Infinity]);
  const rim = 0.01;
  const [[left, right], [bottom, top]] = [range(0), range(1)];
  return { left: left - rim, top: top + rim, width: right - left + 2 * rim, height: top - bottom + 2 * rim };
}
