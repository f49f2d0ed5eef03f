/** Native jobs and the end of what they run in: no crash, no process that stays behind. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { beforeAll, expect, test } from '@jest/globals';
import { resolveOptions } from '../../src/core/options.js';
import { packScene } from '../../src/core/pack.js';
import { pile } from '../scenes/scenes.js';

const ADDON = fileURLToPath(new URL('../../build/native/s4r.node', import.meta.url));
const CHILD = fileURLToPath(new URL('./native-lifetime.child.mjs', import.meta.url));

let input: string;
beforeAll(() => {
  // Takes several seconds if nothing stops it.
  input = join(mkdtempSync(join(tmpdir(), 's4r-')), 'input.bin');
  writeFileSync(input, serialize({ scene: packScene(pile(3000)), options: resolveOptions({ threads: 1 }) }));
});

test.each([
  ['exit', 3],
  ['exitInCallback', 3],
  ['abandon', 0],
  ['terminate', 0],
])('%s ends the process promptly with code %i', (ending, code) => {
  const start = performance.now();
  const { status, signal, stderr } = spawnSync(process.execPath, [CHILD, ADDON, input, ending], { encoding: 'utf8', timeout: 60_000 });
  expect({ status, signal, stderr }).toEqual({ status: code, signal: null, stderr: '' });
  expect(performance.now() - start).toBeLessThan(5000);
});
