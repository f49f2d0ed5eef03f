/** Which files are written, and which never are. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Result } from '../../../src/core/result.js';
import { repair } from './repair.js';
import { resultOf, Workspace } from './workspace.js';

describe('targets', () => {
  const changes = { a: { shift: [0, 0, 2] } } as const;

  it('may exist, and keep their permissions', async () => {
    const workspace = Workspace.withFixtures();
    workspace.put('out.xml', 'old');
    chmodSync(workspace.path('out.xml'), 0o640);
    await repair(workspace, { input: 'keys.xml', output: 'out.xml', changes });
    expect(workspace.text('out.xml')).toContain('pos="1 0 2"');
    expect(statSync(workspace.path('out.xml')).mode & 0o777).toBe(0o640);
  });

  it('that are links are written through', async () => {
    const workspace = Workspace.withFixtures();
    symlinkSync(workspace.path('keys.xml'), workspace.path('link.xml'));
    await repair(workspace, { input: 'link.xml', changes });
    expect(workspace.text('keys.xml')).toContain('pos="1 0 2"');
    expect(
      readdirSync(workspace.root, { withFileTypes: true })
        .find((entry) => entry.name === 'link.xml')!
        .isSymbolicLink(),
    ).toBe(true);
  });

  it('keep their owner where that is allowed', async () => {
    const workspace = Workspace.withFixtures();
    if (process.getuid?.() === 0) chownSync(workspace.path('keys.xml'), 1234, 1234);
    const owner = statSync(workspace.path('keys.xml')).uid;
    await repair(workspace, { input: 'keys.xml', changes });
    expect(statSync(workspace.path('keys.xml')).uid).toBe(owner);
  });

  it('may have names as long as names can be', async () => {
    const workspace = Workspace.withFixtures();
    await repair(workspace, { input: 'keys.xml', output: `${'x'.repeat(251)}.xml`, changes });
    expect(readdirSync(workspace.root)).toContain(`${'x'.repeat(251)}.xml`);
  });

  it('nobody named are files that were not there, or that the output included so far', async () => {
    const workspace = Workspace.withFixtures();
    workspace.put('include/fixed.objects.xml', 'precious');
    const fix = (z: number) =>
      repair(workspace, { input: 'include/scene.xml', output: 'include/fixed.xml', changes: { nested: { shift: [0, 0, z] } } });
    const { output } = await fix(1);
    const names = output.files.map(({ path }) => path.slice(workspace.path('include/').length));
    expect(names).toContain('fixed.2.objects.xml');
    expect(workspace.text('include/fixed.objects.xml')).toBe('precious');
    expect((await fix(2)).output.files.map(({ path }) => path)).toEqual(output.files.map(({ path }) => path));
  });

  it('need not be writable in a dry run', async () => {
    if (process.getuid?.() === 0) return; // nothing stops root
    const workspace = Workspace.withFixtures();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    chmodSync(workspace.path('keys.xml'), 0o444);
    chmodSync(workspace.root, 0o555);
    const dry = await mjcf.write(source, resultOf(scene, changes), { path: workspace.path('keys.xml'), inPlace: true, dryRun: true });
    chmodSync(workspace.root, 0o755);
    expect(dry.files).toHaveLength(1);
  });

  it('must not be one file under two names', async () => {
    const workspace = new Workspace();
    workspace.put(
      'scene.xml',
      '<mujoco><worldbody><include file="a.xml"/><frame pos="1 0 0"><include file="b.xml"/></frame></worldbody></mujoco>',
    );
    workspace.put('a.xml', '<mujoco><body pos="0 0 1"><freejoint/><geom size=".1"/></body></mujoco>');
    symlinkSync('a.xml', workspace.path('b.xml'));
    const before = workspace.snapshot();
    const changes = { body_1: { shift: [0, 0, 1] }, body_2: { shift: [0, 0, 2] } } as const;
    const message = expect.stringMatching(/b\.xml: the scene includes .*a\.xml under two names/);
    await expect(repair(workspace, { input: 'scene.xml', changes })).rejects.toMatchObject({ code: 'OUTPUT', message });
    expect(workspace.snapshot()).toEqual(before);
    await repair(workspace, { input: 'scene.xml', output: 'fixed.xml', changes });
  });

  it.each([
    ['the scene itself', 'keys.xml', /keys\.xml: it is a file of the scene/],
    ['a link to the scene', 'link.xml', /link\.xml: it is a file of the scene/],
    ['a folder', 'attach', /attach: it is a directory/],
    ['a missing folder', 'no/out.xml', /no such directory/],
    ['a pipe or a device', 'pipe', /pipe: it is no regular file/],
    ['a link to nowhere', 'dangling.xml', /dangling\.xml: it is a link that leads nowhere/],
  ])('must not be %s', async (_, output, message) => {
    const workspace = Workspace.withFixtures();
    symlinkSync(workspace.path('keys.xml'), workspace.path('link.xml'));
    symlinkSync('nothing', workspace.path('dangling.xml'));
    execFileSync('mkfifo', [workspace.path('pipe')]);
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    const attempt = mjcf.write(source, resultOf(scene, changes), workspace.path(output));
    await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringMatching(message) });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('must not be an asset or an included file of the scene', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('include/scene.xml'));
    for (const output of ['assets/l-shape.obj', 'include/parts/nested.xml']) {
      const attempt = mjcf.write(source, resultOf(scene, { own: { shift: [1, 0, 0] } }), workspace.path(output));
      await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT' });
    }
    const elsewhere = mjcf.write(source, resultOf(scene, {}), workspace.path('keys.xml'), { inPlace: true });
    await expect(elsewhere).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringContaining('in place means') });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('must not have changed since they were read', async () => {
    const workspace = Workspace.withFixtures();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    workspace.put('keys.xml', workspace.text('keys.xml').replace('<mujoco>', '<mujoco> '));
    const before = workspace.snapshot();
    const attempt = mjcf.write(source, resultOf(scene, changes), workspace.path('keys.xml'), { inPlace: true });
    await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringContaining('changed since it was read') });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('are not touched for a result that does not fit the scene', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('filters.xml'));
    const pose = { position: [9, 9, 9], quaternion: [1, 0, 0, 0] } as const;
    const withPose = (name: string, value: unknown) => {
      const { poses } = resultOf(scene, {});
      return { poses: poses.map((old, i) => (scene.bodies[i]!.name === name ? value : old)) } as unknown as Result;
    };
    for (const [result, message] of [
      [{ poses: [] } as unknown as Result, /0 poses, the scene \d+ bodies/],
      [withPose('shelf', pose), /moves body 'shelf' on its own, but no free joint/],
      [withPose('robot leg', pose), /moves body 'robot leg' on its own, but it hangs on 'robot'/],
      [withPose('mug', { ...pose, position: [NaN, 0, 0] }), /body 'mug' at a pose that is not finite/],
    ] as const) {
      const attempt = mjcf.write(source, result, workspace.path('out.xml'));
      await expect(attempt).rejects.toMatchObject({ code: 'INVALID_SCENE', message: expect.stringMatching(message) });
    }
    expect(workspace.snapshot()).toEqual(before);
  });
});
