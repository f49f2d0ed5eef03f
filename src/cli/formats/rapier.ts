import { snapshotFile } from '../../adapters/rapier/index.js';
import type { FileFormat } from './format.js';

export const RAPIER: FileFormat = {
  name: 'Rapier snapshot',
  extensions: ['.rapier', '.snapshot'],
  // Bytes without a mark of their own, among them zeros, which no text has: gravity is seldom free of them.
  recognises: (head) => head.includes(0),
  options: [],
  async open(path) {
    const { scene, source, notes } = await snapshotFile.read(path);
    return { scene, notes, inputs: [source.path], write: async (result, target) => await snapshotFile.write(source, result, target) };
  },
};
