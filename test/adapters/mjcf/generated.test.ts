/** Include, replicate, attach and keyframes in one scene: only the numbers that must change do, in the file they stand in. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { diffOf, mjcf } from '../../../src/adapters/mjcf/index.js';
import { allowedPairs, contactPairs, simulate } from './engine.js';
import { expectPoses, repair, replaced } from './repair.js';
import { resultOf, Workspace } from './workspace.js';

const SCENE = `<mujoco model="all at once">
  <size memory="20M"/> <!-- keep -->
  <include file="parts/defaults.xml"/>
  <asset><model name="cup" file="parts/cup.xml"/></asset>
  <worldbody>
    <include file="parts/objects.xml"/>
    <frame pos="1 0 0"><attach model="cup" body="cup" prefix="left_"/></frame>
    <replicate count="3" offset=".5 0 0"><geom name="post" type="box" size=".05 .05 .5" pos="0 3 0"/></replicate>
  </worldbody>
  <keyframe>
    <!-- as in the bodies -->
    <key name="home" qpos="0 0 1 1 0 0 0   1 0 0 1 0 0 0"/>
    <key name="away" qpos="0 5 1 1 0 0 0   1 5 0 1 0 0 0"/>
  </keyframe>
</mujoco>
`;
const OBJECTS = `<mujoco>
  <body name="mug" pos="0 0 1"><freejoint/><geom  class="soft"/></body> <!-- trailing -->
</mujoco>
`;

function workspaceWithScene(scene = SCENE): Workspace {
  const workspace = new Workspace();
  mkdirSync(workspace.path('parts'));
  workspace.put('scene.xml', scene);
  workspace.put('parts/objects.xml', OBJECTS);
  workspace.put(
    'parts/defaults.xml',
    '<mujoco><default><default class="soft"><geom size=".1" margin=".002"/></default></default></mujoco>',
  );
  workspace.put(
    'parts/cup.xml',
    '<mujoco><worldbody><body name="cup"><freejoint/><geom size=".1"/></body></worldbody><keyframe><key name="up" qpos="0 0 1 1 0 0 0"/></keyframe></mujoco>',
  );
  return workspace;
}

describe('F14: a scene of many parts', () => {
  it('has the keyframes MuJoCo makes of it', async () => {
    const found = await mjcf.keys(workspaceWithScene().path('scene.xml'));
    expect(found.map(({ label }) => label)).toEqual(['left_up', 'home0', 'away0', 'home1', 'away1', 'home2', 'away2', 'home', 'away']);
    expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('changes where the body stands, and in the keyframe that repeats it', async () => {
    const workspace = workspaceWithScene();
    const before = workspace.snapshot();
    const written = await repair(workspace, { input: 'scene.xml', changes: { mug: { shift: [0.25, 0, 0] } } });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'parts/objects.xml': OBJECTS.replace('pos="0 0 1"', 'pos="0.25 0 1"'),
      'scene.xml': replaced(SCENE, [['"0 0 1 1 0 0 0   1 0 0', '"0.25 0 1 1 0 0 0   1 0 0']]),
    });
    const changed = diffOf(written.output)
      .split('\n')
      .filter((line) => /^[-+] /.test(line));
    expect(changed).toHaveLength(4);
    await expectPoses(workspace, 'scene.xml', written);
    await expectPoses(workspace, 'scene.xml', written, 'home');
    expect(written.output.notes).toEqual([
      "keyframe 'away' holds poses of its own for 'mug' and was left alone; repair it with the key option",
      `${workspace.path('parts/objects.xml')} is an included file; it changes for every scene that includes it`,
    ]);
  });

  it('changes only the keyframe that was read, attached bodies included', async () => {
    const workspace = workspaceWithScene();
    const before = workspace.snapshot();
    const changes = { mug: { shift: [0, 0, 1] }, left_cup: { shift: [0.5, 0, 0] } } as const;
    const written = await repair(workspace, { input: 'scene.xml', key: 'away', changes });
    expect(workspace.snapshot()).toEqual({ ...before, 'scene.xml': SCENE.replace('0 5 1 1 0 0 0   1 5 0', '0 5 2 1 0 0 0   1.5 5 0') });
    await expectPoses(workspace, 'scene.xml', written, 'away');
  });

  it('keeps a keyframe that has no element apart from those that do', async () => {
    // Here MuJoCo's first keyframe, that of the attached model, is not the first element's.
    const workspace = workspaceWithScene();
    const written = await repair(workspace, {
      input: 'scene.xml',
      output: 'fixed.xml',
      key: 'left_up',
      changes: { left_cup: { shift: [0, 0, 1] } },
    });
    expect(written.output.newKey).toBe('s4r');
    const added = workspace.text('fixed.xml').match(/ {2}<keyframe>\n {4}<key name="s4r"[^\n]*\n {2}<\/keyframe>\n/)![0];
    expect(workspace.text('fixed.xml').replace(added, '')).toBe(SCENE);
    await expectPoses(workspace, 'fixed.xml', written, 's4r');
  });

  it('with moving copies tells what a keyframe gives them, and offers npz', async () => {
    const copies = '<replicate count="8" offset="1 0 0"><body name="egg" pos="0 0 4"><freejoint/><geom size=".1"/></body></replicate>';
    const workspace = workspaceWithScene(
      SCENE.replace(/<replicate.*<\/replicate>/, copies).replaceAll(/(1 [05] 0 1 0 0 0)"/g, '$1   0 0 4 1 0 0 0"'),
    );
    const { scene, source, notes } = await mjcf.read(workspace.path('scene.xml'), { key: 'home' });
    expect(notes[0]).toBe("keyframe 'home' gives 21 of the 70 numbers of qpos; MuJoCo takes the rest as zero, which is rarely meant");
    // The last keyframe of the name puts every copy at the origin.
    const eggs = scene.bodies.filter(({ name }) => name.startsWith('egg'));
    expect(eggs.map(({ name, X_WB }) => [name, [...X_WB.position]])).toEqual(Array.from({ length: 8 }, (_, i) => [`egg${i}`, [0, 0, 0]]));
    const before = workspace.snapshot();
    const result = resultOf(scene, Object.fromEntries(eggs.map(({ name }, i) => [name, { shift: [i, 0, 0] as const }])));
    await expect(mjcf.write(source, result, workspace.path('scene.xml'), { inPlace: true })).rejects.toMatchObject({
      code: 'OUTPUT',
      message: expect.stringMatching(/keyframe 'home' was read, .* write the state as npz/),
    });
    expect(workspace.snapshot()).toEqual(before);
    await mjcf.write(source, result, workspace.path('state.npz'), { as: 'npz' });
    const states = await mjcf.states(workspace.path('scene.xml'), workspace.path('state.npz'));
    expect(eggs.map(({ id }) => states.poses(0)[7 * id])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('keyframes of another length', () => {
  const scene = (
    qpos: string,
  ) => `<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body></worldbody>
    <keyframe><key name="old" qpos="${qpos}"/></keyframe></mujoco>`;

  it('that are too long are refused by name, those too short noted', async () => {
    const workspace = new Workspace();
    await expect(mjcf.read(workspace.put('long.xml', scene(`${'0 '.repeat(14)}1`)))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/keyframe 'old': invalid qpos size, expected 14, got 15/),
    });
    const { notes } = await mjcf.read(workspace.put('short.xml', scene('0 0 0 1 0 0 0')));
    expect(notes).toEqual(["keyframe 'old' gives 7 of the 14 numbers of qpos; MuJoCo takes the rest as zero, which is rarely meant"]);
  });
});

describe('a composite', () => {
  const xml = `<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <composite prefix="rope" type="cable" curve="s" count="6 1 1" size="1" offset="0 0 .01" initial="free">
      <joint kind="main" damping=".1"/><geom type="capsule" size=".02"/>
    </composite>
    <composite prefix="chain" type="cable" curve="s" count="6 1 1" size="1" offset="0 1 .01" initial="none">
      <joint kind="main" damping=".1"/><geom type="capsule" size=".02"/>
    </composite>
  </worldbody>
</mujoco>
`;

  it('that floats moves as one, by a keyframe; one that does not is an obstacle', async () => {
    const workspace = new Workspace();
    workspace.put('scene.xml', xml);
    const written = await repair(workspace, { input: 'scene.xml', changes: { ropeB_first: { shift: [0, 0, 0.1] } } });
    const moving = written.scene.bodies.filter(({ mobility }) => mobility === 'free').map(({ name }) => name);
    expect(moving).toEqual(['ropeB_first', 'ropeB_1', 'ropeB_2', 'ropeB_3', 'ropeB_last']);
    expect(written.output.notes).toEqual(["the repaired state is the new keyframe 's4r', since body 'ropeB_first' is made by <composite>"]);
    await expectPoses(workspace, 'scene.xml', written, 's4r');
    const contacts = await simulate(workspace.path('scene.xml'), -1, contactPairs);
    const allowed = allowedPairs(written.scene);
    expect([contacts.size > 0, [...contacts].filter((pair) => !allowed.has(pair))]).toEqual([true, []]);
  });
});

describe('what is none of our business', () => {
  it('stays as it is, byte for byte', async () => {
    const xml = `<mujoco>
  <option timestep=".004" o_margin=".01"><flag override="enable"/></option>
  <size memory="2M" nuser_body="2"/>
  <worldbody>
    <body name="a" pos="0 0 1" user="1 2"><joint name="j" type="slide" stiffness="3" springref=".1"/><geom name="a" size=".1" contype="3"/><site name="a"/></body>
    <body name="b" pos="0 0 2"><freejoint/><geom name="b" size=".1" group="3" conaffinity="2"/><site name="b"/></body>
  </worldbody>
  <contact><pair geom1="a" geom2="b" gap=".1"/><exclude body1="a" body2="b"/></contact>
  <tendon><spatial name="string" range="0 9"><site site="a"/><site site="b"/></spatial><fixed name="f"><joint joint="j" coef="1"/></fixed></tendon>
  <equality><tendon tendon1="f" polycoef="0 1 0 0 0"/></equality>
  <actuator><position name="p" joint="j" kp="4"/></actuator>
  <sensor><tendonpos tendon="string"/></sensor>
  <custom><numeric name="n" data="1 2 3"/></custom>
</mujoco>
`;
    const workspace = new Workspace();
    workspace.put('scene.xml', xml);
    const written = await repair(workspace, { input: 'scene.xml', changes: { b: { shift: [0, 0, 1] } } });
    expect(written.scene.filter).toMatchObject({ excludedBodies: [[0, 1]], explicitPairs: [{ geoms: [0, 1], margin: 0.01 }] });
    expect(workspace.text('scene.xml')).toBe(xml.replace('pos="0 0 2"', 'pos="0 0 3"'));
    await expectPoses(workspace, 'scene.xml', written);
  });
});
