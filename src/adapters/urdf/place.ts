/** A model with its state: what moves as one, and where every link is. */
import { S4rError } from '../../core/errors.js';
import type { Pose } from '../../core/scene.js';
import { driveOf, type JointValues, jointValues, linkPoses } from './kinematics.js';
import { isMovable, type UrdfJoint, type UrdfModel } from './model.js';
import type { ModelEntry, SceneSpec } from './options.js';

/** Links that move as one, and freely. */
export interface Unit {
  /** Link that the others hang on. */
  readonly root: string;
  /** Joint that holds it, whose origin says where it is; absent where the placement of the model does. */
  readonly joint?: UrdfJoint;
}

export interface PlacedModel {
  readonly entry: ModelEntry;
  /** As chosen or made up; unique. */
  readonly name: string;
  readonly model: UrdfModel;
  readonly base: 'fixed' | 'free';
  /** Why, where the entry does not say. */
  readonly assumed: string | undefined;
  readonly units: readonly Unit[];
  /** Of all movable joints. */
  readonly values: JointValues;
  readonly poses: ReadonlyMap<string, Pose>;
  /** Pairs of links whose collisions an SRDF disables. */
  readonly disabled: readonly (readonly [string, string])[];
}

/** @throws S4rError INVALID_INPUT or, for entries from options, INVALID_OPTION, for joints that cannot be set */
export function placeModel(
  entry: ModelEntry,
  name: string,
  model: UrdfModel,
  disabled: readonly (readonly [string, string])[],
  write: SceneSpec['write'],
): PlacedModel {
  for (const joint of entry.joints.keys()) assertSettable(joint, entry, model);
  const values = jointValues(model, entry.joints);
  const poses = linkPoses(model, entry.X_WR, values);
  const [base, assumed] = write === 'origins' ? (['fixed', undefined] as const) : baseOf(entry, model);
  const whole = base === 'free' ? [{ root: model.root }] : [];
  const units = write === 'origins' ? hangingUnits(model) : whole;
  return { entry, name, model, base, assumed, units, values, poses, disabled };
}

function assertSettable(name: string, entry: ModelEntry, model: UrdfModel): void {
  const joint = model.joints.get(name);
  const refuse = (message: string) =>
    entry.place === undefined
      ? new S4rError('INVALID_OPTION', `option joints: ${message}`)
      : new S4rError('INVALID_INPUT', message, { ...entry.place, element: `${entry.place.element}.joints.${name}` });
  if (joint === undefined) {
    const names = model.tree.filter(isMovable).map((movable) => `'${movable.name}'`);
    throw refuse(`${model.document.path} has no joint '${name}'; it has ${names.slice(0, 12).join(', ') || 'none that moves'}`);
  }
  if (!isMovable(joint)) throw refuse(`joint '${name}' is ${joint.type} and has no position to set`);
  if (joint.mimic !== undefined) throw refuse(`joint '${name}' mimics '${driveOf(model, joint).driver.name}': set that one`);
}

function baseOf(entry: ModelEntry, model: UrdfModel): readonly ['fixed' | 'free', string | undefined] {
  if (entry.base !== undefined) return [entry.base, undefined];
  const atRoot = model.tree.filter(({ parent }) => parent === model.root);
  const floats = atRoot.length === 1 && atRoot[0]?.type === 'floating' && model.links.get(model.root)?.collisions.length === 0;
  if (floats) return ['free', 'the root holds it by a floating joint'];
  if (model.root === 'world') return ['fixed', "the root link is 'world'"];
  return model.tree.some(isMovable) ? ['fixed', 'it has movable joints'] : ['free', 'it has no movable joints'];
}

/** What hangs on the root by a joint that could as well be elsewhere. */
function hangingUnits(model: UrdfModel): Unit[] {
  const jointed = new Set<string>();
  for (const joint of [...model.tree].reverse()) if (isMovable(joint) || jointed.has(joint.child)) jointed.add(joint.parent);
  return model.tree
    .filter(({ parent, type, child }) => parent === model.root && (type === 'floating' || (type === 'fixed' && !jointed.has(child))))
    .map((joint) => ({ root: joint.child, joint }));
}
