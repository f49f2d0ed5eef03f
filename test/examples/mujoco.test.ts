/** examples/mujoco/fix.mjs runs as it stands, by the public API of the built package. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('fix: the table of moves, and the peak speed before and after', async () => {
  const folder = mkdtempSync(join(tmpdir(), 's4r-'));
  try {
    const out = join(folder, 'fixed.xml');
    const scene = 'examples/mujoco/cluttered_table.xml';
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/mujoco/fix.mjs', scene, out], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(stdout).toMatch(/^solved: 87 -> 0 overlaps$/m);
    expect(stdout.match(/^ {2}\w+ moved by [\d.]+ mm$/gm)).toHaveLength(25);
    const [, before, after] = /^peak speed ([\d.]+) -> ([\d.]+) m\/s$/m.exec(stdout) ?? [];
    expect(Number(before)).toBeGreaterThan(3);
    expect(Number(after)).toBe(0);
    expect(readFileSync(out, 'utf8').split('\n')).toHaveLength(readFileSync(scene, 'utf8').split('\n').length);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
