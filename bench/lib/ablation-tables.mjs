// The paper's ablations (App. A.16) as options of the reference profile, with the figures the paper prints beside them.
import { METHODS } from './methods.mjs';

/** Options on top of the paper's own; `printed` holds the paper's cells by column. */
function variant(name, reference, printed) {
  const base = METHODS.reference;
  const literal = reference.broadphasePad === 'literal';
  return {
    ...base,
    name,
    options: { reference: { ...base.options.reference, ...reference } },
    pad: literal ? METHODS['reference-literal'].pad : base.pad,
    printed,
  };
}

const FIXED_STRIDE = { eventJumps: false, adaptiveSkip: false };

/** The loop's own detections: one more learns the input, and the tail detects before its first and after each iteration. */
const loopDetections = ({ counts }) => counts.detections - 1 - (counts.tailIterations + 1);

/** `columns`: [key in `printed`, title, value of a row, digits]; times are not comparable across machines, ratios are. */
const PEN = ['pen', 'left', (row) => row.pairsAfter, 1];
const RMSD = ['rmsd', 'rmsd', (row) => row.rmsd, 4];
const TIME = ['time', 'time s', (row) => row.seconds, 3];
const STEPS = ['steps', 'steps', (row) => row.counts.steps, 1];

/** The default profile with one part off, and nothing behind it that would hide a failure. */
function part(name, separation, profile = 'default') {
  return { name, profile, options: { separation: { fallback: false, ...separation } }, printed: {} };
}

/** `on`: pool and N unless the command line says otherwise. */
export const ABLATIONS = {
  A11: {
    title: 'progressive scaling against Direct-QP',
    on: [{ pool: 'household', n: 40 }],
    columns: [PEN, RMSD, TIME],
    variants: [
      variant('Direct-QP (1 linearization)', { progressiveScaling: false, tailMaxIterations: 1 }, { pen: 13.7, rmsd: 0.028, time: 0.12 }),
      variant(
        'Direct-QP (50 re-linearizations)',
        { progressiveScaling: false, tailMaxIterations: 50, tailStagnation: 50 },
        { pen: 0, rmsd: 0.038, time: 0.41 },
      ),
      variant('S4R (progressive)', {}, { pen: 0, rmsd: 0.036, time: 0.16 }),
    ],
  },
  A12: {
    title: "tail refinement; the paper's rows are those with the literal pad",
    on: [
      { pool: 'household', n: 1000, printed: 'kubric' },
      { pool: 'printable', n: 2000, printed: 'thingi' },
    ],
    columns: [PEN, ['maxPen', 'max depth', (row) => row.maxDepth, 3], RMSD, TIME],
    variants: [
      variant(
        'tail off, literal pad',
        { tailMaxIterations: 0, broadphasePad: 'literal' },
        {
          kubric: { pen: 85.3, maxPen: 0.052, rmsd: 0.033, time: 3 },
          thingi: { pen: 129.7, maxPen: 0.055, rmsd: 0.024, time: 12 },
        },
      ),
      variant(
        'tail on, literal pad',
        { broadphasePad: 'literal' },
        {
          kubric: { pen: 0, maxPen: 0, rmsd: 0.035, time: 7 },
          thingi: { pen: 0, maxPen: 0, rmsd: 0.026, time: 21 },
        },
      ),
      variant('tail off', { tailMaxIterations: 0 }, {}),
      variant('tail on', {}, {}),
    ],
  },
  A13: {
    title: 'scale of impact',
    on: [{ pool: 'household', n: 40 }],
    columns: [STEPS, TIME, RMSD, PEN],
    variants: [
      variant('fixed ds = 0.01', { ...FIXED_STRIDE, stride: 0.01 }, { steps: 99, time: 0.34, rmsd: 0.0342 }),
      variant('fixed ds = 0.05', FIXED_STRIDE, { steps: 20, time: 0.15, rmsd: 0.0348 }),
      variant('SOI jump', {}, { steps: 17.7, time: 0.16, rmsd: 0.0359 }),
    ],
  },
  A14: {
    title: 'collision cache, refresh interval M',
    on: [{ pool: 'household', n: 40 }],
    columns: [['detections', 'loop detections', loopDetections, 1], TIME, RMSD, PEN],
    variants: [
      variant('M = 1 (no cache)', { refreshInterval: 1 }, { detections: 19, time: 0.234, rmsd: 0.033, pen: 0 }),
      variant('M = 2', { refreshInterval: 2 }, { detections: 9.3, time: 0.186, rmsd: 0.034, pen: 0 }),
      variant('M = 3', {}, { detections: 6.3, time: 0.157, rmsd: 0.036, pen: 0 }),
      variant('M = 5', { refreshInterval: 5 }, { detections: 3.3, time: 0.149, rmsd: 0.036, pen: 0 }),
      variant('M = 10', { refreshInterval: 10 }, { detections: 2, time: 0.16, rmsd: 0.038, pen: 0 }),
    ],
  },
  A15: {
    title: 'step size and adaptive skip (with event jumps)',
    on: [{ pool: 'household', n: 40 }],
    columns: [STEPS, TIME, RMSD, PEN],
    variants: [
      variant('ds = 0.01, no skip', { ...FIXED_STRIDE, stride: 0.01 }, { steps: 99, time: 0.33, rmsd: 0.034 }),
      variant('ds = 0.01, skip', { stride: 0.01 }, { steps: 76, time: 0.31, rmsd: 0.032 }),
      variant('ds = 0.05, no skip', FIXED_STRIDE, { steps: 20, time: 0.15, rmsd: 0.035 }),
      variant('ds = 0.05, skip', {}, { steps: 18, time: 0.16, rmsd: 0.036 }),
    ],
  },
  A16: {
    title: 'contact sparsity',
    on: [{ pool: 'household', n: 40 }],
    columns: [
      ['dim', 'QP dim (avg)', (row) => row.counts.qpVariablesMean, 0],
      ['iterations', 'QP iters', (row) => row.counts.qpIterations / row.counts.qpSolves, 0],
      TIME,
      RMSD,
      PEN,
    ],
    variants: [
      variant('dense QP', { sparseQp: false }, { dim: 120, iterations: 63, time: 0.16, rmsd: 0.036 }),
      variant('sparse QP', {}, { dim: 56, iterations: 63, time: 0.16, rmsd: 0.036 }),
    ],
  },
  parts: {
    title: 'parts of the default profile, each off (not in the paper)',
    on: [{ pool: 'household', n: 1000 }],
    columns: [PEN, RMSD, TIME, STEPS],
    variants: [
      part('default', {}),
      part('no polish (quick)', {}, 'quick'),
      part('no pull', { pull: false }),
      part('one row per pair', { maxRows: 1 }),
      part('no certificate', { certificate: false }),
      part('no contour push', { contourPush: false }),
      part('no pair scale', { pairScale: false }),
      part('neither push nor pair scale', { contourPush: false, pairScale: false }),
      part('no islands', { islands: false }),
      part('no snap-back', { snapBack: false }),
    ],
  },
};
