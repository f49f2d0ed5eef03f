// Mesh pools of the benches, normalised as App. A.7 says: centre of the box at the origin, its longest edge 0.1 m.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchExit } from './exit.mjs';
import { normalise, volumeOf } from './mesh.mjs';
import { readMesh } from './mesh-files.mjs';
import { PROCEDURAL } from './procedural.mjs';

const MESHES = fileURLToPath(new URL('../../../shared/data/meshes/', import.meta.url));

/** In place of the paper's Kubric, Thingi10K and HY3D-Concave pools, and one made in code. */
export const POOLS = ['household', 'printable', 'concave', 'procedural'];

const loaded = new Map();

/**
 * The templates of a pool: {name, shape, volume [m^3]}, files by name; bodies share `shape` by reference.
 * @throws BenchExit 3 where the pool's folder is missing
 */
export function loadPool(name, folder = MESHES) {
  const key = `${name} ${folder}`;
  if (!loaded.has(key)) loaded.set(key, name === 'procedural' ? proceduralPool() : filePool(name, join(folder, name)));
  return loaded.get(key);
}

function proceduralPool() {
  return Object.entries(PROCEDURAL).map(([name, make]) => template(name, make()));
}

function filePool(name, folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /\.(obj|stl)$/.test(file)) : [];
  if (files.length === 0) {
    throw new BenchExit(3, `pool '${name}': no meshes in ${folder}; '--pool procedural' needs no data`);
  }
  return files.sort().map((file) => template(file.replace(/\.\w+$/, ''), readMesh(join(folder, file))));
}

function template(name, raw) {
  const mesh = normalise(raw);
  return { name, shape: { type: 'mesh', mesh }, volume: volumeOf(mesh) };
}
