/** Rapier's height fields: heights over x and z, sample (i, j) at [i + j (nrows + 1)], rows i along z and columns j along x. */
import type { Shape } from '../../core/scene.js';
import { Y_AXIS } from '../conventions.js';
import type { ShapePart } from './shapes.js';
import type { Sizes } from './sizes.js';
import type { RapierShape } from './world.js';

/**
 * The ground below the surface, as deep as the field is wide; or the surface alone, where it can move. Rapier cuts a cell from
 * (i + 1, j) to (i, j + 1); with x, y, z for its z, x, y that is the diagonal of `Scene`, and heights keep their order.
 */
export function heightField({ nrows = 0, ncols = 0, heights, scale }: RapierShape, movable: boolean, sizes: Sizes): ShapePart {
  const { x: width, y: factor, z: length } = scale ?? { x: Number.NaN, y: Number.NaN, z: Number.NaN };
  const halfExtents = [sizes.positive('scale', length) / 2, sizes.positive('scale', width) / 2] as const;
  const [rows, cols] = [ncols + 1, nrows + 1];
  if (heights?.length !== rows * cols) throw sizes.error(`${rows * cols} heights`, heights?.length);
  // Rapier multiplies in float32.
  const scaled = Float64Array.from(heights, (height) => Math.fround(height * factor));
  const bad = scaled.findIndex((height) => !Number.isFinite(height));
  if (bad >= 0) throw sizes.error('finite heights', `${scaled[bad]} in sample ${bad}`);
  if (movable) return { shape: surface(rows, cols, scaled, halfExtents), X_CG: Y_AXIS };
  const lowest = scaled.reduce((low, height) => Math.min(low, height), Infinity);
  const shape: Shape = {
    type: 'heightfield',
    rows,
    cols,
    heights: scaled.map((height) => height - lowest),
    halfExtents,
    baseDepth: 2 * Math.max(...halfExtents),
  };
  return { shape, X_CG: { position: [0, lowest, 0], quaternion: Y_AXIS.quaternion } };
}

function surface(rows: number, cols: number, heights: Float64Array, [halfX, halfY]: readonly [number, number]): Shape {
  const vertices = Array.from(heights, (height, i) => {
    const [row, col] = [Math.floor(i / cols), i % cols];
    return [-halfX + (2 * halfX * col) / (cols - 1), -halfY + (2 * halfY * row) / (rows - 1), height];
  });
  const triangles: number[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let col = 0; col + 1 < cols; col++) {
      const at = row * cols + col;
      triangles.push(at, at + 1, at + cols, at + 1, at + cols + 1, at + cols);
    }
  }
  return { type: 'mesh', mesh: { vertices: Float64Array.from(vertices.flat()), triangles: Int32Array.from(triangles) } };
}
