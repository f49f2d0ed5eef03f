/** Three spheres that overlap, joined in every way there is: what overlaps is what MuJoCo's own collision finds. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../src/adapters/mjcf/index.js';
import { Solver } from '../../src/core/solver.js';
import { contactPairs, pairKey, simulate } from '../adapters/mjcf/engine.js';
import { Workspace } from '../adapters/mjcf/workspace.js';

const JOINTS = { welded: '', slider: '<joint type="slide" axis="1 0 0"/>', free: '<freejoint/>' } as const;
type Joint = keyof typeof JOINTS;
const EXCLUDES = [
  '',
  '<contact><exclude body1="s0" body2="s1"/></contact>',
  '<contact><exclude body1="s0" body2="s2"/><exclude body1="world" body2="s1"/></contact>',
];

const sphere = (i: number, joint: Joint, x: number, inside = '') =>
  `<body name="s${i}" pos="${x} 0 0">${JOINTS[joint]}<geom name="g${i}" size=".5"/>${inside}</body>`;

/** Beside each other in the world, with a geom of the world in their middle. */
const beside = (joints: readonly Joint[]) => joints.map((joint, i) => sphere(i, joint, 0.25 * i)).join('');
/** In one another. */
const nested = ([a, b, c]: readonly Joint[]) => sphere(0, a!, 0, sphere(1, b!, 0.25, sphere(2, c!, 0.25)));

function* combinations(kinds: readonly Joint[]): Generator<Joint[]> {
  for (const a of kinds) for (const b of kinds) for (const c of kinds) yield [a, b, c];
}

describe('F4: a chain of three spheres', () => {
  it.each([
    ['beside each other', [...combinations(['welded', 'slider', 'free'])].map(beside)],
    ['in one another', [...combinations(['welded', 'slider'])].map(nested)],
    ['in a floating one', [...combinations(['welded', 'slider'])].map(([, b, c]) => nested(['free', b!, c!]))],
  ])('%s has the pairs of the engine', async (_, worlds) => {
    const solver = await Solver.create();
    const workspace = new Workspace();
    let pairs = 0;
    for (const world of new Set(worlds)) {
      for (const exclude of EXCLUDES) {
        const path = workspace.put(
          'scene.xml',
          `<mujoco><worldbody><geom name="post" size=".5" pos=".3 0 0"/>${world}</worldbody>${exclude}</mujoco>`,
        );
        const { scene } = await mjcf.read(path);
        const { overlaps } = await solver.check(scene);
        const ours = new Set(overlaps.map(({ geomA, geomB }) => pairKey(geomA, geomB)));
        const theirs = await simulate(path, -1, contactPairs);
        expect([world, exclude, [...ours].sort()]).toEqual([world, exclude, [...theirs].sort()]);
        pairs += ours.size;
      }
    }
    expect(pairs).toBeGreaterThan(20);
  });
});
