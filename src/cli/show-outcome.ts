/** Outcomes as text for people. */

import { EXIT } from './exit-codes.js';
import { isProblem } from './findings.js';
import type { Fixed } from './fix-state.js';
import { count, duration, millimetres } from './format.js';
import { oneLine } from './io.js';
import { type Outcome, tallied, titleOf } from './outcome.js';
import { NOTHING_TO_CHECK } from './output/cases.js';
import { showCounts, showFindings, showHovering, summarizeFindings, summarizeOverlaps } from './show-findings.js';
import { showJoints } from './show-joints.js';
import { showMoves, showStanding } from './show-moves.js';
import { showLifted, showSupports } from './show-placement.js';
import { showRolloutPairs } from './show-rollout.js';

/** What one check or repair found and did; nothing if it failed, which stderr says. */
export function showOutcome(outcome: Outcome, all: boolean): string {
  const { checked, fixed, findings, hovering } = outcome;
  const title = titleOf(outcome);
  if (fixed !== undefined) return showFixed(title, outcome, fixed, all);
  if (checked === undefined) return '';
  return [
    `${title}: ${summarizeOutcome(outcome)}\n`,
    showFindings(findings, all),
    showCounts(checked.counts, all),
    showHovering(hovering, all),
  ].join('');
}

/** The same in one line; empty if it failed. */
export function summarizeOutcome(outcome: Outcome): string {
  const { checked, fixed, findings, exitCode } = outcome;
  if (fixed === undefined && checked === undefined) return '';
  if (exitCode === EXIT.usage) return NOTHING_TO_CHECK;
  return fixed === undefined ? summarizeFindings(findings) : summarizeFix(outcome, fixed.result);
}

/** `40 scenes: 37 clean, 2 overlapping, 1 failed`. */
export function summarized(outcomes: readonly Outcome[]): string {
  const verdicts = Object.entries(tallied(outcomes)).map(([verdict, number]) => `${number} ${verdict}`);
  return `${count(outcomes.length, 'scene')}: ${verdicts.join(', ')}`;
}

function showFixed(title: string, outcome: Outcome, { result, joints, written, dryRun, rollouts }: Fixed, all: boolean): string {
  const { findings, exitCode } = outcome;
  if (exitCode === EXIT.usage) return `${title}: ${NOTHING_TO_CHECK}\n`;
  const left = findings.some(isProblem);
  const paths = written.map((path) => `${dryRun ? 'would write' : 'wrote'} ${path}\n`).join('');
  return [
    `${title}: ${summarizeOverlaps(result.before)}\n`,
    showMoves(result.moves, all),
    showJoints(joints, result.joints ?? [], all),
    showStanding(result.standing ?? [], all),
    left ? `\nleft: ${summarizeFindings(findings)}\n${showFindings(findings, all)}` : '',
    showSupports(result, all),
    showLifted(result, all),
    showRolloutPairs(rollouts, all),
    `\n${summarizeFix(outcome, result)}\n`,
    written.length === 0 ? 'nothing written\n' : paths,
  ].join('');
}

/** `solved: 3 -> 0 overlaps; 2 bodies moved, at most 5 mm; 12 ms`. */
function summarizeFix({ findings }: Outcome, { status, reason, before, moves, stats }: Fixed['result']): string {
  const constant = findings.filter((finding) => isProblem(finding) && finding.constant).length;
  const incurable = constant === 0 ? [] : [`${count(constant, 'overlap')} that no allowed motion cures`];
  if (status === 'clean') return `${status}: ${incurable.length === 0 ? 'nothing to do' : `nothing that can move overlaps; ${incurable}`}`;
  const { evaluateBefore, solve, evaluateAfter } = stats.milliseconds;
  const moved = `${count(moves.length, 'body', 'bodies')} moved, at most ${millimetres(moves[0]?.distance ?? 0)}`;
  const parts = [
    oneLine(reason ?? `${before.repairable} -> 0 overlaps`),
    ...incurable,
    ...(moves.length === 0 ? [] : [moved]),
    duration(evaluateBefore + solve + evaluateAfter),
  ];
  return `${status}: ${parts.join('; ')}`;
}
