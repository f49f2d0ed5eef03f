/**
 * A file system in which a link to a file is a file: `tinyglobby` either leaves out all links, those to scenes too, or follows those
 * to folders as well, which may lead back to where it came from.
 */
import { type Dirent, readdir } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GlobOptions } from 'tinyglobby';

type ReadFolder = (path: string, options: unknown, done: (error: Error | null, entries?: Dirent[]) => void) => void;

const readFolder: ReadFolder = (path, _, done) => {
  readdir(path, { withFileTypes: true }, (error, entries) => {
    if (error !== null) done(error);
    else void Promise.all(entries.map((entry) => asFile(path, entry))).then((all) => done(null, all));
  });
};

/** Also of a link that leads nowhere, which must not be passed over in silence. */
async function asFile(folder: string, entry: Dirent): Promise<Dirent> {
  if (!entry.isSymbolicLink()) return entry;
  const target = await stat(join(folder, entry.name)).catch(() => undefined);
  if (target !== undefined && !target.isFile()) return entry;
  return Object.assign(Object.create(entry) as Dirent, { isFile: () => true, isSymbolicLink: () => false });
}

export const LINKS_AS_FILES = { readdir: readFolder } as NonNullable<GlobOptions['fs']>;
