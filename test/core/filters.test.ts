import { describe, expect, test } from '@jest/globals';
import { collisionRule, isConstant, type PairRule, pairMargin, pairRule } from '../../src/core/filters.js';
import type { PairFilter } from '../../src/core/scene.js';
import { type BodySpec, buildScene, sphere } from '../scenes/build.js';

const ball = sphere();
const masked = (category: number, mask: number): BodySpec => ({ geoms: [{ shape: ball, category, mask }] });

/** Whether geoms 0 and 1 of these bodies collide; asked in both orders. */
function collide(bodies: readonly BodySpec[], filter: Partial<PairFilter> = {}, a = 0, b = 1): boolean {
  const rule = collisionRule(buildScene(bodies, filter));
  expect(rule(b, a)).toBe(rule(a, b));
  return rule(a, b);
}

describe('collisionRule', () => {
  const two: BodySpec[] = [{ geoms: [ball] }, { geoms: [ball] }];

  test('all pairs collide unless something says no', () => {
    expect(collide(two)).toBe(true);
  });

  test('geoms of one body never do, not even as an explicit pair', () => {
    const one = [{ geoms: [ball, ball] }];
    expect(collide(one)).toBe(false);
    expect(collide(one, { explicitPairs: [{ geoms: [0, 1], margin: 0 }] })).toBe(false);
  });

  test('welded bodies do not, but links of one tree do', () => {
    const link = { geoms: [ball], movesWith: 0 };
    expect(collide([{ geoms: [ball] }, { ...link, weldedTo: 0 }])).toBe(false);
    expect(collide([{ geoms: [ball] }, link])).toBe(true);
    const siblings = [{ geoms: [ball] }, { ...link, weldedTo: 0 }, { ...link, weldedTo: 0 }];
    expect(collide(siblings, {}, 1, 2)).toBe(false);
  });

  test('fixed bodies do: what they overlap is constant, not invisible', () => {
    expect(
      collide([
        { geoms: [ball], fixed: true },
        { geoms: [ball], fixed: true },
      ]),
    ).toBe(true);
  });

  test('excludes are unordered and apply to the pair alone', () => {
    const three = [...two, { geoms: [ball] }];
    for (const pair of [
      [0, 1],
      [1, 0],
    ] as const) {
      expect(collide(three, { excludedBodies: [pair] })).toBe(false);
      expect(collide(three, { excludedGeoms: [pair] })).toBe(false);
      expect(collide(three, { excludedBodies: [pair] }, 1, 2)).toBe(true);
      expect(collide(three, { excludedGeoms: [pair] }, 0, 2)).toBe(true);
    }
  });

  test('excluded geoms leave other geoms of the same bodies alone', () => {
    const filter = { excludedGeoms: [[0, 2]] } as const;
    const bodies = [{ geoms: [ball, ball] }, { geoms: [ball] }];
    expect(collide(bodies, filter, 0, 2)).toBe(false);
    expect(collide(bodies, filter, 1, 2)).toBe(true);
  });

  test.each([
    // category and mask of A, of B; either, both
    [1, 1, 1, 1, true, true],
    [1, 2, 2, 1, true, true],
    [1, 0, 1, 1, true, false],
    [1, 2, 4, 1, true, false],
    [1, 2, 4, 8, false, false],
    [0, 0, 1, 1, false, false],
    [0x80000000, 0x80000000, 0x80000000, 0x80000000, true, true],
  ])('masks %i/%i against %i/%i', (categoryA, maskA, categoryB, maskB, either, both) => {
    const bodies = [masked(categoryA, maskA), masked(categoryB, maskB)];
    expect(collide(bodies, { maskRule: 'either' })).toBe(either);
    expect(collide(bodies, { maskRule: 'both' })).toBe(both);
  });

  test('explicit pairs bypass masks, excludes and welds', () => {
    const explicitPairs = [{ geoms: [1, 0], margin: 0 }] as const;
    expect(collide([masked(0, 0), masked(0, 0)], { explicitPairs })).toBe(true);
    expect(collide(two, { explicitPairs, excludedBodies: [[0, 1]], excludedGeoms: [[0, 1]] })).toBe(true);
    expect(collide([{ geoms: [ball] }, { geoms: [ball], movesWith: 0, weldedTo: 0 }], { explicitPairs })).toBe(true);
  });
});

describe('pairRule', () => {
  const pair = (a: Partial<BodySpec> = {}, b: Partial<BodySpec> = {}): BodySpec[] => [
    { geoms: [ball], ...a },
    { geoms: [ball], ...b },
  ];
  const explicitPairs = [{ geoms: [0, 1], margin: 0 }] as const;
  const pairs = [[1, 0]] as const;
  const deaf = { geoms: [{ shape: ball, category: 0, mask: 0 }] };
  test.each([
    ['collides', 'nothing speaks against it', pair(), {}],
    ['collides', 'explicit', pair({}, { movesWith: 0, weldedTo: 0 }), { explicitPairs, neighbours: pairs, excludedBodies: pairs }],
    ['intra-body', 'one body', [{ geoms: [ball, ball] }], { explicitPairs }],
    ['intra-body', 'welded, moving', pair({}, { movesWith: 0, weldedTo: 0 }), { neighbours: pairs }],
    ['filtered', 'welded, fixed', pair({ fixed: true }, { fixed: true, weldedTo: 0 }), {}],
    ['neighbours', 'neighbours that are excluded and masked too', pair(deaf, deaf), { neighbours: pairs, excludedBodies: pairs }],
    ['filtered', 'bodies excluded', pair(), { excludedBodies: pairs }],
    ['filtered', 'geoms excluded', pair(), { excludedGeoms: pairs }],
    ['filtered', 'masks', pair(deaf, deaf), {}],
  ] satisfies [PairRule, string, BodySpec[], Partial<PairFilter>][])('%s: %s', (expected, _, bodies, filter) => {
    const rule = pairRule(buildScene(bodies, filter));
    expect([rule(0, 1), rule(1, 0)]).toEqual([expected, expected]);
  });
});

test('pairMargin: that of an explicit pair, else the sum of the two', () => {
  const soft = (margin: number): BodySpec => ({ geoms: [{ shape: ball, margin }] });
  const margin = pairMargin(buildScene([soft(0.01), soft(0.02), soft(0.04)], { explicitPairs: [{ geoms: [2, 0], margin: 0.3 }] }));
  expect([margin(0, 1), margin(1, 2), margin(0, 2), margin(2, 0)]).toEqual([0.03, 0.06, 0.3, 0.3]);
});

describe('isConstant', () => {
  const scene = buildScene([
    { geoms: [ball] },
    { geoms: [ball], movesWith: 0 },
    { geoms: [ball], fixed: true },
    { geoms: [ball], fixed: true },
    { geoms: [ball] },
  ]);
  test.each([
    [0, 1, true, 'one unit'],
    [2, 3, true, 'both fixed'],
    [0, 2, false, 'one may move'],
    [0, 4, false, 'two units'],
  ])('bodies %i and %i: %p, %s', (a, b, constant) => {
    expect(isConstant(scene, a, b)).toBe(constant);
    expect(isConstant(scene, b, a)).toBe(constant);
  });

  test('unknown ids are a programming error', () => {
    expect(() => isConstant(scene, 0, 5)).toThrow(RangeError);
  });
});
