/** What is refused, and how. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type UrdfReadOptions, urdf } from '../../../src/adapters/urdf/index.js';
import { S4rError } from '../../../src/core/errors.js';
import { fixture, Workspace } from './workspace.js';

/** Message, paths relative to the folder, of the error that reading the first of these files gives. */
async function refusal(files: Readonly<Record<string, string | Uint8Array>>, options: UrdfReadOptions = {}): Promise<string> {
  const workspace = new Workspace();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(workspace.path(`${name}/..`), { recursive: true });
    workspace.put(name, content);
  }
  const error = await urdf.read(workspace.path(Object.keys(files)[0]!), options).then(
    () => new Error('it was read'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof S4rError)) throw error;
  expect(error.code).toBe(error.message.startsWith('option') ? 'INVALID_OPTION' : 'INVALID_INPUT');
  return error.message.replaceAll(`${workspace.root}/`, '');
}

const robot = (content: string) => `<robot name="r">\n${content}\n</robot>`;
const joint = (content: string, attributes = 'name="j" type="revolute"') =>
  robot(`<link name="a"/><link name="b"/>\n<joint ${attributes}>${content}</joint>`);
const LINKS = '<parent link="a"/><child link="b"/>';
const shape = (geometry: string) => robot(`<link name="a"><collision>\n<geometry>${geometry}</geometry></collision></link>`);
const ofUrdf = async (text: string) => await refusal({ 'r.urdf': text });

describe('a URDF', () => {
  it.each([
    ['<robot', 'r.urdf:1: <robot>: XML error: tag without end'],
    ['', 'r.urdf: the file is empty'],
    ['<mujoco/>', 'r.urdf: not a URDF file: this is an MJCF file, not <robot>'],
    ['<sdf/>', 'r.urdf: not a URDF file: this is an SDF file, not <robot>'],
    ['<robot/>', 'r.urdf:1: <robot>: a robot needs a <link>'],
    [robot('<link/>'), 'r.urdf:2: <link>: name is missing'],
    [robot('<link name="a"/>\n<link name="a"/>'), 'r.urdf:3: <link name="a">: a second <link> with this name'],
    [
      robot('<link name="a"/>\n<link name="b"/>'),
      "r.urdf:3: <link name=\"b\">: several links have no parent: 'a', 'b'; join them, or make them models of their own",
    ],
    [robot('<link name="a"><collision/></link>'), "r.urdf:2: <collision>: a collision of link 'a' has no <geometry>"],
    [shape(''), 'r.urdf:3: <geometry>: it is empty; expected box, sphere, cylinder, capsule or mesh'],
    [shape('<cone/>'), 'r.urdf:3: <cone>: not a shape s4r knows; expected box, sphere, cylinder, capsule or mesh'],
    [shape('<sphere radius="1"/><sphere radius="2"/>'), 'r.urdf:3: <sphere>: a second shape in one <geometry>'],
    [shape('<box/>'), 'r.urdf:3: <box>: size is missing'],
    [shape('<box size="1 2"/>'), "r.urdf:3: <box>: size must be 3 numbers, finite and within +-1e10, got '1 2'"],
    [shape('<box size="1 2 -3"/>'), "r.urdf:3: <box>: size must be positive, got '1 2 -3'"],
    [shape('<sphere radius="nan"/>'), "r.urdf:3: <sphere>: radius must be a number, finite and within +-1e10, got 'nan'"],
    [shape('<sphere radius="0"/>'), 'r.urdf:3: <sphere>: radius must be positive, got 0'],
    [
      shape('<cylinder radius="1" length="1e400"/>'),
      "r.urdf:3: <cylinder>: length must be a number, finite and within +-1e10, got '1e400'",
    ],
    [shape('<cylinder radius="1" length="0x10"/>'), "r.urdf:3: <cylinder>: length must be a number, finite and within +-1e10, got '0x10'"],
    [shape('<mesh filename="a.stl" scale="1 0 1"/>'), 'r.urdf:3: <mesh filename="a.stl">: scale must not be zero, got \'1 0 1\''],
    [joint(LINKS, 'name="j"'), 'r.urdf:3: <joint name="j">: type is missing'],
    [
      joint(LINKS, 'name="j" type="hinge"'),
      'r.urdf:3: <joint name="j">: unknown joint type \'hinge\'; expected one of revolute, continuous, prismatic, fixed, floating, planar, spherical',
    ],
    [joint('<parent link="a"/>'), 'r.urdf:3: <joint name="j">: <child link="..."/> is missing'],
    [joint('<parent link="a"/><child link="c"/>'), 'r.urdf:3: <joint name="j">: its child link \'c\' does not exist'],
    [joint(`${LINKS}<axis xyz="0 0 0"/>`), 'r.urdf:3: <axis>: the axis has no direction'],
    [joint(`${LINKS}<origin xyz="1,2,3"/>`), "r.urdf:3: <origin>: xyz must be 3 numbers, finite and within +-1e10, got '1,2,3'"],
    [joint(`${LINKS}<origin/><origin/>`), 'r.urdf:3: <origin>: a second <origin> in <joint>'],
    [joint(`${LINKS}<limit lower="x"/>`), "r.urdf:3: <limit>: lower must be a number, finite and within +-1e10, got 'x'"],
    [joint(`${LINKS}<mimic joint="k"/>`), 'r.urdf:3: <joint name="j">: it mimics joint \'k\', which does not exist'],
    [joint(`${LINKS}<mimic joint="j"/>`), 'r.urdf:3: <joint name="j">: its <mimic> leads back to itself'],
    [joint('<parent link="a"/><child link="a"/>'), 'r.urdf:3: <joint name="j">: link \'a\' hangs on itself: the joints make a loop'],
    [
      joint(`${LINKS}</joint>\n<joint name="k" type="fixed"><parent link="b"/><child link="a"/>`),
      'r.urdf:3: <joint name="j">: link \'b\' hangs on itself: the joints make a loop',
    ],
    [
      joint(`${LINKS}</joint>\n<joint name="k" type="fixed">${LINKS}`),
      "r.urdf:4: <joint name=\"k\">: link 'b' already hangs on joint 'j'; a link has one parent",
    ],
    [
      robot('<xacro:arm name="x"/>\n<link name="a"/>'),
      'r.urdf:2: <xacro:arm name="x">: this is a xacro file, not a URDF; expand it first: `xacro FILE > robot.urdf` (in ROS 2: `ros2 run xacro xacro FILE > robot.urdf`)',
    ],
    [
      shape('<sphere radius="$' + '{r}"/>'),
      "r.urdf:3: <sphere>: radius must be a number, finite and within +-1e10, got '$" +
        "{r}'; this is xacro: expand it first: `xacro FILE > robot.urdf` (in ROS 2: `ros2 run xacro xacro FILE > robot.urdf`)",
    ],
  ])('%#: %s', async (text, message) => {
    expect(await ofUrdf(text)).toBe(message);
  });

  it('F20: whose meshes are missing: every path that was tried', async () => {
    const mesh = (filename: string) => shape(`<mesh filename="${filename}"/>`);
    expect(await ofUrdf(mesh('m/a.stl'))).toBe('r.urdf:3: <mesh filename="m/a.stl">: no such file: m/a.stl (tried m/a.stl)');
    expect(await ofUrdf(mesh('file:///no/where/a.stl'))).toContain('no such file: file:///no/where/a.stl (tried /no/where/a.stl)');
    expect(await ofUrdf(mesh('file://a/b'))).toContain('not a file URL');
    const text = mesh('package://pkg/m/a.stl');
    const ros = { ROS_PACKAGE_PATH: '/no/ros:/no/other', AMENT_PREFIX_PATH: '/no/ament' };
    const kept = Object.keys(ros).map((name) => [name, process.env[name]] as const);
    try {
      Object.assign(process.env, ros);
      expect(await refusal({ 'pkg/urdf/r.urdf': text, 'pkg/package.xml': '<package><name>other</name></package>' })).toBe(
        'pkg/urdf/r.urdf:3: <mesh filename="package://pkg/m/a.stl">: no such file: package://pkg/m/a.stl ' +
          '(tried /no/ros/pkg/m/a.stl, /no/other/pkg/m/a.stl, /no/ament/share/pkg/m/a.stl, pkg/m/a.stl); say where the package is: --package pkg=DIR',
      );
      expect(await refusal({ 'r.urdf': text }, { packages: { pkg: '/no/given' } })).toContain('(tried /no/given/m/a.stl)');
    } finally {
      for (const [name, value] of kept)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  it('whose meshes cannot be used: file, element and reason', async () => {
    const reason = async (name: string, content: string | Uint8Array) =>
      (await refusal({ 'r.urdf': shape(`<mesh filename="${name}"/>`), [name]: content })).replace(
        `r.urdf:3: <mesh filename="${name}">: `,
        '',
      );
    expect(await reason('a.fbx', '')).toBe('the mesh a.fbx is of no known type: stl, obj, dae');
    expect(await reason('a.stl', 'hello')).toBe('cannot use the mesh a.stl: no STL file, or one that is cut short: 5 bytes');
    expect(await reason('a.stl', new Uint8Array(84).fill(1))).toContain('16843009 triangles promised');
    expect(await reason('a.stl', new Uint8Array(84))).toBe('the mesh a.stl has no triangles');
    expect(await reason('a.stl', 'solid x\nfacet normal 0 0 0\nvertex 1 2 3\n')).toBe(
      'cannot use the mesh a.stl:3: cut short: 1 facets, 1 corners, no more after this line',
    );
    expect(await reason('a.stl', 'solid x\nfacet\n vertex 1 2 x\n')).toBe(
      "cannot use the mesh a.stl:3: expected three numbers after 'vertex', got 'vertex 1 2 x'",
    );
    expect(await reason('a.obj', 'v 0 0 0\nv 1 0 0\nv 1 1\n')).toBe(
      "cannot use the mesh a.obj:3: expected three numbers after 'v', got '1 1'",
    );
    expect(await reason('a.obj', 'v 0 0 0\nv 1 0 0\nf 1 2 3\n')).toBe(
      "cannot use the mesh a.obj:3: the face asks for vertex '3', and there are 2 so far",
    );
    expect(await reason('a.obj', 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n')).toBe('the mesh a.obj has no area at this scale');
    expect(await reason('a.obj', 'v 0 0 0\nv 1 0 0\nf 1 2\n')).toBe('cannot use the mesh a.obj:3: a face needs three corners, got 2');
    expect(await reason('a.obj', '# empty')).toBe('the mesh a.obj has no triangles');
    expect(await reason('a.dae', '<COLLADA/>')).toBe('the mesh a.dae has no triangles');
    expect(await reason('a.dae', '<robot/>')).toBe('cannot use the mesh a.dae:1: <robot>: not a COLLADA file');
  });

  it('with joints, bases and placements that make no sense', async () => {
    const read = async (options: UrdfReadOptions) => {
      const error = await urdf.read(fixture('arm.urdf'), options).catch((thrown: unknown) => thrown as S4rError);
      return (error as S4rError).message.replace(fixture(''), '');
    };
    expect(await read({ joints: { elbow: 1 } })).toBe(
      "option joints: arm.urdf has no joint 'elbow'; it has 'shoulder', 'grip', 'grip_mirror'",
    );
    expect(await read({ joints: { wrist: 1 } })).toBe("option joints: joint 'wrist' is fixed and has no position to set");
    expect(await read({ joints: { grip_mirror: 1 } })).toBe("option joints: joint 'grip_mirror' mimics 'grip': set that one");
    expect(await read({ joints: { grip: Number.NaN } })).toBe('option joints.grip: expected a number, finite and within +-1e10, got NaN');
    expect(await read({ position: [1, 2] as unknown as [number, number, number] })).toBe(
      'option position: expected 3 numbers, finite and within +-1e10, got 1, 2',
    );
    expect(await read({ rpy: [0, 0, 0], quaternion_wxyz: [1, 0, 0, 0] })).toBe('option rpy: give it or quaternion_wxyz, not both');
    expect(await read({ quaternion_wxyz: [0, 0, 0, 0] })).toBe('option quaternion_wxyz: it must not be zero');
    expect(await read({ base: 'loose' as 'free' })).toBe("option base: expected 'fixed' or 'free', got 'loose'");
    expect(await read({ mesh: 'vhacd' as 'hull' })).toBe("option mesh: expected 'hull' or 'exact', got 'vhacd'");
    expect(await read({ write: 'origins', base: 'free' })).toBe("option base: with write 'origins' the root link is the world, and stays");
    expect(await read({ write: 'origins', with: [{ urdf: 'x' }] })).toContain("option write: 'origins' is for one URDF");
  });

  it('with an SRDF that is none, or names links it does not have', async () => {
    const srdf = async (text: string) => {
      const workspace = new Workspace();
      const error = await urdf.read(fixture('arm.urdf'), { srdf: workspace.put('a.srdf', text) }).catch((thrown: unknown) => thrown);
      return (error as S4rError).message.replace(`${workspace.root}/`, '').replace(fixture(''), '');
    };
    expect(await srdf('<sdf/>')).toBe('a.srdf: not an SRDF file: the root element is <sdf>');
    expect(await srdf('<robot>\n<disable_collisions link1="base" link2="hend"/></robot>')).toBe(
      "a.srdf:2: <disable_collisions>: link2: the model arm.urdf has no link 'hend'",
    );
    expect(await srdf('<robot><disable_collisions link1="base"/></robot>')).toBe('a.srdf:1: <disable_collisions>: link2 is missing');
  });
});

describe('a scene file', () => {
  const CUP = '<robot name="cup"><link name="cup"/></robot>';
  const ofScene = async (text: string, name = 's.yaml', options: UrdfReadOptions = {}) =>
    await refusal({ [name]: text, 'cup.urdf': CUP }, options);
  const model = (rest: string) => `models:\n- urdf: cup.urdf\n  ${rest}\n`;

  it.each([
    ['', 's.yaml:1: scene: expected a mapping, got nothing'],
    ['- 1', 's.yaml:1: scene: expected a mapping, got [1]'],
    ['ground: true', 's.yaml:1: a scene needs a list of models, each with a urdf'],
    ['models: []', 's.yaml:1: models: expected at least one model, got []'],
    ['models: 3', 's.yaml:1: models: expected a list, got 3'],
    ['modells: []', 's.yaml:1: scene: expected one of the keys models, packages, mesh, ground, up, got "modells"'],
    ['models: [a]', 's.yaml:1: models[0]: expected a mapping, got "a"'],
    ['models:\n- name: x', 's.yaml:2: models[0]: urdf is missing: the file of the model'],
    [
      model('pos: [0, 0, 0]'),
      's.yaml:3: models[0]: expected one of the keys urdf, name, position, quaternion_wxyz, rpy, base, joints, srdf, got "pos"',
    ],
    [model('position: [0, 0]'), 's.yaml:3: models[0].position: expected 3 numbers, got 2'],
    [model('position: [0, x, 0]'), 's.yaml:3: models[0].position[1]: expected a number, finite and within +-1e10, got "x"'],
    [model('position: [0, .nan, 0]'), 's.yaml:3: models[0].position[1]: expected a number, finite and within +-1e10, got null'],
    [
      model('quaternion_wxyz: [0, 0, 0, 0]'),
      's.yaml:3: models[0].quaternion_wxyz: expected a quaternion that is not zero, got [0, 0, 0, 0]',
    ],
    [model('rpy: [0, 0, 0]\n  quaternion_wxyz: [1, 0, 0, 0]'), 's.yaml:2: models[0]: give quaternion_wxyz or rpy, not both'],
    [model('base: loose'), "s.yaml:3: models[0].base: expected 'fixed' or 'free', got \"loose\""],
    [model('joints: {a: 1}'), "s.yaml:2: models[0].joints.a: cup.urdf has no joint 'a'; it has none that moves"],
    [model('name: x\n- urdf: cup.urdf\n  name: x'), "s.yaml:4: models[1]: a second model of the name 'x'"],
    ['models:\n- urdf: none.urdf', 's.yaml:2: models[0]: no such file none.urdf'],
    [`mesh: box\n${model('name: x')}`, "s.yaml:1: mesh: expected 'hull' or 'exact', got \"box\""],
    [`ground: 1\n${model('name: x')}`, 's.yaml:1: ground: expected true or false, got 1'],
    [`up: [0, 0, 0]\n${model('name: x')}`, 's.yaml:1: up: expected a direction, got [0, 0, 0]'],
    [
      `${model('position: &p [0, 0, 0]')}- {urdf: cup.urdf, position: *p}`,
      's.yaml:4: aliases (*name) are not supported here: write the value out',
    ],
    ['models:\n- urdf: a\n  urdf: b', 's.yaml:3: YAML error: Map keys must be unique'],
    ['models: [', 's.yaml:1: YAML error: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ])('%#: %s', async (text, message) => {
    expect(await ofScene(text)).toBe(message);
  });

  it('as JSON must be JSON, as text UTF-8', async () => {
    expect(await ofScene('{models: []}', 's.json')).toMatch(/^s\.json: JSON error: /);
    const workspace = new Workspace();
    await expect(urdf.read(workspace.put('s.yaml', new Uint8Array([0x6d, 0xff, 0xfe])))).rejects.toThrow('the file is not UTF-8 text');
  });

  it('says what its options are', async () => {
    expect(await ofScene(model('name: x'), 's.yaml', { base: 'free' })).toBe(
      'option base: for a URDF on its own; a scene file says so itself',
    );
  });
});
