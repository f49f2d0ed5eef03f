// Builders of closed, consistently wound meshes: turned profiles, tubes, unions of boxes.
import { volumeOf } from './mesh.mjs';

/** Collects vertices and faces; `finish` turns the surface outwards. */
class Surface {
  points = [];
  faces = [];

  point(x, y, z) {
    return this.points.push([x, y, z]) - 1;
  }

  quad(a, b, c, d) {
    this.faces.push([a, b, c], [a, c, d]);
  }

  /** Quads between two rings of as many vertices. */
  join(lower, upper, skip = () => false) {
    lower.forEach((a, j) => {
      const k = (j + 1) % lower.length;
      if (!skip(j)) this.quad(a, lower[k], upper[k], upper[j]);
    });
  }

  /** The triangles between a ring and a point above it. */
  close(ring, apex) {
    ring.forEach((a, j) => {
      this.faces.push([a, ring[(j + 1) % ring.length], apex]);
    });
  }

  finish() {
    const mesh = { vertices: Float64Array.from(this.points.flat()), triangles: Int32Array.from(this.faces.flat()) };
    if (volumeOf(mesh) < 0) for (const face of this.faces) face.reverse();
    return { ...mesh, triangles: Int32Array.from(this.faces.flat()) };
  }
}

/**
 * A profile of [radius, height] turned about z; `outline(angle)` scales the radius. It begins and ends on the axis, or is a loop.
 * `handle: {between: [upper, lower], reach, steps}` replaces one quad of the wall above each of two profile points by a handle.
 */
export function turned(profile, { segments = 16, outline = () => 1, loop = false, handle } = {}) {
  const surface = new Surface();
  const rings = profile.map(([radius, height]) => {
    if (radius === 0) return surface.point(0, 0, height);
    return Array.from({ length: segments }, (_, j) => {
      const angle = (2 * Math.PI * j) / segments;
      const r = radius * outline(angle);
      return surface.point(r * Math.cos(angle), r * Math.sin(angle), height);
    });
  });
  const last = loop ? rings.length : rings.length - 1;
  for (let k = 0; k < last; k++) {
    const [lower, upper] = [rings[k], rings[(k + 1) % rings.length]];
    if (typeof lower === 'number') surface.close([...upper].reverse(), lower);
    else if (typeof upper === 'number') surface.close(lower, upper);
    else surface.join(lower, upper, (j) => j === 0 && handle?.between.includes(k));
  }
  if (handle !== undefined) addHandle(surface, rings, handle);
  return surface.finish();
}

/** Half an ellipse of square cross-sections from one hole in the wall to the other. */
function addHandle(surface, rings, { between: [upper, lower], reach, steps }) {
  const ring = (bottom, top) => [rings[bottom][0], rings[bottom][1], rings[top][1], rings[top][0]];
  const start = ring(upper, upper + 1);
  const [c, d, b, a] = [rings[lower][0], rings[lower][1], rings[lower + 1][1], rings[lower + 1][0]];
  const end = [a, b, d, c];
  let previous = start;
  for (let step = 1; step <= steps; step++) {
    const angle = (Math.PI * step) / steps;
    const next = step === steps ? end : start.map((from, k) => bent(surface, from, end[k], angle, k < 2 ? reach - 0.25 * reach : reach));
    surface.join(previous, next);
    previous = next;
  }
}

/** The point at `angle` of the half ellipse from one vertex to another, which reaches out from the axis. */
function bent(surface, from, to, angle, reach) {
  const [p, q] = [surface.points[from], surface.points[to]];
  const along = (1 - Math.cos(angle)) / 2;
  const out = 1 + (reach * Math.sin(angle)) / Math.hypot(p[0], p[1]);
  const [x, y, z] = p.map((value, k) => value + along * (q[k] - value));
  return surface.point(out * x, out * y, z);
}

/** A tube around `curve(t)`, t in [0, 1]; `frame(t)` is any vector that is never along the curve. */
export function tube(curve, frame, { radius, steps, sides = 8, closed = false }) {
  const surface = new Surface();
  const count = closed ? steps : steps + 1;
  const rings = Array.from({ length: count }, (_, i) => {
    const t = i / steps;
    const centre = curve(t);
    const along = unit(minus(curve(t + 1e-4), curve(t - 1e-4)));
    const side = unit(cross(along, frame(t)));
    const up = cross(side, along);
    return Array.from({ length: sides }, (_, j) => {
      const angle = (2 * Math.PI * j) / sides;
      const [u, v] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      return surface.point(...centre.map((value, k) => value + u * side[k] + v * up[k]));
    });
  });
  for (let i = 0; i + 1 < count; i++) surface.join(rings[i], rings[i + 1]);
  if (closed) surface.join(rings[count - 1], rings[0]);
  else {
    surface.close([...rings[0]].reverse(), surface.point(...curve(0)));
    surface.close(rings[count - 1], surface.point(...curve(1)));
  }
  return surface.finish();
}

/** The outside of a union of boxes [x0, y0, z0, x1, y1, z1], on a grid of cells no longer than `cell`. No two touch in an edge only. */
export function boxes(list, cell = Infinity) {
  const surface = new Surface();
  const planes = [0, 1, 2].map((axis) => gridPlanes(list, axis, cell));
  const filled = (i, j, k) => {
    const middle = [i, j, k].map((index, axis) => (planes[axis][index] + planes[axis][index + 1]) / 2);
    return list.some((box) => middle.every((value, axis) => value > box[axis] && value < box[axis + 3]));
  };
  const ids = new Map();
  const vertex = (index) => {
    const key = index.join(' ');
    if (!ids.has(key)) ids.set(key, surface.point(...index.map((value, axis) => planes[axis][value])));
    return ids.get(key);
  };
  const size = planes.map((values) => values.length - 1);
  for (let i = 0; i < size[0]; i++)
    for (let j = 0; j < size[1]; j++) for (let k = 0; k < size[2]; k++) if (filled(i, j, k)) addCell(surface, [i, j, k], filled, vertex);
  return surface.finish();
}

/** The faces of a filled cell towards empty ones. */
function addCell(surface, index, filled, vertex) {
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [0, 1]) {
      const neighbour = index.map((value, k) => (k === axis ? value + 2 * side - 1 : value));
      if (filled(...neighbour)) continue;
      const corner = (du, dv) => vertex(index.map((value, k) => value + (k === axis ? side : k === u ? du : k === v ? dv : 0)));
      const face = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
      surface.quad(...(side === 1 ? face : face.reverse()));
    }
  }
}

function gridPlanes(list, axis, cell) {
  const ends = [...new Set(list.flatMap((box) => [box[axis], box[axis + 3]]))].sort((a, b) => a - b);
  return ends.flatMap((end, i) => {
    if (i === 0) return [end];
    const parts = Math.max(1, Math.ceil((end - ends[i - 1]) / cell - 1e-9));
    return Array.from({ length: parts }, (_, k) => (k === parts - 1 ? end : ends[i - 1] + ((end - ends[i - 1]) * (k + 1)) / parts));
  });
}

const minus = (a, b) => a.map((value, k) => value - b[k]);
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const unit = (a) => a.map((value) => value / Math.hypot(...a));
