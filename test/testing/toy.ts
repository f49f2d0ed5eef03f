/** The smallest adapter that keeps all promises: a format of lines, for tests of the conformance suite. */

import type { FileWriteResult, ReadResult, WriteTarget } from '../../src/adapters/adapter.js';
import { writeAtomically } from '../../src/adapters/files/atomic.js';
import { Disk } from '../../src/adapters/files/disk.js';
import { applyEdits, type TextEdit, unifiedDiff } from '../../src/adapters/files/edits.js';
import { outputPath } from '../../src/adapters/files/guard.js';
import { absolutePath } from '../../src/adapters/files/paths.js';
import { type Body, type Geom, type Mesh, type Pose, type Result, S4rError, type Scene } from '../../src/index.js';

/** `body NAME free|fixed x y z qw qx qy qz` and `exclude NAME NAME`; every body is the same tetrahedron. */
export const TOY = `# a toy
body  floor fixed  0 0 -1  1 0 0 0
body  cup   free   0 0 0.5  1 0 0 0
body  lid   free   0.1 0 0.5  0.6 0 0.8 0
body  pen   free   3 4 5  1 0 0 0
exclude cup lid
`;

const TETRAHEDRON: Mesh = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Int32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};

export interface ToySource {
  readonly path: string;
  readonly text: string;
  readonly poses: readonly Pose[];
  /** Where the numbers of each body stand. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

export async function read(given: string): Promise<ReadResult<ToySource>> {
  const path = absolutePath(given);
  return parse(path, Buffer.from(await new Disk().read(path)).toString('latin1'));
}

export function parse(path: string, text: string): ReadResult<ToySource> {
  const refuse = (message: string) => new S4rError('INVALID_INPUT', message, { file: path });
  if (!text.endsWith('\n')) throw refuse('expected a line break at the end');
  const bodies: Body[] = [];
  const spans: { start: number; end: number }[] = [];
  const excludedBodies: [number, number][] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    const id = bodies.length;
    if (words[0] === 'body') {
      const [, name, mobility, ...rest] = words as [string, string, Body['mobility'], ...string[]];
      const [x, y, z, ...q] = rest.map(Number) as [number, number, number, number, number, number, number];
      if (rest.length !== 7 || ![x, y, z, ...q].every(Number.isFinite)) throw refuse(`body '${name}': expected seven numbers`);
      bodies.push({ id, name, mobility, X_WB: { position: [x, y, z], quaternion: q }, weight: 1, movesWith: id, weldedTo: id });
      const start = at + line.search(/(\s+\S+){7}\s*$/);
      spans.push({ start, end: at + line.length });
    } else if (words[0] === 'exclude') {
      const ids = words.slice(1).map((name) => bodies.findIndex((body) => body.name === name));
      if (ids.length !== 2 || ids.includes(-1)) throw refuse(`no such bodies: ${line}`);
      excludedBodies.push(ids as [number, number]);
    } else if (words[0] !== '' && !line.startsWith('#')) throw refuse(`expected 'body' or 'exclude', got ${line.slice(0, 20)}`);
    at += line.length + 1;
  }
  if (bodies.length === 0) throw refuse('no bodies');
  const X_BG: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };
  const shape = { type: 'convex', mesh: TETRAHEDRON } as const;
  const geoms = bodies.map(({ id, name }): Geom => ({ id, name, bodyId: id, shape, X_BG, margin: 0, category: 1, mask: 1 }));
  const fixed = bodies.filter(({ mobility }) => mobility === 'fixed').map(({ id }) => id);
  const welded = bodies.map((body) => (body.mobility === 'fixed' ? { ...body, weldedTo: fixed[0] as number } : body));
  const filter = { maskRule: 'both', excludedBodies, excludedGeoms: [], explicitPairs: [] } as const;
  const poses = bodies.map(({ X_WB }) => X_WB);
  return { scene: { bodies: welded, geoms, filter, up: [0, 0, 1] }, source: { path, text, poses, spans }, notes: [] };
}

export async function write(source: ToySource, result: Result, target: WriteTarget): Promise<FileWriteResult> {
  const { path, text, poses, spans } = source;
  const dryRun = target.dryRun === true;
  const real = await outputPath(absolutePath(target.path), !dryRun);
  if (target.inPlace === true && Buffer.from(await new Disk().read(path)).toString('latin1') !== text) {
    throw new S4rError('OUTPUT', 'the file has changed since it was read', { file: path });
  }
  const edits = spans.flatMap((span, i): TextEdit[] => {
    const { position, quaternion } = result.poses[i] as Pose;
    if (result.poses[i] === poses[i]) return [];
    return [{ ...span, text: ` ${[...position, ...quaternion].join(' ')}`, element: 'body', attribute: 'pose' }];
  });
  if (target.inPlace === true && edits.length === 0) return { files: [], notes: [], verified: 0 };
  const output = applyEdits(text, edits);
  if (!dryRun) await writeAtomically([{ path: real, bytes: Buffer.from(output, 'latin1') }]);
  const diff = unifiedDiff(path, target.path, text, edits);
  const file = { path: target.path, original: path, edits: [], diff, ...(dryRun ? { text: output } : {}) };
  return { files: [file], notes: [], verified: 0 };
}

/** The toy's engine: all collide but what is fixed to what is fixed, and what is excluded. */
export async function enginePairs(path: string): Promise<[string, string][]> {
  const lines = Buffer.from(await new Disk().read(path))
    .toString()
    .split('\n');
  const bodies = lines.map((line) => line.split(/\s+/)).filter(([word]) => word === 'body');
  return bodies.flatMap(([, a, mobilityA], i) =>
    bodies.slice(i + 1).flatMap(([, b, mobilityB]): [string, string][] => {
      const excluded = lines.some((line) => [`exclude ${a} ${b}`, `exclude ${b} ${a}`].includes(line));
      return excluded || (mobilityA === 'fixed' && mobilityB === 'fixed') ? [] : [[a as string, b as string]];
    }),
  );
}

/** A scene in which one thing is another. */
export function withBodies(scene: Scene, change: (body: Body) => Body): Scene {
  return { ...scene, bodies: scene.bodies.map(change) };
}
