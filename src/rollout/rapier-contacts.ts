/** The contacts of a world of Rapier at one instant. */
import type { Collider } from '../adapters/rapier/engine.js';
import type { Body } from '../core/scene.js';
import { summaryOf } from './contact-summary.js';
import type { RapierSimulation } from './rapier-simulation.js';
import type { ContactSummary, EngineContact } from './rollout.js';

/** Rapier finds contacts in a step; this long, on a copy, nothing moves [s]. */
const INSTANT = 1e-9;

/** As Rapier sees the state now. Nothing is changed: a copy is stepped. One contact per pair of geoms, its deepest point. */
export function summarizeRapierContacts(simulation: RapierSimulation): ContactSummary {
  const { World } = simulation.rapier;
  const copy = World.restoreSnapshot(simulation.world.takeSnapshot());
  try {
    copy.timestep = INSTANT;
    simulation.step(copy);
    const contacts: EngineContact[] = [];
    copy.forEachCollider((a) => {
      copy.contactPairsWith(a, (b) => {
        if (a.handle >= b.handle || !simulation.collides(a.handle, b.handle)) return;
        let dist = Infinity;
        copy.contactPair(a, b, (manifold) => {
          for (let i = 0; i < manifold.numContacts(); i++) dist = Math.min(dist, manifold.contactDist(i));
        });
        if (dist < Infinity) contacts.push(contact(simulation, a, b, dist));
      });
    });
    return summaryOf(contacts.sort((a, b) => a.dist - b.dist));
  } finally {
    copy.free();
  }
}

function contact(simulation: RapierSimulation, a: Collider, b: Collider, dist: number): EngineContact {
  const [geomA, geomB] = [simulation.geom(a), simulation.geom(b)];
  const name = (id: number) => (simulation.scene.bodies[id] as Body).name;
  return {
    geomA: geomA.name,
    geomB: geomB.name,
    bodyA: name(geomA.bodyId),
    bodyB: name(geomB.bodyId),
    dist,
    // Rapier looks at no pair without a dynamic body, nor at one within a body, which is a unit here.
    constant: false,
    flex: false,
  };
}
