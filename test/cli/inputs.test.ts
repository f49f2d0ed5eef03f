/** Which files are worked on: named ones, globs, folders, standard input. */
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FORMAT_LIST } from '../../src/cli/formats/choose.js';
import { CLEAN, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Paths below the folder of the files checked. */
let checked: (...args: string[]) => Promise<string[]>;

beforeEach(async () => {
  folder = await temporaryFolder();
  await folder.write('a.xml', CLEAN);
  await folder.write('deep/b.mjcf', OVERLAPPING);
  await folder.write('deep/c (1)/[x]/d.XML', CLEAN);
  await folder.write('deep/e_part.xml', CLEAN);
  // No scenes.
  await folder.write('include.xml', '<!-- <mujoco> -->\n<mujocoinclude/>');
  await folder.write('data.xml', '<data/>');
  await folder.write('notes.txt', CLEAN);
  checked = async (...args) => {
    const { stdout } = await s4r(['check', ...args, '--json']);
    return JSON.parse(stdout).files.map(({ file }: { file: string }) => relative(folder.path, file));
  };
});

afterEach(async () => await folder.remove());

const ALL = ['a.xml', 'deep/b.mjcf', 'deep/c (1)/[x]/d.XML', 'deep/e_part.xml'];

describe('folders', () => {
  test('hold scenes at any depth, sorted; what is no scene is skipped without a word', async () => {
    const { code, stdout, stderr } = await s4r(['check', folder.path]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.endsWith('\n4 scenes: 3 clean, 1 overlapping\n')).toBe(true);
    expect(await checked(folder.path)).toEqual(ALL);
    expect(await checked(`${folder.path}/`)).toEqual(ALL);
  });

  test('that link to themselves are searched once', async () => {
    await symlink('..', folder.at('deep/loop'));
    expect(await checked(folder.path)).toEqual(ALL);
  });

  test('hold links to scenes, and what cannot be read is not passed over', async () => {
    await symlink('../notes.txt', folder.at('deep/f.xml'));
    await symlink('nowhere', folder.at('deep/g.xml'));
    expect(await checked(folder.at('deep'))).toEqual([...ALL.slice(1), 'deep/f.xml', 'deep/g.xml']);
    expect((await s4r(['check', folder.at('deep')])).stderr).toBe(`s4r: ${folder.at('deep/g.xml')}: no such file\n`);
  });

  test('with one scene are still a run over many', async () => {
    expect(await checked(folder.at('deep/c (1)'))).toEqual(['deep/c (1)/[x]/d.XML']);
  });
});

describe('globs', () => {
  test('name files, scenes or not', async () => {
    expect(await checked(folder.at('**/*.mjcf'))).toEqual(['deep/b.mjcf']);
    const { code, stdout, stderr } = await s4r(['check', folder.at('*.xml')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/data\.xml.*\n.*include\.xml.*<mujocoinclude>\); name the scene that includes it\n$/);
    expect(stdout.endsWith('3 scenes: 1 clean, 2 failed\n')).toBe(true);
  });

  test('are no globs where a file has that name', async () => {
    const { code } = await s4r(['check', folder.at('deep/c (1)/[x]/d.XML')]);
    expect(code).toBe(0);
  });
});

test('every file comes once, where it was first', async () => {
  await symlink('a.xml', folder.at('link.xml'));
  expect(await checked(folder.at('deep/e_part.xml'), folder.path, folder.at('a.xml'), folder.at('link.xml'))).toEqual([
    'deep/e_part.xml',
    'a.xml',
    'deep/b.mjcf',
    'deep/c (1)/[x]/d.XML',
  ]);
});

describe('--exclude', () => {
  test('without a slash goes by name, in any folder', async () => {
    expect(await checked(folder.path, '-x', '*_part.xml', '-x', 'c*')).toEqual(['a.xml', 'deep/b.mjcf']);
    expect(await checked(folder.at('a.xml'), folder.at('deep/e_part.xml'), '-x', '*_part.xml')).toEqual(['a.xml']);
  });

  test('with a slash goes by path', async () => {
    expect(await checked(folder.path, '-x', `${folder.path}/deep/*.xml`)).toEqual(ALL.slice(0, 3));
    expect(await checked(folder.path, '-x', `${folder.path}/deep/`)).toEqual(['a.xml']);
  });
});

test('a file that fails does not stop the others, and the worst exit code counts', async () => {
  await folder.write('bad.xml', '<mujoco>\n<worldbody>\n');
  const { code, stdout, stderr } = await s4r(['check', folder.at('bad.xml'), folder.at('deep/b.mjcf'), folder.at('a.xml')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^s4r: .*bad\.xml:2: .*\n$/);
  expect(stdout.endsWith('3 scenes: 1 failed, 1 overlapping, 1 clean\n')).toBe(true);
  const { files, summary, exitCode } = JSON.parse((await s4r(['check', folder.at('bad.xml'), folder.at('a.xml'), '--json'])).stdout);
  expect({ summary, exitCode }).toEqual({ summary: { failed: 1, clean: 1 }, exitCode: 2 });
  expect(files[0]).toMatchObject({ verdict: 'failed', exitCode: 2, error: { code: 'INVALID_INPUT', line: 2 } });
});

test('interrupted, a run over many says so and reports nothing', async () => {
  const { code, stdout, stderr } = await s4r(['check', folder.path, '--json'], { signal: AbortSignal.abort() });
  expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: 's4r: interrupted\n' });
});

describe('fix of many', () => {
  test('-o keeps the tree of a folder, and leaves the inputs alone', async () => {
    const out = folder.at('out');
    const { code, stdout } = await s4r(['fix', folder.at('deep'), folder.at('a.xml'), '-o', `${out}/`]);
    expect(code).toBe(0);
    expect(stdout.endsWith('\n4 scenes: 1 solved, 3 clean\n')).toBe(true);
    expect((await readdir(out)).sort()).toEqual(['a.xml', 'b.mjcf', 'c (1)', 'e_part.xml']);
    expect(await readFile(folder.at('deep/b.mjcf'), 'utf8')).toBe(OVERLAPPING);
    expect((await s4r(['check', out])).code).toBe(0);
    expect(await readFile(`${out}/a.xml`, 'utf8')).toBe(CLEAN);
  });

  test('--in-place edits each', async () => {
    expect((await s4r(['fix', folder.path, '--in-place'])).code).toBe(0);
    expect((await s4r(['check', folder.path])).code).toBe(0);
  });

  test('--dry-run writes nothing', async () => {
    const { stdout } = await s4r(['fix', folder.path, '--dry-run']);
    expect(stdout).toContain('would write');
    expect(await readFile(folder.at('deep/b.mjcf'), 'utf8')).toBe(OVERLAPPING);
  });
});

describe('standard input', () => {
  test('is checked, and called - wherever it is mentioned', async () => {
    expect((await s4r(['check', '-'], { stdin: OVERLAPPING })).stdout).toMatch(/^-: 1 overlap between/);
    const { files } = JSON.parse((await s4r(['check', '-', folder.at('a.xml'), '--json'], { stdin: OVERLAPPING })).stdout);
    expect(files.map(({ file }: { file: string }) => relative(folder.path, file)).at(-1)).toBe('a.xml');
    expect(files[0]).toMatchObject({ file: '-', overlaps: [{ place: { file: '-', line: 3 } }] });
    const { code, stderr } = await s4r(['check', '-'], { stdin: '<mujoco>\n<worldbody>\n' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^s4r: -:2: /) });
  });

  test('is repaired into a file; its relative paths lead from the current directory', async () => {
    const asset = '<asset><mesh name="m" file="test/fixtures/mjcf/assets/l-shape.obj"/></asset>';
    const stdin = OVERLAPPING.replace('<worldbody>', `${asset}<worldbody>`);
    const out = folder.at('fixed.xml');
    expect((await s4r(['fix', '-', '-o', out], { stdin })).code).toBe(0);
    expect((await s4r(['check', out])).code).toBe(0);
    const { stdout } = await s4r(['fix', '-', '--diff'], { stdin });
    expect(stdout).toMatch(/^--- -\n\+\+\+ -\n@@ /);
    expect((await readdir('.')).filter((name) => name.startsWith('.s4r-'))).toEqual([]);
  });

  test.each([
    [['check', '-'], '', /-: nothing came in/],
    [['check', '-'], 'hello', /-: no scene of a known format; there are MJCF/],
    [['fix', '-', '--in-place'], CLEAN, /cannot be edited in place; give -o FILE/],
  ])('%j', async (args, stdin, message) => {
    const { code, stdout, stderr } = await s4r(args, { stdin });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

test('on a terminal a bar counts the files, and is gone in the end', async () => {
  const { stdout, stderr } = await s4r(['check', folder.path], { tty: true });
  expect(stderr).toMatch(/\rchecking +\[-{24}\] 0 of 4 files/);
  expect(stderr.endsWith('\r\x1b[K')).toBe(true);
  expect(stdout).not.toContain('\x1b');
});

test('a folder without scenes is refused', async () => {
  await mkdir(folder.at('empty'));
  const { code, stderr } = await s4r(['check', folder.at('empty')]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `s4r: ${folder.at('empty')}: no scene in this folder; there are ${FORMAT_LIST}\n`,
  });
});

test('standard input that Ctrl-C cut off is no scene', async () => {
  const controller = new AbortController();
  async function* cutOff() {
    yield Buffer.from('');
    controller.abort();
  }
  const ran = await s4r(['check', '-'], { stdin: cutOff(), signal: controller.signal });
  expect(ran).toEqual({ code: 130, stdout: '', stderr: 's4r: interrupted\n' });
});
