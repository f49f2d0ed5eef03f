/** Runs the command line in this process, with its output caught. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/program.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function s4r(args: readonly string[], { tty = false, signal }: { tty?: boolean; signal?: AbortSignal } = {}): Promise<Ran> {
  const caught = { stdout: '', stderr: '' };
  const output = (name: keyof typeof caught) => ({
    write(text: string) {
      caught[name] += text;
    },
    isTTY: tty,
    columns: 80,
  });
  const io: Io = { stdout: output('stdout'), stderr: output('stderr'), signal };
  return { code: await run(args, io), ...caught };
}

/** A folder for the files of one test file. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 's4r-cli-'));
  return {
    path,
    at: (name: string) => join(path, name),
    async write(name: string, text: string): Promise<string> {
      await writeFile(join(path, name), text);
      return join(path, name);
    },
    remove: async () => await rm(path, { recursive: true, force: true }),
  };
}

const cube = (name: string, pos: string) =>
  `    <body name="${name}" pos="${pos}">\n      <freejoint/>\n      <geom name="${name}_geom" type="box" size="0.05 0.05 0.05"/>\n    </body>\n`;

const scene = (bodies: string) => `<mujoco>\n  <worldbody>\n${bodies}  </worldbody>\n</mujoco>\n`;

/** Two cubes 20 mm deep in each other, and one in nobody's way. */
export const OVERLAPPING = scene(cube('left', '0 0 1') + cube('right', '0.08 0 1') + cube('far', '1 0 1'));

export const CLEAN = scene(cube('left', '0 0 1') + cube('right', '0.2 0 1'));

/** A cube wedged between walls closer than it is wide; the walls overlap a third one, for good. */
export const WEDGED = scene(
  `${cube('stuck', '0 0 1')}    <geom name="wall_a" type="box" size="0.5 0.5 0.5" pos="-0.53 0 1"/>
    <geom name="wall_b" type="box" size="0.5 0.5 0.5" pos="0.53 0 1"/>
    <geom name="floor" type="box" size="2 2 0.5" pos="0 0 0.46"/>
    <geom name="roof" type="box" size="2 2 0.5" pos="0 0 1.54"/>
    <geom name="back" type="box" size="2 0.5 2" pos="0 0.54 1"/>
    <geom name="front" type="box" size="2 0.5 2" pos="0 -0.54 1"/>
`,
);

/** Two fixed robots in each other: nothing s4r could repair. */
export const CONSTANT = scene(
  `    <body name="arm_a"><joint name="a"/><geom type="sphere" size="0.1"/></body>
    <body name="arm_b" pos="0.1 0 0"><joint name="b"/><geom type="sphere" size="0.1"/></body>
${cube('free', '0 0 1')}`,
);

/** `count` cubes in a row, each 10 mm deep in the next. */
export function row(count: number): string {
  return scene(Array.from({ length: count }, (_, i) => cube(`cube_${i}`, `${(0.09 * i).toFixed(2)} 0 1`)).join(''));
}

/** `count` cubes, most of them in several others. */
export function pile(count: number): string {
  const at = (i: number, step: number) => ((i * step) % 1).toFixed(3);
  const position = (i: number) => `${at(i, 0.618034)} ${at(i, 0.754878)} ${at(i, 0.569841)}`;
  return scene(Array.from({ length: count }, (_, i) => cube(`cube_${i}`, position(i))).join(''));
}
