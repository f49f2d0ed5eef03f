/** Runs the command line in this process, with its output caught. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/program.js';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Terminal {
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
  /** What comes in through standard input. */
  readonly stdin?: string | AsyncIterable<Uint8Array>;
}

export async function s4r(args: readonly string[], { tty = false, signal, stdin = '' }: Terminal = {}): Promise<Ran> {
  const caught = { stdout: '', stderr: '' };
  const output = (name: keyof typeof caught) => ({
    write(text: string) {
      caught[name] += text;
    },
    isTTY: tty,
    columns: 80,
  });
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    signal,
  };
  return { code: await run(args, io), ...caught };
}

/** A folder for the files of one test file. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 's4r-cli-'));
  return {
    path,
    at: (name: string) => join(path, name),
    async write(name: string, text: string): Promise<string> {
      await mkdir(dirname(join(path, name)), { recursive: true });
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

/** Two cubes with three keyframes: apart, 10 mm and 20 mm deep in each other. */
export const KEYS = `<mujoco>
  <worldbody>
${cube('left', '0 0 1')}${cube('right', '0.2 0 1')}  </worldbody>
  <keyframe>
    <key name="apart" qpos="0 0 1 1 0 0 0 5 0 1 1 0 0 0"/>
    <key name="near" qpos="0 0 1 1 0 0 0 0.09 0 1 1 0 0 0"/>
    <key name="nearer" qpos="0 0 1 1 0 0 0 0.08 0 1 1 0 0 0"/>
  </keyframe>
</mujoco>
`;

/** A ball in a cup of one mesh, whose hull closes the cup. */
export const CUP = `<mujoco>
  <asset><mesh name="cup" file="cup.obj"/></asset>
  <worldbody>
    <body name="cup"><freejoint/><geom name="cup" type="mesh" mesh="cup"/></body>
    <body name="ball" pos="0 0 0.1"><freejoint/><geom name="ball" size="0.02"/></body>
  </worldbody>
</mujoco>
`;

/** The cup's OBJ: a square one, 0.1 m wide and high, with walls and a bottom of 10 mm. */
export function cupMesh(): string {
  const square = (r: number, z: number) => [
    [-r, -r, z],
    [r, -r, z],
    [r, r, z],
    [-r, r, z],
  ];
  // Outer bottom, outer rim, inner rim, inner bottom.
  const rings = [square(0.05, 0), square(0.05, 0.1), square(0.04, 0.1), square(0.04, 0.01)];
  const faces: number[][] = [
    [1, 4, 3, 2],
    [13, 14, 15, 16],
  ];
  for (let ring = 0; ring < 3; ring++) {
    for (let k = 0; k < 4; k++) {
      const [a, b] = [4 * ring + k + 1, 4 * ring + ((k + 1) % 4) + 1];
      faces.push([a, b, b + 4, a + 4]);
    }
  }
  return [...rings.flat().map((v) => `v ${v.join(' ')}`), ...faces.map((f) => `f ${f.join(' ')}`), ''].join('\n');
}
