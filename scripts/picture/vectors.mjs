/** Three-dimensional vectors as arrays, and unit quaternions [w, x, y, z]. */

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => scale(a, 1 / Math.hypot(...a));
/** The point at fraction t from a to b. */
export const between = (a, b, t) => add(a, scale(sub(b, a), t));

export function rotate([w, x, y, z], v) {
  const t = scale(cross([x, y, z], v), 2);
  return add(add(v, scale(t, w)), cross([x, y, z], t));
}

/** A point given in the child frame of `pose`, in its parent frame. */
export const transform = ({ position, quaternion }, v) => add(position, rotate(quaternion, v));
