/** `npm run bench` as a process: it needs the built s4r. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { describeShared } from '../shared-data.js';

function bench(...args: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '' }; // Jest's own flags are no business of the bench's
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.mjs', ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

test.each([[[]], [['no-such-bench']], [['run']], [['../scripts/demo']]])('%j: usage, and exit code 2', (args) => {
  const { status, stdout, stderr } = bench(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^usage: npm run bench -- NAME \[options\]; benches: .*real-scenes/);
});

describeShared('real-scenes', () => {
  const UNWRITABLE = 'perf/mixed';

  test('--json prints rows in m, s and m/s', () => {
    const { status, stdout, stderr } = bench('real-scenes', '--json', 'hammock', 'vis_interact/boxes', UNWRITABLE);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [mixed, boxes, hammock, ...others] = JSON.parse(stdout);
    expect(others).toEqual([]);
    expect(boxes).toMatchObject({ scene: expect.stringMatching(/boxes\.xml$/), key: null, status: 'solved', notWritten: null, dt: 0.002 });
    expect(boxes).toMatchObject({ pairsBefore: 1, pairsAfter: 0, contactsBefore: 2, contactsAfter: 0, moved: 2, movable: 3 });
    expect(boxes.maxMove).toBeLessThan(0.03);
    expect(boxes.peakBefore).toBeGreaterThan(0.1);
    expect(boxes.peakAfter).toBeLessThan(1e-6);
    // Its overlaps are with a flex, which takes no part.
    expect(hammock).toMatchObject({ key: '0', status: 'clean', contactsBefore: 0, flexContactsBefore: 72, flexContactsAfter: 72 });
    // Solved and verified, whether it can be written or not.
    expect(mixed).toMatchObject({ status: 'solved', pairsBefore: 7, pairsAfter: 0, contactsBefore: 13, contactsAfter: 0 });
    expect(mixed.peakAfter).toBeLessThan(0.01);
  });

  test('prints a table that ends with totals', () => {
    const { status, stdout } = bench('real-scenes', 'vis_interact/boxes');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^scene +status +pairs .* dt ms +peak m\/s$/m);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^1 scene: 1 solved, 0 not written; pairs 1 -> 0; contacts 2 -> 0; moved 2 of 3; /);
  });

  test.each([[['no-such-scene']], [['--no-such-option']]])('%j: exit code 2', (args) => {
    const { status, stdout, stderr } = bench('real-scenes', ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
