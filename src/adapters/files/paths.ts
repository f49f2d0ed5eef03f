/** Paths as MuJoCo sees them: either slash separates, `..` is resolved in the text, not on the disk. */
import { posix, resolve as resolveNative } from 'node:path';

/** A path the user typed, absolute and with forward slashes. */
export function absolutePath(path: string): string {
  return slashes(resolveNative(path));
}

export function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

export function isAbsolute(path: string): boolean {
  return /^\/|:\//.test(slashes(path));
}

/** `path` seen from the directory `from`, without `.` and `..`; an absolute `path` wins. */
export function join(from: string, path: string): string {
  const clean = slashes(path);
  return posix.normalize(isAbsolute(clean) || from === '' ? clean : `${from}/${clean}`).replace(/(.)\/$/, '$1');
}

export function directoryOf(path: string): string {
  return posix.dirname(path);
}

export function baseName(path: string): string {
  return posix.basename(slashes(path));
}

/** `to` as seen from the directory `from`; absolute if they share no drive. */
export function relativePath(from: string, to: string): string {
  const drive = (path: string) => /^[A-Za-z]:/.exec(path)?.[0].toLowerCase() ?? '';
  return drive(from) === drive(to) ? posix.relative(from, to) : to;
}
