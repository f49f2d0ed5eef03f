// The native side of the benches, native/bench/baselines: built when first asked for, loaded once.
import { createRequire } from 'node:module';
import { packScene } from '../../dist/core/pack.js';
import { buildBench } from './native-bench.mjs';

let addon;

function load(building) {
  if (addon === undefined) {
    building('building native/bench/baselines, if it is not up to date ...');
    addon = createRequire(import.meta.url)(`${buildBench('s4r_baselines')}.node`);
  }
  return addon;
}

/** How each way to end is called in a row; `solved` is the method's own claim, which the evaluator may not share. */
const STATUS = {
  solved: 'solved',
  'tail-budget': 'iterations used up',
  'qp-failure': 'QP failed',
  'time-limit': 'time limit',
};

/** A native baseline as `measureMethod` takes it: solve(scene) -> {poses, status, seconds, phases}. */
export function nativeMethod(method, timeLimit, building) {
  const { solve } = load(building);
  return async (scene) => {
    const { status, shifts, stats } = await solve(packScene(scene), method, { timeLimit }).promise;
    const poses = scene.bodies.map(({ X_WB }, i) => ({
      position: X_WB.position.map((value, k) => value + shifts[3 * i + k]),
      quaternion: X_WB.quaternion,
    }));
    const phases = { setup: stats.msSetup / 1000, detect: stats.msDetect / 1000, qp: stats.msQp / 1000 };
    return { poses, status: STATUS[status], seconds: stats.msTotal / 1000, phases, counts: { queries: stats.queries, steps: stats.steps } };
  };
}

/**
 * Distances [m] of all geom pairs of the scene that are closer than `range`, by the evaluator's query, and the number of
 * pairs of crossing triangles.
 */
export function gapsOf(scene, range, building) {
  return load(building).gaps(packScene(scene), range, {}).promise;
}
