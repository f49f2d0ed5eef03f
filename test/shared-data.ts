/**
 * Real scenes and meshes from public repositories, kept beside the repository and not in it.
 * Without them their tests are skipped, except in CI, where that is a failure.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from '@jest/globals';

/** The folder of the real data; it may be missing. */
export const SHARED_DATA: string = fileURLToPath(new URL('../../shared/data', import.meta.url));

/** `describe` for tests that need the real data. */
export function describeShared(name: string, tests: () => void): void {
  if (existsSync(SHARED_DATA)) describe(name, tests);
  else if (process.env.CI === 'true') {
    it(`${name}: needs the real data`, () => {
      throw new Error(`${SHARED_DATA} is missing`);
    });
  } else {
    describe.skip(name, () => {
      it('needs the real data', () => undefined);
    });
  }
}
