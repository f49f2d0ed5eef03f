/** What rests where it did, and what was raised, as text for people. Lengths in mm. */
import type { Lift, Supports } from '../index.js';
import { count, millimetres } from './format.js';
import { oneLine } from './io.js';

/** Items named in one line unless all are wanted. */
const SHOWN = 5;

/** `supports: 12 kept, 1 lost (cup off shelf)`. */
export function showSupports({ supports }: { readonly supports?: Supports }, all: boolean): string {
  if (supports === undefined || supports.kept.length + supports.lost.length === 0) return '';
  const lost = supports.lost.map(({ body, on }) => `${body} off ${on}`);
  return `\nsupports: ${supports.kept.length} kept, ${supports.lost.length} lost${inBrackets(lost, all)}\n`;
}

/** `lifted: 2 bodies (cup by 120 mm, plate by 140 mm)`. */
export function showLifted({ lifted }: { readonly lifted?: readonly Lift[] }, all: boolean): string {
  if (lifted === undefined) return '';
  const raised = lifted.map(({ body, height }) => `${body} by ${millimetres(height)}`);
  return `\nlifted: ${count(lifted.length, 'body', 'bodies')}${inBrackets(raised, all)}\n`;
}

function inBrackets(items: readonly string[], all: boolean): string {
  if (items.length === 0) return '';
  const shown = all ? items : items.slice(0, SHOWN);
  const more = items.length > shown.length ? `, and ${items.length - shown.length} more` : '';
  return ` (${oneLine(shown.join(', '))}${more})`;
}
