// Which files are scenes.
import { readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { sceneFormat } from '../../dist/cli/formats/choose.js';
import { FORMATS } from '../../dist/cli/formats/index.js';

/** Files with the extension of a scene, relative to the folder, in order; those too that are refused with advice. */
export async function scenesIn(folder) {
  const extensions = FORMATS.flatMap((format) => [...format.extensions, ...(format.refusedExtensions ?? [])]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name).toLowerCase()))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Name of the format, by extension and content; the extension of what is none. */
export async function formatOf(path) {
  return (await sceneFormat(path))?.name ?? extname(path).toLowerCase();
}
