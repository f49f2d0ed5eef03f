/** NumPy files: what is written is read again, and what NumPy itself writes is read. */
import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { decodeNpy, encodeNpy } from '../../../src/adapters/files/npy.js';
import { decodeNpz, encodeNpz, type NpyArray, numbersOf } from '../../../src/adapters/files/npz.js';

const ARRAYS: Record<string, NpyArray> = {
  poses: { dtype: 'float64', shape: [2, 3], data: Float64Array.of(1, 2, 3, -0.1, 1e-300, 1e300) },
  small: { dtype: 'float32', shape: [1], data: Float32Array.of(0.1) },
  ids: { dtype: 'int32', shape: [3], data: Int32Array.of(-1, 0, 7) },
  wide: { dtype: 'int64', shape: [], data: BigInt64Array.of(-5n) },
  bytes: { dtype: 'uint8', shape: [0, 4], data: new Uint8Array() },
  flags: { dtype: 'bool', shape: [2], data: Uint8Array.of(1, 0) },
  names: { dtype: 'string', shape: [3], data: ['mug', '', 'm\u00f6bel \u{1f600}'] },
};

/** A .npy file as NumPy lays it out, with this header and these bytes. */
function npy(header: string, data: Uint8Array): Uint8Array {
  const text = Buffer.from(`${header}\n`, 'latin1');
  return Buffer.concat([Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length & 255, text.length >> 8]), text, data]);
}

describe('npz', () => {
  it('reads what it wrote', () => {
    expect(Object.fromEntries(decodeNpz(encodeNpz(ARRAYS)))).toEqual(ARRAYS);
  });

  it('writes the same bytes for the same arrays', () => {
    expect(encodeNpz(ARRAYS)).toEqual(encodeNpz(ARRAYS));
  });

  it('starts the data at a multiple of 64 bytes, as NumPy wants it', () => {
    for (const array of Object.values(ARRAYS)) {
      const bytes = encodeNpy(array);
      expect((10 + (bytes[8]! | (bytes[9]! << 8))) % 64).toBe(0);
    }
  });

  it('refuses a shape that does not fit', () => {
    expect(() => encodeNpy({ dtype: 'float64', shape: [3], data: new Float64Array(2) })).toThrow('wants 3 items, there are 2');
  });

  it('reads column-major arrays and byte strings', () => {
    const fortran = npy(
      "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }",
      new Uint8Array(Int32Array.of(1, 4, 2, 5, 3, 6).buffer),
    );
    expect(Array.from(numbersOf(decodeNpy(fortran))!)).toEqual([1, 2, 3, 4, 5, 6]);
    const text = npy("{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }", Buffer.from('ab\0cup', 'latin1'));
    expect(decodeNpy(text).data).toEqual(['ab', 'cup']);
    expect(numbersOf(decodeNpy(text))).toBeUndefined();
  });

  it.each([
    ['no array', Buffer.from('hello, world'), 'does not start with'],
    ['a cut header', encodeNpy(ARRAYS.poses!).subarray(0, 40), 'cannot read the header'],
    ['too short', encodeNpy(ARRAYS.poses!).subarray(0, -1), 'wants 48 bytes, there are 47'],
    ['objects', npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", new Uint8Array(8)), "type '|O' are not supported"],
    ['big-endian', npy("{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }", new Uint8Array(8)), "type '>f8' are not supported"],
    ['a bad shape', npy("{'descr': '<f8', 'fortran_order': False, 'shape': (x,), }", new Uint8Array(8)), 'the shape is (x,)'],
  ])('refuses %s', (_, bytes, message) => {
    const file = zipSync({ 'a.npy': Uint8Array.from(bytes) });
    expect(() => decodeNpz(file, 'poses.npz')).toThrow(message);
    expect(() => decodeNpz(file, 'poses.npz')).toThrow('poses.npz: a.npy: ');
  });

  it('refuses what is no zip archive', () => {
    expect(() => decodeNpz(Buffer.from('PK but no more'), 'x.npz')).toThrow('x.npz: damaged zip archive');
  });
});
