/** Outcomes as Markdown: tables for a comment on a change. */
import { deepestOf, type Finding, isProblem } from '../findings.js';
import { millimetres, plain } from '../format.js';
import { type Outcome, titleOf } from '../outcome.js';
import { summarized } from '../show-outcome.js';
import { shownRows } from '../table.js';
import { height } from './cases.js';
import type { Run } from './run.js';

export function markdownReport({ command, outcomes, all }: Run): string {
  const files = outcomes.map((outcome) => {
    const problems = outcome.findings.filter(isProblem);
    const deepest = problems.length === 0 ? '' : millimetres(deepestOf(problems));
    return [titleOf(outcome), outcome.failure?.message ?? outcome.verdict, String(problems.length), deepest];
  });
  const parts = [
    `### s4r ${command}: ${summarized(outcomes)}`,
    table(['scene', 'outcome', 'overlaps', 'deepest'], files),
    ...outcomes.flatMap((outcome) => details(outcome, all)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function details(outcome: Outcome, all: boolean): string[] {
  const rows = outcome.findings.filter((finding) => all || isProblem(finding));
  const shown = shownRows(rows, all);
  const more = rows.length > shown.length ? `\n\n... and ${rows.length - shown.length} more` : '';
  const hovering = outcome.hovering.map(({ name, gap, above = '' }) => [name, height(gap), above]);
  return [
    ...(rows.length === 0 ? [] : [`#### ${cell(titleOf(outcome))}`, `${table(COLUMNS, shown.map(rowOf))}${more}`]),
    ...(hovering.length === 0 ? [] : [`#### ${cell(titleOf(outcome))}: hovering`, table(['body', 'height', 'above'], hovering)]),
  ];
}

const COLUMNS = ['depth', 'class', 'body A', 'body B', 'geom A', 'geom B', 'what to do'];

function rowOf({ depth, class: kind, names, advice, accepted }: Finding): string[] {
  return [millimetres(depth), kind, names.bodyA, names.bodyB, names.geomA, names.geomB, accepted === true ? 'accepted' : (advice ?? '')];
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

/** Names are the user's: nothing in them may end a cell or start a tag. */
function cell(text: string): string {
  return plain(text).replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');
}
