// How far a method that turns bodies really moved them: centres tell only a part of it.

/** Root mean square of the movable bodies' rotations [degrees]. */
export function turnOf({ bodies }, poses) {
  const movable = bodies.filter(({ mobility }) => mobility === 'free');
  return rootMeanSquare(movable.map(({ id, X_WB }) => angleBetween(X_WB.quaternion, poses[id].quaternion)));
}

/** Of two unit quaternions [degrees]: twice the angle between them as vectors, of either sign. */
function angleBetween(a, b) {
  const length = (sign) => Math.hypot(...a.map((value, k) => value + sign * b[k]));
  const [apart, together] = [length(-1), length(1)].sort((x, y) => x - y);
  return (720 / Math.PI) * Math.atan2(apart, together);
}

/** Root mean square of the displacements of the meshes' vertices [m], every body with the same weight. */
export function surfaceRmsdOf({ bodies, geoms }, poses) {
  const meshes = geoms.filter(({ shape }) => shape.mesh !== undefined);
  return rootMeanSquare(
    meshes.map(({ bodyId, X_BG, shape }) => vertexMotion(shape.mesh.vertices, X_BG, bodies[bodyId].X_WB, poses[bodyId])),
  );
}

function vertexMotion(vertices, X_BG, before, after) {
  const moves = [];
  for (let v = 0; v < vertices.length; v += 3) {
    const point = placed(X_BG, vertices.subarray(v, v + 3));
    const [from, to] = [placed(before, point), placed(after, point)];
    moves.push(Math.hypot(...to.map((value, k) => value - from[k])));
  }
  return rootMeanSquare(moves);
}

/** q v q* + p, by v + 2 u x (u x v + w v). */
function placed({ position, quaternion: [w, ...u] }, v) {
  const twice = cross(u, v).map((value, k) => 2 * (value + w * v[k]));
  return cross(u, twice).map((value, k) => v[k] + value + position[k]);
}

function cross([a, b, c], [x, y, z]) {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

const rootMeanSquare = (values) =>
  values.length === 0 ? 0 : Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
