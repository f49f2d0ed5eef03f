// What the benches compare: profiles of s4r with the options they run under.
import { S4rError } from '../../dist/index.js';
import { BenchExit } from './exit.mjs';
import { surfaceRmsdOf, turnOf } from './motion.mjs';

/** The paper: every pair asks for the full clearance, one attempt. */
const PAPER = { scope: 'all', marginSchedule: [1] };

const REFERENCE = { profile: 'reference', options: { reference: PAPER }, pad: 'clearance + 0.2 ds' };

/**
 * Name in tables and on the command line; `pad` is what the broad phase adds to the boxes; `also(scene, result)` gives further
 * fields of a row.
 */
export const METHODS = {
  reference: REFERENCE,
  'reference-literal': {
    profile: 'reference',
    options: { reference: { ...PAPER, broadphasePad: 'literal' } },
    pad: '0.2 ds nf, as the paper states',
  },
  default: { profile: 'default', options: {} },
  quick: { profile: 'quick', options: {} },
  'reference+rotation': { ...REFERENCE, options: { reference: PAPER, rotation: true }, also: turned },
  'default+rotation': { profile: 'default', options: { rotation: true }, also: turned },
  /** App. A.15: the long tail that clears the densest box. */
  'reference-tail200': { ...REFERENCE, options: { reference: { ...PAPER, tailMaxIterations: 200, tailStagnation: 200 } } },
  /** App. A.2: the penalty pass behind the paper's tail. */
  'reference-cleanup': { ...REFERENCE, options: { reference: { ...PAPER, penaltyCleanupIterations: 200 } } },
};

/** Methods that turn bodies; the one without `+rotation` is their twin. */
export const ROTATION = ['reference+rotation', 'default+rotation'];

/** What a method that turns bodies adds to a row. The pools' meshes have their centre at the body's origin, so `rmsd` is the centres'. */
function turned(scene, { poses }) {
  return { turn: turnOf(scene, poses), surfaceRmsd: surfaceRmsdOf(scene, poses) };
}

const EMPTY_SCENE = {
  bodies: [],
  geoms: [],
  filter: { maskRule: 'either', excludedBodies: [], excludedGeoms: [], explicitPairs: [] },
  up: [0, 1, 0],
};

/**
 * The methods of these names that the built s4r has: [{name, profile, options, pad?, also?}]; `skipped` hears of the others.
 * @throws BenchExit 3 if none is left
 */
export async function availableMethods(solver, names, skipped) {
  const found = [];
  for (const name of names) {
    const method = { name, ...METHODS[name] };
    const refusal = await refusalOf(solver, method);
    if (refusal === undefined) found.push(method);
    else skipped(`${name}: skipped, this build of s4r has no ${refusal}`);
  }
  if (found.length === 0) throw new BenchExit(3, `none of ${names.join(', ')} is in this build of s4r`);
  return found;
}

/** What of a method the build lacks: its profile, or options that the profile does not take. */
async function refusalOf(solver, { profile, options }) {
  if (!(await accepts(solver, { profile }))) return `profile '${profile}'`;
  return (await accepts(solver, { ...options, profile })) ? undefined : `${Object.keys(options).join(', ')} in profile '${profile}'`;
}

async function accepts(solver, options) {
  try {
    await solver.solve(EMPTY_SCENE, options);
    return true;
  } catch (error) {
    if (error instanceof S4rError && error.code === 'INVALID_OPTION') return false;
    throw error;
  }
}
