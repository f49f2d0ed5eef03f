/** npm run demo: repairs the bundled scene into build/demo/ and shows what moved and what is no longer thrown. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setup } from './setup.mjs';
import { BUILD, exitWith, ROOT } from './steps.mjs';

function demo() {
  const cli = join(ROOT, 'dist', 'cli', 'main.js');
  const scene = join('examples', 'mujoco', 'cluttered_table.xml');
  const folder = join(BUILD, 'demo');
  mkdirSync(folder, { recursive: true });
  const fixed = relative(ROOT, join(folder, 'cluttered_table.xml'));
  console.log(`\n$ s4r fix ${scene} -o ${fixed} --rollout --all\n`);
  const { status, error } = spawnSync(process.execPath, [cli, 'fix', scene, '-o', fixed, '--rollout', '--all'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (error) throw error;
  return status ?? 1;
}

try {
  setup();
  process.exitCode = demo();
} catch (error) {
  exitWith(error);
}
