/** From a USD stage to a `Scene`. */
import { createHash } from 'node:crypto';
import type { ReadResult } from '../adapter.js';
import { Disk, type Overlay } from '../files/disk.js';
import { absolutePath } from '../files/paths.js';
import { buildScene } from './scene-builder.js';
import type { IsaacSource } from './source.js';
import { LayerFiles } from './usd/layer-files.js';
import { openStage, type StageOptions } from './usd/stage.js';

export type IsaacReadOptions = StageOptions;

/**
 * Read a stage (.usd, .usda, .usdc, .usdz) as PhysX would simulate it.
 * @param overlay contents that win over the disk, by absolute path
 * @throws S4rError INVALID_INPUT with file, line and prim as far as known
 */
export async function read(path: string, options: IsaacReadOptions = {}, overlay: Overlay = new Map()): Promise<ReadResult<IsaacSource>> {
  const main = absolutePath(path);
  const files = new LayerFiles(new Disk(overlay));
  const stage = await openStage(files, main, options);
  const { scene, bodies, notes } = buildScene(stage);
  const hash = createHash('sha256');
  const paths = [...files.contents.keys()];
  for (const file of [...paths].sort()) hash.update(files.contents.get(file) as Uint8Array);
  const source: IsaacSource = { path: main, stage, bodies, files: paths, sha256: hash.digest('hex'), options };
  return { scene, source, notes };
}
