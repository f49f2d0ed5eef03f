/** The JSON that --json prints and --report writes. Metres, radians, seconds; quaternions w first; null for what is infinite. */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { writeAtomically } from '../adapters/files/atomic.js';
import { type Pose, type Quat, type Result, S4rError, type Scene, type Vec3 } from '../index.js';
import { assertNotTaken, assertOutputPath, realPath, statOf } from './output-path.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

export { version };

/** A report starts with what made it and the unit of its numbers. */
export function makeReport(command: string, content: object): object {
  return { tool: `s4r ${version}`, command, units: { length: 'm', angle: 'rad', time: 's' }, ...content };
}

/** The result of a solve with names beside the poses. */
export interface NamedResult extends Omit<Result, 'poses'> {
  readonly poses: readonly { readonly body: string; readonly position: Vec3; readonly quaternion_wxyz: Quat }[];
}

export function namedResult(scene: Scene, result: Result): NamedResult {
  const name = ({ position, quaternion }: Pose, i: number) => ({
    body: scene.bodies[i]?.name ?? '',
    position,
    quaternion_wxyz: quaternion,
  });
  return { ...result, poses: result.poses.map(name) };
}

export const OVERWRITES = 'the report would overwrite the scene';

/**
 * To be called before the work. @param taken files it must not replace
 * @throws S4rError OUTPUT if the report cannot, or must not, be written
 */
export async function assertReportPath(path: string | undefined, taken: Iterable<string>): Promise<void> {
  if (path === undefined) return;
  await assertOutputPath(path);
  await assertNotTaken(path, taken, OVERWRITES);
}

export function jsonText(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Nobody ever sees half a file, and a link stays one. A pipe or a device takes the text as it comes.
 * @param what the text is, for the message
 * @throws S4rError OUTPUT
 */
export async function store(path: string, text: string, what = 'the report'): Promise<void> {
  try {
    const found = await statOf(path);
    if (found !== undefined && !found.isFile()) await writeFile(path, text);
    else await writeAtomically([{ path: await realPath(path), bytes: Buffer.from(text) }]);
  } catch (cause) {
    throw new S4rError('OUTPUT', `cannot write ${what}: ${(cause as Error).message}`, { file: path }, { cause });
  }
}
