/** The JSON that --json prints and --report writes. Metres, radians, seconds; quaternions w first. */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { writeAtomically } from '../adapters/mjcf/index.js';
import { type Pose, type Result, S4rError, type Scene } from '../index.js';
import type { Io } from './io.js';
import { assertNotTaken, assertOutputPath, realPath, statOf } from './output-path.js';

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

/**
 * To be called before the work. @param taken files it must not replace
 * @throws S4rError OUTPUT if the report cannot, or must not, be written
 */
export async function assertReportPath({ report }: { report?: string }, ...taken: string[]): Promise<void> {
  if (report === undefined) return;
  await assertOutputPath(report);
  await assertNotTaken(report, taken, OVERWRITES);
}

export const OVERWRITES = 'the report would overwrite the scene';

/** Prints or stores a report, as asked. */
export async function emitReport(io: Io, options: { json?: boolean; report?: string }, report: object): Promise<void> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (options.report !== undefined) await store(options.report, text);
  if (options.json === true) io.stdout.write(text);
}

/** Nobody ever sees half a file, and a link stays one. A pipe or a device takes the text as it comes. */
async function store(path: string, text: string): Promise<void> {
  try {
    const found = await statOf(path);
    if (found !== undefined && !found.isFile()) await writeFile(path, text);
    else await writeAtomically([{ path: await realPath(path), bytes: Buffer.from(text) }]);
  } catch (cause) {
    throw new S4rError('OUTPUT', `cannot write the report: ${(cause as Error).message}`, { file: path }, { cause });
  }
}
