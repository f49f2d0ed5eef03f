/** The example for Isaac runs as it stands, by the public API of the built package, and its Python side without Isaac. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { isaac } from '../../src/adapters/isaac/index.js';
import { resultOf } from '../adapters/mjcf/workspace.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 's4r-isaac-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('fix-stage: a layer, a table, and a scene that stands still', async () => {
  const [layer, table] = [join(folder, 'fixed.usda'), join(folder, 'poses.json')];
  const args = ['examples/isaac/fix-stage.mjs', 'examples/isaac/table.usda', layer, table];
  // Jest's own flags are no business of the example's.
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
  expect(stdout).toMatch(/^solved: \d+ -> 0 overlaps$/m);
  expect(stdout).toMatch(/\/World\/ball moved by \d+\.\d mm/);
  const [, before, after] = /^peak speed ([\d.]+) -> ([\d.]+) m\/s$/m.exec(stdout) ?? [];
  expect(Number(before)).toBeGreaterThan(0.1);
  expect(Number(after)).toBeLessThan(0.01);
  const text = readFileSync(layer, 'utf8');
  expect(text).toContain('matrix4d xformOp:transform = ');
  expect(text).not.toContain('bottle');
  expect(JSON.parse(readFileSync(table, 'utf8'))).toMatchObject({ format: 's4r-root-poses', frame: 'world' });
});

test('fix-stage: a file that is not there is bad input', async () => {
  await expect(
    run(process.execPath, ['examples/isaac/fix-stage.mjs', 'nothing.usda'], { env: { ...process.env, NODE_OPTIONS: '' } }),
  ).rejects.toMatchObject({
    code: 2,
  });
});

const PYTHON = process.env.S4R_PYTHON ?? 'python3';

function hasPython(): boolean {
  try {
    execFileSync(PYTHON, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// In CI its absence is a failure: the tests run, and fail.
const describePython = hasPython() || process.env.CI === 'true' ? describe : describe.skip;

describePython(`the reset event (needs ${PYTHON})`, () => {
  beforeAll(async () => {
    const { scene, source } = await isaac.read('examples/isaac/table.usda');
    for (const name of ['poses.json', 'poses.npz']) await isaac.write(source, resultOf(scene, {}), join(folder, `own-${name}`));
  });

  it.each(['own-poses.json', 'own-poses.npz'])('passes its own tests, with %s', async (name) => {
    const env = { ...process.env, S4R_TABLE: join(folder, name), PYTHONDONTWRITEBYTECODE: '1' };
    const { stderr } = await run(PYTHON, ['-m', 'unittest', 'discover', 'examples/isaac'], { env });
    expect(stderr).toMatch(/^Ran \d+ tests/m);
    expect(stderr).toMatch(/^OK/m);
  });
});
