/** What must be refused, how, and with nothing left behind. */
import { equal, fail, ok } from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import { type ErrorCode, S4rError } from '../index.js';
import { Folder } from './folder.js';
import type { FileSample } from './subject.js';

/** `use` throws an `S4rError` of this code in one line, and changes nothing in the folder. */
export async function assertRefuses(folder: Folder, what: string, code: ErrorCode, use: () => Promise<unknown>): Promise<S4rError> {
  return await folder.unchangedBy(what, async () => await assertThrows(what, code, use));
}

/** `use` throws an `S4rError` of this code in one line. */
export async function assertThrows(what: string, code: ErrorCode, use: () => Promise<unknown>): Promise<S4rError> {
  const error = await use().then(
    () => fail(`${what} must be refused, and was not`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof S4rError)) throw error;
  equal(error.code, code, `${what} must be refused with ${code}, got ${error.code}: ${error.message}`);
  ok(error.message !== '' && !error.message.includes('\n'), `${what}: the message must be one line, got: ${error.message}`);
  return error;
}

/** Bad inputs, read one by one: refused with `INVALID_INPUT` and the file at fault. */
export async function assertRefusesInput(sample: FileSample, read: (path: string) => Promise<unknown>): Promise<void> {
  await Folder.with(sample.files, async (folder) => {
    const path = folder.at(sample.main);
    const { place } = await assertRefuses(folder, sample.name, 'INVALID_INPUT', async () => await read(path));
    ok(place.file !== undefined, `${sample.name}: the error must name the file at fault`);
  });
}

/** Bad inputs any format has. */
export function badInputs({ files, main }: FileSample): FileSample[] {
  const noise = Uint8Array.from({ length: 999 }, (_, i) => (i * i * 167 + i * 29 + 7) % 256);
  const other = (name: string, content: string | Uint8Array): FileSample => ({ name, main, files: { ...files, [main]: content } });
  return [
    { name: 'a missing file', main: `no such ${main}`, files },
    { name: 'a folder', main: `folder of ${main}`, files: { [`folder of ${main}/file`]: '' } },
    other('an empty file', ''),
    other('a file of noise', noise),
    other('a file of zeros', new Uint8Array(99)),
  ];
}

/** Write to places where that cannot work: refused with `OUTPUT`, and nothing is left there. */
export async function assertRefusesTargets(folder: Folder, extension: string, write: (path: string) => Promise<unknown>): Promise<void> {
  await folder.put('a file', '');
  await mkdir(folder.at(`a folder${extension}`));
  const targets = {
    'a missing folder': `missing/out${extension}`,
    'a target that is a folder': `a folder${extension}`,
    'a target below a file': `a file/out${extension}`,
    // Found out only when the finished temporary file is given its name.
    'a name too long for the file system': `${'x'.repeat(300)}${extension}`,
  };
  for (const [what, target] of Object.entries(targets)) {
    await assertRefuses(folder, what, 'OUTPUT', async () => await write(folder.at(target)));
  }
  if (process.getuid?.() === 0 || process.platform === 'win32') return; // nothing stops root, and modes stop nobody on Windows
  await mkdir(folder.at('read-only'));
  await chmod(folder.at('read-only'), 0o555);
  await assertRefuses(folder, 'a read-only folder', 'OUTPUT', async () => await write(folder.at(`read-only/out${extension}`)));
}
