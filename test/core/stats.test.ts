import { expect, test } from '@jest/globals';
import { resolveOptions } from '../../src/core/options.js';
import { StatsCollector } from '../../src/core/stats.js';
import { solution } from './fake-backend.js';

const options = resolveOptions({ threads: 4, margin: 0.3 });

test('without a run all counts are zero', () => {
  const stats = new StatsCollector().summary(options, 'fake');
  expect(stats).toMatchObject({ algorithmStatus: 'not-run', steps: 0, qpVariablesMean: 0, margin: 0.3, threads: 4, backend: 'fake' });
});

test('counts and times add up over runs; scale, margin and status are those of the chosen one', () => {
  const collector = new StatsCollector();
  const first = solution(0, 'stagnation', '', {
    margin: 0.3,
    finalScale: 0.5,
    steps: 1,
    qpSolves: 1,
    qpVariablesMean: 8,
    qpVariablesMax: 9,
    msQp: 1,
    msCleanup: 4,
    tailLeft: 6,
    cleanupLeft: 3,
  });
  const second = solution(0, 'solved', '', {
    margin: 0.1,
    finalScale: 1,
    steps: 2,
    qpSolves: 3,
    qpVariablesMean: 4,
    qpVariablesMax: 5,
    msQp: 2,
    msCleanup: 0,
    tailLeft: 0,
    cleanupLeft: -1,
  });
  collector.add(first, 'reference');
  collector.add(second, 'reference');
  collector.evaluation.before = 7;
  expect(collector.summary(options, 'fake', first)).toMatchObject({
    algorithmStatus: 'stagnation',
    finalScale: 0.5,
    margin: 0.3,
    steps: 3,
    qpSolves: 4,
    qpVariablesMean: 5,
    qpVariablesMax: 9,
    overlapsAfterTail: 6,
    overlapsAfterCleanup: 3,
    milliseconds: { evaluateBefore: 7, qp: 3, cleanup: 4, solve: 20, evaluateAfter: 0 },
  });
  expect(collector.summary(options, 'fake')).toMatchObject({
    algorithmStatus: 'solved',
    margin: 0.1,
    overlapsAfterTail: 0,
    overlapsAfterCleanup: -1,
  });
});
