#!/usr/bin/env node
// Table of what `fix` does to the MJCF scenes of ../shared/data that start with overlaps: pairs before and after by our
// evaluator and by MuJoCo, moves, seconds, and the peak speed of a 1 s rollout without gravity before and after.
//   npm run bench -- real-scenes [--json] [NAME_PART ...]
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectFiles, mjcf } from '../dist/adapters/mjcf/index.js';
import { Solver } from '../dist/index.js';
import { mujocoContacts, rolloutMujoco } from '../dist/rollout/mujoco.js';

const DATA = fileURLToPath(new URL('../../shared/data/mjcf/', import.meta.url));

/** Scenes of ../shared/data/README.md that MuJoCo starts with contacts deeper than 1 mm; `@` names a keyframe. */
const SCENES = [
  'ur5_many_objects/UR5+gripper/UR5gripper_2_finger_many_objects.xml',
  'mujoco_warp/aloha_pot/scene.xml',
  'bigym/props/kitchen/wall_cabinet_600.xml',
  'mujoco/replicate/bunnies.xml',
  'act/bimanual_viperx_transfer_cube.xml',
  'aloha_sim/gso/Sterilite_Caddy_Blue_Sky_17_58_x_12_58_x_9_14/scene.xml',
  'mujoco/plugin/sdf/primitives.xml',
  'newton_mjcf/nv_ant.xml',
  'metaworld/objects/assembly_peg.xml',
  'mujoco_test/engine/testdata/collision_convex/perf/mixed.xml',
  'mujoco_mpc/fingers/task.xml',
  'clvrai_furniture/grippers/panda_gripper.xml',
  'metaworld/objects/puck.xml',
  'metaworld/sawyer_xyz/sawyer_peg_unplug_side.xml',
  'mujoco_test/engine/testdata/collision_box/boxbox_deep.xml',
  'mujoco_test/user/testdata/auto_limits.xml',
  'mujoco/balloons/balloons.xml',
  'mujoco_test/engine/testdata/vis_interact/boxes.xml',
  'mujoco_warp/actuation/actuation.xml',
  'aloha_sim/gso/Craftsman_Grip_Screwdriver_Phillips_Cushion/scene.xml',
  'mujoco_test/engine/testdata/core_constraint/dofless_weld.xml',
  'newton_mjcf/tabletop.xml',
  'mujoco/hammock/hammock.xml@0',
  'mujoco_warp/collision.xml@0',
  'mujoco_test/engine/testdata/sensor/contact_subtree.xml@0',
  'mujoco_test/engine/testdata/solver/humanoid.xml@0',
];

/** MuJoCo contacts deeper than this count [m]: its own convex solver stops at 1e-6. */
const DEPTH = 1e-6;

const args = process.argv.slice(2);
const json = args.includes('--json');
const parts = args.filter((arg) => !arg.startsWith('--'));
if (!existsSync(DATA)) {
  console.error(`the scenes are not here: ${DATA} does not exist`);
  process.exit(3);
}
const solver = await Solver.create();
const folder = mkdtempSync(join(tmpdir(), 's4r-real-'));
const rows = [];
try {
  for (const scene of SCENES.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))) {
    const row = await run(scene);
    rows.push(row);
    if (!json) console.log(line(row));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (json) console.log(JSON.stringify(rows, null, 2));
else {
  const statuses = [...new Set(rows.map((row) => row.status))];
  console.log(statuses.map((status) => `${status} ${rows.filter((row) => row.status === status).length}`).join(', '));
}

async function run(scene) {
  const [name, key] = scene.split('@');
  const row = { scene: name, key: key ?? null };
  let read;
  const input = join(DATA, name);
  try {
    read = await mjcf.read(input, { key });
  } catch (error) {
    return { ...row, status: 'refused', reason: error.message.replaceAll(DATA, '') };
  }
  const before = await collectFiles(input);
  const start = performance.now();
  const result = await solver.solve(read.scene, { threads: 1 });
  row.seconds = (performance.now() - start) / 1000;
  const out = join(folder, `fixed-${rows.length}.xml`);
  try {
    await mjcf.write(read.source, result, out);
  } catch (error) {
    return { ...row, status: 'not written', reason: error.message.replaceAll(DATA, '').replaceAll(folder, '') };
  }
  const after = await collectFiles(out);
  return {
    ...row,
    status: result.status,
    reason: result.reason ?? null,
    movable: read.scene.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id).length,
    pairsBefore: result.before.repairable,
    pairsAfter: result.after.repairable,
    constant: result.before.constant,
    mujocoBefore: await deepContacts(before, key),
    mujocoAfter: await deepContacts(after, key),
    moved: result.moves.length,
    maxMove: result.moves[0]?.distance ?? 0,
    rmsMove: result.rmsMove,
    peakBefore: await peak(before, key),
    peakAfter: await peak(after, key),
    dt: row.dt,
  };
}

async function deepContacts(files, key) {
  const contacts = await mujocoContacts(files, { key });
  return contacts.filter((contact) => !contact.constant && contact.dist < -DEPTH).length;
}

async function peak(files, key) {
  const { movable, badStep } = await rolloutMujoco(files, { key, seconds: 1, gravity: false });
  return badStep === null ? (movable.speed?.value ?? 0) : null;
}

function line(row) {
  const name = `${row.scene.replace('mujoco_test/engine/testdata/', '')}${row.key === null ? '' : ` key ${row.key}`}`.padEnd(58).slice(-58);
  if (row.pairsBefore === undefined) return `${name} ${row.status}: ${row.reason}`;
  const mm = (value) => (1000 * value).toFixed(2);
  const speed = (value) => (value === null ? 'unstable' : value.toFixed(3));
  return (
    `${name} ${row.status.padEnd(9)} pairs ${row.pairsBefore} -> ${row.pairsAfter} (constant ${row.constant})` +
    `  MuJoCo ${row.mujocoBefore} -> ${row.mujocoAfter}  moved ${row.moved} of ${row.movable}, max ${mm(row.maxMove)} mm, rms ${mm(row.rmsMove)} mm` +
    `  ${row.seconds.toFixed(3)} s  peak ${speed(row.peakBefore)} -> ${speed(row.peakAfter)} m/s${row.reason === null ? '' : `  (${row.reason})`}`
  );
}
