/** USD as a format of the command line. */
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { ISAAC } from '../../../src/cli/formats/isaac.js';
import { resultOf, Workspace } from '../../adapters/mjcf/workspace.js';
import { s4r } from '../terminal.js';

const OPS = fileURLToPath(new URL('../../fixtures/usd/ops.usda', import.meta.url));

it('is told by its first bytes', () => {
  expect(ISAAC.recognises(Buffer.from('#usda 1.0\n'))).toBe(true);
  expect(ISAAC.recognises(Buffer.from('\xef\xbb\xbf#usda 1.0\n', 'latin1'))).toBe(true);
  expect(ISAAC.recognises(Buffer.from('PXR-USDC\0\x08'))).toBe(true);
  expect(ISAAC.recognises(Buffer.from('<mujoco/>'))).toBe(false);
});

it('writes a layer, or by the extension a table relative to an origin', async () => {
  const workspace = new Workspace();
  const { scene, inputs, write } = await ISAAC.open(OPS, { envOrigin: [0, 1, 0] });
  expect(inputs.map((path) => path.split('/').at(-1))).toEqual(['ops.usda', 'cup.usda']);
  const result = resultOf(scene, { '/World/double': { shift: [1, 0, 0] } });
  await write(result, { path: workspace.path('x.json') });
  await expect(write(result, { path: workspace.path('x.usda') })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('the origin of an environment is for a table of poses'),
  });
  await (await ISAAC.open(OPS, {})).write(result, { path: workspace.path('x.usda') });
  expect(workspace.text('x.usda')).toContain('over "double"');
  expect(workspace.text('x.json')).toContain('"frame": "env"');
});

it('takes an origin as three numbers', () => {
  const origin = ISAAC.writeOptions!.find((option) => option.attributeName() === 'envOrigin')!;
  expect(origin.parseArg!('0, 2.5,-1', undefined)).toEqual([0, 2.5, -1]);
  for (const bad of ['1,2', '1,2,3,4', '1,,2', 'a,b,c', '1,2,inf'])
    expect(() => origin.parseArg!(bad, undefined)).toThrow('Expected three numbers');
});

const CUBE = '(prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) { double size = 0.1 }';
const TWO = `#usda 1.0\ndef Cube "a" ${CUBE}\ndef Cube "b" ${CUBE}\n`;

it('goes through a dry run and a diff without a place to write to', async () => {
  const workspace = new Workspace();
  workspace.put('two.usda', TWO);
  const would = await s4r(['fix', workspace.path('two.usda'), '--dry-run']);
  expect({ ...would, stdout: would.stdout.split('\n').at(-2) }).toEqual({
    code: 0,
    stdout: `would write ${workspace.path('two.fixed.usda')}`,
    stderr: expect.stringMatching(/^s4r: note: own operations/),
  });
  const { code, stdout } = await s4r(['fix', workspace.path('two.usda'), '--diff']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`--- /dev/null\n+++ ${workspace.path('two.fixed.usda')}\n`),
  });
});

it('from standard input has no stage that a layer could lead to, but a table of poses', async () => {
  const workspace = new Workspace();
  for (const args of [['-o', workspace.path('layer.usda')], ['--diff']]) {
    const { code, stderr } = await s4r(['fix', '-', ...args], { stdin: TWO });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/standard input has none; give the file itself\n$/) });
  }
  expect((await s4r(['fix', '-', '-o', workspace.path('poses.json')], { stdin: TWO })).code).toBe(0);
  expect((await s4r(['fix', '-', '--dry-run'], { stdin: TWO })).code).toBe(0);
});
