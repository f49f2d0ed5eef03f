/** Joints of a scene: where they are, what they move, what drives them, and what moving them writes. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { movementOf } from '../../../src/adapters/mjcf/moves.js';
import { poseDistance } from '../../../src/adapters/poses.js';
import type { Result } from '../../../src/core/result.js';
import type { Pose, Scene } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { simulate } from './engine.js';
import { resultOf, Workspace } from './workspace.js';

/** A floating robot whose arm has a hinge off its body's origin, a slide and a hinge on one body, and a ball. */
const ROBOT = `<mujoco>
  <worldbody>
    <body name="base" pos="1 2 3" euler="10 20 30"><freejoint name="root"/><geom size=".1"/>
      <body name="arm" pos=".3 .1 0" euler="0 40 0"><joint name="shoulder" axis="1 2 .5" pos=".1 0 .2" range="-30 45"/><geom size=".1"/>
        <body name="hand" pos=".2 0 .1" euler="30 0 0"><joint name="reach" type="slide" axis="0 1 1" range="-1 .5"/><joint axis="0 0 1" pos="0 .1 0"/>
          <geom size=".1"/><site name="palm"/>
          <body name="finger" pos="0 0 .3"><joint type="ball"/><geom size=".05"/></body></body></body>
      <body name="hatch" pos="0 0 1"><joint name="lid"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body>
    <body name="door" pos="-2 0 0"><joint name="handle" axis="0 0 1" range="0 90"/><geom size=".1"/></body>
  </worldbody>
  <keyframe><key name="bent" qpos="0 0 1 1 0 0 0 .3 .2 -.7 .8 .6 0 0 .4 1"/></keyframe>
</mujoco>`;

const names = (scene: Scene) => (scene.joints ?? []).map(({ name }) => name);
const jointOf = (scene: Scene, name: string) => scene.joints!.find((joint) => joint.name === name)!;

async function readText(xml: string, key?: string) {
  const read = await mjcf.read(new Workspace().put('scene.xml', xml), { key });
  assertScene(read.scene);
  return read;
}

describe('joints', () => {
  it('are the hinges and slides that move a body of the scene, the root first', async () => {
    const { scene, notes } = await readText(ROBOT);
    expect(names(scene)).toEqual(['shoulder', 'reach', 'hand/joint_1', 'handle']);
    const moved = scene.joints!.map(({ moves }) => moves.map((id) => scene.bodies[id]!.name));
    expect(moved).toEqual([['arm', 'hand', 'finger'], ['hand', 'finger'], ['hand', 'finger'], ['door']]);
    expect(scene.joints!.map(({ type }) => type)).toEqual(['hinge', 'slide', 'hinge', 'hinge']);
    const limits = scene.joints!.map(({ limits }) => limits?.map((value) => Number(value.toFixed(6))));
    expect(limits).toEqual([[-0.523599, 0.785398], [-1, 0.5], undefined, [0, 1.570796]]);
    expect(notes).toEqual([]);
  });

  it('stand where MuJoCo has them', async () => {
    const path = new Workspace().put('scene.xml', ROBOT);
    const { scene } = await mjcf.read(path, { key: 'bent' });
    expect(scene.joints!.map(({ position }) => position)).toEqual([0.3, 0.2, -0.7, 1]);
    await simulate(path, 0, ({ model, data }) => {
      for (const [j, name] of [
        [1, 'shoulder'],
        [2, 'reach'],
        [3, 'hand/joint_1'],
        [6, 'handle'],
      ] as const) {
        expect(model.jnt_type[j]).toBe(name === 'reach' ? 2 : 3);
        const joint = jointOf(scene, name);
        expect([...joint.axis, ...joint.anchor]).toEqual([...data.xaxis.slice(3 * j, 3 * j + 3), ...data.xanchor.slice(3 * j, 3 * j + 3)]);
      }
    });
  });

  it('are left out where none moves anything', async () => {
    expect((await readText('<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')).scene).not.toHaveProperty(
      'joints',
    );
  });

  it('outside their limits are named', async () => {
    const xml = ROBOT.replace('.3 .2 -.7', '1 -2 -.7');
    expect((await readText(xml)).notes).toEqual([]);
    expect((await readText(xml, 'bent')).notes).toEqual([
      "joint_limit: joints stand outside their limits: 'shoulder' at 1 rad, not in [-0.5236, 0.7854]; 'reach' at -2 m, not in [-1, 0.5]",
    ]);
    // `limited="false"` switches a range off.
    const free = xml.replaceAll(' range=', ' limited="false" range=');
    expect((await readText(free, 'bent')).scene.joints!.every(({ limits }) => limits === undefined)).toBe(true);
  });
});

describe('coupled joints', () => {
  const coupled = (equality: string) => `<mujoco><worldbody>
      ${['a', 'b', 'c', 'd'].map((name, i) => `<body name="${name}" pos="${i} 0 0"><joint name="j${name}"/><geom size=".1"/></body>`).join('\n')}
      <body name="empty"><joint name="motor"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
    </worldbody><equality>${equality}</equality></mujoco>`;
  const follows = (scene: Scene) =>
    Object.fromEntries(
      scene.joints!.flatMap(({ name, follows: f }) => (f === undefined ? [] : [[name, [scene.joints![f.joint]!.name, f.ratio]]])),
    );

  it('follow what drives them, at the end of a chain', async () => {
    const equality = `<joint joint1="ja" joint2="jb" polycoef=".1 2 0 0 0"/><joint joint1="jb" joint2="motor" polycoef="0 -.5 0 0 0"/>
      <joint joint1="jc" joint2="jd" active="false"/>`;
    const { scene, notes } = await readText(coupled(equality));
    // The motor moves nothing itself, but drives what does.
    expect(names(scene)).toEqual(['ja', 'jb', 'jc', 'jd', 'motor']);
    expect(follows(scene)).toEqual({ ja: ['motor', -1], jb: ['motor', -0.5] });
    expect(notes).toEqual([]);
  });

  it.each([
    ['<joint joint1="ja"/>', ['ja'], /'ja' is held in place by <equality>, so it cannot be freed/],
    ['<joint joint1="ja" joint2="jb" polycoef="0 1 .2 0 0"/>', ['ja', 'jb'], /'ja' follows 'jb' along a curve, so both cannot be freed/],
    ['<joint joint1="ja" joint2="jb"/><joint joint1="jb" joint2="ja"/>', ['ja', 'jb'], /'jb' follows more than one joint, or itself/],
    ['<joint joint1="ja" joint2="jb"/><joint joint1="ja" joint2="jc"/>', ['ja', 'jc'], /'ja' follows more than one joint/],
  ])('that cannot be moved alone have no room: %s', async (equality, stuck, note) => {
    const { scene, notes } = await readText(coupled(equality));
    expect(names(scene)).toEqual(['ja', 'jb', 'jc', 'jd']);
    expect(scene.joints!.filter(({ limits }) => limits !== undefined).map(({ name, limits }) => [name, limits])).toEqual(
      stuck.map((name) => [name, [0, 0]]),
    );
    expect(notes).toEqual([expect.stringMatching(note)]);
  });
});

describe('joints of what constraints hold', () => {
  /** An arm of two hinges, its hand at x = 2, on a base that may float; and things to hold. */
  const arm = (equality: string, base = '', first = '') => `<mujoco><worldbody>${first}
      <body name="base">${base}<geom size=".1"/><body name="upper" pos="1 0 0"><joint name="shoulder" axis="0 0 1"/><geom size=".1"/>
        <body name="hand" pos="1 0 0"><joint name="elbow" axis="0 0 1"/><geom size=".1"/></body></body></body>
      <body name="pen" pos="2.2 0 0"><freejoint/><geom size=".1"/><body name="cap" pos=".2 0 0"><geom size=".05"/></body></body>
      <body name="clip" pos="2.5 0 0"><freejoint/><geom size=".1"/></body>
      <body name="tongs" pos="3 0 0"><freejoint/><geom size=".1"/><body pos="0 0 .1"><joint name="pinch"/><geom name="jaw" size=".05"/></body></body>
      <body name="mocap" mocap="true"/>
    </worldbody><equality>${equality}</equality></mujoco>`;
  const held = '<weld body1="pen" body2="hand"/><connect body1="clip" body2="cap" anchor="0 0 0"/>';

  it.each(['', '<freejoint/>'])('take along what their bodies hold: base %s', async (base) => {
    const { scene } = await readText(arm(held, base));
    expect(jointOf(scene, 'elbow').moves.map((id) => scene.bodies[id]!.name)).toEqual(['hand', 'pen', 'cap', 'clip']);
    expect(jointOf(scene, 'shoulder').moves.map((id) => scene.bodies[id]!.name)).toEqual(['upper', 'hand', 'pen', 'cap', 'clip']);
    expect(scene.joints!.every(({ limits }) => limits === undefined)).toBe(true);
  });

  it.each([
    ['a loop', '<connect body1="hand" body2="base" anchor="0 0 0"/>', '', '', ['shoulder', 'elbow']],
    ['a loop within', '<connect body1="hand" body2="upper" anchor="0 0 0"/>', '', '', ['elbow']],
    ['a loop of others', `${held}<weld body1="clip" body2="base"/>`, '', '', ['shoulder', 'elbow']],
    ['what stands still', '<weld body1="mocap" body2="hand"/>', '<freejoint/>', '', ['shoulder', 'elbow']],
    ['other joints', '<weld body1="tongs" body2="hand"/>', '', '', ['shoulder', 'elbow']],
    ['other joints, by those', '<weld body1="body_8" body2="hand"/>', '<freejoint/>', '', ['shoulder', 'elbow', 'pinch']],
    [
      'the root of the unit',
      '<weld body1="early" body2="hand"/>',
      '<freejoint/>',
      '<body name="early"><freejoint/><geom size=".1"/></body>',
      ['shoulder', 'elbow'],
    ],
  ])('have no room if they are held to %s', async (_, equality, base, first, closed) => {
    const xml = arm(equality, base, first).replace('<body pos="0 0 .1">', '<body name="body_8" pos="0 0 .1">');
    const { scene, notes } = await readText(xml);
    expect(scene.joints!.filter(({ limits }) => limits !== undefined).map(({ name }) => name)).toEqual(closed);
    const [what, one, they] = closed.length === 1 ? ['joint', 'it', 'it'] : ['joints', 'one of them', 'they'];
    const list = closed.map((name) => `'${name}'`).join(', ');
    expect(notes).toContain(`${what} ${list}: moving ${one} alone would break a <weld> or <connect>, so ${they} cannot be freed`);
  });

  it('are written with what they take along', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', arm(held));
    const { scene, source } = await mjcf.read(path);
    const { id, position } = jointOf(scene, 'elbow');
    // A quarter turn about the hand, at (2, 0, 0).
    const turned = ({ position: [x, y, z] }: Pose): Pose => ({
      position: [2 - y, x - 2, z],
      quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    });
    const poses = scene.bodies.map((body) => (jointOf(scene, 'elbow').moves.includes(body.id) ? turned(body.X_WB) : body.X_WB));
    const joints = [{ jointId: id, name: 'elbow', before: position, after: Math.PI / 2 }];
    const result = { status: 'solved', poses, joints } as unknown as Result;
    const output = await mjcf.write(source, result, path, { inPlace: true });
    expect(output.verified).toBeLessThan(1e-12);
    const again = await mjcf.read(path, { key: 's4r' });
    again.scene.bodies.forEach(({ X_WB }, i) => {
      expect(poseDistance(X_WB, poses[i]!)).toBeLessThan(1e-12);
    });
  });
});

/** A result in which joints have these new positions, and the root is raised; poses are MuJoCo's own. */
async function jointResult(path: string, key: number, scene: Scene, changes: Readonly<Record<string, number>>, lift = 0): Promise<Result> {
  const poses = await simulate(path, key, ({ mujoco, model, data }) => {
    for (const [name, value] of Object.entries(changes)) {
      const j = name === 'hand/joint_1' ? 3 : Array.from({ length: model.njnt }, (_, i) => i).find((i) => model.jnt(i).name === name)!;
      data.qpos[model.jnt_qposadr[j]] = value;
    }
    data.qpos[2] += lift;
    mujoco.mj_kinematics(model, data);
    return scene.bodies.map(({ name }): Pose => {
      const b = model.body(name).id;
      const [w, x, y, z] = data.xquat.slice(4 * b, 4 * b + 4);
      return { position: [data.xpos[3 * b], data.xpos[3 * b + 1], data.xpos[3 * b + 2]], quaternion: [w, x, y, z] };
    });
  });
  const joints = Object.entries(changes).map(([name, after]) => {
    const { id, position } = jointOf(scene, name);
    return { jointId: id, name, before: position, after };
  });
  return { status: 'solved', poses, joints } as unknown as Result;
}

describe('freed joints', () => {
  const changes = { shoulder: 0.6, reach: -0.4, 'hand/joint_1': 2, handle: 0.25 };

  it.each([undefined, 'bent'])('take the bodies where the product of exponentials says: key %s', async (key) => {
    const path = new Workspace().put('scene.xml', ROBOT);
    const { scene, source } = await mjcf.read(path, { key });
    const result = await jointResult(path, key === undefined ? -1 : 0, scene, changes, 0.5);
    const { expected } = movementOf(source, result);
    for (const body of source.bodies.filter(({ sceneId }) => sceneId !== undefined)) {
      expect(poseDistance(result.poses[body.sceneId!]!, expected[source.bodies.indexOf(body)]!)).toBeLessThan(1e-14);
    }
  });

  it('of a keyframe are written into its qpos, number by number', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', ROBOT);
    const { scene, source } = await mjcf.read(path, { key: 'bent' });
    const output = await mjcf.write(source, await jointResult(path, 0, scene, changes), path, { inPlace: true });
    expect(workspace.text('scene.xml')).toBe(ROBOT.replace('.3 .2 -.7 .8 .6 0 0 .4 1', '0.6 -0.4 2 .8 .6 0 0 .4 0.25'));
    expect(output).toMatchObject({ newKey: undefined, notes: [] });
    expect(output.verified).toBeLessThan(1e-12);
  });

  it('of the start state are written as a keyframe, with the roots', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', ROBOT);
    const { scene, source } = await mjcf.read(path);
    const result = await jointResult(path, -1, scene, { shoulder: 0.25 }, 1);
    const output = await mjcf.write(source, result, path, { inPlace: true });
    expect(output.newKey).toBe('s4r');
    expect(output.notes).toEqual([
      "the repaired state is the new keyframe 's4r', since joint 'shoulder' was moved, and no attribute sets where a joint starts",
    ]);
    const again = await mjcf.read(path, { key: 's4r' });
    expect(jointOf(again.scene, 'shoulder').position).toBe(0.25);
    again.scene.bodies.forEach(({ X_WB }, i) => {
      expect(poseDistance(X_WB, result.poses[i]!)).toBeLessThan(1e-12);
    });
    expect(workspace.text('scene.xml').replace(/ {2}<keyframe>\n {4}<key name="s4r"[^\n]*\n {2}<\/keyframe>\n/, '')).toBe(ROBOT);
  });

  it('go into an archive', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', ROBOT);
    const { scene, source } = await mjcf.read(path);
    const result = await jointResult(path, -1, scene, { shoulder: 0.25, handle: 1 }, 1);
    await mjcf.write(source, result, workspace.path('state.npz'), { as: 'npz' });
    const { qpos } = await mjcf.states(path, workspace.path('state.npz'));
    expect([qpos[2], qpos[7], qpos[8], qpos[15]]).toEqual([4, 0.25, 0, 1]);
  });

  it('that do not fit the scene, or the poses, are refused and nothing is written', async () => {
    const workspace = new Workspace();
    const path = workspace.put('scene.xml', ROBOT);
    const { scene, source } = await mjcf.read(path);
    const unmoved = resultOf(scene, {});
    const shoulder = { jointId: 0, name: 'shoulder', before: 0, after: 0.5 };
    for (const [joint, message] of [
      [{ ...shoulder, jointId: 9 }, /joint 'shoulder' \(9\), which the scene does not have/],
      [{ ...shoulder, name: 'handle' }, /joint 'handle' \(0\), which the scene does not have/],
      [{ ...shoulder, after: NaN }, /joint 'shoulder' at NaN/],
      [shoulder, /moves body 'arm' on its own, but it hangs on 'base'/],
    ] as const) {
      const attempt = mjcf.write(source, { ...unmoved, joints: [joint] }, path, { inPlace: true });
      await expect(attempt).rejects.toMatchObject({ code: 'INVALID_SCENE', message: expect.stringMatching(message) });
    }
    expect(workspace.text('scene.xml')).toBe(ROBOT);
  });
});
