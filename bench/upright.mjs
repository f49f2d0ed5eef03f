// Tilted bodies that overlap on a table, set upright on it (Sec. 4.8, App. A.11): eight scenes like those of the paper's Fig. 7.
//   npm run bench -- upright [--json] [--scenes 1,...,8] [--seeds 42] [--pool household] [--profiles default,reference] [--threads 1]
//                            [--out FOLDER]
// Rows: as `main`, plus scene, regime, wanted (the paper's count of pairs), radius [m], and from the poses alone inPlaneRms [m],
// yaw [degrees], tilt [rad], heightError [m]. Draws each scene before and after the first method.
import { runBench } from './lib/exit.mjs';
import { Report, start } from './lib/harness.mjs';
import { measureProfile } from './lib/measure.mjs';
import { benchOptions, METHOD_NAMES, namesOf, wholeNumbers } from './lib/options.mjs';
import { loadPool } from './lib/pools.mjs';
import { COLUMNS, groupsOf, number, table } from './lib/report.mjs';
import { STANDS, standingOf } from './lib/standing.mjs';
import { uprightPicture } from './lib/upright-picture.mjs';
import { buildUprightScene, findRadius, UPRIGHT_SCENES, uprightOf } from './lib/upright-scenes.mjs';

const states = new Map();

await runBench(async () => {
  const options = benchOptions('upright', {
    n: undefined,
    scenes: wholeNumbers(UPRIGHT_SCENES.map(({ scene }) => scene)),
    seeds: wholeNumbers([42], 0),
    profiles: namesOf(['default', 'reference'], METHOD_NAMES),
  });
  const report = new Report(options);
  const { solver, methods } = await start(options, report);
  const chosen = UPRIGHT_SCENES.filter(({ scene }) => options.scenes.includes(scene));
  const rows = [];
  for (const pool of options.pool)
    for (const recipe of chosen)
      for (const seed of options.seeds) {
        const cell = { bench: 'upright', pool, ...recipe, seed };
        rows.push(...(await measureScene(solver, cell, methods, options, report)));
      }
  report.finish(rows, tables, plots);
});

async function measureScene(solver, given, methods, { threads }, report) {
  const pool = loadPool(given.pool);
  const judge = async (scene) => (await solver.check(scene, { threads })).repairable;
  const cell = { ...given, radius: await findRadius(pool, given, judge) };
  const built = buildUprightScene(pool, cell);
  const rows = [];
  for (const method of methods) {
    report.progress(`upright: ${cell.pool} scene ${cell.scene} seed ${cell.seed} ${method.name}`);
    const also = async (scene, result) => {
      states.set(keyOf({ ...cell, method: method.name }), { scene, result });
      // Without the table, on which they rest: strictly apart, without any tolerance.
      const left = await judge(withoutTable(scene, result.poses));
      return { ...standingOf(built, result.poses), pairsAfter: Math.max(left, result.after.repairable) };
    };
    const upright = { ...method, options: { ...method.options, upright: uprightOf(built) }, also };
    rows.push(await measureProfile(solver, cell, built.scene, upright, threads));
  }
  return rows;
}

function withoutTable({ bodies, geoms, ...rest }, poses) {
  const moved = bodies.filter(({ mobility }) => mobility === 'free').map((body) => ({ ...body, X_WB: poses[body.id] }));
  return { ...rest, bodies: moved, geoms: geoms.filter(({ bodyId }) => bodyId < moved.length) };
}

function solved({ pairsAfter, tilt, heightError }) {
  return pairsAfter === 0 && tilt <= STANDS.tilt && heightError <= STANDS.heightError;
}

function tables(rows) {
  const { pool, n, method, pairs, left, rmsd, maxMove, seconds, status } = COLUMNS;
  const columns = [
    pool,
    ['scene', (row) => row.scene],
    ['overlap', (row) => row.regime],
    ['seed', (row) => row.seed],
    n,
    ['paper', (row) => row.wanted],
    pairs,
    method,
    left,
    rmsd,
    ['in plane', (row) => number(row.inPlaneRms, 4)],
    ['yaw', (row) => number(row.yaw, 1)],
    ['tilt', (row) => row.tilt.toExponential(0)],
    ['height', (row) => row.heightError.toExponential(0)],
    maxMove,
    seconds,
    status,
  ];
  return [
    [
      'paper: the pairs of its eight scenes; pairs, left: overlapping pairs by the FCL evaluator, left also without the table; rmsd, in',
      'plane, max move: displacement of the centres [m]; yaw: root mean square change [degrees]; tilt: largest left [rad]; height:',
      'largest distance of a lowest point from the plane [m]; time: setup + solve.',
    ].join('\n'),
    table(columns, rows),
    groupsOf(rows, ['method'])
      .map((group) => `${group[0].method}: ${group.filter(solved).length} of ${group.length} solved: apart, upright, on the plane`)
      .join('\n'),
  ].join('\n\n');
}

/** Of the first pool, seed and method. */
function plots(rows) {
  const [first] = rows;
  const drawn = rows.filter((row) => ['pool', 'seed', 'method'].every((name) => row[name] === first[name]));
  return Object.fromEntries(drawn.map((row) => [`upright-${row.scene}.svg`, pictureOf(row)]));
}

function pictureOf(row) {
  const { scene, result } = states.get(keyOf(row));
  const overlapping = ({ overlaps }) => new Set(overlaps.filter((pair) => !pair.constant).flatMap(({ bodyA, bodyB }) => [bodyA, bodyB]));
  const moved = `${(1000 * row.inPlaneRms).toFixed(1)} mm in the plane, ${row.yaw.toFixed(1)} degrees of yaw (root mean squares)`;
  return uprightPicture(`Scene ${row.scene}: ${row.n} ${row.pool} bodies, ${row.regime} overlap`, scene, [
    {
      title: 'Before',
      facts: `${row.pairsBefore} overlaps, tilted by 28 to 42 degrees`,
      poses: scene.bodies.map((body) => body.X_WB),
      alarmed: overlapping(result.before),
    },
    {
      title: `After s4r, ${row.method}`,
      facts: `${row.pairsAfter} overlaps; ${moved}`,
      poses: result.poses,
      alarmed: overlapping(result.after),
    },
  ]);
}

function keyOf({ pool, scene, seed, method }) {
  return JSON.stringify([pool, scene, seed, method]);
}
