// Scenes of Fig. 7 (Sec. 4.8): tilted bodies that overlap on a table, z up. Lengths [m].
//
// Draws, in this order, all from Random(seed): the pool shuffled and dealt from the top (N at most its size) or each body's
// template; then for each body its yaw, the direction and angle of its tilt, and its place in the disc.
import { cross, dot, rotate, unit } from '../../scripts/picture/vectors.mjs';
import { Random } from './rng.mjs';
import { geom, product } from './spawn.mjs';

/** The paper's counts of pairs, and how many bodies we take for each. */
export const UPRIGHT_SCENES = [
  { scene: 1, regime: 'severe', n: 60, wanted: 97 },
  { scene: 2, regime: 'severe', n: 50, wanted: 95 },
  { scene: 3, regime: 'heavy', n: 40, wanted: 67 },
  { scene: 4, regime: 'heavy', n: 30, wanted: 55 },
  { scene: 5, regime: 'moderate', n: 30, wanted: 41 },
  { scene: 6, regime: 'moderate', n: 20, wanted: 32 },
  { scene: 7, regime: 'light', n: 20, wanted: 26 },
  { scene: 8, regime: 'light', n: 10, wanted: 20 },
];

export const UP = [0, 0, 1];
/** Height of the table's top. */
export const PLANE = 0;

const TABLE = { type: 'box', halfExtents: [0.5, 0.5, 0.02] };

/** Tilt [degrees]. */
const TILTS = [28, 42];

/** The lowest point of a tilted body starts this far above the table. */
const ABOVE = 1e-4;

/** Up of the household meshes that are not modelled with z up. */
const OWN_UP = { evo_bowl: [0, 1, 0], king_bed: [0, 1, 0], mug: [0, 1, 0], scad_chess_king: [0, 0, -1], shampoo: [0, 1, 0] };

/** {scene, axes}: the bodies in a disc of that radius, and which axis of each has to point up, by body id. */
export function buildUprightScene(pool, { n, seed, radius }) {
  const random = new Random(seed);
  const dealt = n <= pool.length ? random.shuffled(pool).slice(0, n) : Array.from({ length: n }, () => pool[random.below(pool.length)]);
  const axes = dealt.map(({ name }) => OWN_UP[name] ?? UP);
  const bodies = dealt.map(({ name, shape }, id) => {
    const quaternion = product(drawTurn(random), shortestTurn(axes[id], UP));
    const [angle, distance] = [2 * Math.PI * random.unit(), radius * Math.sqrt(random.unit())];
    const height = PLANE + ABOVE - lowestOf(shape.mesh, quaternion);
    const X_WB = { position: [distance * Math.cos(angle), distance * Math.sin(angle), height], quaternion };
    return { id, name: `${id}-${name}`, mobility: 'free', X_WB, weight: 1, movesWith: id, weldedTo: id };
  });
  const geoms = dealt.map(({ shape }, id) => geom(id, bodies[id].name, id, shape, IDENTITY));
  const X_WB = { position: [0, 0, PLANE - TABLE.halfExtents[2]], quaternion: [1, 0, 0, 0] };
  bodies.push({ id: n, name: 'table', mobility: 'fixed', X_WB, weight: 1, movesWith: n, weldedTo: n });
  geoms.push(geom(n, 'table', n, TABLE, IDENTITY));
  const filter = { maskRule: 'either', excludedBodies: [], excludedGeoms: [], explicitPairs: [] };
  return { scene: { bodies, geoms, filter, up: UP }, axes };
}

/** The `upright` option of such a scene. */
export function uprightOf({ scene, axes }) {
  return { supports: ['table'], stand: Object.fromEntries(axes.map((axis, id) => [scene.bodies[id].name, axis])) };
}

/** The radius of the disc, of those that halving tries, whose count of overlaps comes nearest to the wanted one. */
export async function findRadius(pool, { n, seed, wanted }, countPairs) {
  let [low, high] = [0.01, 0.08 * Math.sqrt(n)];
  let best;
  for (let k = 0; k < 14 && best?.miss !== 0; k++) {
    const radius = Number(((low + high) / 2).toPrecision(4));
    const pairs = await countPairs(buildUprightScene(pool, { n, seed, radius }).scene);
    const miss = Math.abs(pairs - wanted);
    if (best === undefined || miss < best.miss) best = { radius, miss };
    if (pairs > wanted) low = radius;
    else high = radius;
  }
  return best.radius;
}

/** A yaw, and a tilt about a horizontal axis before it. */
function drawTurn(random) {
  const [yaw, direction] = [2 * Math.PI * random.unit(), 2 * Math.PI * random.unit()];
  const tilt = (Math.PI / 180) * random.between(...TILTS);
  return product(turnBy(yaw, UP), turnBy(tilt, [Math.cos(direction), Math.sin(direction), 0]));
}

function turnBy(angle, axis) {
  return [Math.cos(angle / 2), ...axis.map((value) => Math.sin(angle / 2) * value)];
}

/** The least turn that takes one unit vector to another; of opposite ones, about an axis across them. */
export function shortestTurn(from, to) {
  const normal = cross(from, to);
  const sine = Math.hypot(...normal);
  if (sine > 1e-12) return turnBy(Math.atan2(sine, dot(from, to)), unit(normal));
  const across = cross(from, Math.abs(from[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]);
  return dot(from, to) > 0 ? [1, 0, 0, 0] : turnBy(Math.PI, unit(across));
}

/** Height of the lowest vertex over the body's origin. */
export function lowestOf({ vertices }, quaternion) {
  const [w, x, y, z] = quaternion;
  const upInBody = rotate([w, -x, -y, -z], UP);
  let lowest = Infinity;
  for (let v = 0; v < vertices.length; v += 3) {
    lowest = Math.min(lowest, upInBody[0] * vertices[v] + upInBody[1] * vertices[v + 1] + upInBody[2] * vertices[v + 2]);
  }
  return lowest;
}

const IDENTITY = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };
