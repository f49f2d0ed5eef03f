/**
 * F22: damaged files of every format, hundreds of each, through the command line: each is refused with exit 2 in one line, or read and judged.
 * None ends in a crash, an internal error or takes more than 10 s of CPU time, and none harms the files that are read after it.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { examine, inFolder } from './examine.js';
import { MJCF_SEEDS } from './mjcf.js';
import { mutants, type Seed, undamaged } from './mutate.js';
import { RAPIER_SEEDS } from './rapier.js';
import { SCENE_FILE_SEEDS, URDF_SEEDS } from './urdf.js';
import { CRATE_SEEDS, USDA_SEEDS } from './usd.js';

const MAIN = 'dist/cli/main.js';

const COUNT = 300;

/** For all files of a format [ms]; each has a watch of its own. */
const TIMEOUT = 1_800_000;

const FORMATS: readonly (readonly [string, readonly Seed[]])[] = [
  ['MJCF', MJCF_SEEDS],
  ['URDF', URDF_SEEDS],
  ['scene file', SCENE_FILE_SEEDS],
  ['USD text', USDA_SEEDS],
  ['USD crate', CRATE_SEEDS],
  ['Rapier snapshot', RAPIER_SEEDS],
];

describe.each(FORMATS)('%s', (_, seeds) => {
  test(
    'damaged is refused or judged',
    async () => {
      const outcomes = await examine(mutants(seeds, COUNT, 1), undamaged(seeds));
      const defects = outcomes.filter(({ kind }) => kind === 'defect');
      expect(defects.map(({ mutant, message }) => `${mutant.name}: ${message}`)).toEqual([]);
      expect(outcomes).toHaveLength(COUNT);
      // Were all of them refused, the damage would be of one sort.
      expect(outcomes.filter(({ kind }) => kind === 'judged').length).toBeGreaterThan(COUNT / 30);
      const refused = outcomes.filter(({ kind }) => kind === 'refused');
      expect(refused.length).toBeGreaterThan(COUNT / 3);
      for (const { mutant } of refused.filter((_, i) => i % Math.ceil(refused.length / 4) === 0)) {
        await inFolder(mutant, async (path) => {
          const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'check', path], {
            encoding: 'utf8',
            env: { NODE_OPTIONS: '' },
          });
          expect({ mutant: mutant.name, status, stdout, stderr }).toEqual({
            mutant: mutant.name,
            status: 2,
            stdout: '',
            stderr: expect.stringMatching(/^(s4r: .+\n)+$/),
          });
        });
      }
    },
    TIMEOUT,
  );
});
