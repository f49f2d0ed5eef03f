/**
 * Bytes of a crate file (USD's binary encoding) and their two compressions. Every read is checked against the end of the
 * bytes and every count against what the file could hold, so that a damaged file is refused and never loops or fills the memory.
 */
import { S4rError } from '../../../core/errors.js';

/** Numbers and texts that all values of a file may hold together. */
const MAX_ITEMS = 2 ** 26;

export class CrateReader {
  at = 0;
  private readonly view: DataView;
  private items = 0;

  constructor(
    readonly bytes: Uint8Array,
    readonly file: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  damaged(what: string): S4rError {
    const message = `damaged crate file: ${what} at byte ${this.at}; open and save it again with the program that made it, or convert it to .usda`;
    return new S4rError('INVALID_INPUT', message, { file: this.file });
  }

  seek(offset: number): void {
    if (!Number.isSafeInteger(offset) || offset < 0 || offset > this.bytes.length) throw this.damaged(`it points to byte ${offset}`);
    this.at = offset;
  }

  private step(size: number): number {
    const at = this.at;
    if (at + size > this.bytes.length) throw this.damaged('it ends');
    this.at += size;
    return at;
  }

  u8 = () => this.view.getUint8(this.step(1));
  u16 = () => this.view.getUint16(this.step(2), true);
  i32 = () => this.view.getInt32(this.step(4), true);
  u32 = () => this.view.getUint32(this.step(4), true);
  f32 = () => this.view.getFloat32(this.step(4), true);
  f64 = () => this.view.getFloat64(this.step(8), true);
  i64 = () => Number(this.view.getBigInt64(this.step(8), true));
  u64 = () => Number(this.view.getBigUint64(this.step(8), true));
  f16 = () => halfToNumber(this.u16());

  take(length: number): Uint8Array {
    if (!Number.isSafeInteger(length) || length < 0) throw this.damaged(`a length of ${length}`);
    const at = this.step(length);
    return this.bytes.subarray(at, at + length);
  }

  /** How many items follow; `each`: values per item, `size`: bytes of an item, 0 if compressed. */
  count(value: number, each = 1, size = 0): number {
    this.items += value * each;
    const fits = Number.isSafeInteger(value) && value >= 0 && value * size <= this.bytes.length - this.at;
    if (!fits || this.items > MAX_ITEMS) throw this.damaged(`a count of ${value}`);
    return value;
  }

  /** What a compressed block holds, behind the count of its bytes: from `least` up to `most` bytes. */
  block(most: number, least: number): CrateReader {
    const packed = this.take(this.u64());
    if (most === 0) return new CrateReader(new Uint8Array(), this.file);
    // LZ4 makes at most 255 bytes of one.
    if (least > 255 * packed.length) throw this.damaged(`${packed.length} bytes cannot hold ${least}`);
    const bytes = inflate(packed, most, (what) => this.damaged(what));
    if (bytes.length < least) throw this.damaged(`a compressed block holds ${bytes.length} bytes, not ${least}`);
    return new CrateReader(bytes, this.file);
  }

  /** `count` whole numbers, as differences in 2, 4 or 8 bytes with a code of two bits each (Usd_IntegerCompression). */
  integers(count: number, wide = false): Float64Array | Int32Array {
    const codeBytes = Math.ceil(count / 4);
    const least = count === 0 ? 0 : (wide ? 8 : 4) + codeBytes;
    const [small, medium, large] = wide ? [2, 4, 8] : [1, 2, 4];
    const block = this.block(least + count * (large as number), least);
    const view = block.view;
    const read = (size: number): number => {
      const at = block.step(size);
      if (size === 1) return view.getInt8(at);
      if (size === 2) return view.getInt16(at, true);
      return size === 4 ? view.getInt32(at, true) : Number(view.getBigInt64(at, true));
    };
    if (count === 0) return new Int32Array();
    const common = read(wide ? 8 : 4);
    const codes = block.take(codeBytes);
    const sizes = [0, small, medium, large] as number[];
    const out = wide ? new Float64Array(count) : new Int32Array(count);
    let value = 0;
    for (let i = 0; i < count; i++) {
      const size = sizes[((codes[i >> 2] as number) >> (2 * (i & 3))) & 3] as number;
      value += size === 0 ? common : read(size);
      out[i] = value;
    }
    return out;
  }
}

/** TfFastCompression: blocks of LZ4, one or several; at most `size` bytes. */
function inflate(packed: Uint8Array, size: number, damaged: (what: string) => S4rError): Uint8Array {
  const out = new Uint8Array(size);
  const chunks = packed[0];
  if (chunks === undefined) throw damaged('an empty compressed block');
  if (chunks === 0) return out.subarray(0, unpackLz4(packed.subarray(1), out, 0, damaged));
  let from = 1;
  let to = 0;
  for (let i = 0; i < chunks; i++) {
    if (from + 4 > packed.length) throw damaged('a compressed block ends');
    const length = new DataView(packed.buffer, packed.byteOffset + from, 4).getInt32(0, true);
    if (length < 0 || from + 4 + length > packed.length) throw damaged(`a compressed block of ${length} bytes`);
    to = unpackLz4(packed.subarray(from + 4, from + 4 + length), out, to, damaged);
    from += 4 + length;
  }
  return out.subarray(0, to);
}

/** One LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md) into `out` from `to`; where it ended. */
function unpackLz4(block: Uint8Array, out: Uint8Array, to: number, damaged: (what: string) => S4rError): number {
  let at = 0;
  let end = to;
  const length = (start: number): number => {
    let sum = start;
    if (start !== 15) return sum;
    for (let byte = 255; byte === 255; sum += byte) {
      byte = block[at++] ?? 0;
    }
    return sum;
  };
  while (at < block.length) {
    const token = block[at++] as number;
    const literals = length(token >> 4);
    if (at + literals > block.length || end + literals > out.length) throw damaged('a compressed block is too long');
    out.set(block.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    if (at >= block.length) break;
    const distance = (block[at] as number) | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const copied = length(token & 15) + 4;
    if (distance === 0 || distance > end || end + copied > out.length) throw damaged('a compressed block refers to nothing');
    for (let i = 0; i < copied; i++, end++) out[end] = out[end - distance] as number;
  }
  return end;
}

/** IEEE 754 binary16. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
