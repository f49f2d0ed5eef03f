import { snapshotFile } from '../../adapters/rapier/index.js';
import type { FileFormat } from './format.js';

export const RAPIER: FileFormat = {
  name: 'Rapier snapshot',
  extensions: ['.rapier', '.snapshot'],
  recognises: startsWithGravity,
  options: [],
  async open(path) {
    const { scene, source, notes } = await snapshotFile.read(path);
    return { scene, notes, inputs: [source.path], write: async (result, target) => await snapshotFile.write(source, result, target) };
  },
};

/** A snapshot has no mark of its own. It begins with gravity, three float32, and the time step: numbers of a simulation, not text. */
function startsWithGravity(head: Buffer): boolean {
  if (head.length < 16) return false;
  const [x, y, z, timestep] = [0, 4, 8, 12].map((offset) => head.readFloatLE(offset)) as [number, number, number, number];
  const plausible = (value: number) => value === 0 || (Math.abs(value) > 1e-6 && Math.abs(value) < 1e6);
  return head.includes(0) && [x, y, z].every(plausible) && timestep > 1e-9 && timestep < 10;
}
