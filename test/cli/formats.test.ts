/** Which format a file is in, and the options of all formats on one command line. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Command, Option } from 'commander';
import { FORMAT_LIST, formatOf } from '../../src/cli/formats/choose.js';
import { addFormatOptions, assertFlagsFit, flagsOf, givenFlags } from '../../src/cli/formats/flags.js';
import { type FileFormat, FORMATS, type OpenScene } from '../../src/cli/formats/index.js';
import { MJCF } from '../../src/cli/formats/mjcf.js';
import { rootElement } from '../../src/cli/formats/xml-root.js';
import { ProgressBar } from '../../src/cli/progress.js';
import { rolloutPairs } from '../../src/cli/rollouts.js';
import { Solver } from '../../src/index.js';
import { CLEAN, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

/** A format that shares an extension with MJCF. */
const ROBOT: FileFormat = {
  name: 'Robot',
  extensions: ['.xml', '.robot'],
  recognises: (head) => rootElement(head) === 'robot',
  options: [new Option('--mesh <kind>')],
  open: () => Promise.reject(new Error('not opened here')),
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(async () => await folder.remove());

describe('choosing', () => {
  const chosen = async (name: string, text: string) => (await formatOf(await folder.write(name, text), [MJCF, ROBOT])).name;

  test('by extension, whatever is in it', async () => {
    expect(await chosen('a.robot', '')).toBe('Robot');
    expect(await chosen('A.MJCF', 'nonsense')).toBe('MJCF');
  });

  test('by content where several share the extension', async () => {
    expect(await chosen('a.xml', '\ufeff<?xml version="1.0"?>\n<!-- <robot> -->\n<!DOCTYPE x>\n<mujoco model="m">')).toBe('MJCF');
    expect(await chosen('b.xml', `<!--${' '.repeat(50000)}<mujoco>--><robot name="r"><mujoco/></robot>`)).toBe('Robot');
  });

  test('a xacro that is named says what to do, and one in a folder is passed over', async () => {
    const macro = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:arm/>\n<link name="a"/></robot>';
    const file = await folder.write('xacros/robot.urdf.xacro', macro);
    const { code, stdout, stderr } = await s4r(['check', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^s4r: .*robot\.urdf\.xacro:2: <xacro:arm>: this is a xacro file, not a URDF; expand it first: .*\n$/);
    await folder.write('xacros/scene.xml', CLEAN);
    expect(await s4r(['check', folder.at('xacros')])).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['c.xml', '', 'the file is empty'],
    ['d.xml', '<mujocoinclude/>', 'this is a part for scenes to include (<mujocoinclude>); name the scene that includes it'],
    ['e.xml', 'text <mujoco/>', 'by its content no scene of MJCF or Robot'],
    ['f.stl', '<mujoco/>', `no scene of a known format by its extension; there are ${FORMAT_LIST}`],
  ])('%s %j', async (name, text, message) => {
    await expect(chosen(name, text)).rejects.toMatchObject({ code: 'INVALID_INPUT', message: `${folder.at(name)}: ${message}` });
  });

  test('a file that is missing is missing', async () => {
    await expect(formatOf(folder.at('missing.xml'), [MJCF, ROBOT])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `${folder.at('missing.xml')}: no such file`,
    });
  });
});

describe('options', () => {
  const parse = (...args: string[]) => {
    const command = addFormatOptions(new Command());
    command.parse(args, { from: 'user' });
    return givenFlags(command);
  };

  test('are those given', () => {
    expect(parse()).toEqual({});
    expect(parse('--key', 'home')).toEqual({ key: 'home' });
  });

  test('go to the formats that have them', () => {
    expect(flagsOf(MJCF, { key: 'home', mesh: 'hull' })).toEqual({ key: 'home' });
    expect(flagsOf(ROBOT, { key: 'home', mesh: 'hull' })).toEqual({ mesh: 'hull' });
  });

  test('must suit one of the files', () => {
    const [arm, scene] = [
      { name: 'arm.robot', format: ROBOT },
      { name: 'scene.xml', format: MJCF },
    ];
    expect(() => assertFlagsFit({ key: 'home' }, [scene, arm])).not.toThrow();
    expect(() => assertFlagsFit({ key: 'home' }, [arm])).toThrow('--key is an option of MJCF, and arm.robot is Robot');
    expect(() => assertFlagsFit({ key: 'home' }, [arm, arm])).toThrow('--key is an option of MJCF, and none of the files is');
  });

  test('stand in the help under the names of their formats, those for writing with fix alone', async () => {
    const help = async (command: string) => (await s4r([command, '--help'])).stdout;
    expect(await help('fix')).toMatch(/^Options of [\w, ]*MJCF[\w, ]*:\n(.*\n)*? +--key <name>/m);
    expect(await help('fix')).toContain('--write <where>');
    expect(await help('check')).not.toContain('--write <where>');
    expect((await s4r(['check', await folder.write('scene.xml', CLEAN), '--write', 'npz'])).code).toBe(2);
  });
});

test('a format without an engine of its own rolls out in Rapier', async () => {
  const { scene, write } = await MJCF.open(await folder.write('overlapping.xml', OVERLAPPING), {});
  const open: OpenScene = { scene, write, notes: [], inputs: [] };
  const result = await (await Solver.create()).solve(scene);
  const written = await open.write(result, { path: folder.at('overlapping.xml'), inPlace: true, dryRun: true });
  const io = { stdout: { write: () => true }, stderr: { write: () => true } };
  const [still] = await rolloutPairs(io, new ProgressBar(io), open, { result, written });
  expect(still?.before.engine.name).toBe('Rapier');
  expect(still?.before.movable.speed?.value).toBeGreaterThan(0.01);
  expect(still?.after?.movable.speed?.value).toBe(0);
});

test('every format is listed, has a name and extensions of its own shape', () => {
  for (const { name, extensions } of FORMATS) expect(FORMAT_LIST).toContain(`${name} (${extensions.join(', ')})`);
  expect(new Set(FORMATS.map(({ name }) => name)).size).toBe(FORMATS.length);
  for (const { extensions } of FORMATS) for (const extension of extensions) expect(extension).toMatch(/^\.[a-z0-9]+$/);
});
