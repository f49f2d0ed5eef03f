import { expect, test } from '@jest/globals';
import { UniqueNames } from '../../src/adapters/names.js';

test('taken names get the next free number, whoever took those before', () => {
  const names = new UniqueNames();
  names.reserve('cup_3');
  expect(['cup', 'cup', 'cup', 'cup_2', 'cup'].map((wish) => names.make(wish))).toEqual(['cup', 'cup_2', 'cup_4', 'cup_2_2', 'cup_5']);
  names.reserve('cup_6');
  expect(names.make('cup')).toBe('cup_7');
});

test('ten thousand wishes for one name are ten thousand names', () => {
  const names = new UniqueNames();
  const made = Array.from({ length: 10_000 }, () => names.make('cup'));
  expect(new Set(made).size).toBe(10_000);
  expect(made.at(-1)).toBe('cup_10000');
});
