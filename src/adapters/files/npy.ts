/** NumPy's array file, format versions 1 to 3: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
import { type ErrorPlace, S4rError } from '../../core/errors.js';

/** An array as NumPy holds it, row-major. */
export type NpyArray =
  | { readonly dtype: 'float64'; readonly shape: readonly number[]; readonly data: Float64Array }
  | { readonly dtype: 'float32'; readonly shape: readonly number[]; readonly data: Float32Array }
  | { readonly dtype: 'int32'; readonly shape: readonly number[]; readonly data: Int32Array }
  | { readonly dtype: 'int64'; readonly shape: readonly number[]; readonly data: BigInt64Array }
  | { readonly dtype: 'uint8'; readonly shape: readonly number[]; readonly data: Uint8Array }
  /** One byte each, 0 or 1. */
  | { readonly dtype: 'bool'; readonly shape: readonly number[]; readonly data: Uint8Array }
  | { readonly dtype: 'string'; readonly shape: readonly number[]; readonly data: readonly string[] };

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** `descr` of the header, bytes per item, and the typed array over a copy of the bytes. */
const NUMERIC = {
  float64: { descr: '<f8', size: 8, view: (b: ArrayBuffer) => new Float64Array(b) },
  float32: { descr: '<f4', size: 4, view: (b: ArrayBuffer) => new Float32Array(b) },
  int32: { descr: '<i4', size: 4, view: (b: ArrayBuffer) => new Int32Array(b) },
  int64: { descr: '<i8', size: 8, view: (b: ArrayBuffer) => new BigInt64Array(b) },
  uint8: { descr: '|u1', size: 1, view: (b: ArrayBuffer) => new Uint8Array(b) },
  bool: { descr: '|b1', size: 1, view: (b: ArrayBuffer) => new Uint8Array(b) },
} as const;
type NumericType = keyof typeof NUMERIC;

/** The bytes of a .npy file. Same array, same bytes. @throws RangeError if shape and data do not agree */
export function encodeNpy(array: NpyArray): Uint8Array {
  const count = itemCount(array.shape);
  if (count !== array.data.length) throw new RangeError(`shape (${array.shape}) wants ${count} items, there are ${array.data.length}`);
  const { descr, bytes } = array.dtype === 'string' ? encodeStrings(array.data) : encodeNumbers(array.dtype, array.data);
  const shape = `(${array.shape.join(', ')}${array.shape.length === 1 ? ',' : ''})`;
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  // Magic, version and length are 10 bytes; the data starts at a multiple of 64.
  const header = `${dictionary.padEnd(Math.ceil((dictionary.length + 11) / 64) * 64 - 11)}\n`;
  const out = new Uint8Array(10 + header.length + bytes.length);
  out.set([...MAGIC, 1, 0, header.length & 0xff, header.length >> 8]);
  out.set(Buffer.from(header, 'latin1'), 10);
  out.set(bytes, 10 + header.length);
  return out;
}

/** @throws S4rError INVALID_INPUT if this is no such file, is cut short, or holds a type that is not supported */
export function decodeNpy(bytes: Uint8Array, place: ErrorPlace = {}): NpyArray {
  const refuse = (message: string) => new S4rError('INVALID_INPUT', message, place);
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) throw refuse('no NumPy array: it does not start with \\x93NUMPY');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = (bytes[6] ?? 0) >= 2;
  if (bytes.length < 12) throw refuse('the file ends inside its header');
  const start = (wide ? 12 : 10) + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = Buffer.from(bytes.subarray(wide ? 12 : 10, start)).toString('latin1');
  const descr = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  const shapeText = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  if (start > bytes.length || descr === undefined || shapeText === undefined) throw refuse('cannot read the header of the NumPy array');
  const shape = shapeText.split(',').flatMap((part) => (part.trim() === '' ? [] : [Number(part.replace(/L?\s*$/, ''))]));
  if (!shape.every((n) => Number.isSafeInteger(n) && n >= 0)) throw refuse(`the shape is (${shapeText})`);
  const found = typeOf(descr);
  if (found === undefined) {
    throw refuse(`arrays of type '${descr}' are not supported; expected little-endian float, int32, int64, uint8, bool or text (U, S)`);
  }
  const count = itemCount(shape);
  const wanted = count * found.size;
  if (bytes.length - start < wanted) throw refuse(`shape (${shapeText}) wants ${wanted} bytes, there are ${bytes.length - start}`);
  // A copy with a buffer of its own; slice() of a Buffer would share it.
  const body = new Uint8Array(bytes.subarray(start, start + wanted));
  const order = /'fortran_order':\s*True/.test(header) && shape.length > 1 ? rowMajor(shape) : undefined;
  if (found.dtype === 'string') {
    const text = Array.from({ length: count }, (_, i) => found.text(body.subarray(i * found.size, (i + 1) * found.size)));
    return { dtype: 'string', shape, data: order === undefined ? text : text.map((_, i) => text[order[i] as number] as string) };
  }
  if (order !== undefined) {
    const from = body.slice();
    order.forEach((at, i) => {
      body.set(from.subarray(at * found.size, (at + 1) * found.size), i * found.size);
    });
  }
  return { dtype: found.dtype, shape, data: NUMERIC[found.dtype].view(body.buffer) } as NpyArray;
}

/** The numbers of an array; undefined if it holds text. 64-bit integers beyond 2^53 are rounded. */
export function numbersOf(array: NpyArray): Float64Array | undefined {
  return array.dtype === 'string' ? undefined : Float64Array.from(array.data as ArrayLike<number | bigint>, Number);
}

function itemCount(shape: readonly number[]): number {
  return shape.reduce((product, n) => product * n, 1);
}

/** Where item i of the row-major array stands in the column-major one. */
function rowMajor(shape: readonly number[]): number[] {
  return Array.from({ length: itemCount(shape) }, (_, item) => {
    let [rest, at] = [item, 0];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const n = shape[axis] as number;
      at += (rest % n) * itemCount(shape.slice(0, axis));
      rest = Math.floor(rest / n);
    }
    return at;
  });
}

function encodeNumbers(dtype: NumericType, data: ArrayBufferView): { descr: string; bytes: Uint8Array } {
  return { descr: NUMERIC[dtype].descr, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** UCS-4 of fixed length, padded with zeros. */
function encodeStrings(data: readonly string[]): { descr: string; bytes: Uint8Array } {
  const points = data.map((text) => [...text].map((c) => c.codePointAt(0) as number));
  const width = Math.max(1, ...points.map(({ length }) => length));
  const out = new Uint32Array(width * data.length);
  for (const [i, text] of points.entries()) out.set(text, i * width);
  return { descr: `<U${width}`, bytes: new Uint8Array(out.buffer) };
}

type FoundType = { dtype: NumericType; size: number } | { dtype: 'string'; size: number; text: (item: Uint8Array) => string };

function typeOf(descr: string): FoundType | undefined {
  const numeric = (Object.keys(NUMERIC) as NumericType[]).find((key) => NUMERIC[key].descr.slice(1) === descr.slice(1));
  const [, order, kind, digits] = /^([<|=]?)([US])(\d{1,6})$/.exec(descr) ?? [];
  if (numeric !== undefined && descr[0] !== '>') return { dtype: numeric, size: NUMERIC[numeric].size };
  if (order === undefined) return undefined;
  const wide = kind === 'U';
  return {
    dtype: 'string',
    size: Number(digits) * (wide ? 4 : 1),
    text: (item) => (wide ? ucs4(item) : Buffer.from(item).toString('latin1')).replace(/\0+$/, ''),
  };
}

function ucs4(item: Uint8Array): string {
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength);
  let text = '';
  for (let at = 0; at < item.length; at += 4) {
    const point = view.getUint32(at, true);
    text += String.fromCodePoint(point <= 0x10ffff ? point : 0xfffd);
  }
  return text;
}
