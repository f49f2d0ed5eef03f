/** Small MJCF scenes with known motion. */
import type { SceneFiles } from '../../src/rollout/mujoco.js';

export function scene(worldbody: string, rest = ''): SceneFiles {
  return filesOf({ 'scene.xml': `<mujoco>${rest}<worldbody>${worldbody}</worldbody></mujoco>` });
}

/** Texts by path; the first is the scene. */
export function filesOf(texts: Readonly<Record<string, string>>): SceneFiles {
  const files = new Map(Object.entries(texts).map(([path, text]): [string, Uint8Array] => [path, new TextEncoder().encode(text)]));
  return { files, main: Object.keys(texts)[0] as string };
}

/** A free cube with an edge of 0.1 m. */
export function cube(name: string, pos: string): string {
  return `<body name="${name}" pos="${pos}"><freejoint/><geom name="${name}_geom" type="box" size="0.05 0.05 0.05"/></body>`;
}
