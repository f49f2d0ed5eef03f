/** URDF files and scene files as scenes. */
import { cpSync, rmSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { Disk } from '../../../src/adapters/files/disk.js';
import { UriResolver } from '../../../src/adapters/meshes/packages.js';
import { urdf } from '../../../src/adapters/urdf/index.js';
import type { Geom, Mesh, Scene } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { allowedPairs } from '../mjcf/engine.js';
import { difference, loaderPoses } from './oracle.js';
import { FIXTURES, fixture, Workspace } from './workspace.js';

const bodyNames = (scene: Scene) => scene.bodies.map(({ name }) => name);

/** Names of the bodies of all pairs that may collide. */
function collidingBodies(scene: Scene): string[] {
  const names = [...allowedPairs(scene)].map((key) => {
    const [a, b] = key.split(',').map((id) => scene.bodies[scene.geoms[Number(id)]!.bodyId]!.name);
    return `${a}-${b}`;
  });
  return [...new Set(names)].sort();
}

/** The box about a mesh, low corner first. */
function box({ vertices }: Mesh): number[] {
  const corner = (pick: (...values: number[]) => number, k: number) => pick(...vertices.filter((_, i) => i % 3 === k));
  return [Math.min, Math.max].flatMap((pick) => [0, 1, 2].map((k) => corner(pick, k) + 0)); // no -0
}

function volume({ vertices, triangles }: Mesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k]!, 3 * triangles[t + k]! + 3));
    sum +=
      a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) +
      a![1]! * (b![2]! * c![0]! - b![0]! * c![2]!) +
      a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!);
  }
  return sum / 6;
}

const meshOf = ({ shape }: Geom): Mesh => (shape as { mesh: Mesh }).mesh;

describe('a model', () => {
  it('without movable joints is free, at the origin', async () => {
    const { scene, notes } = await urdf.read(fixture('cup.urdf'));
    assertScene(scene);
    expect(scene.bodies).toEqual([
      {
        id: 0,
        name: 'cup',
        mobility: 'free',
        X_WB: { position: [0, 0, 0], quaternion: [1, 0, 0, 0] },
        weight: 1,
        movesWith: 0,
        weldedTo: 0,
      },
    ]);
    expect(scene.geoms[0]).toMatchObject({ name: 'cup/collision_0', shape: { type: 'cylinder', radius: 0.04, halfLength: 0.05 } });
    expect(scene.up).toEqual([0, 0, 1]);
    expect(notes).toEqual(["taken as free, since it has no movable joints: 'cup'"]);
  });

  it('with movable joints is fixed, unless told otherwise; links held together are one weld, and bodies are links that collide', async () => {
    const { scene } = await urdf.read(fixture('arm.urdf'));
    assertScene(scene);
    expect(bodyNames(scene)).toEqual(['base', 'upper', 'hand', 'left', 'right']);
    expect(scene.bodies.map(({ mobility, weldedTo }) => [mobility, weldedTo])).toEqual([
      ['fixed', 0],
      ['fixed', 1],
      ['fixed', 1],
      ['fixed', 3],
      ['fixed', 4],
    ]);
    expect(scene.geoms.map(({ name }) => name).slice(1, 3)).toEqual(['tube', 'upper/collision_1']);
    // Neighbours through the weld: shoulder joins base to {upper, hand}, the fingers hang on the same.
    expect(collidingBodies(scene)).toEqual(['base-left', 'base-right', 'left-right']);

    const free = await urdf.read(fixture('arm.urdf'), { base: 'free', position: [1, 2, 3], rpy: [0, 0, Math.PI / 2] });
    assertScene(free.scene);
    expect(free.scene.bodies.every(({ mobility, movesWith }) => mobility === 'free' && movesWith === 0)).toBe(true);
    expect(free.scene.bodies[0]!.X_WB.position).toEqual([1, 2, 3]);
    expect(free.notes).toEqual([]);
  });

  it('stands where urdf-loader puts it, with joints set and mimicked', async () => {
    for (const joints of [{}, { shoulder: 0.7, grip: 0.03 }, { shoulder: -2, grip: 1 }] as Record<string, number>[]) {
      const { scene } = await urdf.read(fixture('arm.urdf'), { joints });
      const truth = loaderPoses(fixture('arm.urdf'), joints);
      // urdf-loader leaves mimic joints at 0 until their driver is set.
      for (const { name, X_WB } of scene.bodies) {
        if (joints.grip === undefined && name === 'right') continue;
        expect([name, difference(X_WB, truth.get(name)!) < 1e-12]).toEqual([name, true]);
      }
    }
  });

  it('gives its joints in W: what they displace is what urdf-loader displaces', async () => {
    const { scene } = await urdf.read(fixture('arm.urdf'), { joints: { shoulder: 0.5, grip: 0.01 }, position: [0, 0, 1] });
    const [shoulder, grip, mirror] = scene.joints!;
    expect(scene.joints!.map(({ name, type }) => [name, type])).toEqual([
      ['shoulder', 'hinge'],
      ['grip', 'slide'],
      ['grip_mirror', 'slide'],
    ]);
    expect(shoulder).toMatchObject({ position: 0.5, limits: [-1.5, 1.5], moves: [1, 2, 3, 4] });
    expect(grip).toMatchObject({ position: 0.01, moves: [3] });
    expect(mirror).toMatchObject({ position: expect.closeTo(-0.009, 12), moves: [4], follows: { joint: 1, ratio: -1 } });
    // Sliding 0.02 along the axis is what setting the joint to 0.03 does.
    const after = (await urdf.read(fixture('arm.urdf'), { joints: { shoulder: 0.5, grip: 0.03 }, position: [0, 0, 1] })).scene;
    for (const [joint, body, step] of [
      [grip, 3, 0.02],
      [mirror, 4, -0.02],
    ] as const) {
      const [from, to] = [scene.bodies[body]!.X_WB.position, after.bodies[body]!.X_WB.position];
      joint!.axis.forEach((x, k) => {
        expect(to[k]! - from[k]!).toBeCloseTo(x * step, 12);
      });
    }
    // The axis passes through the anchor, so the anchor does not move with the shoulder.
    const turned = (await urdf.read(fixture('arm.urdf'), { joints: { shoulder: -0.3, grip: 0.01 }, position: [0, 0, 1] })).scene;
    expect(turned.joints![0]!.anchor).toEqual(shoulder!.anchor);
    expect(turned.joints![0]!.axis).toEqual(shoulder!.axis);
  });

  it('says so when a joint is outside its limits', async () => {
    const { notes } = await urdf.read(fixture('arm.urdf'), { joints: { shoulder: 2 } });
    expect(notes).toContain("joints of 'arm' outside their limits: 'shoulder' at 2, limits -1.5 to 1.5");
  });

  it('with a root link called world is fixed; what hangs on it may move when origins are to be written', async () => {
    const still = await urdf.read(fixture('table.urdf'));
    expect(still.scene.bodies.every(({ mobility }) => mobility === 'fixed')).toBe(true);
    expect(still.notes).toEqual([
      "taken as fixed, since the root link is 'world': 'table'",
      "'table': held at their origin: floating joint 'ball_joint'",
    ]);
    expect(collidingBodies(still.scene)).toEqual(['box-ball', 'lid-ball', 'top-ball']);

    const { scene } = await urdf.read(fixture('table.urdf'), { write: 'origins' });
    assertScene(scene);
    expect(scene.bodies.map(({ name, mobility, movesWith }) => [name, mobility, movesWith])).toEqual([
      ['world', 'fixed', 0],
      ['top', 'free', 1],
      ['box', 'free', 2],
      ['lid', 'free', 2],
      ['ball', 'free', 4],
    ]);
    expect(collidingBodies(scene)).toEqual(['box-ball', 'lid-ball', 'top-ball', 'top-box', 'top-lid']);
  });

  it('that hangs on an empty root by a floating joint is free', async () => {
    const workspace = new Workspace();
    const path = workspace.put(
      'r.urdf',
      '<robot name="r"><link name="world"/><link name="b"><collision><geometry><sphere radius="1"/></geometry></collision></link>' +
        '<joint name="f" type="floating"><parent link="world"/><child link="b"/></joint></robot>',
    );
    const { scene, notes } = await urdf.read(path);
    expect(scene.bodies.map(({ mobility, movesWith }) => [mobility, movesWith])).toEqual([
      ['free', 0],
      ['free', 0],
    ]);
    expect(notes[0]).toBe("taken as free, since the root holds it by a floating joint: 'r'");
  });

  it('whose links do not all appear in an SRDF’s pairs collides as the SRDF says', async () => {
    const workspace = new Workspace();
    const srdf = (inside: string) => workspace.put('r.srdf', `<robot name="r">${inside}</robot>`);
    const read = async (inside: string) => (await urdf.read(fixture('arm.urdf'), { srdf: srdf(inside) })).scene;
    const listed = await read(
      '<disable_collisions link1="left" link2="right" reason="Never"/><disable_collisions link1="base" link2="flange"/>',
    );
    assertScene(listed);
    expect(collidingBodies(listed)).toEqual(['base-left', 'base-right']);
    const byDefault = await read('<disable_default_collisions link="left"/><enable_collisions link1="base" link2="left"/>');
    expect(collidingBodies(byDefault)).toEqual(['base-left', 'base-right']);
  });
});

describe('meshes', () => {
  it('F19: collide as their hulls, with their units, scales and mirrors; one object for one asset and scale', async () => {
    const { scene } = await urdf.read(fixture('meshes.urdf'));
    assertScene(scene);
    const [stl, obj, mirrored, notch, again, dae] = scene.geoms as [Geom, Geom, Geom, Geom, Geom, Geom];
    expect(scene.geoms.every(({ shape }) => shape.type === 'convex')).toBe(true);
    expect(box(meshOf(stl)).map((x) => Math.round(x * 1e6) / 1e6)).toEqual([0, 0, 0, 2, 1, 3]);
    expect(box(meshOf(obj))).toEqual([0, 0, 0, 2, 1, 3]);
    expect(box(meshOf(mirrored))).toEqual([-2, 0, 0, 0, 1, 3]);
    for (const geom of [stl, obj, mirrored]) {
      expect(volume(meshOf(geom))).toBeCloseTo(3, 9);
      expect(volume(geom.surface!)).toBeCloseTo(3, 9);
    }
    expect(notch.shape).toBe(again.shape);
    expect(notch.surface).toBe(again.surface);
    expect([volume(notch.surface!), volume(meshOf(notch))]).toEqual([3, expect.closeTo(3.5, 9)]);
    // 90 degrees about z, then 0.5 m along x: (2, 1, 3) goes to (-1, 2, 3).
    box(meshOf(dae)).forEach((x, i) => {
      expect(x).toBeCloseTo([-0.5, 0, 0, 0.5, 2, 3][i]!, 9);
    });
    expect(volume(meshOf(dae))).toBeCloseTo(3, 9);
  });

  it('or as they are', async () => {
    const { scene } = await urdf.read(fixture('meshes.urdf'), { mesh: 'exact' });
    assertScene(scene);
    expect(scene.geoms.map(({ shape, surface }) => [shape.type, surface])).toEqual(Array(6).fill(['mesh', undefined]));
    expect(volume(meshOf(scene.geoms[2]!))).toBeCloseTo(3, 9);
    expect(volume(meshOf(scene.geoms[3]!))).toBe(3);
  });

  it('are looked up once for all models of one file, and so are packages', async () => {
    const workspace = new Workspace();
    cpSync(fixture('parts/wedge.obj'), workspace.path('a.obj'));
    const part = (name: string) => `<collision><geometry><mesh filename="package://things/${name}.obj"/></geometry></collision>`;
    workspace.put('package.xml', '<package><name>things</name></package>');
    workspace.put('r.urdf', `<robot name="r"><link name="l">${part('a')}</link></robot>`);
    workspace.put('s.yaml', 'models:\n- {urdf: r.urdf}\n- {urdf: r.urdf, position: [9, 0, 0]}\n');
    const isFile = jest.spyOn(Disk.prototype, 'isFile');
    try {
      const { scene } = await urdf.read(workspace.path('s.yaml'));
      expect(scene.geoms[1]!.shape).toBe(scene.geoms[0]!.shape);
      expect(isFile).toHaveBeenCalledTimes(1);
    } finally {
      isFile.mockRestore();
    }
    const resolver = new UriResolver(new Map(), new Disk());
    expect(await resolver.resolve('package://things/a.obj', workspace.root, {})).toBe(workspace.path('a.obj'));
    rmSync(workspace.path('package.xml'));
    expect(await resolver.resolve('package://things/a.obj', workspace.root, {})).toBe(workspace.path('a.obj'));
  });

  it('in odd units are remarked on', async () => {
    const workspace = new Workspace();
    const mesh = (scale: string) =>
      `<collision><geometry><mesh filename="${FIXTURES}/parts/wedge.obj" scale="${scale}"/></geometry></collision>`;
    const path = workspace.put(
      'r.urdf',
      `<robot name="r"><link name="l">${mesh('1000 1000 1000')}${mesh('1e-5 1e-5 1e-5')}</link></robot>`,
    );
    const { notes } = await urdf.read(path);
    expect(notes.slice(1)).toEqual([
      `mesh ${FIXTURES}/parts/wedge.obj: it is 3000 m long: is the unit right?`,
      `mesh ${FIXTURES}/parts/wedge.obj: it is 0.00003 m long: is the unit right?`,
    ]);
  });
});

describe('a scene file', () => {
  it('places models, with its own base for each', async () => {
    const { scene, notes } = await urdf.read(fixture('kitchen.yaml'));
    assertScene(scene);
    expect(scene.bodies.map(({ name, mobility }) => `${name} ${mobility}`)).toEqual([
      'robot/base fixed',
      'robot/upper fixed',
      'robot/hand fixed',
      'robot/left fixed',
      'robot/right fixed',
      'first/cup free',
      'cup/cup free',
      'cup_2/cup fixed',
      'ground fixed',
    ]);
    expect(scene.bodies[7]!.X_WB).toEqual({ position: [0.6, 0.1, 0.1], quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] });
    expect(scene.joints!.map(({ name, position }) => [name, position])).toEqual([
      ['robot/shoulder', 0.5],
      ['robot/grip', 0.02],
      ['robot/grip_mirror', -0.019],
    ]);
    expect(scene.geoms.at(-1)!.shape.type).toBe('halfspace');
    expect(notes).toEqual([
      "taken as fixed, since it has movable joints: 'robot'",
      "taken as free, since it has no movable joints: 'first', 'cup'",
    ]);
  });

  it('says the same as the options that place the same models', async () => {
    const { scene } = await urdf.read(fixture('kitchen.json'));
    const options = {
      joints: { shoulder: 0.5 },
      ground: true,
      with: [{ urdf: fixture('cup.urdf'), name: 'first', rpy: [0, 0, 0.5] as const }],
    };
    const other = (await urdf.read(fixture('arm.urdf'), options)).scene;
    const rename = (name: string) => name.replace(/^arm\//, 'robot/');
    expect(other.bodies.map((body) => ({ ...body, name: rename(body.name) }))).toEqual(scene.bodies);
    expect(other.geoms.map((geom) => ({ ...geom, name: rename(geom.name) }))).toEqual(
      scene.geoms.map((geom) => ({ ...geom, name: rename(geom.name) })),
    );
  });

  it('may be YAML with other keys first, turned gravity and exact meshes', async () => {
    const workspace = new Workspace();
    const path = workspace.put(
      's.yml',
      `up: [0, 2, 0]\nmesh: exact\nmodels:\n- {urdf: ${FIXTURES}/meshes.urdf}\npackages: {parts: ${FIXTURES}/parts}\n`,
    );
    const { scene } = await urdf.read(path);
    assertScene(scene);
    expect(scene.up).toEqual([0, 1, 0]);
    expect(scene.geoms.every(({ shape }) => shape.type === 'mesh')).toBe(true);
  });
});
