/** Small MJCF scenes with known motion. */
import type { MjcfFiles } from '../../src/rollout/mujoco.js';

export function scene(worldbody: string, rest = ''): MjcfFiles {
  const xml = `<mujoco>${rest}<worldbody>${worldbody}</worldbody></mujoco>`;
  return { files: new Map([['scene.xml', new TextEncoder().encode(xml)]]), main: 'scene.xml' };
}

/** A free cube with an edge of 0.1 m. */
export function cube(name: string, pos: string): string {
  return `<body name="${name}" pos="${pos}"><freejoint/><geom name="${name}_geom" type="box" size="0.05 0.05 0.05"/></body>`;
}
