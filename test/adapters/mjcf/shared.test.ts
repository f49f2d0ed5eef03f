/** Real scenes from public repositories. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { quatWxyzAt, vec3At } from '../../../src/adapters/conventions.js';
import { type MjcfSource, mjcf } from '../../../src/adapters/mjcf/index.js';
import { movementOf } from '../../../src/adapters/mjcf/moves.js';
import { poseDistance } from '../../../src/adapters/poses.js';
import { S4rError } from '../../../src/core/errors.js';
import type { Result } from '../../../src/core/result.js';
import type { Pose, Scene } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { describeShared, SHARED_DATA } from '../../shared-data.js';
import { allowedPairs, contactPairs, type Simulated, simulate } from './engine.js';
import { type Change, QUARTER_X, resultOf, Workspace } from './workspace.js';

interface Item {
  readonly kind: string;
  readonly file: string;
  readonly loads: boolean;
  readonly bodies: number;
  readonly keyframes: number;
  readonly free_joint_bodies: number;
}

/** Plugins are not part of MuJoCo's WebAssembly build. */
const NEEDS_PLUGIN = ['mjcf/mujoco/plugin/sdf/primitives.xml', 'mjcf/mujoco/plugin/sdf/nutbolt.xml'];

const REPLICATED = [
  'mjcf/mujoco/flex/basket.xml',
  'mjcf/mujoco/humanoid/22_humanoids.xml',
  'mjcf/mujoco/replicate/bunnies.xml',
  'mjcf/mujoco/replicate/stonehenge.xml',
  'mjcf/mujoco/replicate/tendon.xml',
  'mjcf/mujoco_test/engine/testdata/collision_convex/perf/mixed.xml',
  'mjcf/mujoco_warp/primitives.xml',
];

function items(): Item[] {
  const manifest = JSON.parse(readFileSync(join(SHARED_DATA, 'manifest.json'), 'utf8')) as { items: Item[] };
  return manifest.items.filter((item) => item.kind === 'mjcf');
}

/** Move every third free unit, every second of those with a turn. */
function someChanges(scene: Scene): Record<string, Change> {
  const roots = scene.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id);
  const chosen = roots.filter((_, i) => i % 3 === 0);
  return Object.fromEntries(
    chosen.map(({ name }, i): [string, Change] => [name, { shift: [0.01, -0.02 * i, 0.03], ...(i % 2 === 0 ? {} : { turn: QUARTER_X }) }]),
  );
}

/** Every joint moved a little, each otherwise, by MuJoCo. */
function displaced({ mujoco, model, data }: Simulated, source: MjcfSource): Result {
  const joints = source.joints.map(({ name, position, qposAddress }, jointId) => {
    const after = position + 0.1 * ((jointId % 3) + 1) * (jointId % 2 === 0 ? 1 : -1);
    data.qpos[qposAddress] = after;
    return { jointId, name, before: position, after };
  });
  mujoco.mj_kinematics(model, data);
  const poses = source.bodies.flatMap(({ sceneId }, b): Pose[] =>
    sceneId === undefined ? [] : [{ position: vec3At(data.xpos, 3 * b), quaternion: quatWxyzAt(data.xquat, 4 * b) }],
  );
  return { status: 'solved', poses, joints } as unknown as Result;
}

describeShared('real scenes', () => {
  it('are read by MuJoCo’s rules, and written into another folder with nothing changed but poses and paths', async () => {
    const totals = { scenes: 0, contacts: 0, joints: 0, surfaces: 0, held: 0, written: 0, refused: [] as string[] };
    for (const item of items().filter(({ loads, file }) => loads && !NEEDS_PLUGIN.includes(file))) {
      totals.scenes++;
      for (const key of item.keyframes > 0 ? [undefined, '0'] : [undefined]) {
        const { scene, source, notes } = await mjcf.read(join(SHARED_DATA, item.file), { key });
        assertScene(scene);
        const floating = source.bodies.filter(({ qposAddress }) => qposAddress !== undefined);
        expect([item.file, source.bodies.length, floating.length]).toEqual([item.file, item.bodies, item.free_joint_bodies]);
        const units = scene.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id);
        const held = notes.some((note) => note.includes('by <weld> or <connect>'));
        expect([item.file, units.length < floating.length]).toEqual([item.file, held]);
        totals.held += held ? 1 : 0;

        const allowed = allowedPairs(scene);
        const [contacts, moved] = await simulate(join(SHARED_DATA, item.file), key === undefined ? -1 : 0, (simulated) => {
          const found = contactPairs(simulated);
          return [found, displaced(simulated, source)];
        });
        expect([item.file, [...contacts].filter((pair) => !allowed.has(pair))]).toEqual([item.file, []]);
        totals.contacts += contacts.size;
        totals.joints += source.joints.length;
        totals.surfaces += scene.geoms.filter(({ surface }) => surface !== undefined).length;
        const { expected } = movementOf(source, moved);
        for (const { sceneId, name } of source.bodies) {
          if (sceneId === undefined) continue;
          const off = poseDistance(moved.poses[sceneId]!, expected[source.bodies.findIndex((body) => body.sceneId === sceneId)]!);
          expect([item.file, name, off < 1e-12]).toEqual([item.file, name, true]);
        }

        const workspace = new Workspace();
        const output = await mjcf
          .write(source, resultOf(scene, someChanges(scene)), workspace.path('out.xml'))
          .catch((error: S4rError) => error);
        if (output instanceof S4rError) {
          expect([item.file, output.code, workspace.snapshot()]).toEqual([item.file, 'OUTPUT', {}]);
          totals.refused.push(item.file);
        } else {
          expect(output.verified).toBeLessThan(1e-9);
          totals.written++;
        }
      }
    }
    expect(totals.scenes).toBeGreaterThanOrEqual(64);
    expect(totals.contacts).toBeGreaterThan(500);
    expect(totals.joints).toBeGreaterThan(1000);
    expect(totals.surfaces).toBeGreaterThan(100);
    expect(totals.held).toBeGreaterThan(0);
    expect(totals.written).toBeGreaterThan(60);
    // Bodies made by <replicate>, which neither have poses of their own nor allow a keyframe.
    expect([...new Set(totals.refused)].sort()).toEqual(REPLICATED);
  });

  it.each([...NEEDS_PLUGIN, 'mjcf/isaacgymenvs_mjcf/amp_humanoid.xml', 'mjcf/libero/articulated_objects/microwave.xml'])(
    'that MuJoCo refuses are refused with a place: %s',
    async (file) => {
      const error = await mjcf.read(join(SHARED_DATA, file)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(S4rError);
      expect((error as S4rError).code).toBe('INVALID_INPUT');
      expect((error as S4rError).place.line).toBeGreaterThan(0);
      expect((error as S4rError).message).not.toContain('\n');
    },
  );
});
