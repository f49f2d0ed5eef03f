/**
 * Rearrange a scene while its bodies are small, and grow it back (Fig. 9 of the paper):
 *
 *   node examples/mujoco/scale-editor.mjs [scene.xml body body [out.xml]]
 *
 * Copy it and adapt it; it uses nothing but the public API.
 */
import { fileURLToPath } from 'node:url';
import { S4rError, Solver } from 's4r';
import { mjcf } from 's4r/adapters/mjcf';

const bundled = fileURLToPath(new URL('cluttered_table.xml', import.meta.url));
const [input = bundled, first = 'mug', second = 'soup_can', output] = process.argv.slice(2);

try {
  const { scene, source } = await mjcf.read(input);
  const solver = await Solver.create();
  const layout = await solver.shrink(scene, { scale: 0.4 });
  const { repairable } = await layout.check();
  console.log(`at ${layout.scale} of their size, ${repairable === 0 ? 'no bodies overlap' : `${repairable} overlaps are left`}`);

  // Swap two bodies where they stand, each as it is turned.
  const poseOf = (name) => layout.poses[layout.scene.bodies.findIndex((body) => body.name === name)];
  const [a, b] = [poseOf(first), poseOf(second)];
  if (a === undefined || b === undefined) throw new S4rError('INVALID_OPTION', `no body '${a === undefined ? first : second}' in ${input}`);
  layout.place(first, { ...a, position: b.position });
  layout.place(second, { ...b, position: a.position });

  const result = await layout.grow();
  console.log(`${result.status}: ${result.before.repairable} -> ${result.after.repairable} overlaps`);
  for (const { name, distance } of result.moves) console.log(`  ${name} moved by ${(1000 * distance).toFixed(1)} mm`);

  if (result.status === 'solved') {
    if (output !== undefined) await mjcf.write(source, result, output);
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
