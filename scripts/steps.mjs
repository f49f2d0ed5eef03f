/** What the scripts share: where things are, running a command, telling of a step. Only node: built-ins: node_modules may be missing. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const BUILD = join(ROOT, 'build');

/** A step that could not be done, with what to tell the user. Exit code 3: the machine lacks something; 1: the step itself failed. */
export class StepError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs `work`, printing one line with the seconds it took. `work` returns a note for that line, or nothing. */
export function step(name, work) {
  const start = performance.now();
  process.stdout.write(`${name} ... `);
  try {
    const note = work();
    process.stdout.write(`${((performance.now() - start) / 1000).toFixed(1)} s${note ? ` (${note})` : ''}\n`);
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

/** Runs a command from the repository root, silently; when it fails, throws with the end of its output. */
export function run(command, args, options = {}) {
  const { env = {}, ...rest } = options;
  const result = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...rest,
  });
  if (result.error) throw new StepError(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) {
    const lines = `${result.stdout}${result.stderr}`.trimEnd().split('\n');
    const how = result.signal ? `was ended by ${result.signal}` : `failed with exit code ${result.status}`;
    throw new StepError(`${lines.slice(-60).join('\n')}\n\n${[command, ...args].join(' ')} ${how}`);
  }
  return result.stdout;
}

/** Path of a command, or undefined. */
export function which(command) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, command);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Whether the work that `key` describes was done before; `remember` notes that it is now. Kept in build/stamps. */
export function stamp(name) {
  const path = join(BUILD, 'stamps', name);
  const read = () => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };
  return {
    read,
    remember(key) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, key);
    },
  };
}

/** Ends a script: prints a StepError's message, lets anything else show its stack. */
export function exitWith(error) {
  console.error(error instanceof StepError ? `\n${error.message}` : error);
  process.exit(error instanceof StepError ? error.exitCode : 1);
}

/** True when the module at `url` is the script that was started. */
export function isMain(url) {
  return process.argv[1] !== undefined && fileURLToPath(url) === realpathSync(process.argv[1]);
}
