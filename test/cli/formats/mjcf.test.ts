/** MJCF on the command line: the states a file has, and where a repaired one goes. */
import { expect, it } from '@jest/globals';
import { MJCF } from '../../../src/cli/formats/mjcf.js';
import { resultOf, Workspace } from '../../adapters/mjcf/workspace.js';

it('one state unless all keyframes are asked for, each then by its number', async () => {
  const path = Workspace.withFixtures().path('keys.xml');
  expect(await MJCF.states!(path, { key: 'spread', write: 'npz' })).toEqual([{ label: '', flags: { key: 'spread', write: 'npz' } }]);
  const states = await MJCF.states!(path, { key: 'all', write: 'npz' });
  expect(states.map(({ label }) => label)).toEqual(['start', 'spread', 'short', 'keyframe 3']);
  expect(states.map(({ flags }) => flags)).toEqual([0, 1, 2, 3].map((key) => ({ key, write: 'npz' })));
  const positions = await Promise.all(
    states.map(async ({ flags }) => (await MJCF.open(path, flags)).scene.bodies.find(({ name }) => name === 'b')!.X_WB.position),
  );
  expect(positions).toEqual([
    [2, 0, 0],
    [2, 2, 0],
    [0, 0, 0],
    [2, 0, 0],
  ]);
});

it('all keyframes of a file without any is refused', async () => {
  await expect(MJCF.states!(Workspace.withFixtures().path('frames.xml'), { key: 'all' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('--key all: the file has no keyframe'),
  });
});

it('the repaired state goes where --write says', async () => {
  const workspace = Workspace.withFixtures();
  for (const [write, path] of [
    ['keyframe', 'key.xml'],
    ['npz', 'state.npz'],
    [undefined, 'body.xml'],
  ] as const) {
    const open = await MJCF.open(workspace.path('keys.xml'), { ...(write === undefined ? {} : { write }) });
    await open.write(resultOf(open.scene, { a: { shift: [0, 0, 2] } }), { path: workspace.path(path) });
  }
  expect(workspace.text('key.xml')).toContain('<key name="s4r" qpos="0 1 0 2 ');
  expect(workspace.bytes('state.npz').subarray(0, 2).toString()).toBe('PK');
  expect(workspace.text('body.xml')).toContain('<body name="a" pos="1 0 2">');
});
