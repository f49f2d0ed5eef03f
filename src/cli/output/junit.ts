/** Outcomes as JUnit XML: a test suite per file and state, a test case per pair of bodies. No times: same input, same bytes. */
import { escapeXml } from '../../adapters/files/xml.js';
import { plain } from '../format.js';
import { titleOf } from '../outcome.js';
import { type Case, casesOf } from './cases.js';
import type { Run } from './run.js';

export function junitReport({ command, outcomes }: Run): string {
  const suites = outcomes.map((outcome) => ({
    title: titleOf(outcome),
    cases: casesOf(outcome),
    said: [...outcome.warnings, ...outcome.notes],
  }));
  const all = suites.flatMap(({ cases }) => cases);
  const lines = suites.flatMap(({ title, cases, said }) => [
    `  <testsuite name="${text(title)}"${counts(cases)}>`,
    ...cases.flatMap((each) => caseLines(title, each)),
    ...(said.length === 0 ? [] : [`    <system-out>${text(said.join('\n'))}</system-out>`]),
    '  </testsuite>',
  ]);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites name="s4r ${command}"${counts(all)}>`, ...lines, '</testsuites>'].join('\n')}\n`;
}

function caseLines(title: string, { name, result, type, message }: Case): string[] {
  const start = `    <testcase classname="${text(title)}" name="${text(name)}"`;
  if (result === 'passed') return [`${start}/>`];
  const attributes = result === 'skipped' ? '' : ` type="${text(type)}"`;
  return [`${start}>`, `      <${result}${attributes} message="${text(message)}"/>`, '    </testcase>'];
}

function counts(cases: readonly Case[]): string {
  const of = (wanted: Case['result']) => cases.filter(({ result }) => result === wanted).length;
  return ` tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

/** XML 1.0 has no way to write most control characters. */
function text(value: string): string {
  return escapeXml(value.split('\n').map(plain).join('\n'));
}
