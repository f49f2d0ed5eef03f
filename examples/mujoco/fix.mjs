/**
 * Repair an MJCF scene and see what it does to a simulation:
 *
 *   node examples/mujoco/fix.mjs [scene.xml [fixed.xml]]
 *
 * Copy it and adapt it; it uses nothing but the public API.
 */
import { fileURLToPath } from 'node:url';
import { S4rError, Solver } from 's4r';
import { collectFiles, mjcf } from 's4r/adapters/mjcf';
import { rolloutMujoco } from 's4r/rollout/mujoco';

const bundled = fileURLToPath(new URL('cluttered_table.xml', import.meta.url));
const [input = bundled, output = 'fixed.xml'] = process.argv.slice(2);

/** Peak speed [m/s] of the floating bodies in one second without gravity: 0 if nothing is thrown. */
async function peakSpeed(path) {
  const { movable } = await rolloutMujoco(await collectFiles(path), { seconds: 1, gravity: false });
  return movable.speed?.value ?? 0;
}

try {
  const { scene, source } = await mjcf.read(input);
  const solver = await Solver.create();
  const result = await solver.solve(scene);

  console.log(`${result.status}: ${result.before.repairable} -> ${result.after.repairable} overlaps`);
  for (const { name, distance } of result.moves) console.log(`  ${name} moved by ${(1000 * distance).toFixed(1)} mm`);

  if (result.status === 'clean' || result.status === 'solved') {
    await mjcf.write(source, result, output);
    console.log(`peak speed ${(await peakSpeed(input)).toFixed(2)} -> ${(await peakSpeed(output)).toFixed(2)} m/s`);
  } else {
    console.log(result.reason);
    process.exitCode = 1;
  }
} catch (error) {
  // Bad input and broken environments throw; their message is meant for people.
  if (!(error instanceof S4rError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
