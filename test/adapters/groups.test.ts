import { describe, expect, test } from '@jest/globals';
import { Groups } from '../../src/adapters/groups.js';

describe('groups', () => {
  test('each is known by its lowest member, whatever the order', () => {
    const groups = new Groups(7);
    groups.join(5, 4);
    groups.join(2, 3);
    groups.join(4, 3);
    groups.join(6, 6);
    expect([0, 1, 2, 3, 4, 5, 6].map((i) => groups.lowest(i))).toEqual([0, 1, 2, 2, 2, 2, 6]);
  });

  test('a long chain, joined from its far end', () => {
    const groups = new Groups(1000);
    for (let i = 999; i > 0; i--) groups.join(i, i - 1);
    expect(groups.lowest(999)).toBe(0);
  });
});
