/** Copies of the fixtures to read from and write to, and results as a solver would return them. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { compose, invert, multiplyQuat, normalizeQuat } from '../../../src/adapters/conventions.js';
import type { Result } from '../../../src/core/result.js';
import type { Pose, Quat, Scene, Vec3 } from '../../../src/core/scene.js';

export const FIXTURES = fileURLToPath(new URL('../../fixtures/mjcf', import.meta.url));

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A temporary folder, removed after the tests of the file. */
export class Workspace {
  readonly root = mkdtempSync(join(tmpdir(), 's4r &mjcf \u00fc-'));

  constructor() {
    made.push(this.root);
  }

  /** All fixtures, copied. */
  static withFixtures(): Workspace {
    const workspace = new Workspace();
    cpSync(FIXTURES, workspace.root, { recursive: true });
    return workspace;
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Write a file, and give its path. */
  put(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  bytes(name: string): Buffer {
    return readFileSync(this.path(name));
  }

  text(name: string): string {
    return this.bytes(name).toString('utf8');
  }

  /** Contents of every file by relative path; hidden ones, such as temporary files, included. */
  snapshot(): Record<string, string> {
    const files = readdirSync(this.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(
      files
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((path) => [relative(this.root, path), readFileSync(path, 'latin1')]),
    );
  }
}

/** A world displacement [m], and a turn about the body's origin. */
export interface Change {
  readonly shift?: Vec3;
  readonly turn?: Quat;
}

/** Fourth of a turn about x. */
export const QUARTER_X: Quat = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

/** A result in which these units, named by their root, moved rigidly; everything else stayed bit for bit. */
export function resultOf(scene: Scene, changes: Readonly<Record<string, Change>>): Result {
  const targets = new Map<number, Pose>();
  for (const [name, { shift = [0, 0, 0], turn }] of Object.entries(changes)) {
    const body = scene.bodies.find((candidate) => candidate.name === name);
    if (body === undefined) throw new Error(`no body '${name}' in the scene`);
    const { position: p, quaternion: q } = body.X_WB;
    const quaternion = turn === undefined ? q : normalizeQuat(multiplyQuat(turn, q));
    targets.set(body.id, { position: [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]], quaternion });
  }
  const poses = scene.bodies.map((body) => {
    const target = targets.get(body.movesWith);
    if (target === undefined) return body.X_WB;
    const root = scene.bodies[body.movesWith];
    return body.id === body.movesWith ? target : compose(compose(target, invert(root!.X_WB)), body.X_WB);
  });
  return { status: 'solved', poses } as unknown as Result;
}
