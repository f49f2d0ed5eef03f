#!/usr/bin/env node
// npm run bench -- NAME [options]: runs bench/NAME.mjs.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const [name, ...rest] = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.slice(0, -4));
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME [options]; benches: ${names.join(', ')}`);
  process.exit(2);
}
if (!existsSync(fileURLToPath(new URL('../dist/index.js', import.meta.url)))) {
  console.error("s4r is not built; run 'npm run setup' first");
  process.exit(3);
}
process.argv.splice(2, process.argv.length - 2, ...rest);
await import(`./${name}.mjs`);
