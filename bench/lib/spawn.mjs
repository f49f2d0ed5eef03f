// Scene recipes: bodies of a pool thrown into a region, all from one seed. Lengths [m]; y is up, as in the paper's boxes.
//
// Draws, in this order, all from Random(seed): if N is at most the pool's size, the pool is shuffled once and dealt from
// the top; then for each body its template (only if N is larger), three Euler angles, and its centre x, y, z.
import { boundsOf } from './mesh.mjs';
import { Random } from './rng.mjs';

/** App. A.7 at N = 40; the box grows with the cube root of N. */
const BOX_HALF = [0.15, 0.35, 0.15];

/** Sec. 4.7: 2.5 times smaller along each axis. */
export const TIGHT = 1 / 2.5;

/**
 * A scene as data, so that a child process can build it too:
 * {spawn: 'box', multiplier}: App. A.7, each side times `multiplier` (1: the main scenes, App. A.15; TIGHT: Sec. 4.7);
 * {spawn: 'ball'}: centres in a ball, App. A.13;
 * {spawn: 'walls', phi}: a closed cube of six half-spaces, `phi` of its volume filled by the meshes; every body inside.
 */
export function buildScene(pool, recipe, n, seed) {
  const random = new Random(seed);
  const dealt = n <= pool.length ? random.shuffled(pool).slice(0, n) : undefined;
  if (recipe.spawn === 'walls') return walledScene(pool, recipe, n, random, dealt);
  const place = PLACES[recipe.spawn];
  if (place === undefined) throw new Error(`no recipe spawns a '${recipe.spawn}'`);
  const bodies = Array.from({ length: n }, (_, i) => {
    const template = dealt?.[i] ?? pool[random.below(pool.length)];
    const angles = drawAngles(random);
    return { template, angles, centre: place(random, n, recipe) };
  });
  return sceneOf(bodies);
}

/** Another state of a scene: each body drawn anew, as [x y z qw qx qy qz] per body. Not for `walls`. */
export function drawPoses(scene, recipe, seed) {
  const random = new Random(seed);
  const n = scene.bodies.length;
  return Float64Array.from(
    scene.bodies.flatMap(() => {
      const angles = drawAngles(random);
      return [...PLACES[recipe.spawn](random, n, recipe), ...quaternionOf(angles)];
    }),
  );
}

const PLACES = {
  box: (random, n, { multiplier = 1 }) => BOX_HALF.map((half) => multiplier * half * Math.cbrt(n / 40) * random.between(-1, 1)),
  /** Uniform in the ball of radius 0.10 (N/100)^(1/3), by rejection. */
  ball: (random, n) => {
    const radius = 0.1 * Math.cbrt(n / 100);
    for (;;) {
      const point = [0, 1, 2].map(() => random.between(-1, 1));
      if (Math.hypot(...point) <= 1) return point.map((value) => radius * value);
    }
  },
};

/** The cube's size follows from the meshes drawn, so all templates and turns come first, then the centres. */
function walledScene(pool, { phi }, n, random, dealt) {
  const drawn = Array.from({ length: n }, (_, i) => {
    const template = dealt?.[i] ?? pool[random.below(pool.length)];
    return { template, angles: drawAngles(random) };
  });
  const volume = drawn.reduce((sum, { template }) => sum + template.volume, 0);
  const half = Math.cbrt(volume / phi) / 2;
  const bodies = drawn.map(({ template, angles }) => {
    const { low, high } = boundsOf(template.shape.mesh, matrixOf(angles));
    const centre = low.map((value, k) => {
      if (high[k] - value > 2 * half) throw new Error(`'${template.name}' does not fit between walls ${2 * half} m apart`);
      return random.between(-half - value, half - high[k]);
    });
    return { template, angles, centre };
  });
  return sceneOf(bodies, cubeOfWalls(half));
}

const drawAngles = (random) => [0, 1, 2].map(() => 2 * Math.PI * random.unit());

/** R = Rx Ry Rz as rows. */
export function matrixOf([x, y, z]) {
  const [cx, cy, cz] = [Math.cos(x), Math.cos(y), Math.cos(z)];
  const [sx, sy, sz] = [Math.sin(x), Math.sin(y), Math.sin(z)];
  return [
    [cy * cz, -cy * sz, sy],
    [sx * sy * cz + cx * sz, cx * cz - sx * sy * sz, -sx * cy],
    [sx * sz - cx * sy * cz, cx * sy * sz + sx * cz, cx * cy],
  ];
}

/** The same turn as a unit quaternion, w first. */
export function quaternionOf([x, y, z]) {
  const turn = (angle, k) => [Math.cos(angle / 2), ...[0, 1, 2].map((axis) => (axis === k ? Math.sin(angle / 2) : 0))];
  return product(product(turn(x, 0), turn(y, 1)), turn(z, 2));
}

/** Of quaternions: the turn b, then a. */
export function product([aw, ax, ay, az], [bw, bx, by, bz]) {
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/** Half-spaces are solid below their z; these look inwards from the cube's faces. */
function cubeOfWalls(half) {
  const r = Math.SQRT1_2;
  // z onto -x, x, -y, y, -z, z.
  const inward = [
    [r, 0, -r, 0],
    [r, 0, r, 0],
    [r, r, 0, 0],
    [r, -r, 0, 0],
    [0, 1, 0, 0],
    [1, 0, 0, 0],
  ];
  return inward.map((quaternion, i) => {
    const axis = Math.floor(i / 2);
    const at = i % 2 === 0 ? half : -half;
    return { position: [0, 1, 2].map((k) => (k === axis ? at : 0)), quaternion };
  });
}

const IDENTITY = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };

function sceneOf(drawn, walls = []) {
  const bodies = drawn.map(({ template, angles, centre }, id) => {
    const X_WB = { position: centre, quaternion: quaternionOf(angles) };
    return { id, name: `${id}-${template.name}`, mobility: 'free', X_WB, weight: 1, movesWith: id, weldedTo: id };
  });
  const geoms = drawn.map(({ template }, id) => geom(id, bodies[id].name, id, template.shape, IDENTITY));
  if (walls.length > 0) {
    const id = bodies.length;
    bodies.push({ id, name: 'walls', mobility: 'fixed', X_WB: IDENTITY, weight: 1, movesWith: id, weldedTo: id });
    for (const X_BG of walls) geoms.push(geom(geoms.length, `wall ${geoms.length - id}`, id, HALFSPACE, X_BG));
  }
  return { bodies, geoms, filter: { maskRule: 'either', excludedBodies: [], excludedGeoms: [], explicitPairs: [] }, up: [0, 1, 0] };
}

const HALFSPACE = { type: 'halfspace' };

export function geom(id, name, bodyId, shape, X_BG) {
  return { id, name, bodyId, shape, X_BG, margin: 0, category: 1, mask: 1 };
}
