/** Lint for the native code: who may include what. Part of `npm run lint`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.mjs';

const SOURCE = /\.(c|cc|cpp|cxx|cu|h|hh|hpp|inl)$/;
const INCLUDE = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/;

/** Libraries that one place alone may include. */
const OWNED = [
  {
    library: /^(fcl|ccd|octomap)\//,
    owner: /^native\/(src\/narrowphase|bench)\/fcl/,
    rule: 'FCL belongs to native/src/narrowphase/fcl* and native/bench/fcl*',
  },
  { library: /^(osqp(\/|\.h|_api)|qdldl)/, owner: /^native\/src\/qp\/osqp/, rule: 'OSQP belongs to native/src/qp/osqp*' },
  {
    library: /^lbfgsb\.h/,
    owner: /^native\/bench\/baselines\/minimise/,
    rule: 'L-BFGS-B belongs to native/bench/baselines/minimise*',
  },
  {
    library: /^(napi(\.|-inl)|node_api|js_native_api|node\.h|v8|uv\.h)/,
    owner: /^native\/(addon\/|bench\/baselines\/addon\.cc)/,
    rule: 'Node-API belongs to native/addon and the addons of the benches',
  },
];

/** Folders that may include only what a pattern allows, besides the standard library. */
const NARROW = [
  { folder: 'native/addon/', allowed: /^(s4r\/|napi\.h$|node_api\.h$|[^/]+\.h$)/, rule: 'the addon includes s4r/ and Node-API only' },
  { folder: 'native/include/', allowed: /^(s4r|Eigen)\//, rule: 'public headers include s4r/ and Eigen/ only' },
];

function problem(file, quote, path) {
  if (path.includes('..')) return 'name headers from their include folder, without ..';
  const owned = OWNED.find(({ library, owner }) => library.test(path) && !owner.test(file));
  if (owned) return owned.rule;
  // Standard headers have neither a folder nor a suffix; C's, such as <stdint.h>, have their C++ form.
  if (quote === '<' && /^[a-z_0-9]+$/.test(path)) return undefined;
  return NARROW.find(({ folder, allowed }) => file.startsWith(folder) && !allowed.test(path))?.rule;
}

/** Every forbidden include below native/, as "file:line: ...". */
function findForbiddenIncludes() {
  const files = readdirSync(join(ROOT, 'native'), { recursive: true }).filter((file) => SOURCE.test(file));
  return files.sort().flatMap((name) => {
    const file = `native/${name}`;
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => {
      const [, quote, path] = INCLUDE.exec(line) ?? [];
      const rule = path === undefined ? undefined : problem(file, quote, path);
      return rule === undefined ? [] : [`${file}:${index + 1}: includes ${path}: ${rule}`];
    });
  });
}

const found = findForbiddenIncludes();
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
