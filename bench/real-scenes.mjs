#!/usr/bin/env node
// What `fix` does to the MJCF scenes of ../shared/data that start with overlaps, judged by our evaluator and by MuJoCo.
//   npm run bench -- real-scenes [--json] [NAME_PART ...]
// --json prints one array with a row per scene: lengths in m, times in s (`dt` is the scene's own time step), speeds in m/s.
// Peaks are those of floating bodies in 1 s without gravity; they scale with the time step, so compare them within a row only.
// nv_ant, contact_subtree and humanoid keep a peak: their own joints (limits, springs) move them, with contacts disabled too.
// hammock's is that of the flex.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectFiles, mjcf } from '../dist/adapters/mjcf/index.js';
import { S4rError, Solver } from '../dist/index.js';
import { mujocoContacts, rolloutMujoco } from '../dist/rollout/mujoco.js';
import { shorten } from './lib/report.mjs';

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

/** Bodies faster than this [m/s] are counted as moving in the totals. */
const MOVING = 0.01;

async function main() {
  const { json, scenes } = commandLine();
  if (!existsSync(DATA)) return fail(3, `the scenes are not here: ${DATA} does not exist`);
  if (scenes.length === 0) return fail(2, `no scene has such a name; there are:\n  ${SCENES.join('\n  ')}`);
  const solver = await Solver.create();
  const folder = mkdtempSync(join(tmpdir(), 's4r-real-'));
  const rows = [];
  try {
    if (!json) console.log(HEADER);
    for (const scene of scenes) {
      const row = await run(solver, scene, join(folder, `fixed-${rows.length}.xml`));
      rows.push(row);
      if (!json) console.log(line(row));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(json ? JSON.stringify(rows, null, 2) : totals(rows));
}

function commandLine() {
  try {
    const { values, positionals } = parseArgs({ options: { json: { type: 'boolean', default: false } }, allowPositionals: true });
    const scenes = SCENES.filter((name) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
    return { json: values.json, scenes };
  } catch (error) {
    return fail(2, `${error.message}\nusage: npm run bench -- real-scenes [--json] [NAME_PART ...]`);
  }
}

function fail(code, message) {
  console.error(message);
  process.exit(code);
}

/** Read, solve, write to `out`, and look at it in MuJoCo before and after; in memory where it cannot be written. */
async function run(solver, scene, out) {
  const [name, key] = scene.split('@');
  const input = join(DATA, name);
  const row = { scene: name, key: key ?? null };
  let read;
  try {
    read = await mjcf.read(input, { key });
  } catch (error) {
    return { ...row, status: 'refused', reason: reasonOf(error) };
  }
  const start = performance.now();
  const result = await solver.solve(read.scene, { threads: 1 });
  const solveTime = (performance.now() - start) / 1000;
  const filesBefore = await collectFiles(input);
  let after;
  let notWritten = null;
  try {
    await mjcf.write(read.source, result, out);
    after = { files: await collectFiles(out), state: { key } };
  } catch (error) {
    notWritten = reasonOf(error);
    after = { files: filesBefore, state: { key, poses: new Map(result.moves.map((move) => [move.name, result.poses[move.bodyId]])) } };
  }
  const contactsBefore = await contacts(filesBefore, { key });
  const contactsAfter = await contacts(after.files, after.state);
  const rolloutBefore = await rollout(filesBefore, { key });
  const rolloutAfter = await rollout(after.files, after.state);
  return {
    ...row,
    status: result.status,
    reason: result.reason ?? null,
    notWritten,
    pairsBefore: result.before.repairable,
    pairsAfter: result.after.repairable,
    pairsConstant: result.before.constant,
    contactsBefore: contactsBefore.deep,
    contactsAfter: contactsAfter.deep,
    flexContactsBefore: contactsBefore.flex,
    flexContactsAfter: contactsAfter.flex,
    movable: read.scene.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id).length,
    moved: result.moves.length,
    maxMove: result.moves[0]?.distance ?? 0,
    rmsMove: result.rmsMove,
    solveTime,
    dt: rolloutBefore.timestep,
    peakBefore: peak(rolloutBefore),
    peakAfter: peak(rolloutAfter),
  };
}

/** Errors of s4r are results here; others are defects of the bench. */
function reasonOf(error) {
  if (!(error instanceof S4rError)) throw error;
  return error.message.replaceAll(DATA, '');
}

/** How many contacts are deep: between geoms that can move apart, and with flexes, which s4r ignores. */
async function contacts(files, state) {
  const deep = (await mujocoContacts(files, state)).filter((contact) => contact.dist < -DEPTH);
  return { deep: deep.filter(({ constant, flex }) => !constant && !flex).length, flex: deep.filter(({ flex }) => flex).length };
}

async function rollout(files, state) {
  return await rolloutMujoco(files, { ...state, seconds: 1, gravity: false });
}

/** Null if the scene became unstable. */
function peak({ movable, badStep }) {
  return badStep === null ? (movable.speed?.value ?? 0) : null;
}

/** Title, width and text of each column; the first is padded on its right. */
const COLUMNS = [
  [
    'scene',
    48,
    ({ scene, key }) => shorten(`${scene.replace('mujoco_test/engine/testdata/', '')}${key === null ? '' : ` key ${key}`}`, 48),
  ],
  ['status', 8, (row) => row.status],
  ['pairs', 10, (row) => `${row.pairsBefore} -> ${row.pairsAfter}`],
  ['constant', 8, (row) => row.pairsConstant],
  ['contacts', 10, (row) => `${row.contactsBefore} -> ${row.contactsAfter}`],
  [
    'flex',
    8,
    (row) => (row.flexContactsBefore + row.flexContactsAfter > 0 ? `${row.flexContactsBefore} -> ${row.flexContactsAfter}` : '-'),
  ],
  ['moved', 10, (row) => `${row.moved} of ${row.movable}`],
  ['max mm', 8, (row) => (1000 * row.maxMove).toFixed(2)],
  ['rms mm', 8, (row) => (1000 * row.rmsMove).toFixed(2)],
  ['solve s', 7, (row) => row.solveTime.toFixed(3)],
  ['dt ms', 5, (row) => Number((1000 * row.dt).toPrecision(3))],
  ['peak m/s', 18, (row) => `${speed(row.peakBefore)} -> ${speed(row.peakAfter)}`],
];

const HEADER =
  'pairs: repairable overlaps by our evaluator; constant: those no motion can cure; contacts: of MuJoCo, deeper than\n' +
  '0.001 mm, between geoms that can move apart; flex: such contacts with a flex, which s4r ignores; peak: speed of a floating\n' +
  `body in 1 s without gravity\n\n${COLUMNS.map(([title, width], i) => pad(title, width, i)).join('  ')}`;

function pad(text, width, column) {
  return column === 0 ? String(text).padEnd(width) : String(text).padStart(width);
}

function speed(value) {
  return value === null ? 'unstable' : value.toFixed(3);
}

function line(row) {
  if (row.pairsBefore === undefined)
    return `${COLUMNS.slice(0, 2)
      .map(([, width, text], i) => pad(text(row), width, i))
      .join('  ')}  ${row.reason}`;
  const notes = [row.reason, row.notWritten && `not written, verified in memory: ${row.notWritten}`].filter(Boolean);
  return [COLUMNS.map(([, width, text], i) => pad(text(row), width, i)).join('  '), ...notes.map((note) => `    ${note}`)].join('\n');
}

function totals(rows) {
  const solved = rows.filter((row) => row.pairsBefore !== undefined);
  const sum = (name) => solved.reduce((total, row) => total + row[name], 0);
  const moving = (name) => solved.filter((row) => row[name] === null || row[name] > MOVING).length;
  const statuses = [...new Set(rows.map((row) => row.status))].map(
    (status) => `${rows.filter((row) => row.status === status).length} ${status}`,
  );
  return (
    `\n${rows.length} scene${rows.length === 1 ? '' : 's'}: ${statuses.join(', ')}, ${solved.filter((row) => row.notWritten !== null).length} not written; ` +
    `pairs ${sum('pairsBefore')} -> ${sum('pairsAfter')}; contacts ${sum('contactsBefore')} -> ${sum('contactsAfter')}; ` +
    `moved ${sum('moved')} of ${sum('movable')}; solve ${sum('solveTime').toFixed(2)} s; ` +
    `scenes with a peak above ${MOVING} m/s ${moving('peakBefore')} -> ${moving('peakAfter')}`
  );
}

await main();
