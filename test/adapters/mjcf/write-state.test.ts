/** Other places for the repaired state: a keyframe of its own, and a NumPy archive. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeNpz } from '../../../src/adapters/files/npz.js';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { expectPoses, replaced } from './repair.js';
import { QUARTER_X, resultOf, Workspace } from './workspace.js';

const changes = { a: { shift: [0, 0, 2] }, b: { turn: QUARTER_X } } as const;

async function written(workspace: Workspace, input: string, as: 'body' | 'keyframe' | 'npz', output = input, key?: string) {
  const { scene, source } = await mjcf.read(workspace.path(input), { key });
  const result = resultOf(scene, changes);
  return { scene, result, output: await mjcf.write(source, result, workspace.path(output), { inPlace: output === input, as }) };
}

describe('a keyframe of its own', () => {
  it('holds the repaired state, and leaves all else alone', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('keys.xml');
    const job = await written(workspace, 'keys.xml', 'keyframe');
    expect(job.output).toMatchObject({
      newKey: 's4r',
      notes: ["the repaired state is the new keyframe 's4r', since a keyframe was asked for"],
    });
    const s = Math.SQRT1_2;
    const key = `  <keyframe>\n    <key name="s4r" qpos="0 1 0 2 1 0 0 0 2 0 0 ${s} ${s} 0 0"/>\n  </keyframe>\n`;
    expect(workspace.text('keys.xml')).toBe(replaced(before, [['</mujoco>', `${key}</mujoco>`]]));
    await expectPoses(workspace, 'keys.xml', job, 's4r');
    expect((await mjcf.read(workspace.path('keys.xml'))).scene).toEqual(job.scene);
  });

  it('is replaced by the next one', async () => {
    const workspace = Workspace.withFixtures();
    await written(workspace, 'keys.xml', 'keyframe');
    const once = workspace.text('keys.xml');
    await written(workspace, 'keys.xml', 'keyframe');
    expect(workspace.text('keys.xml')).toBe(once);
    // From another state, and in another shape: all of it is replaced.
    workspace.put('keys.xml', once.replace(/(<key name="s4r"[^/]*)\/>/, '$1 time="9"  ></key >'));
    const job = await written(workspace, 'keys.xml', 'keyframe', 'keys.xml', 'spread');
    expect(workspace.text('keys.xml')).toMatch(/<key name="s4r" qpos="0 1 1.5 2 [^"]*" [^>]*\/>\n {2}<\/keyframe>/);
    await expectPoses(workspace, 'keys.xml', job, 's4r');
  });

  it('takes another name if that is the key of an attached model', async () => {
    const workspace = Workspace.withFixtures();
    const key = '<keyframe><key name="s4r" qpos="0 0 7 1 0 0 0"/></keyframe>';
    workspace.put('attach/cup.xml', workspace.text('attach/cup.xml').replace('</mujoco>', `${key}</mujoco>`));
    workspace.put(
      'attach/scene.xml',
      workspace.text('attach/scene.xml').replaceAll(/prefix="\w+"/g, (prefix) => (prefix.includes('left') ? 'prefix=""' : prefix)),
    );
    const { scene, source } = await mjcf.read(workspace.path('attach/scene.xml'));
    const result = resultOf(scene, { own: { shift: [0, 0, 1] } });
    const output = await mjcf.write(source, result, workspace.path('attach/fixed.xml'), { as: 'keyframe' });
    expect(output.newKey).toBe('s4r_2');
    await expectPoses(workspace, 'attach/fixed.xml', { scene, result, output }, 's4r_2');
  });

  it('is not made for a scene in which nothing moved', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    const output = await mjcf.write(source, resultOf(scene, {}), workspace.path('keys.xml'), { inPlace: true, as: 'keyframe' });
    expect(output).toEqual({ files: [], notes: [], newKey: undefined, verified: 0 });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('is refused where MuJoCo takes none, with the way out', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('replicate.xml'));
    const result = resultOf(scene, { single: { shift: [0, 0, 1] } });
    await expect(mjcf.write(source, result, workspace.path('replicate.xml'), { inPlace: true, as: 'keyframe' })).rejects.toMatchObject({
      code: 'OUTPUT',
      message: expect.stringMatching(
        /a keyframe was asked for.*because of the <replicate> in this file MuJoCo accepts no keyframe that does; write the state as npz/,
      ),
    });
    expect(workspace.snapshot()).toEqual(before);
  });
});

describe('a NumPy archive', () => {
  it('holds one row of qpos and what it belongs to', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { output } = await written(workspace, 'keys.xml', 'npz', 'state.npz', 'spread');
    expect(output).toMatchObject({ files: [{ path: workspace.path('state.npz'), edits: [], diff: '' }], newKey: undefined, notes: [] });
    expect(output.verified).toBeLessThan(1e-12);
    const arrays = decodeNpz(workspace.bytes('state.npz'));
    expect(Object.fromEntries([...arrays].map(([name, { dtype, shape }]) => [name, [dtype, shape]]))).toEqual({
      qpos: ['float64', [1, 15]],
      qvel: ['float64', [1, 13]],
      nq: ['int32', []],
      joint_names: ['string', [3]],
      model_sha256: ['string', []],
    });
    const qpos = [...(arrays.get('qpos')!.data as Float64Array)];
    expect(qpos.slice(0, 11)).toEqual([0, 1, 1.5, 2, 1, 0, 0, 0, 2, 2, 0]);
    expect(arrays.get('qvel')!.data).toEqual(new Float64Array(13));
    expect([arrays.get('nq')!.data[0], arrays.get('model_sha256')!.data[0]]).toEqual([
      15,
      createHash('sha256').update(workspace.bytes('keys.xml')).digest('hex'),
    ]);
    expect({ ...workspace.snapshot(), 'state.npz': undefined }).toEqual({ ...before, 'state.npz': undefined });
  });

  it('is the same bytes again, and not written in a dry run', async () => {
    const workspace = Workspace.withFixtures();
    await written(workspace, 'keys.xml', 'npz', 'one.npz');
    await written(workspace, 'keys.xml', 'npz', 'two.npz');
    expect(workspace.bytes('one.npz')).toEqual(workspace.bytes('two.npz'));
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    const dry = { path: workspace.path('three.npz'), dryRun: true, as: 'npz' } as const;
    expect((await mjcf.write(source, resultOf(scene, changes), dry)).files).toHaveLength(1);
    expect(Object.keys(workspace.snapshot())).not.toContain('three.npz');
  });

  it('takes the copies of <replicate>', async () => {
    const workspace = Workspace.withFixtures();
    const { scene, source } = await mjcf.read(workspace.path('replicate.xml'));
    await mjcf.write(source, resultOf(scene, { copy1: { shift: [0, 0, 1] } }), workspace.path('state.npz'), { as: 'npz' });
    const states = await mjcf.states(workspace.path('replicate.xml'), workspace.path('state.npz'));
    const copy = scene.bodies.find(({ name }) => name === 'copy1')!;
    expect([...states.poses(0).slice(7 * copy.id, 7 * copy.id + 7)]).toEqual([0.15, 0, 1, 1, 0, 0, 0]);
    expect(states.notes).toEqual([]);
  });

  it.each([
    ['in place of the scene', 'keys.xml', true, /an npz file cannot take the place of the scene/],
    ['over a file of the scene', 'keys.xml', false, /it is a file of the scene that was read/],
    ['into no folder', 'no/state.npz', false, /no such directory/],
  ])('is not written %s', async (_, output, inPlace, message) => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    const attempt = mjcf.write(source, resultOf(scene, changes), workspace.path(output), { inPlace, as: 'npz' });
    await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringMatching(message) });
    expect(workspace.snapshot()).toEqual(before);
  });
});
