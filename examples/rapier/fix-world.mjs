/**
 * Repair a live Rapier world and see what that does to its first second:
 *
 *   node examples/rapier/fix-world.mjs
 *
 * Copy it and adapt it; it uses nothing but the public API.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import { fixWorld } from 's4r/rapier';

await RAPIER.init();

/** A floor, a table, and crates, balls and rounded boxes that somebody placed without looking. */
function clutter() {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.createCollider(RAPIER.ColliderDesc.cuboid(5, 0.5, 5).setTranslation(0, -0.5, 0));
  world.createCollider(RAPIER.ColliderDesc.cuboid(0.8, 0.05, 0.5).setTranslation(0, 0.75, 0));
  const shapes = [
    RAPIER.ColliderDesc.cuboid(0.1, 0.15, 0.1),
    RAPIER.ColliderDesc.ball(0.12),
    RAPIER.ColliderDesc.roundCuboid(0.1, 0.06, 0.1, 0.02),
  ];
  for (let i = 0; i < 18; i++) {
    const [x, y, z] = [((i * 7) % 18) * 0.08 - 0.7, 0.85 + 0.05 * (i % 4), ((i * 5) % 9) * 0.1 - 0.4];
    const name = `${['crate', 'ball', 'cushion'][i % 3]}_${i}`;
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setUserData({ name }));
    world.createCollider(shapes[i % 3], body);
  }
  return world;
}

/** Peak speed [m/s] in a second without gravity, on a copy, from displacements: Rapier's velocities do not hold its corrections. */
function peakSpeed(world) {
  const copy = RAPIER.World.restoreSnapshot(world.takeSnapshot());
  copy.gravity = { x: 0, y: 0, z: 0 };
  let peak = 0;
  for (let step = 0; step < 60; step++) {
    const before = new Map(copy.bodies.getAll().map((body) => [body.handle, { ...body.translation() }]));
    copy.step();
    copy.forEachRigidBody((body) => {
      const [a, b] = [before.get(body.handle), body.translation()];
      peak = Math.max(peak, Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z) / copy.timestep);
    });
  }
  copy.free();
  return peak;
}

const world = clutter();
const thrown = peakSpeed(world);
const { status, reason, before, after, moves, notes } = await fixWorld(world);
for (const note of notes) console.log(`note: ${note}`);
console.log(`${status}: ${before.repairable} -> ${after.repairable} overlaps${reason === undefined ? '' : `; ${reason}`}`);
for (const { name, distance } of moves) console.log(`  ${name.padEnd(12)} ${(1000 * distance).toFixed(1).padStart(6)} mm`);
console.log(`peak speed ${thrown.toFixed(3)} -> ${peakSpeed(world).toFixed(3)} m/s`);
