/** Checks of worlds in memory. */
import { deepStrictEqual } from 'node:assert/strict';
import type { ReadResult } from '../adapters/adapter.js';
import { displaced, freeRoots, resultWithPoses } from './results.js';
import { assertPairs, assertRepaired, assertUntouched } from './scene-checks.js';
import type { LiveSample, LiveSubject } from './subject.js';

/** Checks by name, for one sample each. */
export class LiveChecks<Input, Source> {
  constructor(private readonly subject: LiveSubject<Input, Source>) {}

  async readTwice({ make }: LiveSample<Input>): Promise<[ReadResult<Source>, ReadResult<Source>]> {
    const input = await make();
    const before = this.subject.state(input);
    const first = await this.subject.read(input);
    deepStrictEqual(this.subject.state(input), before, 'reading changes nothing');
    return [first, await this.subject.read(await make())];
  }

  async pairs({ make }: LiveSample<Input>): Promise<void> {
    const { scene } = await this.subject.read(await make());
    assertPairs(scene, await this.subject.enginePairs(await make(), scene));
  }

  async unmoved({ make }: LiveSample<Input>): Promise<void> {
    const input = await make();
    const before = this.subject.state(input);
    const { scene, source } = await this.subject.read(input);
    const written = await this.subject.write(source, resultWithPoses(scene, new Map()));
    deepStrictEqual(this.subject.state(written), before, 'writing an unmoved world changes nothing in it');
  }

  async moved({ make }: LiveSample<Input>): Promise<void> {
    const { scene, source } = await this.subject.read(await make());
    const result = displaced(scene, freeRoots(scene));
    const again = await this.subject.read(await this.subject.write(source, result));
    assertRepaired(scene, result, again.scene, this.subject.poseTolerance ?? 1e-12);
  }

  async othersUntouched({ make }: LiveSample<Input>): Promise<void> {
    for (const index of [0, 1, 2]) {
      const { scene, source } = await this.subject.read(await make());
      const root = freeRoots(scene)[index];
      if (root === undefined) continue;
      const again = await this.subject.read(await this.subject.write(source, displaced(scene, [root])));
      assertUntouched(scene, root, again.scene);
    }
  }
}
