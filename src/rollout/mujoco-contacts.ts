/** MuJoCo's own contacts: the second opinion on what overlaps. */
import type { MjcfFiles } from './mujoco-compile.js';
import { Simulation, type StateOptions } from './mujoco-simulation.js';
import type { ContactSummary, EngineContact } from './rollout.js';

/**
 * Every contact MuJoCo finds in the start state, deepest first. Pairs it filters out are absent.
 * @throws S4rError INVALID_INPUT, INVALID_OPTION, ENVIRONMENT
 */
export async function mujocoContacts(scene: MjcfFiles, options: StateOptions = {}): Promise<readonly EngineContact[]> {
  const simulation = await Simulation.create(scene, options);
  try {
    return currentContacts(simulation);
  } finally {
    simulation.free();
  }
}

/** Contacts of the current state, deepest first. */
export function currentContacts(simulation: Simulation): EngineContact[] {
  const vector = simulation.data.contact;
  const contacts: EngineContact[] = [];
  try {
    for (let i = 0; i < vector.size(); i++) {
      const contact = vector.get(i);
      if (contact === undefined) continue;
      contacts.push(describe(simulation, contact.geom1, contact.geom2, contact.dist));
      contact.delete();
    }
  } finally {
    vector.delete();
  }
  return contacts.sort((a, b) => a.dist - b.dist);
}

/** The contacts of the current state that a motion of free bodies could change. */
export function summarizeContacts(simulation: Simulation): ContactSummary {
  const all = currentContacts(simulation);
  const changeable = all.filter((contact) => !contact.constant);
  return {
    count: changeable.length,
    penetrating: changeable.filter((contact) => contact.dist < 0).length,
    deepest: changeable[0] ?? null,
    constant: all.length - changeable.length,
  };
}

function describe(simulation: Simulation, geomA: number, geomB: number, dist: number): EngineContact {
  const { geom_bodyid } = simulation.model;
  const bodyA = geom_bodyid[geomA] as number;
  const bodyB = geom_bodyid[geomB] as number;
  return {
    geomA: simulation.geomName(geomA),
    geomB: simulation.geomName(geomB),
    bodyA: simulation.bodyName(bodyA),
    bodyB: simulation.bodyName(bodyB),
    dist,
    // Equal roots: both in one floating tree, or neither in any.
    constant: simulation.floatingRoot(bodyA) === simulation.floatingRoot(bodyB),
  };
}
