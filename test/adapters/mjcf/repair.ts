/** A repair without a solver: bodies are moved by hand. */
import { expect } from '@jest/globals';
import { angleBetween } from '../../../src/adapters/conventions.js';
import { type MjcfWriteResult, mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Result } from '../../../src/core/result.js';
import type { Scene } from '../../../src/core/scene.js';
import { type Change, resultOf, type Workspace } from './workspace.js';

export interface Written {
  readonly scene: Scene;
  readonly result: Result;
  readonly output: MjcfWriteResult;
}

export interface Job {
  readonly input: string;
  readonly output?: string;
  readonly key?: string;
  readonly changes: Readonly<Record<string, Change>>;
}

/** Read, move bodies as told, write; in place unless another output is named. */
export async function repair(workspace: Workspace, { input, output = input, key, changes }: Job): Promise<Written> {
  const { scene, source } = await mjcf.read(workspace.path(input), { key });
  const result = resultOf(scene, changes);
  const options = { inPlace: output === input };
  return { scene, result, output: await mjcf.write(source, result, workspace.path(output), options) };
}

/** Read the file again, and compare every body with the result. */
export async function expectPoses(workspace: Workspace, file: string, { scene, result }: Written, key?: string): Promise<void> {
  const again = await mjcf.read(workspace.path(file), { key });
  expect(again.scene.bodies.map((body) => body.name)).toEqual(scene.bodies.map((body) => body.name));
  again.scene.bodies.forEach(({ name, X_WB }, i) => {
    const wanted = result.poses[i]!;
    const distance = Math.hypot(...X_WB.position.map((x, k) => x - wanted.position[k]!));
    expect([name, distance < 1e-12, angleBetween(X_WB.quaternion, wanted.quaternion) < 1e-12]).toEqual([name, true, true]);
  });
}

/** The text with these replacements, each of which must apply exactly once. */
export function replaced(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((before, [from, to]) => {
    expect([from, before.split(from).length - 1]).toEqual([from, 1]);
    return before.replace(from, () => to);
  }, text);
}
