/** The USD adapter keeps what `docs/adapters.md` promises of every adapter; UsdPhysics' own parser judges what collides, as PhysX is not here. */
import { fileURLToPath } from 'node:url';
import { describe, it } from '@jest/globals';
import { isaac } from '../../../src/adapters/isaac/index.js';
import type { IsaacSource } from '../../../src/adapters/isaac/source.js';
import { adapterConformance, type FileSubject, filesIn } from '../../../src/testing/index.js';
import { describePxr, runPxr } from './pxr/pxr.js';

const files = await filesIn(fileURLToPath(new URL('../../fixtures/usd', import.meta.url)));

const sample = (main: string) => ({ name: main, main, files });
const bad = (name: string, text: string) => ({ name, main: 'a.usda', files: { 'a.usda': `#usda 1.0\n${text}\n` } });

const subject: FileSubject<IsaacSource> = {
  kind: 'files',
  read: async (path) => await isaac.read(path),
  write: async (source, result, target) => await isaac.write(source, result, target),
  samples: [sample('physics.usda'), sample('composition.usda'), sample('ops.usda')],
  refused: [
    bad('a brace that is never closed', 'def Xform "a" {'),
    bad('a number that is none', 'def Sphere "a" (apiSchemas = ["PhysicsCollisionAPI"]) { double radius = inf }'),
    bad('a layer that is not there', '( subLayers = [@none.usda@] )'),
  ],
  enginePairs: async (path) => Object.values(runPxr<Record<string, [string, string][]>>('dump_pairs.py', path))[0] as [string, string][],
  // The stage is never edited: what is written is a layer over it.
  inPlace: false,
  copies: 'content',
  outputExtension: '.usda',
  // Operations may be floats.
  poseTolerance: 2e-6,
};

const checks = adapterConformance(subject);
const PAIRS = 'what collides';

describe('conformance', () => {
  for (const { name, run } of checks) if (!name.startsWith(PAIRS)) it(name, run);
});

describePxr('conformance, asked of UsdPhysics', () => {
  for (const { name, run } of checks) if (name.startsWith(PAIRS)) it(name, run);
});
