/** Where the files are that a robot description refers to: `package://`, `model://`, `file://`, absolute and relative. */
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { S4rError } from '../../core/errors.js';
import type { Disk, Place } from '../files/disk.js';
import { baseName, directoryOf, isAbsolute, join, slashes } from '../files/paths.js';

/** Directories of packages by name, absolute; what stands here wins over the environment and the search. */
export type PackageMap = ReadonlyMap<string, string>;

/** Finds files by URI. Looks for every package once from each directory. */
export class UriResolver {
  private readonly roots = new Map<string, readonly string[]>();

  constructor(
    private readonly packages: PackageMap,
    private readonly disk: Disk,
  ) {}

  /**
   * Absolute path of the file that `uri` means, seen from the directory `from`. A package is looked for in `packages`; if it is not there, in
   * ROS_PACKAGE_PATH, in AMENT_PREFIX_PATH, and from `from` upwards: a folder of its name, or one whose package.xml names it.
   * @throws S4rError INVALID_INPUT that lists every path tried
   */
  async resolve(uri: string, from: string, place: Place): Promise<string> {
    const inPackage = /^(?:package|model):\/\/([^/]*)\/?(.*)$/.exec(slashes(uri));
    const candidates =
      inPackage === null ? plainCandidates(uri, from, place) : await this.inPackage(inPackage[1] ?? '', inPackage[2] ?? '', from);
    for (const path of candidates) if (await this.disk.isFile(path)) return path;
    const nowhere = `no folder of that package in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, nor in ${upwards(from).join(', ')}`;
    const tried = candidates.length === 0 ? nowhere : `tried ${candidates.join(', ')}`;
    const hint = inPackage === null || inPackage[1] === '' ? '' : `; say where the package is: --package ${inPackage[1]}=DIR`;
    throw new S4rError('INVALID_INPUT', `no such file: ${uri} (${tried})${hint}`, place);
  }

  private async inPackage(name: string, rest: string, from: string): Promise<string[]> {
    // `package:///file`, as onshape-to-robot writes it, names no package: the folder of the description itself.
    if (name === '') return [join(from, rest)];
    const given = this.packages.get(name);
    const roots = given === undefined ? await this.rootsOf(name, from) : [given];
    return [...new Set(roots.map((root) => join(root, rest)))];
  }

  private async rootsOf(name: string, from: string): Promise<readonly string[]> {
    const key = JSON.stringify([name, from]);
    const roots = this.roots.get(key) ?? (await packageRoots(name, from));
    this.roots.set(key, roots);
    return roots;
  }
}

function plainCandidates(uri: string, from: string, place: Place): string[] {
  if (!/^file:/i.test(uri)) return [join(from, uri)];
  try {
    return [slashes(fileURLToPath(uri))];
  } catch (cause) {
    throw new S4rError('INVALID_INPUT', `not a file URL: ${uri} (file:///absolute/path, or a plain path)`, place, { cause });
  }
}

async function packageRoots(name: string, from: string): Promise<string[]> {
  const roots: string[] = [];
  for (const folder of listed('ROS_PACKAGE_PATH')) {
    if (baseName(folder) === name || (await packageName(folder)) === name) roots.push(folder);
    roots.push(join(folder, name));
  }
  for (const prefix of listed('AMENT_PREFIX_PATH')) roots.push(join(prefix, `share/${name}`));
  for (const folder of upwards(from)) {
    if (baseName(folder) === name || (await packageName(folder)) === name) roots.push(folder);
    const inside = join(folder, name);
    if (await isDirectory(inside)) roots.push(inside);
  }
  return roots;
}

/** The folder and those above it. */
function upwards(folder: string): string[] {
  const above = directoryOf(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

function listed(variable: string): string[] {
  const separator = process.platform === 'win32' ? ';' : ':';
  return (process.env[variable] ?? '').split(separator).map(slashes).filter(isAbsolute);
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** What a package.xml in this folder calls the package. */
async function packageName(folder: string): Promise<string | undefined> {
  const text = await readFile(`${folder}/package.xml`, 'utf8').catch(() => ''); // most folders have none
  return /<name>\s*([^<\s]+)\s*<\/name>/.exec(text)?.[1];
}
