/** Hinges and slides: what they move, where they stand, and which of them another one drives. */
import type { BodyId, Joint, JointId } from '../../core/scene.js';
import { vec3At } from '../conventions.js';
import { UniqueNames } from '../names.js';
import { carriedBodies, type HeldBodies } from './carried.js';
import { jointCouplings } from './couplings.js';
import { type MainModule, type MjModel, nameReader } from './engine.js';
import { listNames } from './notes.js';
import type { SourceBody, SourceJoint } from './source.js';
import type { ModelState } from './state.js';

/** A hinge or slide of the model, by MuJoCo id. */
type ModelJoint = SourceJoint & {
  readonly modelId: number;
  readonly moves: readonly BodyId[];
  /** It cannot be moved without breaking a `<weld>` or `<connect>`. */
  readonly closed: boolean;
};

export interface FoundJoints {
  /** Those of the scene, by their id there. */
  readonly joints: readonly Joint[];
  readonly sourceJoints: readonly SourceJoint[];
  readonly notes: readonly string[];
}

/**
 * The joints that move a body of the scene, or drive one that does, in MuJoCo's order: nearer to the root first. Those that cannot be
 * moved without breaking a constraint have limits that leave them no room.
 */
export function readJoints(engine: MainModule, model: MjModel, state: ModelState, around: Omit<HeldBodies, 'jointed'>): FoundJoints {
  const all = modelJoints(engine, model, state, around);
  const { couplings, stuck, notes } = jointCouplings(engine, model, (joint) => `'${all.get(joint)?.name ?? joint}'`);
  const kept = new Set<number>();
  for (const { modelId, moves } of all.values()) {
    if (moves.length === 0) continue;
    kept.add(modelId);
    const driver = couplings.get(modelId)?.joint;
    if (driver !== undefined) kept.add(driver);
  }
  const found = [...all.values()].filter(({ modelId }) => kept.has(modelId));
  const ids = new Map(found.map(({ modelId }, id): [number, JointId] => [modelId, id]));
  const joints = found.map((joint, id): Joint => {
    const { name, type, axis, anchor, moves, position } = joint;
    const coupling = couplings.get(joint.modelId);
    const limits = stuck.has(joint.modelId) || joint.closed ? ([position, position] as const) : joint.limits;
    return {
      ...{ id, name, type, axis, anchor, moves, position },
      ...(limits === undefined ? {} : { limits }),
      ...(coupling === undefined ? {} : { follows: { joint: ids.get(coupling.joint) as JointId, ratio: coupling.ratio } }),
    };
  });
  return { joints, sourceJoints: found, notes: [...notes, ...closedNotes(found)] };
}

function closedNotes(joints: readonly ModelJoint[]): string[] {
  const closed = joints.filter((joint) => joint.closed).map(({ name }) => name);
  if (closed.length === 0) return [];
  const [what, one, they] = closed.length === 1 ? ['joint', 'it', 'it'] : ['joints', 'one of them', 'they'];
  return [`${what} ${listNames(closed)}: moving ${one} alone would break a <weld> or <connect>, so ${they} cannot be freed`];
}

function modelJoints(engine: MainModule, model: MjModel, state: ModelState, around: Omit<HeldBodies, 'jointed'>): Map<number, ModelJoint> {
  const { mjJNT_HINGE: hinge, mjJNT_SLIDE: slide, mjJNT_FREE: free } = engine.mjtJoint;
  const jointed = new Set<number>();
  for (let j = 0; j < model.njnt; j++) if (model.jnt_type[j] !== free.value) jointed.add(model.jnt_bodyid[j]);
  const { bodies } = around;
  const known: HeldBodies = { ...around, jointed };
  const nameAt = nameReader(model);
  const names = new UniqueNames();
  for (let j = 0; j < model.njnt; j++) names.reserve(nameAt(model.name_jntadr[j]));
  const ends = subtreeEnds(bodies);
  const found = new Map<number, ModelJoint>();
  for (let j = 0; j < model.njnt; j++) {
    const type = model.jnt_type[j] === hinge.value ? 'hinge' : model.jnt_type[j] === slide.value ? 'slide' : undefined;
    if (type === undefined) continue;
    const body = model.jnt_bodyid[j] as number;
    const qposAddress = model.jnt_qposadr[j] as number;
    const limits = limitsOf(model, j);
    const end = ends[body] as number;
    const carried = carriedBodies(known, body, end);
    const moved = carried?.map((id) => bodies[id] as SourceBody) ?? bodies.slice(body, end);
    found.set(j, {
      modelId: j,
      name: nameAt(model.name_jntadr[j]) || names.make(`${bodies[body]?.name}/joint_${j - model.body_jntadr[body]}`),
      ...{ body, type, qposAddress },
      axis: vec3At(state.xaxis, 3 * j),
      anchor: vec3At(state.xanchor, 3 * j),
      position: state.qpos[qposAddress] as number,
      ...(limits === undefined ? {} : { limits }),
      closed: carried === undefined,
      moves: moved.flatMap(({ sceneId }) => (sceneId === undefined ? [] : [sceneId])),
    });
  }
  return found;
}

/** `jnt_limited` itself is an array of booleans, which the module cannot hand out. */
function limitsOf(model: MjModel, j: number): readonly [number, number] | undefined {
  const joint = model.jnt(j);
  const limited: boolean = joint.limited;
  joint.delete();
  return limited ? [model.jnt_range[2 * j], model.jnt_range[2 * j + 1]] : undefined;
}

/** For each body the id after its last descendant: MuJoCo numbers bodies depth first. */
function subtreeEnds(bodies: readonly SourceBody[]): number[] {
  const ends = bodies.map((_, b) => b + 1);
  for (let b = bodies.length - 1; b > 0; b--) {
    const parent = bodies[b]?.parent as number;
    ends[parent] = Math.max(ends[parent] as number, ends[b] as number);
  }
  return ends;
}
