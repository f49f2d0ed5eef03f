/** Composition and transforms, judged by OpenUSD. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { rowVectorsFromAffine } from '../../../src/adapters/conventions.js';
import { Disk } from '../../../src/adapters/files/disk.js';
import { isaac } from '../../../src/adapters/isaac/index.js';
import { LayerFiles } from '../../../src/adapters/isaac/usd/layer-files.js';
import type { Prim } from '../../../src/adapters/isaac/usd/prim.js';
import { openStage } from '../../../src/adapters/isaac/usd/stage.js';
import { WorldTransforms } from '../../../src/adapters/isaac/usd/xform.js';
import { SHARED_DATA } from '../../shared-data.js';
import { describePxr, runPxr } from './pxr/pxr.js';

interface Facts {
  readonly metersPerUnit: number;
  readonly upAxis: string;
  readonly prims: Record<
    string,
    { type: string; world: number[]; collider: boolean; body: boolean; instance: boolean; radius: number | null }
  >;
}

const FIXTURE = fileURLToPath(new URL('../../fixtures/usd/composition.usda', import.meta.url));

/** Prims that are defined and not abstract, as OpenUSD lists them. */
function defined(prim: Prim): Prim[] {
  return prim.children.filter(({ specifier }) => specifier === 'def').flatMap((child) => [child, ...defined(child)]);
}

async function factsOf(path: string): Promise<Facts> {
  const stage = await openStage(new LayerFiles(new Disk()), path);
  const transforms = new WorldTransforms();
  const prims = defined(stage.root).map((prim) => {
    const facts = {
      type: prim.typeName,
      world: [...rowVectorsFromAffine(transforms.of(prim))],
      collider: prim.has('PhysicsCollisionAPI'),
      body: prim.has('PhysicsRigidBodyAPI'),
      instance: prim.isInstance,
      radius: prim.typeName === 'Sphere' ? (prim.number('radius') ?? 1) : null,
    };
    return [prim.path, facts] as const;
  });
  return { metersPerUnit: stage.metersPerUnit, upAxis: stage.upAxis, prims: Object.fromEntries(prims) };
}

describePxr('a stage is what OpenUSD makes of it', () => {
  const files = [FIXTURE, ...globSync('usd/**/*.usd*', { cwd: SHARED_DATA, absolute: true }).sort()];
  let facts: Record<string, Facts> = {};
  beforeAll(() => {
    facts = runPxr('dump_stage.py', ...files);
  });
  it.each(files)('%s', async (path) => {
    const [ours, theirs] = [await factsOf(path), facts[path]!];
    expect(Object.keys(ours.prims).sort()).toEqual(Object.keys(theirs.prims).sort());
    const rest = (of: Facts) => ({
      ...of,
      prims: Object.fromEntries(Object.entries(of.prims).map(([key, prim]) => [key, { ...prim, world: [] }])),
    });
    expect(rest(ours)).toEqual(rest(theirs));
    for (const [key, { world }] of Object.entries(theirs.prims)) {
      const worst = Math.max(...world.map((value, i) => Math.abs(value - ours.prims[key]!.world[i]!)));
      expect([key, worst < 1e-9 ? 'equal' : worst]).toEqual([key, 'equal']);
    }
  });
});

describePxr('the copies of an instancer lie where OpenUSD has them', () => {
  it('with the transforms of the prototypes, and without hidden ones', async () => {
    const path = fileURLToPath(new URL('../../fixtures/usd/instancer.usda', import.meta.url));
    const theirs = runPxr<number[][]>('dump_instances.py', path, '/World/many');
    const { source } = await isaac.read(path);
    expect(source.bodies.map(({ name }) => name)).toEqual(['/World/many[0]', '/World/many[1]', '/World/many[3]']);
    source.bodies.forEach(({ world }, i) => {
      for (const [k, value] of rowVectorsFromAffine(world).entries()) expect(Math.abs(value - theirs[i]![k]!)).toBeLessThan(1e-9);
    });
  });
});
