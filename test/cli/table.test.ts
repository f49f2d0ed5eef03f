/** Numbers and tables for people. */
import { describe, expect, test } from '@jest/globals';
import { count, decimalsFor, duration, fixed, millimetres, short } from '../../src/cli/format.js';
import { summarizeFindings } from '../../src/cli/show-findings.js';
import { formatTable } from '../../src/cli/table.js';

describe('numbers', () => {
  test.each([
    [0, '0'],
    [1e-9, '<0.001'],
    [-1e-9, '>-0.001'],
    [0.00123456, '0.00123'],
    [3.41377, '3.41'],
    [23, '23'],
    [99.96, '100'],
    [1234.56, '1235'],
    [2.5e9, '2500000000'],
    [1e22, '1e+22'],
  ])('short(%d) is %s', (value, text) => expect(short(value)).toBe(text));

  test.each([
    [0, 2, '0.00'],
    [-0, 2, '0.00'],
    [0.004, 2, '<0.01'],
    [-0.004, 2, '>-0.01'],
    [12.345, 2, '12.35'],
    [-125.66, 1, '-125.7'],
  ])('fixed(%d, %d) is %s', (value, decimals, text) => expect(fixed(value, decimals)).toBe(text));

  test('units', () => {
    expect(millimetres(0.0231)).toBe('23.1 mm');
    expect(duration(0.2)).toBe('1 ms');
    expect(duration(1234)).toBe('1.23 s');
    expect(count(1, 'body', 'bodies')).toBe('1 body');
    expect(count(0, 'overlap')).toBe('0 overlaps');
    expect(decimalsFor([99.9, -3])).toBe(2);
    expect(decimalsFor([1, -100])).toBe(1);
  });
});

describe('tables', () => {
  const columns = [
    { title: 'n', align: 'right', text: (row: number) => String(row) },
    { title: 'name', align: 'left', text: (row: number) => 'x'.repeat(row) },
  ] as const;

  test('are aligned, without spaces at the end', () => {
    expect(formatTable([1, 10], columns, false)).toBe(`   n  name\n   1  x\n  10  xxxxxxxxxx\n`);
  });

  test('are cut after 20 rows, but not for the sake of one', () => {
    const rows = (length: number) => Array.from({ length }, (_, i) => i);
    expect(formatTable(rows(21), columns, false).split('\n')).toHaveLength(1 + 21 + 1);
    const cut = formatTable(rows(5000), columns, false).split('\n');
    expect(cut).toHaveLength(1 + 20 + 1 + 1);
    expect(cut.at(-2)).toBe('  ... and 4980 more (--all)');
    expect(formatTable(rows(5000), columns, true).split('\n')).toHaveLength(1 + 5000 + 1);
  });

  test('may be longer than a call has room for arguments', () => {
    const rows = Array.from({ length: 200_000 }, () => 1);
    expect(formatTable(rows, columns, true).split('\n')).toHaveLength(1 + 200_000 + 1);
    const names = { geomA: 'a', geomB: 'b', bodyA: 'A', bodyB: 'B' };
    const overlap = { geomA: 0, geomB: 1, bodyA: 0, bodyB: 1, names, constant: false, point: [0, 0, 0], normal: [0, 0, 1] } as const;
    const finding = { ...overlap, kind: 'penetrating', class: 'real', depth: 0.01 } as const;
    expect(summarizeFindings(rows.map(() => finding))).toBe('200000 overlaps between 1 body pair, deepest 10 mm');
  });

  test('names cannot break lines or command the terminal', () => {
    const table = formatTable([0], [{ title: 'name', align: 'left', text: () => 'a\nb\x1b[31mc' }], false);
    expect(table).toBe('  name\n  a?b?[31mc\n');
  });

  test('long names lose their middle', () => {
    const [, line] = formatTable([100], [{ title: '', align: 'left', text: () => `${'a'.repeat(60)}${'b'.repeat(60)}` }], false).split(
      '\n',
    );
    expect(line).toBe(`  ${'a'.repeat(19)}...${'b'.repeat(18)}`);
  });
});
