/** Shapes as convex polyhedra: faces as loops of points, counter-clockwise from outside. */
import { cross, dot, sub, unit } from './vectors.mjs';

/** Facets around the axis; more on large things, where the eye sees them. */
const facetsFor = (radius) => (radius > 0.045 ? 32 : 20);

/** Faces of a shape of a Scene in its geom's frame; none for what is unbounded. */
export function facesOf(shape) {
  switch (shape.type) {
    case 'box':
      return box(shape.halfExtents);
    case 'sphere':
      return ellipsoid([shape.radius, shape.radius, shape.radius]);
    case 'ellipsoid':
      return ellipsoid(shape.radii);
    case 'capsule':
      return turned(capsuleProfile(shape), facetsFor(shape.radius));
    case 'cylinder':
      return turned(cylinderProfile(shape), facetsFor(shape.radius));
    case 'convex':
      return triangles(shape.mesh);
    case 'halfspace':
      return [];
    default:
      throw new Error(`the picture cannot show a ${shape.type}`);
  }
}

/** Plane {n, d} of a face, with n.x = d on it and n pointing out. */
export function planeOf(face) {
  // Of all corners the one that spans the largest triangle: faces at a pole have two corners in one place.
  let normal = [0, 0, 0];
  for (let i = 2; i < face.length; i++) {
    const candidate = cross(sub(face[i - 1], face[0]), sub(face[i], face[0]));
    if (Math.hypot(...candidate) > Math.hypot(...normal)) normal = candidate;
  }
  const n = unit(normal);
  return { n, d: dot(n, face[0]) };
}

function box([x, y, z]) {
  const corner = (i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z];
  const loops = ['0462', '1375', '0154', '2673', '0231', '4576'];
  return loops.map((loop) => [...loop].map((i) => corner(Number(i))));
}

/** The surface a profile [radius, z], from bottom to top, sweeps around z. */
function turned(profile, around) {
  const at = ([r, z], k) => [r * Math.cos((2 * Math.PI * k) / around), r * Math.sin((2 * Math.PI * k) / around), z];
  const ring = Array.from({ length: around }, (_, k) => k);
  const faces = [];
  for (let i = 1; i < profile.length; i++) {
    const [low, high] = [profile[i - 1], profile[i]];
    if (low[0] === 0 && low[1] === high[1]) faces.push(ring.map((k) => at(high, -k)));
    else if (high[0] === 0 && low[1] === high[1]) faces.push(ring.map((k) => at(low, k)));
    else if (low[0] === 0) for (const k of ring) faces.push([at(low, k), at(high, k + 1), at(high, k)]);
    else if (high[0] === 0) for (const k of ring) faces.push([at(low, k), at(low, k + 1), at(high, k)]);
    else for (const k of ring) faces.push([at(low, k), at(low, k + 1), at(high, k + 1), at(high, k)]);
  }
  return faces;
}

function arc(from, to, steps) {
  return Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
}

/** Exactly 0 at the poles. */
const cosine = (angle) => (Math.abs(Math.abs(angle) - Math.PI / 2) < 1e-9 ? 0 : Math.cos(angle));

function ellipsoid([x, y, z]) {
  const around = facetsFor(Math.max(x, y, z));
  const profile = arc(-Math.PI / 2, Math.PI / 2, around / 2).map((angle) => [cosine(angle), Math.sin(angle)]);
  return turned(profile, around).map((face) => face.map((p) => [p[0] * x, p[1] * y, p[2] * z]));
}

function cylinderProfile({ radius, halfLength }) {
  const rim = [-halfLength, halfLength].map((z) => [radius, z]);
  return [[0, -halfLength], ...rim, [0, halfLength]];
}

function capsuleProfile({ radius, halfLength }) {
  const cap = (from, to, middle) => arc(from, to, 4).map((angle) => [radius * cosine(angle), middle + radius * Math.sin(angle)]);
  return [...cap(-Math.PI / 2, 0, -halfLength), ...cap(0, Math.PI / 2, halfLength)];
}

function triangles({ vertices, triangles: indices }) {
  const point = (i) => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
  return Array.from({ length: indices.length / 3 }, (_, t) => [0, 1, 2].map((k) => point(indices[3 * t + k])));
}
