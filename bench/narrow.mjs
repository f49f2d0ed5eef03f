// Queries of the narrow phase against FCL on the same pairs, one core, in ns per query.
//   npm run bench -- narrow [--json] [--pool household,procedural] [--sizes 100,300,1000,2400,mixed,hulls] [--kernels fastest]
//                           [--pairs 24] [--poses 8] [--rounds 6] [--out FOLDER]
// Rows: {bench, pool, method, size, class, query, nanoseconds, ratio}. `method` is fcl, gjk or a kernel set; `ratio`: FCL's time
// over this one's: FCL's Boolean query for Boolean and all crossings, its distance for the others, its build for builds (per mesh).
// Objects are 0.1 m; classes are gaps. Pairs take turns, and so do their poses, which differ by up to 0.5 mm and 0.5 degrees;
// the lower quartile of all sweeps counts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { barChart } from './lib/bar-chart.mjs';
import { runBench } from './lib/exit.mjs';
import { Report } from './lib/harness.mjs';
import { groupsOfPool, hullGroups, SIZES, writeGroups } from './lib/narrow-meshes.mjs';
import { narrowTables } from './lib/narrow-tables.mjs';
import { buildBench, runRows } from './lib/native-bench.mjs';
import { benchOptions, namesOf, wholeNumbers } from './lib/options.mjs';
import { loadPool, POOLS } from './lib/pools.mjs';

const one = (value) => ({ value, read: (text) => wholeNumbers([]).read(text)[0] });

await runBench(async () => {
  const options = benchOptions('narrow', {
    ...Object.fromEntries(['n', 'seeds', 'profiles', 'threads'].map((name) => [name, undefined])),
    pool: namesOf(['household', 'procedural'], POOLS),
    sizes: namesOf([...SIZES, 'hulls'], [...SIZES, 'hulls']),
    kernels: namesOf(['fastest'], ['fastest', 'avx2', 'sse2', 'portable']),
    pairs: one(24),
    poses: one(8),
    rounds: one(6),
  });
  const report = new Report(options);
  for (const pool of options.pool) loadPool(pool);
  report.progress('narrow: building s4r_bench_narrow');
  const program = buildBench('s4r_bench_narrow');
  const folder = mkdtempSync(join(tmpdir(), 's4r-narrow-'));
  const rows = [];
  try {
    const meshSizes = options.sizes.filter((size) => size !== 'hulls');
    const inputs = meshSizes.length > 0 ? options.pool.map((pool) => [pool, () => groupsOfPool(pool, meshSizes)]) : [];
    if (options.sizes.includes('hulls')) inputs.push(['hulls', hullGroups]);
    for (const [pool, groups] of inputs) {
      const file = join(folder, `${pool}.txt`);
      report.progress(`narrow: ${pool}: meshes`);
      writeGroups(file, groups());
      for (const kernels of options.kernels) {
        await runRows(program, [file, options.pairs, options.poses, options.rounds, kernels], ({ method, ...row }) => {
          report.progress(`narrow: ${pool} ${method} ${row.size} ${row.class} ${row.query}`);
          rows.push({ bench: 'narrow', pool, method, ...row });
        });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  report.finish(rows, narrowTables, plots);
});

/** How many times faster than FCL the two queries are that a solve is made of. */
function plots(rows) {
  const shown = rows.filter(
    (row) =>
      row.method !== 'fcl' &&
      ((row.class === 'overlapping' && row.query === 'boolean') || (row.class === '0-20 mm' && /^(distance|convex)$/.test(row.query))),
  );
  const bars = shown.map((row) => ({
    group: `${row.pool}: ${row.query}, ${row.class}`,
    label: `${row.size}, ${row.method}`,
    parts: { ratio: row.ratio },
    note: `${row.ratio.toFixed(1)}x`,
  }));
  bars.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
  return {
    'narrow-ratio.svg': barChart({
      title: 'Narrow phase: times faster than FCL',
      subtitle: 'same pairs, one core; by triangles per object',
      bars,
    }),
  };
}
