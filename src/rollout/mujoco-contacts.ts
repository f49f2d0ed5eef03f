/** MuJoCo's own contacts: the second opinion on what overlaps. */
import type { SceneFiles } from '../adapters/mjcf/engine.js';
import { summaryOf } from './contact-summary.js';
import { Simulation } from './mujoco-simulation.js';
import type { StateOptions } from './mujoco-state.js';
import type { ContactSummary, EngineContact } from './rollout.js';

/**
 * Every contact MuJoCo finds in the start state, deepest first. Pairs it filters out are absent.
 * @throws S4rError INVALID_INPUT, INVALID_OPTION, ENVIRONMENT
 */
export async function mujocoContacts(scene: SceneFiles, options: StateOptions = {}): Promise<readonly EngineContact[]> {
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
      const { geom, flex, dist } = contact;
      contacts.push(describe(sideOf(simulation, geom[0], flex[0]), sideOf(simulation, geom[1], flex[1]), dist));
      contact.delete();
    }
  } finally {
    vector.delete();
  }
  return contacts.sort((a, b) => a.dist - b.dist);
}

/** The contacts of the current state, sorted by what s4r could do about them. */
export function summarizeContacts(simulation: Simulation): ContactSummary {
  return summaryOf(currentContacts(simulation));
}

interface Side {
  readonly geom: string;
  readonly body: string;
  /** Root body of the floating tree it moves with, if any. */
  readonly root: number | undefined;
  readonly flex: boolean;
}

/** Either the geom or the flex is -1. */
function sideOf(simulation: Simulation, geom: number, flex: number): Side {
  if (geom < 0) {
    const name = simulation.flexName(flex);
    return { geom: name, body: name, root: simulation.flexRoot(flex), flex: true };
  }
  const body = simulation.model.geom_bodyid[geom] as number;
  return { geom: simulation.geomName(geom), body: simulation.bodyName(body), root: simulation.floatingRoot(body), flex: false };
}

function describe(a: Side, b: Side, dist: number): EngineContact {
  return {
    geomA: a.geom,
    geomB: b.geom,
    bodyA: a.body,
    bodyB: b.body,
    dist,
    // Equal roots: both in one floating tree, or neither in any.
    constant: a.root === b.root,
    flex: a.flex || b.flex,
  };
}
