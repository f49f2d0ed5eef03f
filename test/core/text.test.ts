import { describe, expect, test } from '@jest/globals';
import { describeValue, nearNames } from '../../src/core/text.js';

describe('describeValue', () => {
  test.each([
    ['x', "'x'"],
    [0, '0'],
    [-0, '-0'],
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[1, 'a'], "[1, 'a']"],
    [[1, 2, 3, 4, 5], '[1, 2, 3, 4, ... 5 items]'],
    [{}, 'an object'],
    [() => 0, 'a function'],
    [new Float32Array(2), 'a Float32Array of 8 bytes'],
  ])('%p is shown as %s', (value, text) => {
    expect(describeValue(value)).toBe(text);
  });

  test('long text is cut', () => {
    expect(describeValue('a'.repeat(100))).toBe(`'${'a'.repeat(57)}...'`);
  });
});

describe('nearNames', () => {
  test('finds typing errors, nearest first', () => {
    expect(nearNames('margn', ['weight', 'margins', 'margin'])).toEqual(['margin', 'margins']);
  });

  test('finds names that contain the wanted one', () => {
    expect(nearNames('mug', ['kitchen/mug_large', 'plate'])).toEqual(['kitchen/mug_large']);
  });

  test('returns nothing when nothing is near', () => {
    expect(nearNames('zzzzzz', ['plate', 'mug'])).toEqual([]);
  });

  test('stays fast among thousands of names', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `environment_${i}/object_${i}`);
    const start = performance.now();
    expect(nearNames('environment_77/objct_77', names)[0]).toBe('environment_77/object_77');
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
