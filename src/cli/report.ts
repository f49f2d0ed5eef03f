/** The JSON that --json prints and --report writes. Metres, radians, seconds; quaternions w first. */
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Pose, type Result, S4rError, type Scene } from '../index.js';
import type { Io } from './io.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

export { version };

/** A report starts with what made it and the unit of its numbers. */
export function makeReport(command: string, file: string, content: object): object {
  return { tool: `s4r ${version}`, command, file, units: { length: 'm', angle: 'rad', time: 's' }, ...content };
}

/** The result of a solve with names beside the poses. */
export function reportResult(scene: Scene, result: Result): object {
  const pose = ({ position, quaternion }: Pose, i: number) => ({ body: scene.bodies[i]?.name, position, quaternion_wxyz: quaternion });
  return { ...result, poses: result.poses.map(pose) };
}

/** Prints or stores a report, as asked. */
export async function emitReport(io: Io, options: { json?: boolean; report?: string }, report: object): Promise<void> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (options.report !== undefined) await writeAtomically(options.report, text);
  if (options.json === true) io.stdout.write(text);
}

/** Nobody ever sees half a file: written beside, then renamed. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new S4rError('OUTPUT', `cannot write the report: ${(cause as Error).message}`, { file: path }, { cause });
  }
}
