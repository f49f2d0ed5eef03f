/** Several named NumPy arrays in one zip file, as `numpy.savez` makes them. */
import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import { S4rError } from '../../core/errors.js';
import { decodeNpy, encodeNpy, type NpyArray } from './npy.js';

export { type NpyArray, numbersOf } from './npy.js';

/** Unpacked bytes above which a zip file is taken for an error. */
const MAX_BYTES = 2 ** 31;
/** The zip format knows no earlier date; a real one would make the bytes depend on the clock. */
const EPOCH = new Date(1980, 0, 1);

/** The bytes of a .npz file. Same arrays, same bytes. @throws RangeError if a shape does not fit its data */
export function encodeNpz(arrays: Readonly<Record<string, NpyArray>>): Uint8Array {
  const files = Object.entries(arrays).map(([name, array]) => [`${name}.npy`, encodeNpy(array)]);
  return zipSync(Object.fromEntries(files), { mtime: EPOCH });
}

/**
 * Arrays by name, without `.npy`.
 * @param file name of the file, for messages
 * @throws S4rError INVALID_INPUT if it is no zip file of arrays
 */
export function decodeNpz(bytes: Uint8Array, file?: string): ReadonlyMap<string, NpyArray> {
  const files = Object.entries(unzip(bytes, file, (name) => name.endsWith('.npy')));
  return new Map(files.map(([name, data]) => [name.slice(0, -4), decodeNpy(data, { file, element: name })]));
}

/**
 * The files of a zip archive whose names are wanted.
 * @throws S4rError INVALID_INPUT if it is damaged, or would unpack to more than 2 GiB
 */
export function unzip(bytes: Uint8Array, file: string | undefined, wanted: (name: string) => boolean): Record<string, Uint8Array> {
  let total = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    if (!wanted(name)) return false;
    total += originalSize;
    if (total > MAX_BYTES) throw new S4rError('INVALID_INPUT', 'the zip archive would unpack to more than 2 GiB', { file });
    return true;
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (cause) {
    if (cause instanceof S4rError) throw cause;
    throw new S4rError('INVALID_INPUT', `damaged zip archive (${(cause as Error).message})`, { file }, { cause });
  }
}
