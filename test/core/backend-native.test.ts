import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadNativeBackend } from '../../src/core/backend-native.js';
import { S4rError } from '../../src/core/errors.js';
import { type Progress, type ReferenceOptions, resolveCheckOptions, resolveOptions } from '../../src/core/options.js';
import { PACK_VERSION, type PackedScene, packScene } from '../../src/core/pack.js';
import { buildScene, ground, sphere } from '../scenes/build.js';
import { boxMesh } from '../scenes/meshes.js';
import { pile, twoSpheres } from '../scenes/scenes.js';

describe('loading', () => {
  const remedy = "run 'npm run setup' in the folder of s4r";

  test('a missing addon is an ENVIRONMENT error that says what to do', () => {
    expect(() => loadNativeBackend('/nowhere/s4r.node')).toThrow(
      expect.objectContaining({
        code: 'ENVIRONMENT',
        message: `the native core /nowhere/s4r.node is not built: there is no such file; ${remedy}`,
      }),
    );
  });

  test('so is one that cannot be loaded', () => {
    const path = join(mkdtempSync(join(tmpdir(), 's4r-')), 's4r.node');
    writeFileSync(path, 'not a shared object');
    expect(() => loadNativeBackend(path)).toThrow(
      expect.objectContaining({
        code: 'ENVIRONMENT',
        message: expect.stringMatching(/^the native core .*s4r\.node cannot be loaded: .*too short.*; run 'npm run setup'/),
      }),
    );
  });

  test('and one of another layout version', () => {
    const path = join(mkdtempSync(join(tmpdir(), 's4r-')), 'old.cjs');
    writeFileSync(path, 'exports.version = { pack: 99 };');
    expect(() => loadNativeBackend(path)).toThrow(
      `the native core ${path} has layout version 99, this package needs ${PACK_VERSION}; ${remedy}`,
    );
  });

  test('the backend names its version', () => {
    expect(loadNativeBackend().name).toMatch(/^native \d+\.\d+\.\d+/);
  });
});

describe('packed scenes that break the layout', () => {
  const good = packScene(buildScene([{ geoms: [sphere(), { type: 'mesh', mesh: boxMesh([1, 1, 1]) }] }, { geoms: [sphere(2)] }]));
  const oneJoint = (change: object) => ({
    jointHinge: Uint8Array.of(1),
    jointAxis: Float64Array.of(0, 0, 1),
    jointAnchor: new Float64Array(3),
    jointRange: Float64Array.of(-1, 1),
    jointLeader: Int32Array.of(-1),
    jointRatio: Float64Array.of(1),
    jointBodyStart: Int32Array.of(0, 1),
    jointBodies: Int32Array.of(1),
    ...change,
  });
  const check = async (change: object, poses = good.bodyPoses): Promise<unknown> =>
    loadNativeBackend().check({ ...good, ...change } as PackedScene, poses, resolveCheckOptions());

  test.each<[object, string]>([
    [{ version: 1 }, `scene.version: expected layout version ${PACK_VERSION}`],
    [{ bodyPoses: new Float64Array(13) }, 'scene.bodyPoses: expected 14 elements, got 13'],
    [{ bodyPoses: new Float32Array(14) }, 'scene.bodyPoses: expected a Float64Array'],
    [{ bodyPoses: undefined }, 'scene.bodyPoses: expected a Float64Array'],
    [{ bodyUnit: Int32Array.of(0, 2) }, 'scene.bodyUnit: expected indices below 2, got 2'],
    [{ bodyWeld: Int32Array.of(0, -1) }, 'scene.bodyWeld: expected indices below 2, got -1'],
    [{ geomBody: Int32Array.of(0, 0, 5) }, 'scene.geomBody: expected indices below 2, got 5'],
    [{ geomShape: Int32Array.of(0, 1, 3) }, 'scene.geomShape: expected indices below 3, got 3'],
    [{ geomMask: new Uint32Array(2) }, 'scene.geomMask: expected 3 elements, got 2'],
    [{ shapeKind: Int32Array.of(0, 10, 0) }, 'scene.shapeKind: expected indices below 10, got 10'],
    [{ shapeData: Int32Array.of(-1, 1, -1) }, 'scene.shapeData: expected indices below 1, got 1'],
    [{ meshTriangles: new Int32Array(36).fill(8) }, 'scene.meshTriangles: expected indices below 8, got 8'],
    [{ meshVertexStart: Int32Array.of(0, 9) }, 'scene.meshVertexStart: expected ascending offsets from 0 to 8'],
    [{ meshTriangleStart: Int32Array.of() }, 'scene.meshTriangleStart: expected ascending offsets from 0 to 12'],
    [{ fieldStart: Int32Array.of(0, 0) }, 'scene.fieldSize: expected 2 elements, got 0'],
    [{ excludedBodies: Int32Array.of(0) }, 'scene.excludedBodies: expected an even number of elements'],
    [{ excludedGeoms: Int32Array.of(0, 3) }, 'scene.excludedGeoms: expected indices below 3, got 3'],
    [{ jointHinge: Uint8Array.of(1) }, 'scene.jointAxis: expected 3 elements, got 0'],
    [oneJoint({ jointBodies: Int32Array.of(2) }), 'scene.jointBodies: expected indices below 2, got 2'],
    [oneJoint({ jointLeader: Int32Array.of(1) }), 'scene.jointLeader: expected indices below 1, got 1'],
    [oneJoint({ jointRange: Float64Array.of(1, 2) }), 'scene.jointRange: expected ranges around 0'],
    [{ explicitMargins: Float64Array.of(1) }, 'scene.explicitMargins: expected 0 elements, got 1'],
  ])('%j is refused, not read', async (change, message) => {
    await expect(check(change)).rejects.toMatchObject({ code: 'INTERNAL', message: `native core: ${message}` });
  });

  test('poses of the wrong length too', async () => {
    await expect(check({}, new Float64Array(7))).rejects.toThrow('poses: expected 14 elements, got 7');
  });
});

describe('placing', () => {
  // A ball 0.2 mm over the ground, and one that reaches 20 mm into it.
  const scene = buildScene([ground(), { at: [0, 0, 0.0502], geoms: [sphere(0.05)] }, { at: [1, 0, 0.03], geoms: [sphere(0.05)] }]);
  const packed = packScene(scene);
  const options = { ...resolveCheckOptions(), restTolerance: 1e-3 };

  test('supports, settling and lifting cross the boundary whole', async () => {
    const backend = loadNativeBackend();
    const supports = { body: Int32Array.of(1), onBody: Int32Array.of(0), onGeom: Int32Array.of(0) };
    expect(await backend.supports(packed, packed.bodyPoses, options)).toEqual(supports);
    const raised = packed.bodyPoses.slice();
    raised[9] = 0.08;
    const settled = await backend.settle(packed, packed.bodyPoses, raised, options);
    expect(settled).toMatchObject({ ...supports, kept: Uint8Array.of(1), interrupted: false });
    expect([...settled.shifts.subarray(0, 5), ...settled.shifts.subarray(6)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(settled.shifts[5]).toBeCloseTo(-0.03, 3);
    const lifted = await backend.lift(packed, packed.bodyPoses, Int32Array.of(2), options);
    expect(lifted.heights[0]).toBeCloseTo(0.02, 3);
    expect(lifted.shifts[8]).toBe(lifted.heights[0]);
    const limited = await backend.lift(packed, packed.bodyPoses, Int32Array.of(2, 0), { ...options, maxShift: 0.01 });
    expect([...limited.heights]).toEqual([-1, -1]);
  });

  test('wrong calls are refused', async () => {
    const backend = loadNativeBackend();
    const { bodyPoses } = packed;
    await expect(backend.supports(packed, bodyPoses.subarray(7), options)).rejects.toThrow('poses: expected 21 elements, got 14');
    await expect(backend.settle(packed, bodyPoses, new Float64Array(7), options)).rejects.toThrow(
      'posesAfter: expected 21 elements, got 7',
    );
    await expect(backend.lift(packed, bodyPoses, Int32Array.of(3), options)).rejects.toThrow('units: expected body ids');
    await expect(backend.lift(packed, bodyPoses, Int32Array.of(-1), options)).rejects.toThrow('units: expected body ids');
    const nothing = { ...options, restTolerance: undefined } as never;
    await expect(backend.supports(packed, bodyPoses, nothing)).rejects.toThrow('options.restTolerance: expected a number');
  });
});

describe('reference', () => {
  const solve = (reference: ReferenceOptions, scene = twoSpheres()) =>
    loadNativeBackend().solve(packScene(scene), resolveOptions({ profile: 'reference', reference }));

  test('names the centres bodies are shrunk about', async () => {
    const { centres } = await solve({});
    expect([...centres]).toEqual(twoSpheres().bodies.flatMap((body) => body.X_WB.position));
  });

  test('stops at a scale, and grows a layout from one', async () => {
    const small = await solve({ stopScale: 0.5 });
    expect(small).toMatchObject({ status: 'solved', stats: { finalScale: 0.5 } });
    const grown = await solve({ startScale: 0.5 });
    expect(grown).toMatchObject({ status: 'solved', stats: { finalScale: 1 } });
    expect(grown.stats.steps).toBeLessThan((await solve({})).stats.steps as number);
  });

  test('says what the tail and the clean-up left', async () => {
    expect((await solve({})).stats).toMatchObject({ tailLeft: 0, cleanupLeft: -1, msCleanup: 0 });
    expect((await solve({ tailMaxIterations: 0 })).stats).toMatchObject({ tailLeft: -1, cleanupLeft: -1 });
  });
});

describe('jobs', () => {
  const packed = packScene(twoSpheres());

  test('the caller keeps its arrays', async () => {
    const backend = loadNativeBackend();
    const promise = backend.check(packed, packed.bodyPoses.slice(), resolveCheckOptions());
    const copy = packScene(twoSpheres());
    expect(packed).toEqual(copy);
    expect((await promise).depth[0]).toBeCloseTo(1.5, 9);
    expect(packed).toEqual(copy);
  });

  test('errors carry the stack of the caller and the cause', async () => {
    async function theCallersFunction(): Promise<void> {
      await loadNativeBackend().check({ ...packed, version: 0 }, packed.bodyPoses, resolveCheckOptions());
    }
    const error = await theCallersFunction().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(S4rError);
    expect((error as S4rError).stack).toMatch(/^S4rError: native core: scene\.version/);
    expect((error as S4rError).stack).toContain('theCallersFunction');
    expect((error as S4rError).cause).toMatchObject({ name: 'TypeError' });
  });

  test('many at once give what one gives', async () => {
    const backend = loadNativeBackend();
    const scene = packScene(pile(30));
    const one = await backend.solve(scene, resolveOptions());
    const many = await Promise.all(Array.from({ length: 20 }, () => backend.solve(scene, resolveOptions({ threads: 1 }))));
    for (const result of many) expect(result.shifts).toEqual(one.shifts);
  });

  test('an aborted signal cancels, and its listener is removed', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = new Set<unknown>();
    const spied = Object.assign(Object.create(signal) as AbortSignal, {
      addEventListener: (_: string, listener: unknown) => listeners.add(listener),
      removeEventListener: (_: string, listener: unknown) => listeners.delete(listener),
    });
    Object.defineProperty(spied, 'aborted', { get: () => signal.aborted });
    await loadNativeBackend().check(packed, packed.bodyPoses, { ...resolveCheckOptions(), signal: spied });
    expect(listeners.size).toBe(0);
    const large = packScene(pile(3000));
    const running = loadNativeBackend().check(large, large.bodyPoses, { ...resolveCheckOptions(), signal });
    controller.abort();
    expect((await running).interrupted).toBe(true);
  });

  test('what onProgress throws rejects, even if it is no error', async () => {
    for (const thrown of [new RangeError('mine'), 'text', undefined]) {
      const onProgress = (_: Progress) => {
        throw thrown;
      };
      const run = loadNativeBackend().solve(packScene(pile(50)), resolveOptions({ onProgress }));
      await expect(run).rejects.toBe(thrown);
    }
  });
});
