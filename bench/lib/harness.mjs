// Runs a bench: scenes times methods, one after the other, then rows or tables and plots.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Solver } from '../../dist/index.js';
import { measureMethod, measureProfile } from './measure.mjs';
import { availableMethods } from './methods.mjs';
import { loadPool } from './pools.mjs';
import { buildScene } from './spawn.mjs';

/** Everything a bench says goes through here: with --json, stdout holds one array of rows and nothing else. */
export class Report {
  #json;
  #out;

  constructor({ json, out }) {
    this.#json = json;
    this.#out = out;
  }

  /** A line that is no row: skipped methods, what a table means. */
  note(text) {
    if (this.#json) process.stderr.write(`${text}\n`);
    else console.log(text);
  }

  /** Where a long bench is; on a terminal only. */
  progress(text) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  }

  /** `tables(rows)` is a text; `plots(rows)` maps file names to SVG. */
  finish(rows, tables, plots) {
    this.progress('');
    console.log(this.#json ? JSON.stringify(rows, null, 2) : `\n${tables(rows)}\n`);
    mkdirSync(this.#out, { recursive: true });
    for (const [name, svg] of Object.entries(plots(rows))) {
      const path = join(this.#out, name);
      writeFileSync(path, svg);
      if (!this.#json) console.log(`plot: ${relative(process.cwd(), path)}`);
    }
  }
}

/** What any method runs once before it is timed: its first run pays for loading and first pages. */
export function warmUpScene() {
  return buildScene(loadPool('procedural'), { spawn: 'box' }, 10, 1);
}

/** The solver, warm. */
export async function warmSolver(threads) {
  const solver = await Solver.create();
  await solver.solve(warmUpScene(), { threads });
  return solver;
}

/**
 * One row per cell and method. Methods take turns on each scene, so that a ratio compares neighbours in time.
 * Methods are profiles (`methods.mjs`) or anything with a `solve` (see `measureMethod`).
 * `cells` are {pool, n, seed, recipe, ...}: all but the recipe stands in the row, and of the recipe its parameters.
 */
export async function measureCells(bench, solver, cells, methods, { threads }, report, skip = () => false) {
  const rows = [];
  for (const { recipe, ...cell } of cells) {
    const scene = buildScene(loadPool(cell.pool), recipe, cell.n, cell.seed);
    for (const method of methods) {
      if (skip(method, cell)) continue;
      report.progress(`${bench}: ${cell.pool} ${Object.values(recipe).join(' ')} N = ${cell.n} seed ${cell.seed} ${method.name}`);
      const measure = method.solve === undefined ? measureProfile : measureMethod;
      rows.push(await measure(solver, { bench, ...cell, ...recipe }, scene, method, threads));
    }
  }
  return rows;
}

/** The solver and the methods a command line asks for. */
export async function start(options, report) {
  // Missing data should be told before anything runs.
  for (const pool of options.pool) loadPool(pool);
  const solver = await warmSolver(options.threads);
  const methods = await availableMethods(solver, options.profiles, (line) => report.note(line));
  return { solver, methods };
}

/** All combinations of pools, recipes, sizes and seeds, seeds innermost. */
export function cellsOf({ pool, n, seeds }, recipes) {
  return pool.flatMap((name) =>
    recipes.flatMap((recipe) => n.flatMap((size) => seeds.map((seed) => ({ pool: name, n: size, seed, recipe })))),
  );
}
