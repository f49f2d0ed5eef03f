/** Plain text tables: aligned columns, and no more rows than anybody reads. */
import { plain } from './format.js';

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly text: (row: Row) => string;
}

/** Rows shown unless all are asked for. */
const MAX_ROWS = 20;

/** Longer names lose their middle. */
const MAX_WIDTH = 40;

/** The rows to show: all of them, or the first. */
export function shownRows<Row>(rows: readonly Row[], all: boolean): readonly Row[] {
  // One row too many is as long as the line that would stand for it.
  return all || rows.length <= MAX_ROWS + 1 ? rows : rows.slice(0, MAX_ROWS);
}

/** Lines of the table, each ended by a newline; `all` also shows the rows beyond `MAX_ROWS`. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], all: boolean): string {
  const shown = shownRows(rows, all);
  const cells = shown.map((row) => columns.map((column) => shorten(column.text(row))));
  const widths = columns.map(({ title }, i) => cells.reduce((width, line) => Math.max(width, line[i]?.length ?? 0), title.length));
  const format = (line: readonly string[]) => {
    const padded = line.map((cell, i) => (columns[i]?.align === 'right' ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)));
    return `  ${padded.join('  ')}`.trimEnd();
  };
  const lines = [format(columns.map((column) => column.title)), ...cells.map(format)];
  const more = rows.length - shown.length;
  if (more > 0) lines.push(`  ... and ${more} more (--all)`);
  return `${lines.join('\n')}\n`;
}

function shorten(raw: string): string {
  const text = plain(raw);
  if (text.length <= MAX_WIDTH) return text;
  const half = (MAX_WIDTH - 3) / 2;
  return `${text.slice(0, Math.ceil(half))}...${text.slice(-Math.floor(half))}`;
}
