// What the benches compare: profiles of s4r with the options they run under.
import { S4rError } from '../../dist/index.js';
import { BenchExit } from './exit.mjs';

/** The paper: every pair asks for the full clearance, one attempt. */
const PAPER = { scope: 'all', marginSchedule: [1] };

/** Name in tables and on the command line; `pad` is what the broad phase adds to the boxes. */
export const METHODS = {
  reference: { profile: 'reference', options: { reference: PAPER }, pad: 'clearance + 0.2 ds' },
  'reference-literal': {
    profile: 'reference',
    options: { reference: { ...PAPER, broadphasePad: 'literal' } },
    pad: '0.2 ds nf, as the paper states',
  },
  default: { profile: 'default', options: {} },
  quick: { profile: 'quick', options: {} },
};

const EMPTY_SCENE = {
  bodies: [],
  geoms: [],
  filter: { maskRule: 'either', excludedBodies: [], excludedGeoms: [], explicitPairs: [] },
  up: [0, 1, 0],
};

/**
 * The methods of these names whose profile the built s4r has: [{name, profile, options, pad?}]; `skipped` hears of the others.
 * @throws BenchExit 3 if none is left
 */
export async function availableMethods(solver, names, skipped) {
  const found = [];
  for (const name of names) {
    const method = { name, ...METHODS[name] };
    if (await hasProfile(solver, method.profile)) found.push(method);
    else skipped(`${name}: skipped, this build of s4r has no profile '${method.profile}'`);
  }
  if (found.length === 0) throw new BenchExit(3, `none of ${names.join(', ')} is in this build of s4r`);
  return found;
}

async function hasProfile(solver, profile) {
  try {
    await solver.solve(EMPTY_SCENE, { profile });
    return true;
  } catch (error) {
    if (error instanceof S4rError && error.code === 'INVALID_OPTION') return false;
    throw error;
  }
}
