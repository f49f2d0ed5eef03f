/**
 * Repair a USD stage for Isaac Sim and Isaac Lab, and see what it does to a simulation:
 *
 *   node examples/isaac/fix-stage.mjs [stage.usda [fixed.usda [poses.json]]]
 *
 * The stage stays as it is. What moved is in a layer over it, and in a table for a reset event (reset_event.py).
 * Copy it and adapt it; it uses nothing but the public API.
 */
import { fileURLToPath } from 'node:url';
import { S4rError, Solver } from 's4r';
import { isaac } from 's4r/adapters/isaac';
import { rolloutRapier } from 's4r/rollout/rapier';

const bundled = fileURLToPath(new URL('table.usda', import.meta.url));
const [input = bundled, layer = 'table.fixed.usda', table = 'poses.json'] = process.argv.slice(2);

/** Peak speed [m/s] of the floating bodies in one second without gravity: 0 if nothing is thrown. PhysX needs a GPU; Rapier stands in. */
async function peakSpeed(scene, poses) {
  const { movable } = await rolloutRapier(scene, { poses, seconds: 1, gravity: false });
  return movable.speed?.value ?? 0;
}

try {
  const { scene, source, notes } = await isaac.read(input);
  for (const note of notes) console.log(`note: ${note}`);
  const solver = await Solver.create();
  const result = await solver.solve(scene);

  console.log(`${result.status}: ${result.before.repairable} -> ${result.after.repairable} overlaps`);
  for (const { name, distance } of result.moves) console.log(`  ${name} moved by ${(1000 * distance).toFixed(1)} mm`);

  if (result.status === 'clean' || result.status === 'solved') {
    const { verified } = await isaac.write(source, result, layer);
    await isaac.write(source, result, table);
    console.log(`wrote ${layer} (read back, off by at most ${verified.toExponential(0)} m) and ${table}`);
    const [before, after] = [await peakSpeed(scene), await peakSpeed(scene, result.poses)];
    console.log(`peak speed ${before.toFixed(2)} -> ${after.toFixed(2)} m/s`);
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
