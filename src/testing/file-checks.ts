/** Checks of reading and writing files. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { FileWriteResult, ReadResult, WriteTarget } from '../adapters/adapter.js';
import type { Scene } from '../index.js';
import { Folder } from './folder.js';
import { assertRefuses, assertRefusesTargets } from './refusals.js';
import { displaced, freeRoots, resultWithPoses } from './results.js';
import { assertPairs, assertRepaired, assertUntouched } from './scene-checks.js';
import type { FileSample, FileSubject } from './subject.js';
import { changedPlaces } from './tokens.js';

/** One sample in a folder of its own, read. */
interface Opened<Source> {
  readonly folder: Folder;
  readonly path: string;
  readonly scene: Scene;
  readonly source: Source;
}

/** Checks by name, for one sample each. */
export class FileChecks<Source, Options> {
  private readonly tolerance: number;

  constructor(private readonly subject: FileSubject<Source, Options>) {
    this.tolerance = subject.poseTolerance ?? 1e-9;
  }

  async readTwice(sample: FileSample<Options>): Promise<[ReadResult<Source>, ReadResult<Source>]> {
    return await Folder.with(sample.files, async (folder) => {
      const read = async () => await this.subject.read(folder.at(sample.main), sample.options);
      return await folder.unchangedBy('reading', async () => [await read(), await read()]);
    });
  }

  async pairs(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ path, scene }) => assertPairs(scene, await this.subject.enginePairs(path, scene)));
  }

  async unmovedInPlace(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, path, scene, source }) => {
      const unmoved = resultWithPoses(scene, new Map());
      const write = () => this.subject.write(source, unmoved, { path, inPlace: true });
      const { files } = await folder.unchangedBy('writing an unmoved scene in place', write);
      deepStrictEqual(files, [], 'no file is written');
    });
  }

  async unmovedElsewhere(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, scene, source }) => {
      const before = await folder.contents();
      const out = this.output(sample);
      await this.subject.write(source, resultWithPoses(scene, new Map()), { path: folder.at(out) });
      const after = await folder.contents();
      ok(after.has(out), `the scene is written to ${out}`);
      deepStrictEqual(new Map([...after].filter(([name]) => before.has(name))), before, 'the files that were read stay as they are');
      if (this.subject.copies !== 'content') equal(after.get(out), before.get(sample.main), 'the copy has the same bytes');
      const again = await this.subject.read(folder.at(out), sample.options);
      deepStrictEqual(again.scene, scene, 'the copy reads as the same scene');
    });
  }

  async movedInPlace(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ path, scene, source }) => await this.move(sample, scene, source, { path, inPlace: true }));
  }

  async movedElsewhere(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, scene, source }) => {
      const before = await folder.contents();
      await this.move(sample, scene, source, { path: folder.at(this.output(sample)) });
      const after = await folder.contents();
      deepStrictEqual(new Map([...after].filter(([name]) => before.has(name))), before, 'the files that were read stay as they are');
    });
  }

  /** Move one unit after the other: what changes in the text is another place for each. */
  async ownText(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, path, scene, source }) => {
      const owners = new Map<string, string>();
      for (const root of freeRoots(scene)) {
        const name = scene.bodies[root]?.name as string;
        const { files } = await this.subject.write(source, displaced(scene, [root]), { path, inPlace: true, dryRun: true });
        ok(files.length > 0, `moving '${name}' changes a file`);
        for (const { path: file, text } of files) {
          for (const place of changedPlaces(await readFile(file, 'utf8'), text ?? '')) {
            const other = owners.get(`${file}: ${place}`);
            ok(
              other === undefined,
              `moving '${name}' changes ${file.slice(folder.root.length + 1)}, ${place}, and so does moving '${other}'`,
            );
            owners.set(`${file}: ${place}`, name);
          }
        }
      }
    });
  }

  async othersUntouched(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, scene, source }) => {
      for (const root of freeRoots(scene).slice(0, 3)) {
        const path = folder.at(this.output(sample));
        await this.subject.write(source, displaced(scene, [root]), { path });
        assertUntouched(scene, root, (await this.subject.read(path, sample.options)).scene);
      }
    });
  }

  async dryRun(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, scene, source }) => {
      const result = displaced(scene, freeRoots(scene));
      const target = { path: folder.at(this.output(sample)) };
      const dry = await folder.unchangedBy('a dry run', () => this.subject.write(source, result, { ...target, dryRun: true }));
      const wet = await this.subject.write(source, result, target);
      const paths = ({ files }: FileWriteResult) => files.map(({ path }) => path);
      deepStrictEqual(paths(dry), paths(wet), 'a dry run names the files that would be written');
      const contents = await folder.contents();
      for (const { path, text } of dry.files) {
        const written = Buffer.from(contents.get(path.slice(folder.root.length + 1)) ?? '', 'latin1').toString('utf8');
        if (text !== undefined) equal(text, written, 'a dry run gives the text that would be written');
      }
    });
  }

  async changedSince(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, path, scene, source }) => {
      await appendFile(path, '\n');
      const write = () => this.subject.write(source, displaced(scene, freeRoots(scene)), { path, inPlace: true });
      await assertRefuses(folder, 'a file that changed since it was read', 'OUTPUT', write);
    });
  }

  async badTargets(sample: FileSample<Options>): Promise<void> {
    await this.open(sample, async ({ folder, scene, source }) => {
      const result = displaced(scene, freeRoots(scene));
      await assertRefusesTargets(folder, extname(this.output(sample)), async (path) => await this.subject.write(source, result, { path }));
    });
  }

  private async move(sample: FileSample<Options>, scene: Scene, source: Source, target: WriteTarget): Promise<void> {
    const result = displaced(scene, freeRoots(scene));
    const { verified } = await this.subject.write(source, result, target);
    ok(verified <= this.tolerance, `the adapter itself finds an error of ${verified} m or rad, expected at most ${this.tolerance}`);
    assertRepaired(scene, result, (await this.subject.read(target.path, sample.options)).scene, this.tolerance);
  }

  /** Beside what is read, where its references lead where they did. */
  private output(sample: FileSample<Options>): string {
    return join(dirname(sample.main), `written${this.subject.outputExtension ?? extname(sample.main)}`);
  }

  private async open(sample: FileSample<Options>, use: (opened: Opened<Source>) => Promise<void>): Promise<void> {
    await Folder.with(sample.files, async (folder) => {
      const path = folder.at(sample.main);
      const { scene, source } = await this.subject.read(path, sample.options);
      await use({ folder, path, scene, source });
    });
  }
}
