/** Overlaps and what hovers as text for people. Lengths in mm. */
import type { Evaluation, Hover, OverlapClass } from '../index.js';
import { deepestOf, type Finding, isProblem, pairKey } from './findings.js';
import { count, decimalsFor, fixed, millimetres, plain } from './format.js';
import { type Column, formatTable, shownRows } from './table.js';

/** `24 overlaps between 18 body pairs, deepest 23.1 mm`, of what may move. */
export function summarizeOverlaps({ repairable, repairableBodyPairs, maxDepth, constant, interrupted }: Figures): string {
  if (interrupted) return 'not checked to the end';
  if (repairable === 0) return constant === 0 ? 'no overlaps' : 'no overlaps that can be cured';
  return `${count(repairable, 'overlap')} between ${count(repairableBodyPairs, 'body pair')}, deepest ${millimetres(maxDepth)}`;
}

type Figures = Omit<Evaluation, 'overlaps'>;

/** The same of all that the engine pushes apart and nobody has accepted. */
export function summarizeFindings(findings: readonly Finding[]): string {
  const problems = findings.filter(isProblem);
  const accepted = findings.filter((finding) => finding.accepted === true).length;
  const besides = accepted === 0 ? '' : `, ${accepted} accepted`;
  if (problems.length === 0) return `no overlaps${besides}`;
  const pairs = new Set(problems.map(({ bodyA, bodyB }) => pairKey(bodyA, bodyB)));
  return `${count(problems.length, 'overlap')} between ${count(pairs.size, 'body pair')}, deepest ${millimetres(deepestOf(problems))}${besides}`;
}

/** Table of the overlaps, worst first, and the joints between two bodies of one robot; what needs no cure only with `all`. */
export function showFindings(findings: readonly Finding[], all: boolean): string {
  const rows = all ? findings : findings.filter(isProblem);
  if (rows.length === 0) return '';
  const decimals = decimalsFor(rows.map(({ depth }) => 1000 * depth));
  const columns: Column<Finding>[] = [
    { title: 'depth mm', align: 'right', text: ({ depth }) => fixed(1000 * depth, decimals) },
    { title: 'class', align: 'left', text: (finding) => finding.class },
    { title: 'body A', align: 'left', text: ({ names }) => names.bodyA },
    { title: 'body B', align: 'left', text: ({ names }) => names.bodyB },
    { title: 'geom A', align: 'left', text: ({ names }) => names.geomA },
    { title: 'geom B', align: 'left', text: ({ names }) => names.geomB },
    { title: 'what to do', align: 'left', text: ({ advice = '', accepted }) => (accepted === true ? 'accepted' : advice) },
  ];
  return `\n${formatTable(rows, columns, all)}${showJointChains(rows, all)}`;
}

/** `3 real, 1 constant; harmless: 12 touching, 4 filtered (--all lists them)`; nothing if one class is all there is. */
export function showCounts(counts: Readonly<Record<OverlapClass, number>>, all: boolean): string {
  const listed = (classes: readonly OverlapClass[]) =>
    classes.flatMap((name) => (counts[name] === 0 ? [] : [`${counts[name]} ${name}`])).join(', ');
  const bad = listed(['real', 'contained', 'hull-only', 'constant']);
  const harmless = listed(['touching', 'filtered', 'neighbours', 'intra-body']);
  if (harmless === '') return bad.includes(',') ? `\n${bad}\n` : '';
  return `\n${bad === '' ? '' : `${bad}; `}harmless: ${harmless}${all ? '' : ' (--all lists them)'}\n`;
}

/** Which joints stand between two parts of one robot. */
function showJointChains(rows: readonly Finding[], all: boolean): string {
  const pairs = new Map(
    rows.flatMap(({ names: { bodyA, bodyB }, joints }) =>
      joints === undefined ? [] : [[`${bodyA} - ${bodyB}`, joints.join(', ')] as const],
    ),
  );
  if (pairs.size === 0) return '';
  const lines = [...pairs].map(([pair, joints]) => `  ${plain(pair)}: ${plain(joints)}\n`);
  const shown = shownRows(lines, all);
  const more = lines.length > shown.length ? `  ... and ${lines.length - shown.length} more (--all)\n` : '';
  return `\njoints between them\n${shown.join('')}${more}`;
}

/** Table of what nothing carries, highest first. */
export function showHovering(hovering: readonly Hover[], all: boolean): string {
  if (hovering.length === 0) return '';
  const finite = hovering.map(({ gap }) => 1000 * gap).filter(Number.isFinite);
  const decimals = decimalsFor(finite);
  const columns: Column<Hover>[] = [
    { title: 'hovers mm', align: 'right', text: ({ gap }) => (gap === Infinity ? '-' : fixed(1000 * gap, decimals)) },
    { title: 'body', align: 'left', text: ({ name }) => name },
    { title: 'above', align: 'left', text: ({ above = 'nothing' }) => above },
  ];
  return `\n${formatTable(hovering, columns, all)}`;
}
