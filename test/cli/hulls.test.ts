/** F8: a ball in a cup whose mesh the engine closes by its hull. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CUP, cupMesh, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await folder.write('cup.obj', cupMesh());
  scene = await folder.write('cup.xml', CUP);
});

afterAll(async () => await folder.remove());

test('has an exit code of its own, and better advice than to move', async () => {
  const { code, stdout } = await s4r(['check', scene]);
  expect(code).toBe(4);
  expect(stdout).toMatch(/^ +20\.00 +hull-only +cup +ball +cup +ball +decompose mesh$/m);
  expect(JSON.parse((await s4r(['check', scene, '--json'])).stdout)).toMatchObject({
    verdict: 'hull-only',
    overlaps: [{ surfaceDepth: 0 }],
  });
  const both = await s4r(['check', scene, await folder.write('overlapping.xml', OVERLAPPING)]);
  expect(both.code).toBe(1);
});

test('a repair that moves them apart warns; --allow leaves them', async () => {
  const { code, stderr } = await s4r(['fix', scene, '--dry-run']);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^s4r: warning: 'cup' and 'ball' overlapped with their hulls only; .* decompose the mesh, .* --allow 'cup:ball'\n$/,
  );
  expect(await s4r(['fix', scene, '--dry-run', '--allow', 'cup:ball'])).toMatchObject({ code: 0, stderr: '' });
});

test('what is left of hulls only keeps its class', async () => {
  const { code, stdout } = await s4r(['fix', scene, '--dry-run', '--max-shift', '0.001']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ +[\d.]+ +hull-only +cup +ball +cup +ball +decompose mesh$/m);
});

test('a mesh that does overlap is real', async () => {
  const file = await folder.write('real.xml', CUP.replace('0 0 0.1"', '0.035 0 0.1"'));
  const { code, stdout } = await s4r(['check', file]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/ real +cup +ball .* move$/m);
});

test('so does one in which nothing but a joint moves', async () => {
  const jointed = CUP.replace('<body name="cup"><freejoint/>', '<body name="cup">').replace(
    '<freejoint/><geom name="ball"',
    '<joint name="lift" type="slide" axis="0 0 1"/><geom name="ball"',
  );
  const file = await folder.write('jointed.xml', jointed);
  const { code, stderr } = await s4r(['fix', file, '--dry-run', '--free-joints', 'lift']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/warning: 'cup' and 'ball' overlapped with their hulls only/);
});
