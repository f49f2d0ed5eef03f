/** From solids that may intersect to polygons in the order in which to paint them, farthest first. */
import { doubleArea, intersect, outside } from './clip.mjs';
import { planeOf } from './polyhedra.mjs';
import { add, dot, scale } from './vectors.mjs';

/** Faces seen more edge-on than this [sine of the angle] are not drawn. */
const EDGE_ON = 0.01;

/** Overlaps on the page smaller than this [m^2] decide nothing. */
const SMALL = 1e-7;

/**
 * Visible polygons of convex solids. Where two intersect, the faces of the one with more of them are cut along the other.
 * @param solids [{ faces, ...rest }] in world coordinates
 * @param camera { toPage(point) -> [x, y] counter-clockwise as seen, depth(point), towards: unit vector to the viewer }
 * @returns [{ polygon, plane, solid }] farthest first
 */
export function paintOrder(solids, camera) {
  const whole = solids.map((solid) => ({ solid, planes: solid.faces.map(planeOf), box: boundsOf(solid.faces.flat()) }));
  const pieces = whole.flatMap((one, i) => {
    const cutters = whole.filter((other, k) => k !== i && cuts(other, k, one, i) && boxesOverlap(other.box, one.box));
    return one.solid.faces.flatMap((face, f) => {
      if (dot(one.planes[f].n, camera.towards) < EDGE_ON) return [];
      let parts = [face];
      for (const { planes } of cutters) parts = parts.flatMap((part) => outside(part, planes));
      return parts.map((polygon) => pieceOf(polygon, one.planes[f], one.solid, camera));
    });
  });
  return sortByDepth(
    pieces.filter(({ page }) => doubleArea(page) > SMALL),
    camera,
  );
}

function cuts(cutter, k, cut, i) {
  return cutter.planes.length < cut.planes.length || (cutter.planes.length === cut.planes.length && k < i);
}

function pieceOf(polygon, plane, solid, camera) {
  const page = polygon.map(camera.toPage);
  const middle = scale(polygon.reduce(add), 1 / polygon.length);
  return { polygon, plane, solid, page, box: boundsOf(page), depth: camera.depth(middle) };
}

/** Topological order of "is behind", farthest first where that leaves a choice, without what one nearer polygon hides. */
function sortByDepth(pieces, camera) {
  const before = pieces.map(() => 0);
  const after = pieces.map(() => []);
  const hidden = new Set();
  for (let i = 0; i < pieces.length; i++) {
    for (let k = i + 1; k < pieces.length; k++) {
      if (pieces[i].solid === pieces[k].solid || !boxesOverlap(pieces[i].box, pieces[k].box)) continue;
      const common = intersect(pieces[i].page, pieces[k].page);
      if (common.length < 3 || doubleArea(common) < SMALL) continue;
      const gap = depthDifference(common, pieces[i], pieces[k], camera);
      if (gap === 0) continue;
      const [far, near] = gap > 0 ? [i, k] : [k, i];
      if (doubleArea(common) > 0.9999 * doubleArea(pieces[far].page)) hidden.add(pieces[far]);
      after[far].push(near);
      before[near]++;
    }
  }
  const waiting = new Set([...pieces.keys()].sort((a, b) => pieces[b].depth - pieces[a].depth || a - b));
  const order = [];
  while (waiting.size > 0) {
    let next;
    for (const i of waiting) {
      // Without one that nothing is behind there is a cycle; the farthest of it is as good as any.
      next ??= i;
      if (before[i] <= 0) {
        next = i;
        break;
      }
    }
    waiting.delete(next);
    for (const near of after[next]) before[near]--;
    order.push(pieces[next]);
  }
  return order.filter((piece) => !hidden.has(piece));
}

/** How much farther a is than b in the middle of what they have in common on the page; 0 if they touch there. */
function depthDifference(common, a, b, camera) {
  const middle = common.reduce(([x, y], p) => [x + p[0] / common.length, y + p[1] / common.length], [0, 0]);
  const difference = camera.depthOnPlane(middle, a.plane) - camera.depthOnPlane(middle, b.plane);
  return Math.abs(difference) < 1e-9 ? 0 : difference;
}

function boundsOf(points) {
  return points[0].map((_, axis) => [Math.min(...points.map((p) => p[axis])), Math.max(...points.map((p) => p[axis]))]);
}

function boxesOverlap(a, b) {
  return a.every(([low, high], axis) => low < b[axis][1] && b[axis][0] < high);
}
