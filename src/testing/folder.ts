/** A folder of its own for one check, and what lies in it. */
import { deepStrictEqual } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { FileSample } from './subject.js';

export class Folder {
  private constructor(readonly root: string) {}

  /** Run `use` in a folder with these files, which is gone afterwards. */
  static async with<T>(files: FileSample['files'], use: (folder: Folder) => Promise<T>): Promise<T> {
    // Names that a careless path or URL would break at.
    const folder = new Folder(await mkdtemp(join(tmpdir(), 's4r conformance &ü-')));
    try {
      for (const [name, content] of Object.entries(files)) await folder.put(name, content);
      return await use(folder);
    } finally {
      await rm(folder.root, { recursive: true, force: true });
    }
  }

  at(name: string): string {
    return join(this.root, name);
  }

  async put(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.at(name)), { recursive: true });
    await writeFile(this.at(name), content);
  }

  /** Everything in it by relative path, hidden files included: contents, one character per byte; null for a folder. */
  async contents(): Promise<ReadonlyMap<string, string | null>> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => ({ path: join(entry.parentPath, entry.name), file: entry.isFile() }));
    paths.sort((a, b) => (a.path < b.path ? -1 : 1));
    const found = new Map<string, string | null>();
    for (const { path, file } of paths) found.set(relative(this.root, path), file ? (await readFile(path)).toString('latin1') : null);
    return found;
  }

  /** Run `use`, and fail if it changed anything here. */
  async unchangedBy<T>(what: string, use: () => Promise<T>): Promise<T> {
    const before = await this.contents();
    const value = await use();
    deepStrictEqual(await this.contents(), before, `${what} must change nothing in the folder`);
    return value;
  }
}

/** The files of a folder, for a sample. */
export async function filesIn(folder: string): Promise<Record<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.sort().map(async (path) => [relative(folder, path), await readFile(path)])));
}
