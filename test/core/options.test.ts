import { describe, expect, test } from '@jest/globals';
import { REFERENCE_DEFAULTS, resolveCheckOptions, resolveOptions, SEPARATION_DEFAULTS } from '../../src/core/options.js';

describe('defaults', () => {
  test('are filled in, and options without a default stay absent', () => {
    const resolved = {
      profile: 'default',
      rotation: false,
      tolerance: 0,
      threads: 0,
      keepSupport: false,
      restTolerance: 1e-3,
      overflow: 'fail',
      reference: REFERENCE_DEFAULTS,
      separation: SEPARATION_DEFAULTS,
    };
    expect(resolveOptions()).toStrictEqual(resolved);
    expect(resolveOptions({})).toStrictEqual(resolved);
    expect(resolveOptions({ margin: undefined, reference: { stride: undefined } } as never)).toStrictEqual(resolved);
    expect(resolveCheckOptions()).toStrictEqual({ tolerance: 0, threads: 0 });
  });

  test('give way to what is given', () => {
    const onProgress = () => {};
    const { signal } = new AbortController();
    const given = { margin: 0, maxShift: 0.1, movable: ['a*'], frozen: [], timeLimit: 5, threads: 2, tolerance: 1e-4, onProgress, signal };
    expect(resolveOptions({ ...given, reference: { stride: 0.1 }, separation: { pile: false } })).toStrictEqual({
      profile: 'default',
      rotation: false,
      keepSupport: false,
      restTolerance: 1e-3,
      overflow: 'fail',
      ...given,
      reference: { ...REFERENCE_DEFAULTS, stride: 0.1 },
      separation: { ...SEPARATION_DEFAULTS, pile: false },
    });
  });
});

describe('unknown names', () => {
  test('are refused with the nearest and all valid ones', () => {
    expect(() => resolveOptions({ margn: 1 } as never)).toThrow(
      "option margn: unknown; did you mean 'margin'? valid names are tolerance, threads, signal, allow, freeJoints, profile, margin, maxShift, rotation, ",
    );
    expect(() => resolveOptions({ reference: { warmstart: true } } as never)).toThrow(
      "option reference.warmstart: unknown; did you mean 'reference.warmStart'? valid names are initialScale, stride",
    );
    expect(() => resolveCheckOptions({ margin: 1 } as never)).toThrow(
      'option margin: unknown; valid names are tolerance, threads, signal, allow',
    );
  });

  test('are refused even if undefined or inherited', () => {
    expect(() => resolveOptions({ toString: undefined } as never)).toThrow('option toString: unknown');
  });
});

describe('values', () => {
  test.each([
    [{ margin: 'x' }, "option margin: expected a finite number >= 0 [m], got 'x'"],
    [{ margin: Number.NaN }, 'option margin: expected a finite number >= 0 [m], got NaN'],
    [{ maxShift: 0 }, 'option maxShift: expected a finite number > 0 [m], got 0'],
    [{ tolerance: -1e-9 }, 'option tolerance: expected a finite number >= 0 [m], got -1e-9'],
    [{ timeLimit: Infinity }, 'option timeLimit: expected a finite number > 0 [s], got Infinity'],
    [{ threads: 1.5 }, 'option threads: expected an integer from 0 to 1024 (0: one per core), got 1.5'],
    [{ profile: 'fast' }, "option profile: expected 'default' or 'quick' or 'reference', got 'fast'"],
    [{ movable: 'mug' }, "option movable: expected a list of non-empty body names, got 'mug'"],
    [{ frozen: ['mug', ''] }, "option frozen: expected a list of non-empty body names, got ['mug', '']"],
    [{ axes: ['cup'] }, "option axes: expected an object of body names and words, such as { 'cup*': 'xy yaw' }, got ['cup']"],
    [{ axes: { cup: 3 } }, "option axes: expected an object of body names and words, such as { 'cup*': 'xy yaw' }, got { cup: 3 }"],
    [{ weights: { cup: 0 } }, 'option weights: expected an object of body names and numbers from 1e-6 to 1e6, got { cup: 0 }'],
    [{ allow: [['a']] }, "option allow: expected a list of pairs of body names, such as [['hand', 'cup*']], got [['a']]"],
    [{ onProgress: true }, 'option onProgress: expected a function, got true'],
    [{ signal: {} }, 'option signal: expected an AbortSignal, got an object'],
    [{ signal: null }, 'option signal: expected an AbortSignal, got null'],
    [{ reference: 3 }, 'option reference: expected an object, got 3'],
    [{ separation: [] }, 'option separation: expected an object, got []'],
    [{ separation: { maxRows: 17 } }, 'option separation.maxRows: expected an integer from 1 to 16, got 17'],
    [{ separation: { pull: 0 } }, 'option separation.pull: expected true or false, got 0'],
    [{ reference: { initialScale: 0 } }, 'option reference.initialScale: expected a number in (0, 1], got 0'],
    [{ reference: { maxAttempts: 0 } }, 'option reference.maxAttempts: expected an integer from 1 to 1000000, got 0'],
    [{ reference: { eventJumps: 1 } }, 'option reference.eventJumps: expected true or false, got 1'],
    [{ reference: { broadphasePad: 'big' } }, "option reference.broadphasePad: expected 'margin' or 'literal', got 'big'"],
    [
      { reference: { marginSchedule: [0.5] } },
      'option reference.marginSchedule: expected a list of numbers in (0, 1], the first of them 1, got [0.5]',
    ],
    [
      { reference: { marginSchedule: [] } },
      'option reference.marginSchedule: expected a list of numbers in (0, 1], the first of them 1, got []',
    ],
    [[], 'options: expected an object, got []'],
    ['fast', "options: expected an object, got 'fast'"],
  ])('%j is refused', (options, message) => {
    expect(() => resolveOptions(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }));
  });
});
