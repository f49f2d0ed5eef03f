// What the baselines bench compares s4r with. How each works: native/bench/baselines, damped-mujoco.mjs, damped-rapier.mjs.

import { nativeMethod } from './baselines-native.mjs';
import { dampedMujoco } from './damped-mujoco.mjs';
import { dampedRapier } from './damped-rapier.mjs';

/** `make(timeLimit [s], building)` gives what `measureMethod` calls; `building` hears when the native side is built. */
const native = (name, what) => ({ what, make: (timeLimit, building) => nativeMethod(name, timeLimit, building) });

export const BASELINES = {
  'direct-qp-1': native('direct-qp-1', 'App. A.16.1: one linearisation of the pairs inside 0.02, one QP (OSQP), the full step.'),
  'direct-qp-50': native('direct-qp-50', 'App. A.16.1: the same, detected and linearised anew until nothing overlaps, 50 times at most.'),
  'global-qp': native('global-qp', 'App. A.8 iv: as direct-qp-50 with all bodies in every QP.'),
  'pd-pgs': native(
    'pd-pgs',
    'App. A.8 v: projected Gauss-Seidel over connected components, relaxation 0.8, clearance 0.001; 6 sweeps a detection.',
  ),
  'soft-penalty': native(
    'soft-penalty',
    'App. A.8 vi: squared hinge, weight 10 growing fourfold, 6 rounds of L-BFGS-B 3.0 from the last minimum.',
  ),
  rejection: native('rejection', 'bodies one at a time: input pose if free, else at random in a ball that grows from 0.02; no clearance.'),
  'mujoco-damped': {
    what: 'hulls, no gravity, speeds times 0.9 each step of 2 ms, until no contact overlaps; bodies turn.',
    make: dampedMujoco,
  },
  'rapier-damped': {
    what: 'hulls, no gravity, damping 10/s, steps of 1/60 s, until no hulls overlap or all rests; bodies turn.',
    make: dampedRapier,
  },
};

/** Where these differ from the paper's. */
export const DEPARTURES = [
  "All native ones run the queries of the reference profile (Algorithm 2 on FCL) on its pair list, on one thread; the paper's are in Python.",
  'In their favour: a pair of which neither side moved is not queried again; soft-penalty queries the pairs whose boxes are within 0.02,',
  'not all N(N-1)/2; rows that OSQP proves contradictory leave the QP instead of ending the run.',
  'mujoco-damped, rapier-damped: the engines collide convex hulls, the evaluator judges the meshes; rmsd does not see their turns.',
].join('\n');
