/** The examples run as they stand, by the public API of the built package. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = (args: readonly string[]) =>
  // Jest's own flags are no business of the example's.
  promisify(execFile)(process.execPath, ['examples/mujoco/scale-editor.mjs', ...args], { env: { ...process.env, NODE_OPTIONS: '' } });

test('scale-editor: two bodies swap places while they are small', async () => {
  const folder = mkdtempSync(join(tmpdir(), 's4r-'));
  try {
    const out = join(folder, 'out.xml');
    const { stdout } = await run(['examples/mujoco/cluttered_table.xml', 'mug', 'soup_can', out]);
    expect(stdout).toContain('at 0.4 of their size, no bodies overlap');
    expect(stdout).toMatch(/^solved: \d+ -> 0 overlaps$/m);
    // The two end where the other one was, give or take what growing moves.
    const position = (file: string, name: string) => {
      const [, numbers = ''] = new RegExp(`name="${name}"[^>]*pos="([^"]+)"`).exec(readFileSync(file, 'utf8')) ?? [];
      return numbers.split(/\s+/).map(Number);
    };
    const distance = (a: number[], b: number[]) => Math.hypot(...a.map((value, k) => value - (b[k] as number)));
    const before = (name: string) => position('examples/mujoco/cluttered_table.xml', name);
    const apart = distance(before('mug'), before('soup_can'));
    expect(distance(position(out, 'mug'), before('soup_can'))).toBeLessThan(0.5 * apart);
    expect(distance(position(out, 'soup_can'), before('mug'))).toBeLessThan(0.5 * apart);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('scale-editor: a name that is not there is bad input', async () => {
  await expect(run(['examples/mujoco/cluttered_table.xml', 'mug', 'nobody'])).rejects.toMatchObject({ code: 2 });
});
