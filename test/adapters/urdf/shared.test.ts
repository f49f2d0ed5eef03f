/** Real URDFs from public repositories. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { engineMessage } from '../../../src/adapters/mjcf/engine.js';
import { type UrdfSource, urdf } from '../../../src/adapters/urdf/index.js';
import { S4rError } from '../../../src/core/errors.js';
import type { Scene } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { describeShared, SHARED_DATA } from '../../shared-data.js';
import { geomDifferences, pairDifferences } from './compare.js';
import { mujocoScene } from './mujoco.js';
import { difference, loaderPoses } from './oracle.js';
import { QUARTER_X, resultOf, Workspace } from './workspace.js';

/** What a user has to do something about, and the message that says what. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'bullet3_pybullet_data/husky/husky.urdf': /:97: <origin>: rpy must be 3 numbers, .*this is xacro: expand it first/,
  'bullet3_pybullet_data/racecar/racecar_differential.urdf': /:23: <mesh .*>: scale must be 3 numbers, .* got '1 1 1 1'/,
  'drake/multibody/parsing/test/box_package/urdfs/box.urdf':
    /:19: <mesh .*>: no such file: .*; say where the package is: --package box_model=DIR/,
  'drake/multibody/parsing/test/urdf_parser_test/joint_parsing_test.urdf':
    /:90: <joint name="fixed_joint">: its parent link 'world' does not exist/,
  'isaacgymenvs/assets/factory/urdf/factory_bolt_m4_loose.urdf': /:11: <mesh .*>: no such file: .* \(tried \//,
  'open_duck_mini/mini_bdx/robots/open_duck_mini_v2/robot.urdf': /:18: <mesh .*>: no such file: package:\/\/\/body_front.stl \(tried \//,
  'pr_assets/data/furniture/wheelchair.urdf': /:19: <mesh .*>: no such file: .*; say where the package is: --package pr_assets=DIR/,
  'ravens/ravens/environments/assets/container/container-template.urdf': /:27: <box>: size must be 3 numbers, .* got 'DIM0 DIM1 .002'/,
  'ravens/ravens/environments/assets/kitting/object-template.urdf':
    /:26: <mesh .*>: scale must be 3 numbers, .* got 'SCALE0 SCALE1 SCALE2'/,
  'urdf_tutorial/urdf/08-macroed.urdf.xacro': /:4: <xacro:property .*>: this is a xacro file, not a URDF; expand it first/,
};

const FILES = globSync(['**/*.urdf', '**/*.URDF', '**/*.xacro'], { cwd: join(SHARED_DATA, 'urdf') }).sort();
/** Of forty files alike, a few do. */
const isOneOfFew = (file: string, i: number) => !file.includes('random_urdfs') || i % 8 === 0;
const pathOf = (file: string) => join(SHARED_DATA, 'urdf', file);

describeShared('real URDFs', () => {
  it('are read, stand where urdf-loader puts them, and are written to a scene file; or refused with what to do', async () => {
    const refused: string[] = [];
    let links = 0;
    for (const [i, file] of FILES.entries()) {
      const read = await urdf.read(pathOf(file)).catch((error: unknown) => error as S4rError);
      if (read instanceof Error) {
        expect(read).toBeInstanceOf(S4rError);
        expect([file, read.code]).toEqual([file, 'INVALID_INPUT']);
        expect(read.message).toMatch(REFUSED[file] ?? /^this one should be read/);
        refused.push(file);
        continue;
      }
      const { scene, source } = read;
      assertScene(scene);
      links += await comparePoses(file, scene, source);
      if (isOneOfFew(file, i)) await writeAndReread(file, scene, source);
    }
    expect(refused).toEqual(Object.keys(REFUSED).sort());
    expect(FILES.length - refused.length).toBeGreaterThanOrEqual(122);
    expect(links).toBeGreaterThan(500);
  });

  it('collide as MuJoCo’s own URDF compiler has it', async () => {
    const differences: string[] = [];
    const refused: string[] = [];
    let compared = 0;
    const files = FILES.filter((name, i) => !(name in REFUSED) && isOneOfFew(name, i));
    for (const file of files) {
      const { scene, source } = await urdf.read(pathOf(file));
      // MuJoCo lets a constraint see to the offset of a mimic joint: its start is another.
      const offset = [...source.models[0]!.model.joints.values()].some(({ mimic }) => (mimic?.offset ?? 0) !== 0);
      if (scene.geoms.length === 0 || offset) continue;
      const theirs = await mujocoScene(source).catch((error: unknown) => engineMessage(error));
      if (typeof theirs === 'string') refused.push(`${file}: ${theirs}`);
      else {
        differences.push(...[...geomDifferences(scene, theirs), ...pairDifferences(scene, theirs)].map((what) => `${file}: ${what}`));
        compared++;
      }
    }
    expect(differences).toEqual([]);
    // It reads no DAE, no ASCII STL and none of Drake's shapes, wants volume in a mesh and 0 as the lower limit of a ball.
    expect(
      refused.filter((why) => !/no decoder found|decoder failed|mesh volume is too small|in ball joint|specification not found/.test(why)),
    ).toEqual([]);
    expect(compared).toBeGreaterThan(65);
  });
});

/** @returns how many links were compared */
async function comparePoses(file: string, scene: Scene, source: UrdfSource): Promise<number> {
  // It stumbles over a doctype of 0.0 and reads no mimic joints until they are driven.
  const values = Object.fromEntries(source.models[0]!.values);
  let truth: ReturnType<typeof loaderPoses>;
  try {
    truth = loaderPoses(pathOf(file), values);
  } catch (error) {
    expect([file, (error as Error).message]).toEqual([file, expect.stringMatching(/reading/)]);
    return 0;
  }
  for (const { name, X_WB } of scene.bodies) {
    const other = truth.get(name);
    expect([file, name, other !== undefined && difference(X_WB, other) < 1e-9]).toEqual([file, name, true]);
  }
  return scene.bodies.length;
}

async function writeAndReread(file: string, scene: Scene, source: UrdfSource): Promise<void> {
  const workspace = new Workspace();
  const roots = scene.bodies.filter(({ mobility, movesWith, id }) => mobility === 'free' && movesWith === id);
  const result = resultOf(
    scene,
    Object.fromEntries(roots.map(({ name }) => [name, { shift: [0.1, -0.2, 1 / 3] as const, turn: QUARTER_X }])),
  );
  const output = await urdf.write(source, result, workspace.path('out.yaml'));
  expect([file, output.verified < 1e-12]).toEqual([file, true]);
  expect(readFileSync(workspace.path('out.yaml'), 'utf8')).toContain('models:');
}
