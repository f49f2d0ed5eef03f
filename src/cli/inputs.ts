/** From the words on the command line to the scene files to work on. */
import { basename, dirname, join } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { S4rError } from '../index.js';
import { EXTENSIONS, FORMAT_LIST, formatOf, sceneFormat } from './formats/choose.js';
import type { FileFormat } from './formats/index.js';
import { LINKS_AS_FILES } from './links-as-files.js';
import { realPath, statOf } from './output-path.js';

/** One scene file. Plain data: it also goes to other processes. */
export interface Input {
  /** As people know it: what was typed, or the path found. */
  readonly name: string;
  /** What is opened. */
  readonly path: string;
  /** Its place in an output folder. */
  readonly below: string;
}

export interface Inputs {
  readonly list: readonly Input[];
  /** Whether reports speak of many files: unless one file was named, however many were found. */
  readonly several: boolean;
}

/**
 * Files, globs and folders, in the order given; what a folder or glob finds is sorted, and each file comes once.
 * Of a folder, files that are no scenes are left out.
 * @param exclude globs of files to leave out; one without a slash matches in any folder
 * @throws S4rError INVALID_INPUT if a folder or glob holds no scene
 */
export async function findInputs(words: readonly string[], exclude: readonly string[]): Promise<Inputs> {
  const found: Input[] = [];
  const seen = await excludedPaths(exclude);
  const names = exclude.filter((pattern) => !pattern.includes('/'));
  let several = words.length > 1;
  for (const word of words) {
    const kind = await statOf(word);
    const folder = kind?.isDirectory() === true;
    const wild = kind === undefined && isDynamicPattern(word);
    several ||= wild || folder;
    for (const input of folder ? await ofFolder(word, names) : wild ? await ofGlob(word, names) : await ofFile(word, names)) {
      const real = await realPath(input.path);
      if (seen.has(real)) continue;
      seen.add(real);
      found.push(input);
    }
  }
  if (found.length === 0) throw new S4rError('INVALID_INPUT', '--exclude leaves no scene');
  return { list: found, several };
}

/** The formats of the inputs that have one. What has none is refused when its turn comes. */
export async function formatsOf(inputs: readonly Input[]): Promise<{ name: string; format: FileFormat }[]> {
  const found: { name: string; format: FileFormat }[] = [];
  // One by one: thousands of files are more than may be open at a time.
  for (const { name, path } of inputs) {
    const format = await formatOf(path).catch(() => undefined);
    if (format !== undefined) found.push({ name, format });
  }
  return found;
}

async function ofFile(path: string, exclude: readonly string[]): Promise<Input[]> {
  const excluded = exclude.length > 0 && (await glob([...exclude], { cwd: dirname(path), dot: true })).includes(basename(path));
  return excluded ? [] : [{ name: path, path, below: basename(path) }];
}

async function ofFolder(folder: string, exclude: readonly string[]): Promise<Input[]> {
  const found = await find(folder, `**/*.{${EXTENSIONS.map((extension) => extension.slice(1)).join(',')},}`, exclude);
  const scenes: Input[] = [];
  for (const input of found) if ((await sceneFormat(input.path)) !== undefined) scenes.push(input);
  if (scenes.length === 0) throw new S4rError('INVALID_INPUT', `no scene in this folder; there are ${FORMAT_LIST}`, { file: folder });
  return scenes;
}

/** All that matches, scene or not: who writes a pattern names the files. */
async function ofGlob(pattern: string, exclude: readonly string[]): Promise<Input[]> {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => isDynamicPattern(part));
  const base = parts.slice(0, wild).join('/');
  const found = await find(base !== '' ? base : pattern.startsWith('/') ? '/' : '.', parts.slice(wild).join('/'), exclude);
  if (found.length === 0) throw new S4rError('INVALID_INPUT', `no file matches '${pattern}'`);
  return found;
}

/** Files below a folder, sorted by path. Links to folders are not followed: they may lead back. */
async function find(folder: string, pattern: string, exclude: readonly string[]): Promise<Input[]> {
  const ignore = exclude.flatMap((name) => [`**/${name}`, `**/${name}/**`]);
  const found = await glob(pattern, { ...SEARCH, cwd: folder, ignore });
  return found.sort().map((below) => ({ name: join(folder, below), path: join(folder, below), below }));
}

const SEARCH = { caseSensitiveMatch: false, expandDirectories: false, followSymbolicLinks: false, fs: LINKS_AS_FILES } as const;

/** Real paths of all that the patterns with a slash match, from the current directory. */
async function excludedPaths(exclude: readonly string[]): Promise<Set<string>> {
  const patterns = exclude.filter((pattern) => pattern.includes('/')).map((pattern) => pattern.replace(/\/+$/, ''));
  if (patterns.length === 0) return new Set();
  const found = await glob(
    patterns.flatMap((pattern) => [pattern, `${pattern}/**`]),
    { expandDirectories: false },
  );
  return new Set(await Promise.all(found.map(realPath)));
}
