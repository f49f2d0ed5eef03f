import type { ConformanceCheck } from '../../src/testing/index.js';

/** Names of the checks that fail, without those of samples. */
export async function failures(checks: readonly ConformanceCheck[]): Promise<string[]> {
  const failed = new Set<string>();
  for (const { name, run } of checks) await run().catch(() => failed.add(name.replace(/:.*/, '')));
  return [...failed].sort();
}
