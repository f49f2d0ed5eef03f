/** What `<equality>` ties together: joints to joints, bodies to bodies. Inactive constraints tie nothing. */
import type { MainModule, MjModel } from './engine.js';

/** Displacement = ratio x that of `joint` (a MuJoCo id), which follows no other. */
export interface Coupling {
  readonly joint: number;
  readonly ratio: number;
}

export interface JointCouplings {
  /** By MuJoCo id of the driven joint. */
  readonly couplings: ReadonlyMap<number, Coupling>;
  /** Joints that cannot be moved, alone or with what they drive, without breaking a constraint. */
  readonly stuck: ReadonlySet<number>;
  readonly notes: readonly string[];
}

/** Numbers per constraint in `eq_data` (mjNEQDATA). */
const EQ_DATA = 11;

/**
 * `<equality><joint>`: q1 - ref1 = a0 + a1 (q2 - ref2) + a2 (..)^2 + ..., of which a line drives joint 1. Joints tied otherwise are stuck.
 * @param nameOf a joint, for the notes
 */
export function jointCouplings(engine: MainModule, model: MjModel, nameOf: (joint: number) => string): JointCouplings {
  const direct = new Map<number, Coupling>();
  const stuck = new Set<number>();
  const notes: string[] = [];
  const leave = (joints: readonly number[], why: string) => {
    for (const joint of joints) stuck.add(joint);
    notes.push(`${why}, so ${joints.length === 1 ? 'it' : 'both'} cannot be freed`);
  };
  for (const e of activeEqualities(model, [engine.mjtEq.mjEQ_JOINT.value])) {
    const driven = model.eq_obj1id[e] as number;
    const joint = model.eq_obj2id[e] as number;
    const [, ratio = 0, ...higher] = Array.from(model.eq_data.subarray(EQ_DATA * e, EQ_DATA * e + 5) as Float64Array);
    if (joint < 0) leave([driven], `joint ${nameOf(driven)} is held in place by <equality>`);
    else if (higher.some((a) => a !== 0)) leave([driven, joint], `joint ${nameOf(driven)} follows ${nameOf(joint)} along a curve`);
    else if (direct.has(driven) || leadsTo(direct, joint, driven)) {
      leave([driven, joint], `joint ${nameOf(driven)} follows more than one joint, or itself, by way of ${nameOf(joint)}`);
    } else direct.set(driven, { joint, ratio });
  }
  const couplings = new Map([...direct.keys()].map((driven) => [driven, drive(direct, driven)]));
  return { couplings, stuck, notes };
}

function leadsTo(direct: ReadonlyMap<number, Coupling>, from: number, to: number): boolean {
  for (let at: number | undefined = from; at !== undefined; at = direct.get(at)?.joint) if (at === to) return true;
  return false;
}

/** The joint at the end of a chain of them, and the product of the ratios. */
function drive(direct: ReadonlyMap<number, Coupling>, driven: number): Coupling {
  let { joint, ratio } = direct.get(driven) as Coupling;
  for (let next = direct.get(joint); next !== undefined; next = direct.get(joint)) {
    joint = next.joint;
    ratio *= next.ratio;
  }
  return { joint, ratio };
}

/** Bodies held to each other by a `<weld>` or `<connect>`, by MuJoCo ids; 0 is the world. */
export function heldPairs(engine: MainModule, model: MjModel): [number, number][] {
  const { mjEQ_CONNECT: connect, mjEQ_WELD: weld } = engine.mjtEq;
  return activeEqualities(model, [connect.value, weld.value]).map((e) => {
    const bySite = model.eq_objtype[e] === engine.mjtObj.mjOBJ_SITE.value;
    const bodyOf = (id: number): number => (bySite ? model.site_bodyid[id] : id);
    return [bodyOf(model.eq_obj1id[e]), bodyOf(model.eq_obj2id[e])];
  });
}

function activeEqualities(model: MjModel, types: readonly number[]): number[] {
  const all = Array.from(model.eq_type as Int32Array, (_, e) => e);
  return all.filter((e) => {
    if (!types.includes(model.eq_type[e])) return false;
    // `eq_active0` itself is an array of booleans, which the module cannot hand out.
    const equality = model.eq(e);
    const active: boolean = equality.active0;
    equality.delete();
    return active;
  });
}
