// Which files are scenes.
import { open, readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { FORMATS } from '../../dist/cli/formats/index.js';

/** Not read, but refused with advice. */
const REFUSED = ['.xacro'];

/** Files with the extension of a scene, relative to the folder, in order. */
export async function scenesIn(folder) {
  const extensions = [...FORMATS.flatMap((format) => format.extensions), ...REFUSED];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name).toLowerCase()))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Name of the format, by extension and content; the extension of what is none. */
export async function formatOf(path) {
  const extension = extname(path).toLowerCase();
  const head = await headOf(path);
  const found = FORMATS.filter(({ extensions }) => extensions.includes(extension));
  return found.find((format) => format.recognises(head))?.name ?? extension;
}

async function headOf(path) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65536), 0, 65536, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
