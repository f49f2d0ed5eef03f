/** Values of a crate file: 64-bit representations that hold a value, or the place where it stands. */
import { quatWxyzFromXyzw } from '../../conventions.js';
import { type CrateReader, halfToNumber } from './crate-reader.js';
import type { AssetArc, ListOp, UsdValue } from './layer.js';

/** Tables that values point into. */
export interface CrateTables {
  readonly tokens: readonly string[];
  /** Indices of tokens. */
  readonly strings: readonly number[];
  readonly paths: readonly string[];
  /** Minor number of the format's version, 0.x. */
  readonly minor: number;
}

/** What a field may hold beside the value of an attribute. */
export type CrateValue =
  | UsdValue
  | null
  | undefined
  | ListOp<string>
  | ListOp<AssetArc>
  | ReadonlyMap<string, string>
  | { readonly samples: readonly (readonly [number, UsdValue | null])[] };

/** Numbers of a type: how many, and how each is read. */
const NUMBERS: Readonly<
  Record<number, readonly [count: number, read: 'u8' | 'i32' | 'u32' | 'i64' | 'u64' | 'f16' | 'f32' | 'f64', size: number]>
> = {
  2: [1, 'u8', 1],
  3: [1, 'i32', 4],
  4: [1, 'u32', 4],
  5: [1, 'i64', 8],
  6: [1, 'u64', 8],
  7: [1, 'f16', 2],
  8: [1, 'f32', 4],
  9: [1, 'f64', 8],
  13: [4, 'f64', 8],
  14: [9, 'f64', 8],
  15: [16, 'f64', 8],
  16: [4, 'f64', 8],
  17: [4, 'f32', 4],
  18: [4, 'f16', 2],
  19: [2, 'f64', 8],
  20: [2, 'f32', 4],
  21: [2, 'f16', 2],
  22: [2, 'i32', 4],
  23: [3, 'f64', 8],
  24: [3, 'f32', 4],
  25: [3, 'f16', 2],
  26: [3, 'i32', 4],
  27: [4, 'f64', 8],
  28: [4, 'f32', 4],
  29: [4, 'f16', 2],
  30: [4, 'i32', 4],
  42: [1, 'u32', 4],
  43: [1, 'u32', 4],
  44: [1, 'u32', 4],
  56: [1, 'f64', 8],
};
const BOOL = 1;
const STRING = 10;
const TOKEN = 11;
const ASSET = 12;
const QUATERNIONS: ReadonlySet<number> = new Set([16, 17, 18]);
const MATRIX_ROWS: Readonly<Record<number, number>> = { 13: 2, 14: 3, 15: 4 };
/** Arrays this short are never compressed, whatever their flag says. */
const SHORTEST_COMPRESSED = 16;

export class CrateValues {
  constructor(
    private readonly reader: CrateReader,
    private readonly tables: CrateTables,
  ) {}

  /** @param low, high the halves of the representation; undefined for types that bear on neither poses nor physics */
  read(low: number, high: number, depth = 0): CrateValue {
    const type = (high >>> 16) & 0xff;
    const isArray = high >>> 31 === 1;
    if (depth > 8) throw this.reader.damaged('values inside values without end');
    if (high & 0x40000000) return type === 51 ? null : this.inlined(type, low);
    const offset = low + (high & 0xffff) * 2 ** 32;
    if (isArray && offset === 0) return [];
    const back = this.reader.at;
    this.reader.seek(offset);
    const value = type === 46 ? this.timeSamples(depth) : isArray ? this.array(type, (high & 0x20000000) !== 0) : this.scalar(type);
    this.reader.at = back;
    return value;
  }

  private inlined(type: number, bits: number): CrateValue {
    const bytes = new DataView(new ArrayBuffer(4));
    bytes.setUint32(0, bits, true);
    const int8 = (count: number) => Array.from({ length: count }, (_, i) => bytes.getInt8(i));
    const rows = MATRIX_ROWS[type];
    if (rows !== undefined) return int8(rows).flatMap((d, i) => Array.from({ length: rows }, (_, j) => (i === j ? d : 0)));
    if (type === STRING) return this.string(bits);
    if (type === TOKEN || type === ASSET) return this.token(bits);
    if (type === BOOL) return bits !== 0;
    if (type === 7) return halfToNumber(bits & 0xffff);
    if (type === 8 || type === 9 || type === 56) return bytes.getFloat32(0, true);
    if (type === 3 || type === 5) return bytes.getInt32(0, true);
    if (type === 21) return [halfToNumber(bits & 0xffff), halfToNumber(bits >>> 16)];
    const [count, read] = NUMBERS[type] ?? [];
    if (count === undefined || QUATERNIONS.has(type)) return undefined;
    return count === 1 ? (read === 'u8' ? bits & 0xff : bits) : int8(count);
  }

  private scalar(type: number): CrateValue {
    const { reader } = this;
    const numbers = NUMBERS[type];
    if (numbers !== undefined) {
      const [count, read] = numbers;
      const values = Array.from({ length: count }, () => reader[read]());
      return count === 1 ? (values[0] as number) : QUATERNIONS.has(type) ? quatWxyzFromXyzw(values, 0) : values;
    }
    const token = () => this.token(reader.u32());
    const string = () => this.string(reader.u32());
    const path = () => this.path(reader.u32());
    switch (type) {
      case BOOL:
        return reader.u8() !== 0;
      // An asset is a token where it stands in the representation itself, a string elsewhere.
      case STRING:
      case ASSET:
        return string();
      case TOKEN:
        return token();
      case 32:
        return this.listOp(token);
      case 33:
        return this.listOp(string);
      case 34:
        return this.listOp(path);
      case 35:
        return this.listOp(() => this.arc(true));
      case 55:
        return this.listOp(() => this.arc(false));
      case 47:
        return { explicit: [this.arc(false)] };
      case 40:
        return this.vector(path);
      case 41:
        return this.vector(token);
      case 50:
        return this.vector(string);
      case 48:
        return this.vector(reader.f64);
      case 45:
        return new Map(this.vector(() => [string(), string()] as const));
      case 51:
        return null;
      default:
        return undefined;
    }
  }

  private array(type: number, compressed: boolean): CrateValue {
    const { reader, tables } = this;
    if (tables.minor < 5) reader.u32();
    const stored = tables.minor < 7 ? reader.u32() : reader.u64();
    if (type === STRING || type === TOKEN || type === ASSET) {
      const read = type === TOKEN ? () => this.token(reader.u32()) : () => this.string(reader.u32());
      return Array.from({ length: reader.count(stored, 1, 4) }, read);
    }
    if (type === BOOL) return Array.from({ length: reader.count(stored, 1, 1) }, () => reader.u8() !== 0);
    const numbers = NUMBERS[type];
    if (numbers === undefined) return undefined;
    const [each, read, size] = numbers;
    if (compressed && stored >= SHORTEST_COMPRESSED) return this.compressed(reader.count(stored), read);
    const values = new Array<number>(reader.count(stored, each, each * size) * each);
    for (let i = 0; i < values.length; i++) values[i] = reader[read]();
    return QUATERNIONS.has(type) ? values.flatMap((_, i) => (i % 4 === 0 ? quatWxyzFromXyzw(values, i) : [])) : values;
  }

  private compressed(count: number, read: (typeof NUMBERS)[number][1]): number[] {
    const { reader } = this;
    if (read === 'i32') return Array.from(reader.integers(count));
    if (read === 'u32') return Array.from(reader.integers(count), (value) => value >>> 0);
    if (read === 'i64' || read === 'u64') return Array.from(reader.integers(count, true));
    const code = String.fromCharCode(reader.u8());
    if (code === 'i') return Array.from(reader.integers(count));
    if (code !== 't') throw reader.damaged(`numbers packed in the unknown way '${code}'`);
    const table = Array.from({ length: reader.count(reader.u32(), 1, 2) }, () => reader[read]());
    return Array.from(reader.integers(count), (i) => {
      const value = table[i >>> 0];
      if (value === undefined) throw reader.damaged(`entry ${i} of a table of ${table.length}`);
      return value;
    });
  }

  private timeSamples(depth: number): CrateValue {
    const { reader } = this;
    const jump = () => reader.seek(reader.at + reader.i64());
    jump();
    const times = this.read(reader.u32(), reader.u32(), depth + 1);
    jump();
    const count = reader.count(reader.u64(), 1, 8);
    if (!Array.isArray(times) || times.length !== count) throw reader.damaged(`${count} time samples without as many times`);
    const samples = Array.from({ length: count }, (_, i) => {
      return [times[i] as number, this.read(reader.u32(), reader.u32(), depth + 1) as UsdValue | null] as const;
    });
    return { samples };
  }

  private listOp<T>(item: () => T): ListOp<T> {
    const bits = this.reader.u8();
    const list = (bit: number) => (bits & bit ? this.vector(item) : undefined);
    const [explicit, added, prepended, appended, deleted] = [2, 4, 32, 64, 8, 16].map(list);
    if (bits & 1) return { explicit: explicit ?? [] };
    const last = [...(added ?? []), ...(appended ?? [])];
    return { ...(prepended && { prepended }), ...(last.length > 0 && { appended: last }), ...(deleted && { deleted }) };
  }

  private vector<T>(item: () => T): T[] {
    return Array.from({ length: this.reader.count(this.reader.u64(), 1, 1) }, item);
  }

  /** Asset, prim path, layer offset; a reference has custom data too. */
  private arc(isReference: boolean): AssetArc {
    const { reader } = this;
    const asset = this.string(reader.u32());
    const path = this.path(reader.u32());
    if (isReference || this.tables.minor >= 8) reader.take(16);
    for (let i = isReference ? reader.count(reader.u64(), 1, 12) : 0; i > 0; i--) {
      this.string(reader.u32());
      reader.seek(reader.at + reader.i64() + 8);
    }
    return { asset, path: path === '' ? undefined : path };
  }

  private token(index: number): string {
    const token = this.tables.tokens[index];
    if (token === undefined) throw this.reader.damaged(`token ${index} of ${this.tables.tokens.length}`);
    return token;
  }

  private string(index: number): string {
    return this.token(this.tables.strings[index] ?? -1);
  }

  private path(index: number): string {
    const path = this.tables.paths[index];
    if (path === undefined) throw this.reader.damaged(`path ${index} of ${this.tables.paths.length}`);
    return path;
  }
}
