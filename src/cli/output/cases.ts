/** An outcome as a list of things that can pass or fail. */
import { EXIT } from '../exit-codes.js';
import { deepestOf, type Finding, isHarmful, isProblem } from '../findings.js';
import { count, millimetres } from '../format.js';
import type { Outcome } from '../outcome.js';

export interface Case {
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  /** Class of the worst overlap, or what is wrong otherwise. */
  readonly type: string;
  readonly message: string;
}

/** One case per pair of bodies that overlap, and one for whatever else is wrong; `starts clean` if nothing is. */
export function casesOf(outcome: Outcome): Case[] {
  const { failure, findings, hovering, verdict, exitCode, warnings, notes, fixed } = outcome;
  if (failure !== undefined) return [{ name: 'is read', result: 'error', type: failure.code, message: failure.message }];
  if (exitCode === EXIT.usage) return [{ name: 'has colliders', result: 'failure', type: verdict, message: NOTHING_TO_CHECK }];
  const cases = pairsOf(findings);
  if (verdict === 'warnings') {
    const said = [...hovering.map(({ name, gap }) => `${name} hovers, ${height(gap)}`), ...warnings, ...notes];
    cases.push({ name: 'has no warnings', result: 'failure', type: verdict, message: said.join('; ') });
  } else if (fixed !== undefined && exitCode !== EXIT.ok && !cases.some(({ result }) => result === 'failure')) {
    cases.push({ name: 'is repaired', result: 'failure', type: verdict, message: fixed.result.reason ?? verdict });
  }
  return cases.some(({ result }) => result !== 'skipped')
    ? cases
    : [{ name: 'starts clean', result: 'passed', type: '', message: '' }, ...cases];
}

export const NOTHING_TO_CHECK = 'no colliders: nothing to check';

/** How far something falls. */
export function height(gap: number): string {
  return gap === Infinity ? 'nothing is below' : `${millimetres(gap)} high`;
}

function pairsOf(findings: readonly Finding[]): Case[] {
  const pairs = new Map<string, Finding[]>();
  for (const finding of findings.filter(isHarmful)) {
    const name = `${finding.names.bodyA} - ${finding.names.bodyB}`;
    pairs.set(name, [...(pairs.get(name) ?? []), finding]);
  }
  return [...pairs].map(([name, all]) => {
    const problems = all.filter(isProblem);
    const [worst] = problems.length > 0 ? problems : all;
    const deepest = deepestOf(problems.length > 0 ? problems : all);
    const message = `${count(problems.length, 'overlap')}, deepest ${millimetres(deepest)}: ${worst?.class}; ${worst?.advice}`;
    if (problems.length === 0) return { name, result: 'skipped', type: '', message: `accepted, ${millimetres(deepest)} deep` };
    return { name, result: 'failure', type: worst?.class ?? '', message };
  });
}
