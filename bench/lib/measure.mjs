// One cell of a bench: one method on one scene, timed and judged. The timer holds setup and solve, never an evaluation.
import { surfaceRmsdOf, turnOf } from './motion.mjs';

/** Budget of a cell [s], App. A.8 (c). */
const TIME_LIMIT = 1800;

/** Short solves are repeated until they took this long together [s], at most MAX_REPEATS times; the median counts. */
const REPEAT_SECONDS = 0.5;
const MAX_REPEATS = 9;

/**
 * A profile of s4r. The row has what `method.also` adds. `method` is one of `methods.mjs`; `cell` is what identifies the row: {bench, pool, n, seed, ...}.
 * `result.stats.milliseconds.solve` spans the whole native run, setup included, over all attempts.
 */
export async function measureProfile(solver, cell, scene, method, threads) {
  const { profile, options } = method;
  const { result, repeats } = await repeated(() => solver.solve(scene, { timeLimit: TIME_LIMIT, ...options, profile, threads }), secondsOf);
  return {
    ...cell,
    method: method.name,
    profile,
    threads,
    ...(method.pad === undefined ? {} : { pad: method.pad }),
    ...outcome(result.before, result.after, result.moves, scene),
    ...(await method.also?.(scene, result)),
    seconds: secondsOf(result),
    status: result.status,
    repeats,
    phases: phasesOf(result.stats.milliseconds),
    counts: countsOf(result.stats),
  };
}

/**
 * Any other method: `solve(scene)` gives {poses, status, phases?: {name: seconds}, counts?: {name: number}, seconds?}. Without `seconds` of its own
 * it is timed whole, setup included. As it may turn bodies, the row has `turn` [degrees] and `surfaceRmsd` [m] too. The scene's own evaluation is made once and kept.
 */
export async function measureMethod(solver, cell, scene, { name, solve }, threads) {
  const timed = async () => {
    const start = performance.now();
    const result = await solve(scene);
    return { seconds: (performance.now() - start) / 1000, ...result };
  };
  const { result, repeats } = await repeated(timed, ({ seconds }) => seconds);
  const { poses, status, phases = {}, counts = {}, seconds } = result;
  if (!evaluations.has(scene)) evaluations.set(scene, await solver.check(scene, { threads }));
  const moved = { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] })) };
  const moves = scene.bodies.map((body) => ({ distance: distance(body.X_WB.position, poses[body.id].position) }));
  const judged = outcome(evaluations.get(scene), await solver.check(moved, { threads }), moves, scene);
  const turned = { turn: turnOf(scene, poses), surfaceRmsd: surfaceRmsdOf(scene, poses) };
  return { ...cell, method: name, profile: null, threads, ...judged, ...turned, seconds, status, repeats, phases, counts };
}

const evaluations = new WeakMap();

/** Pairs by the FCL evaluator with containment; `contained` are those left that touch no surface. */
function outcome(before, after, moves, scene) {
  const repairable = after.overlaps.filter((overlap) => !overlap.constant);
  const movable = scene.bodies.filter((body) => body.mobility === 'free' && body.movesWith === body.id).length;
  return {
    pairsBefore: before.repairable,
    pairsAfter: after.repairable,
    contained: repairable.filter((overlap) => overlap.kind === 'contained').length,
    maxDepth: after.maxDepth,
    rmsd: movable === 0 ? 0 : Math.sqrt(moves.reduce((sum, move) => sum + move.distance ** 2, 0) / movable),
    maxMove: moves.reduce((largest, move) => Math.max(largest, move.distance), 0),
  };
}

const secondsOf = (result) => result.stats.milliseconds.solve / 1000;

/** Seconds per stage as the solver names them. `detect` counts the tail's detections too, which `tail` also holds. */
function phasesOf({ evaluateBefore, evaluateAfter, solve, ...stages }) {
  return Object.fromEntries(Object.entries(stages).map(([name, value]) => [name, value / 1000]));
}

/** Every number of the stats that is not a time: steps, detections, queries, QP sizes. */
function countsOf(stats) {
  return Object.fromEntries(Object.entries(stats).filter(([name, value]) => typeof value === 'number' && name !== 'threads'));
}

/** Runs `run` once or, while it is short, a few times; the run with the median time counts. */
async function repeated(run, seconds) {
  const results = [];
  do {
    results.push(await run());
  } while (results.length < MAX_REPEATS && results.reduce((sum, result) => sum + seconds(result), 0) < REPEAT_SECONDS);
  return { result: medianBy(results, seconds), repeats: results.length };
}

function medianBy(items, key) {
  return [...items].sort((a, b) => key(a) - key(b))[Math.floor((items.length - 1) / 2)];
}

const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
