/** The promises every adapter keeps (`docs/adapters.md`), as checks for any test runner. */
import { deepStrictEqual } from 'node:assert/strict';
import type { ReadResult } from '../adapters/adapter.js';
import type { Scene } from '../index.js';
import { FileChecks } from './file-checks.js';
import { LiveChecks } from './live-checks.js';
import { assertRefusesInput, assertThrows, badInputs } from './refusals.js';
import { assertCoverage, assertMeshesShared, assertValid } from './scene-checks.js';
import type { ConformanceCheck, FileSample, FileSubject, LiveSample, LiveSubject } from './subject.js';

/**
 * The checks for one adapter, one per promise and sample. They are independent of each other and may run in any order.
 * @example
 * for (const { name, run } of adapterConformance(subject)) it(name, run);
 */
export function adapterConformance<Input, Source, Options>(
  subject: FileSubject<Source, Options> | LiveSubject<Input, Source>,
): readonly ConformanceCheck[] {
  return subject.kind === 'files' ? fileConformance(subject) : liveConformance(subject);
}

function fileConformance<Source, Options>(subject: FileSubject<Source, Options>): ConformanceCheck[] {
  const checks = new FileChecks(subject);
  const { inPlace = true, binary = false, samples } = subject;
  const [first] = samples;
  const wrong = [...(first === undefined ? [] : badInputs(first)), ...subject.refused] as FileSample<Options>[];
  return [
    coverage(samples, async (sample) => (await checks.readTwice(sample))[0].scene),
    ...forEach(samples, {
      ...sceneChecks(async (sample) => await checks.readTwice(sample)),
      'what collides is what the engine tests': async (sample) => await checks.pairs(sample),
      'an unmoved scene is copied': async (sample) => await checks.unmovedElsewhere(sample),
      'poses written are read again': async (sample) => await checks.movedElsewhere(sample),
      'bodies that did not move stay bit for bit': async (sample) => await checks.othersUntouched(sample),
      'a dry run writes nothing': async (sample) => await checks.dryRun(sample),
      'nothing is half written': async (sample) => await checks.badTargets(sample),
    }),
    ...forEach(inPlace ? samples : [], {
      'an unmoved scene is not rewritten in place': async (sample) => await checks.unmovedInPlace(sample),
      'poses written in place are read again': async (sample) => await checks.movedInPlace(sample),
      'a file that changed since it was read is left alone': async (sample) => await checks.changedSince(sample),
    }),
    ...forEach(inPlace && !binary ? samples : [], {
      'only the text of moved bodies changes': async (sample) => await checks.ownText(sample),
    }),
    ...forEach(wrong, {
      'bad input is refused': async (sample) => await assertRefusesInput(sample, async (path) => await subject.read(path, sample.options)),
    }),
  ];
}

function liveConformance<Input, Source>(subject: LiveSubject<Input, Source>): ConformanceCheck[] {
  const checks = new LiveChecks(subject);
  return [
    coverage(subject.samples, async (sample) => (await checks.readTwice(sample))[0].scene),
    ...forEach(subject.samples, {
      ...sceneChecks(async (sample) => await checks.readTwice(sample)),
      'what collides is what the engine tests': async (sample) => await checks.pairs(sample),
      'an unmoved world is left alone': async (sample) => await checks.unmoved(sample),
      'poses written are read again': async (sample) => await checks.moved(sample),
      'bodies that did not move stay bit for bit': async (sample) => await checks.othersUntouched(sample),
    }),
    ...forEach(subject.refused, {
      'bad input is refused': async ({ name, make }: LiveSample<Input>) => {
        const input = await make();
        await assertThrows(name, 'INVALID_INPUT', async () => await subject.read(input));
      },
    }),
  ];
}

type Reads = readonly [ReadResult<unknown>, ReadResult<unknown>];

function sceneChecks<Sample>(readTwice: (sample: Sample) => Promise<Reads>): Record<string, (sample: Sample) => Promise<void>> {
  return {
    'the scene is valid': async (sample) => assertValid((await readTwice(sample))[0]),
    'the same input gives the same scene': async (sample) => {
      const [first, second] = await readTwice(sample);
      deepStrictEqual(second.scene, first.scene);
    },
    'geoms of one mesh share it': async (sample) => assertMeshesShared((await readTwice(sample))[0].scene),
  };
}

function coverage<Sample>(samples: readonly Sample[], read: (sample: Sample) => Promise<Scene>): ConformanceCheck {
  const run = async () => {
    const scenes: Scene[] = [];
    for (const sample of samples) scenes.push(await read(sample));
    assertCoverage(scenes);
  };
  return { name: 'the samples show what is to be checked', run };
}

function forEach<Sample extends { readonly name: string }>(
  samples: readonly Sample[],
  checks: Readonly<Record<string, (sample: Sample) => Promise<void>>>,
): ConformanceCheck[] {
  return Object.entries(checks).flatMap(([name, run]) =>
    samples.map((sample) => ({ name: `${name}: ${sample.name}`, run: async () => await run(sample) })),
  );
}
