/** Outcomes as SARIF 2.1.0, which code hosts show beside the lines. */
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { slashes } from '../../adapters/files/paths.js';
import type { ErrorPlace } from '../../index.js';
import { EXIT } from '../exit-codes.js';
import { type Finding, isHarmful, isProblem } from '../findings.js';
import { millimetres, plain } from '../format.js';
import type { Outcome } from '../outcome.js';
import { jsonText, version } from '../report.js';
import { height, NOTHING_TO_CHECK } from './cases.js';
import type { Run } from './run.js';

/** Id, what it says, and how bad it is. */
const RULES = [
  ['real', 'Two bodies overlap.', 'error'],
  ['contained', 'One solid lies inside another.', 'error'],
  ['hull-only', 'The hulls of two meshes overlap, the meshes do not.', 'warning'],
  ['constant', 'Two bodies overlap that no allowed motion moves apart.', 'error'],
  ['touching', 'Two bodies touch.', 'note'],
  ['filtered', 'Two bodies overlap that the filters keep from colliding.', 'note'],
  ['neighbours', 'Two neighbours in a tree of joints overlap.', 'note'],
  ['intra-body', 'Two parts of one body overlap.', 'note'],
  ['hovering', 'Nothing carries a free body.', 'warning'],
  ['no-colliders', 'The scene has no colliders.', 'error'],
  ['not-repaired', 'The scene could not be repaired.', 'error'],
  ['warning', 'Something about the scene looks wrong.', 'warning'],
] as const;

type RuleId = (typeof RULES)[number][0];

export function sarifReport({ command, outcomes, all, exitCode }: Run): string {
  const failed = outcomes.flatMap((outcome) => (outcome.failure === undefined ? [] : [{ outcome, failure: outcome.failure }]));
  const notifications = failed.map(({ outcome, failure: { code, message, file, line } }) => ({
    descriptor: { id: code },
    level: 'error',
    message: { text: plain(message) },
    locations: [location({ file: file ?? outcome.file, line })],
  }));
  const rules = RULES.map(([id, text, level]) => ({ id, shortDescription: { text }, defaultConfiguration: { level } }));
  const run = {
    tool: { driver: { name: 's4r', semanticVersion: version, rules } },
    invocations: [{ executionSuccessful: failed.length === 0, exitCode, toolExecutionNotifications: notifications }],
    columnKind: 'utf16CodeUnits',
    automationDetails: { id: `s4r/${command}` },
    results: outcomes.flatMap((outcome) => resultsOf(outcome, all)),
  };
  return jsonText({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] });
}

function resultsOf(outcome: Outcome, all: boolean): object[] {
  const { findings, hovering, warnings, failure, exitCode, fixed } = outcome;
  if (failure !== undefined) return [];
  const place: ErrorPlace = { file: outcome.file };
  if (exitCode === EXIT.usage) return [result(outcome, 'no-colliders', NOTHING_TO_CHECK, place)];
  const listed = all ? findings : findings.filter(isHarmful);
  const unrepaired = fixed !== undefined && exitCode !== EXIT.ok && !findings.some(isProblem);
  return [
    ...listed.map((finding) => overlapResult(outcome, finding)),
    ...hovering.map(({ name, gap, above }) => {
      return result(outcome, 'hovering', `'${name}' hovers, ${height(gap)}${above === undefined ? '' : ` above '${above}'`}`, place);
    }),
    ...(unrepaired ? [result(outcome, 'not-repaired', `${fixed.result.status}: ${fixed.result.reason ?? ''}`, place)] : []),
    ...warnings.map((warning) => result(outcome, 'warning', warning, place)),
  ];
}

function overlapResult(outcome: Outcome, { names, class: kind, depth, advice, accepted, place }: Finding): object {
  const { bodyA, bodyB, geomA, geomB } = names;
  const text = `'${bodyA}' and '${bodyB}' overlap by ${millimetres(depth)} (${geomA}, ${geomB})${advice === undefined ? '' : `: ${advice}`}`;
  const found = result(outcome, kind, text, place ?? { file: outcome.file }, [geomA, geomB]);
  return accepted === true ? { ...found, suppressions: [{ kind: 'external', justification: 'in the baseline' }] } : found;
}

function result({ state }: Outcome, ruleId: RuleId, text: string, place: ErrorPlace, geoms: readonly string[] = []): object {
  const rule = RULES.findIndex(([id]) => id === ruleId);
  const logical = geoms.map((name) => ({ name: plain(name), kind: 'object' }));
  return {
    ruleId,
    ruleIndex: rule,
    level: RULES[rule]?.[2],
    message: { text: plain(state === undefined ? text : `${text}, in the state '${state}'`) },
    locations: [{ ...location(place), ...(logical.length === 0 ? {} : { logicalLocations: logical }) }],
  };
}

function location({ file = '', line }: ErrorPlace): object {
  const region = line === undefined ? {} : { region: { startLine: line } };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region } };
}

/** Relative to the current directory where it lies below it, as code hosts want it. */
function uriOf(file: string): string {
  const base = pathToFileURL(`${process.cwd()}/`).href;
  const url = pathToFileURL(resolve(file)).href;
  if (url.startsWith(base)) return url.slice(base.length);
  return isAbsolute(file) ? url : encodeURI(slashes(file));
}
