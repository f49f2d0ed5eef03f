/** `s4r rollout`. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  scene = await folder.write('scene.xml', OVERLAPPING);
});

afterAll(async () => await folder.remove());

test('reports peaks with body and time', async () => {
  const { code, stdout, stderr } = await s4r(['rollout', scene, '--no-gravity']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^MuJoCo [\d.]+: 1 s in 500 steps of 2 ms, no gravity$/m);
  expect(stdout).toMatch(/^3 floating bodies$/m);
  expect(stdout).toMatch(/^ {2}peak speed +0\.\d+ m\/s {2}(left|right), at 0\.\d+ s$/m);
  expect(stdout).toMatch(/^4 contacts at the start, 4 penetrating, deepest 20 mm \(left, right\)$/m);
  expect(stdout).toMatch(/^no contacts at the end$/m);
});

test('takes seconds, time step and gravity', async () => {
  const { code, stdout } = await s4r(['rollout', scene, '--seconds', '0.1', '--timestep', '0.001', '--json']);
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ command: 'rollout', steps: 100, timestep: 0.001, gravity: [0, 0, -9.81], badStep: null });
});

test('an unstable scene: exit code 1, and where it broke', async () => {
  const unstable = OVERLAPPING.replace('<mujoco>', '<mujoco><option gravity="1e12 0 0"/>');
  const { code, stdout } = await s4r(['rollout', await folder.write('unstable.xml', unstable)]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^unstable at step 1 \((qacc|qvel) of left\): stopped there$/m);
});

test('an aborted rollout ends with 130 and no output', async () => {
  const { code, stdout, stderr } = await s4r(['rollout', scene, '--seconds', '1e6'], { signal: AbortSignal.timeout(200) });
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: 's4r: interrupted\n' });
});
