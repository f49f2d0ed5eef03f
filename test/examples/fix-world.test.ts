/** The example for Rapier runs as it stands, by the public API of the built package. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('fix-world: overlaps end, and with them the jolt', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/rapier/fix-world.mjs'], {
    // Jest's own flags are no business of the example's.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stdout).toMatch(/^solved: \d\d+ -> 0 overlaps$/m);
  expect(stdout).toMatch(/^ {2}(crate|ball|cushion)_\d+ +\d+\.\d mm$/m);
  const [, before, after] = /^peak speed (\S+) -> (\S+) m\/s$/m.exec(stdout) ?? [];
  expect(Number(before)).toBeGreaterThan(0.5);
  expect(Number(after)).toBeLessThan(0.002);
});
