import { describe, expect, test } from '@jest/globals';
import { BoxTree } from '../../../src/core/geometry/box-tree.js';
import type { Box } from '../../../src/core/geometry/units.js';
import type { Vec3 } from '../../../src/core/scene.js';
import { between, randomSource } from '../../scenes/random.js';

const random = randomSource(11);
const number = (): number => between(random, -1, 1);

function randomBox(size: number): Box {
  const low: Vec3 = [number(), number(), number()];
  return { low, high: [low[0] + size * Math.abs(number()), low[1] + size * Math.abs(number()), low[2] + size * Math.abs(number())] };
}

const meet = (a: Box, b: Box) => [0, 1, 2].every((k) => a.low[k]! <= b.high[k]! && b.low[k]! <= a.high[k]!);

describe('BoxTree', () => {
  test.each([0, 1, 4, 5, 300])('of %i boxes finds those that all pairs find', (count) => {
    const items = Array.from({ length: count }, (_, id) => ({ id, box: randomBox(0.2) }));
    const tree = new BoxTree(items);
    for (let k = 0; k < 50; k++) {
      const { low, high } = randomBox(1);
      for (const range of [
        { low, high },
        { low: [low[0], low[1], -Infinity] as const, high },
      ]) {
        const found = tree.meeting(range).map(({ id }) => id);
        expect(found.sort((a, b) => a - b)).toEqual(items.filter(({ box }) => meet(box, range)).map(({ id }) => id));
      }
    }
  });

  test('boxes at one place, and boxes that only touch', () => {
    const box: Box = { low: [0, 0, 0], high: [1, 1, 1] };
    const tree = new BoxTree(Array.from({ length: 20 }, () => ({ box })));
    expect(tree.meeting({ low: [1, 1, 1], high: [2, 2, 2] })).toHaveLength(20);
    expect(tree.meeting({ low: [1.001, 1, 1], high: [2, 2, 2] })).toHaveLength(0);
  });
});
