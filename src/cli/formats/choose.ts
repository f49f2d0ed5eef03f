/** Which format a file is in: by its extension and, where several share that, by its content. */
import { extname } from 'node:path';
import { Disk } from '../../adapters/files/disk.js';
import { S4rError } from '../../index.js';
import type { FileFormat } from './format.js';
import { FORMATS } from './index.js';
import { rootElement } from './xml-root.js';

/** Bytes that tell a format. */
const HEAD = 65536;

/** Every extension of a scene, lower case, with the dot. */
export const EXTENSIONS: readonly string[] = [...new Set(FORMATS.flatMap(({ extensions }) => extensions))];

/** `MJCF (.xml, .mjcf), URDF (.urdf)`. */
export const FORMAT_LIST = FORMATS.map(({ name, extensions }) => `${name} (${extensions.join(', ')})`).join(', ');

/**
 * The format of a file that the user named.
 * @throws S4rError INVALID_INPUT if it is missing, unreadable or in none of the formats
 */
export async function formatOf(path: string, formats = FORMATS): Promise<FileFormat> {
  const extension = extname(path).toLowerCase();
  const known = withExtension(path, formats);
  const candidates = known.length > 0 ? known : formats.filter(({ refusedExtensions }) => refusedExtensions?.includes(extension));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  const head = await headOf(path);
  const refuse = (message: string) => new S4rError('INVALID_INPUT', message, { file: path });
  if (only === undefined) throw refuse(`no scene of a known format by its extension; there are ${FORMAT_LIST}`);
  if (head.length === 0) throw refuse('the file is empty');
  const found = byContent(head, candidates);
  if (found !== undefined) return found;
  const partOf = candidates.map((format) => format.refusal?.(head)).find((message) => message !== undefined);
  if (partOf !== undefined) throw refuse(partOf);
  const root = rootElement(head);
  const what = root === undefined ? '' : `: the root element is <${root}>`;
  throw refuse(`by its content no scene of ${candidates.map(({ name }) => name).join(' or ')}${what}`);
}

/** The format of a file that was found in a folder, a guess if it cannot be read; undefined for what is no scene. */
export async function sceneFormat(path: string): Promise<FileFormat | undefined> {
  const candidates = withExtension(path, FORMATS);
  const head = await headOf(path).catch(() => undefined);
  return head === undefined ? candidates[0] : byContent(head, candidates);
}

export function byContent(head: Buffer, candidates: readonly FileFormat[] = FORMATS): FileFormat | undefined {
  return candidates.find((format) => format.recognises(head.subarray(0, HEAD)));
}

function withExtension(path: string, formats: readonly FileFormat[]): FileFormat[] {
  return formats.filter(({ extensions }) => extensions.includes(extname(path).toLowerCase()));
}

async function headOf(path: string): Promise<Buffer> {
  return Buffer.from(await new Disk().head(path, HEAD));
}
