/** Everything that can be wrong with a file is refused in one line that says where. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../../../src/adapters/files/document.js';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { S4rError } from '../../../src/core/errors.js';
import { Workspace } from './workspace.js';

interface Refused {
  readonly message: string;
  readonly line: number | undefined;
  readonly element: string | undefined;
  readonly file: string | undefined;
}

/** Read `scene.xml` of a folder with these files, and give the error; paths are relative to the folder. */
async function refusal(files: Readonly<Record<string, string | Uint8Array>>, key?: string): Promise<Refused> {
  const workspace = new Workspace();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(workspace.path(`${name}/..`), { recursive: true });
    workspace.put(name, content);
  }
  const error = await mjcf.read(workspace.path('scene.xml'), { key }).then(
    () => new Error('the scene was read'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof S4rError)) throw error;
  expect(error.code).toBe('INVALID_INPUT');
  expect(error.message).not.toMatch(/[\n\r]|__s4r/);
  const relative = (text: string) => text.replaceAll(`${workspace.root}/`, '');
  const { line, element, file } = error.place;
  return { message: relative(error.message), line, element, file: file === undefined ? undefined : relative(file) };
}

const scene = (content: string) => `<mujoco>\n${content}\n</mujoco>`;
const mesh = (attributes: string) =>
  scene(`<asset>\n<mesh name="m" ${attributes}/>\n</asset>\n<worldbody><geom type="mesh" mesh="m"/></worldbody>`);
const free = (attributes: string, inside = '<geom size="1"/>') =>
  scene(`<worldbody>\n<body name="b" ${attributes}><freejoint/>${inside}</body>\n</worldbody>`);

describe('files', () => {
  it('that are missing, folders or empty', async () => {
    expect((await refusal({})).message).toBe('scene.xml: no such file');
    expect((await refusal({ 'scene.xml/x': '' })).message).toBe('scene.xml: not a file but a directory');
    expect((await refusal({ 'scene.xml': '' })).message).toBe('scene.xml: the file is empty');
  });

  it('that are too large for a string', () => {
    const bytes = new Uint8Array(2 ** 29); // pages nobody touches
    expect(() => parseDocument('/scene.xml', bytes)).toThrow('/scene.xml: the file is too large (537 MB)');
  });

  it('that are no MJCF', async () => {
    expect((await refusal({ 'scene.xml': 'hello' })).message).toBe('scene.xml:1: XML error: the file holds no XML element');
    expect((await refusal({ 'scene.xml': '<robot name="r"/>' })).message).toBe(
      'scene.xml: not an MJCF scene: this is a URDF file, not <mujoco>',
    );
    expect((await refusal({ 'scene.xml': '<mujocoinclude/>' })).message).toBe(
      'scene.xml: not an MJCF scene: this is a part for scenes to include (<mujocoinclude>); name the scene that includes it',
    );
    expect((await refusal({ 'scene.xml': '<sdf/>' })).message).toBe(
      'scene.xml: not an MJCF scene: the root element is <sdf>, not <mujoco>',
    );
    expect((await refusal({ 'scene.xml': Buffer.from('\ufeff<mujoco/>', 'utf16le') })).message).toContain('UTF-16');
  });

  it.each([
    ['in the scene', { 'scene.xml': '<mujoco>\n<worldbody>\n<body>\n</worldbody></mujoco>' }, 'scene.xml:3'],
    ['in an included file', { 'scene.xml': scene('<include file="a.xml"/>'), 'a.xml': '<mujoco>\n<body pos=1/>' }, 'a.xml:2'],
  ])('that are malformed %s', async (_, files, place) => {
    expect((await refusal(files)).message).toMatch(new RegExp(`^${place}: <body>: XML error: `));
  });
});

describe('damaged text', () => {
  it.each([
    ['a zero byte in a value', free('').replace('size="1"', 'size="1\0"'), 3],
    ['a zero byte between elements', free('').replace('<geom', '\0<geom'), 3],
  ])('with %s', async (_, xml, line) => {
    expect((await refusal({ 'scene.xml': xml })).message).toMatch(new RegExp(`^scene\\.xml:${line}: XML error: a zero byte`));
  });

  it('with noise after the scene', async () => {
    expect((await refusal({ 'scene.xml': `${free('')}\nnoise` })).message).toBe('scene.xml:6: XML error: text after the end of <mujoco>');
    const workspace = new Workspace();
    const { scene: read } = await mjcf.read(workspace.put('scene.xml', `${free('')} noise <!-- and a comment -->\n\0\0`));
    expect(read.bodies).toHaveLength(1);
  });
});

describe('long values', () => {
  it.each([
    ['a number', free('', `<geom size="${'9'.repeat(100_000)}"/>`)],
    ['a name', scene(`<worldbody><body name="${'b'.repeat(100_000)}"/><body name="${'b'.repeat(100_000)}"/></worldbody>`)],
    ['an attribute', free(`${'a'.repeat(100_000)}="1"`)],
  ])('are cut: %s', async (_, xml) => {
    expect((await refusal({ 'scene.xml': xml })).message.length).toBeLessThan(400);
  });
});

describe('elements', () => {
  it.each([
    ['an unknown attribute', free('foo="1"'), 3, '<body>', /unrecognized attribute: 'foo'/],
    ['a bad number', free('pos="1,2,3"'), 3, '<body>', /bad format in attribute 'pos'/],
    ['NaN', free('pos="0 nan 0"'), 3, '<body name="b">', /pos must be finite, got nan/],
    ['infinity', free('pos="0 0 1"', '<geom size="inf"/>'), 3, '<geom>', /size must be finite, got inf/],
    ['a coordinate beyond MuJoCo’s bound', free('pos="0 -1e11 0"'), 3, '<body name="b">', /pos must be within .*, got -1e11/],
    ['a zero quaternion', free('quat="0 0 0 0"'), 3, '<body>', /zero quaternion/],
    ['a shape without size', free('', '<geom size="0"/>'), 3, undefined, /size 0 must be positive/],
    ['a body without mass', free('', '<geom size="1" mass="0"/>'), 3, `'b'`, /mass and inertia/],
    ['two bodies of one name', scene('<worldbody><body name="b"/>\n<body name="b"/></worldbody>'), 3, '<body>', /repeated name 'b'/],
    [
      'too many numbers in a key',
      free('').replace('</mujoco>', '<keyframe><key qpos="1 2 3 4 5 6 7 8"/></keyframe></mujoco>'),
      undefined,
      undefined,
      /invalid qpos size, expected 7, got 8/,
    ],
  ])('with %s', async (_, xml, line, element, message) => {
    const error = await refusal({ 'scene.xml': xml });
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ file: 'scene.xml', element });
    if (line !== undefined) expect(error.line).toBe(line);
  });

  it('in included files, whose lines MuJoCo forgets', async () => {
    const top = scene('<include file="parts/a.xml"/>\n<worldbody/>');
    const a =
      '<mujoco>\n<include file="b.xml"/>\n<worldbody>\n\n<body name="heavy"><freejoint/><geom size="1" mass="0"/></body></worldbody></mujoco>';
    const b = '<mujoco><worldbody>\n<geom size="1"/>\n\n<geom size="1" shape="x"/>\n</worldbody></mujoco>';
    const files = { 'scene.xml': top, 'parts/a.xml': a, 'parts/b.xml': b };
    expect((await refusal(files)).message).toMatch(/^parts\/b\.xml:4: <geom>: MuJoCo: Schema violation: unrecognized attribute: 'shape'$/);
    const mended = { ...files, 'parts/b.xml': '<mujoco><worldbody/></mujoco>' };
    expect((await refusal(mended)).message).toMatch(/^parts\/a\.xml:5: 'heavy': MuJoCo: mass and inertia/);
  });

  it('of attached models', async () => {
    const top = scene('<asset>\n<model name="m" file="m.xml"/></asset><worldbody><attach model="m" body="b" prefix="p"/></worldbody>');
    expect((await refusal({ 'scene.xml': top })).message).toMatch(/^scene\.xml:3: <model name="m">: no such file .*m\.xml$/);
    expect((await refusal({ 'scene.xml': top, 'm.xml': '<mujoco><worldbody>' })).message).toMatch(/^m\.xml:1: <worldbody>: XML error/);
    expect((await refusal({ 'scene.xml': top, 'm.xml': '<robot/>' })).message).toMatch(/^scene\.xml:3: .*URDF/);
    const nan = scene('<worldbody><body name="b" pos="nan 0 0"><freejoint/><geom size="1"/></body></worldbody>');
    expect((await refusal({ 'scene.xml': top, 'm.xml': nan })).message).toBe(`scene.xml: body 'pb': the pose is not finite`);
  });
});

describe('references', () => {
  const asset = (tag: string) => scene(`<compiler meshdir="m" texturedir="t"/>\n<asset>\n${tag}\n</asset><worldbody/>`);

  it.each([
    ['<mesh file="sub/a.obj"/>', '<mesh file="sub/a.obj">', 'm/sub/a.obj'],
    ['<mesh name="named" file="../a.obj"/>', '<mesh name="named">', 'a.obj'],
    ['<texture type="2d" file="a.png"/>', '<texture file="a.png">', 't/a.png'],
    ['<texture name="c" type="cube" fileright="r.png"/>', '<texture name="c">', 't/r.png'],
    ['<hfield name="h" file="h.png" size="1 1 1 1"/>', '<hfield name="h">', 'm/h.png'],
  ])('to a missing file: %s', async (tag, element, path) => {
    const { message } = await refusal({ 'scene.xml': asset(tag), 'elsewhere/a.obj': 'v 0 0 0', 'elsewhere/a.png': '' });
    expect(message).toBe(`scene.xml:4: ${element}: no such file ${path}`);
  });

  it('to a file missing beside an included file', async () => {
    const files = { 'scene.xml': scene('<include file="parts/a.xml"/>'), 'parts/a.xml': asset('<mesh file="a.obj"/>') };
    expect((await refusal(files)).message).toBe('parts/a.xml:4: <mesh file="a.obj">: no such file parts/a.obj');
  });

  it('to includes that are missing, nameless or go in circles', async () => {
    expect((await refusal({ 'scene.xml': scene('<include file="x/a.xml"/>') })).message).toBe(
      'scene.xml:2: <include file="x/a.xml">: no such file x/a.xml',
    );
    expect((await refusal({ 'scene.xml': scene('<include/>') })).message).toBe('scene.xml:2: <include>: include without file');
    const circle = { 'scene.xml': scene('<include file="a.xml"/>'), 'a.xml': scene('\n<include file="scene.xml"/>') };
    expect((await refusal(circle)).message).toBe('a.xml:3: <include file="scene.xml">: the file includes itself');
    const model = { 'scene.xml': scene('<asset><model file="scene.xml"/></asset>') };
    expect((await refusal(model)).message).toMatch(/^scene\.xml:2: <model file="scene\.xml">: the model contains itself/);
  });

  it('to one file twice, which MuJoCo forbids', async () => {
    const { message } = await refusal({
      'scene.xml': scene('<include file="a.xml"/>\n<include file="a.xml"/>'),
      'a.xml': '<mujoco><worldbody/></mujoco>',
    });
    expect(message).toBe(`scene.xml:3: <include>: MuJoCo: File 'a.xml' already included`);
  });

  it('to a file MuJoCo cannot decode, with what the decoder says', async () => {
    const { message } = await refusal({ 'scene.xml': asset('<mesh name="m" file="a.stl"/>'), 'm/a.stl': 'solid a\n'.repeat(50) });
    expect(message).toMatch(/^scene\.xml:4: 'm': MuJoCo: decoder failed for mesh file 'm\/a\.stl' \| stl_decoder: .*ASCII file\?$/);
  });

  it('to a folder', async () => {
    const { message } = await refusal({ 'scene.xml': mesh('file="a.obj"'), 'a.obj/x': '' });
    expect(message).toBe('scene.xml:3: <mesh name="m">: not a file but a directory a.obj');
  });

  it.each([
    ['empty', '', /at least 4 vertices/],
    ['without volume', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n', /coplanar/],
    ['garbage', 'f 1 2 99999\n', /./],
  ])('to a mesh that is %s', async (_, content, message) => {
    const error = await refusal({ 'scene.xml': mesh('file="a.obj"'), 'a.obj': content });
    expect(error).toMatchObject({ file: 'scene.xml', line: 3, element: `'m'` });
    expect(error.message).toMatch(message);
  });
});

describe('keyframes', () => {
  it('that do not exist, with those that do', async () => {
    const keys = free('').replace('</mujoco>', '<keyframe><key name="home"/><key/></keyframe></mujoco>');
    expect((await refusal({ 'scene.xml': keys }, 'hone')).message).toBe(`scene.xml: no keyframe 'hone'; the file has 'home', 1`);
    expect((await refusal({ 'scene.xml': keys }, '2')).message).toContain(`no keyframe '2'`);
    expect((await refusal({ 'scene.xml': free('') }, '0')).message).toBe(`scene.xml: no keyframe '0'; the file has none`);
  });
});

describe('memory', () => {
  it('that a scene needs and WebAssembly has not', async () => {
    const huge = scene('<asset><texture name="t" type="2d" builtin="flat" width="30000" height="30000"/></asset><worldbody/>');
    expect((await refusal({ 'scene.xml': huge })).message).toMatch(/^scene\.xml: the scene does not fit into MuJoCo's 2 GiB of memory/);
  });
});

describe('after any of these', () => {
  it('the next scene is read as ever', async () => {
    const workspace = new Workspace();
    await expect(mjcf.read(workspace.put('bad.xml', '<mujoco><worldbody><geom/></worldbody></mujoco>'))).rejects.toBeInstanceOf(S4rError);
    const { scene: good } = await mjcf.read(workspace.put('good.xml', free('')));
    expect(good.bodies.map((body) => body.name)).toEqual(['b']);
  });
});
