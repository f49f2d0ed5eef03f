/**
 * OpenUSD's own Python package (`pip install usd-core`) as the judge. Tests that need it are skipped where it cannot be imported,
 * unless S4R_REQUIRE_PXR=1; S4R_PYTHON names the interpreter.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from '@jest/globals';

const PYTHON = process.env.S4R_PYTHON ?? 'python3';

function canImport(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'from pxr import Usd, UsdPhysics'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What a script beside this file prints, as JSON. */
export function runPxr<T>(script: string, ...args: string[]): T {
  const path = fileURLToPath(new URL(script, import.meta.url));
  // OpenUSD warns on stderr, which a failure shows.
  return JSON.parse(execFileSync(PYTHON, [path, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' })) as T;
}

/** `describe` for tests that ask OpenUSD. */
export function describePxr(name: string, tests: () => void): void {
  if (canImport()) describe(name, tests);
  else if (process.env.S4R_REQUIRE_PXR === '1') {
    it(`${name}: needs OpenUSD`, () => {
      throw new Error(`${PYTHON} cannot import pxr; pip install usd-core, or name an interpreter in S4R_PYTHON`);
    });
  } else {
    describe.skip(`${name} (needs OpenUSD: pip install usd-core)`, () => {
      it('asks OpenUSD', () => undefined);
    });
  }
}
