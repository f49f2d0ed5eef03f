/** Voxels as boxes: the same solid with as few boxes as joining neighbours, first along x, then y, then z, gives. */
import type { Vec3 } from '../../core/scene.js';
import { vec3FromXyz, type Xyz, xyzFromVec3 } from '../conventions.js';

export interface VoxelBox {
  readonly centre: Vec3;
  /** Half edge lengths [m]. */
  readonly size: Xyz;
}

/** First and last cell along each axis. */
type Block = [low: [number, number, number], high: [number, number, number]];

/** @param data grid coordinates, or points of a Float32Array, each in the cell it fills */
export function voxelBoxes(data: Float32Array | Int32Array, voxelSize: Xyz): VoxelBox[] {
  const size = vec3FromXyz(voxelSize);
  let blocks = cells(data, size).map((cell): Block => [[...cell], [...cell]]);
  for (const axis of [0, 1, 2] as const) blocks = joined(blocks, axis);
  return blocks.map(([low, high]) => ({
    centre: size.map((s, k) => ((low[k] as number) + (high[k] as number) + 1) * 0.5 * s) as unknown as Vec3,
    size: xyzFromVec3(size.map((s, k) => ((high[k] as number) - (low[k] as number) + 1) * 0.5 * s) as unknown as Vec3),
  }));
}

function cells(data: Float32Array | Int32Array, size: Vec3): [number, number, number][] {
  const found = new Map<string, [number, number, number]>();
  for (let i = 0; i + 2 < data.length; i += 3) {
    const cell = [0, 1, 2].map((k) => {
      const value = data[i + k] as number;
      // In float32, as Rapier divides.
      return data instanceof Float32Array ? Math.floor(Math.fround(value / (size[k] as number))) : value;
    }) as [number, number, number];
    found.set(cell.join(), cell);
  }
  return [...found.values()];
}

/** Blocks that follow each other along `axis`, and are alike across it, become one. */
function joined(blocks: readonly Block[], axis: 0 | 1 | 2): Block[] {
  const rows = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = block.map((corner) => corner.filter((_, k) => k !== axis).join()).join(' ');
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [block]);
    else row.push(block);
  }
  return [...rows.values()].flatMap((row) => {
    row.sort((a, b) => a[0][axis] - b[0][axis]);
    const merged: Block[] = [];
    for (const block of row) {
      const last = merged.at(-1);
      if (last !== undefined && last[1][axis] + 1 === block[0][axis]) last[1][axis] = block[1][axis];
      else merged.push(block);
    }
    return merged;
  });
}
