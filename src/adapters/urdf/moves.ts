/** What a result moves, in terms of models: placements, units and joint positions. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { BodyId, JointId, Pose } from '../../core/scene.js';
import { compose, invert } from '../conventions.js';
import { assertFits, poseDistance, samePose } from '../poses.js';
import { driveOf, jointValues, linkPoses } from './kinematics.js';
import type { PlacedModel, Unit } from './place.js';
import type { UrdfSource } from './source.js';

export interface UnitMove {
  readonly unit: Unit;
  readonly from: Pose;
  readonly to: Pose;
}

export interface ModelMoves {
  readonly model: PlacedModel;
  readonly units: readonly UnitMove[];
  /** New positions of joints that mimic none, by name. */
  readonly joints: ReadonlyMap<string, number>;
}

export interface Moves {
  /** Models that change, in the order of the scene. */
  readonly models: readonly ModelMoves[];
  /** Poses in W afterwards, by body id. */
  readonly expected: readonly Pose[];
}

/** How far a link may be from where its unit and joints take it [m, rad]; solvers round. */
const RIGID_TOLERANCE = 1e-6;

/** @throws S4rError INVALID_SCENE if `result` does not belong to the scene */
export function movesOf(source: UrdfSource, result: Result): Moves {
  const { scene } = source;
  assertFits(result.poses, scene.bodies);
  const expected = scene.bodies.map((body) => body.X_WB);
  const positions = new Map((result.joints ?? []).map(({ jointId, after }) => [jointId, after]));
  const models: ModelMoves[] = [];
  for (const model of source.models) {
    const moves = modelMoves(source, result, positions, model);
    if (moves.units.length === 0 && moves.joints.size === 0) continue;
    models.push(moves);
    const poses = posesAfter(moves);
    for (const [link, id] of source.bodies.get(model) ?? []) expected[id] = poses.get(link) as Pose;
  }
  scene.bodies.forEach(({ name, mobility }, id) => {
    const pose = result.poses[id] as Pose;
    if (poseDistance(pose, expected[id] as Pose) <= RIGID_TOLERANCE) return;
    const reason = mobility === 'fixed' ? 'it is fixed, and no joint of the result takes it there' : 'it hangs on others';
    throw new S4rError('INVALID_SCENE', `the result moves body '${name}' on its own, but ${reason}`);
  });
  return { models, expected };
}

/** @param positions of joints afterwards */
function modelMoves(source: UrdfSource, result: Result, positions: ReadonlyMap<JointId, number>, model: PlacedModel): ModelMoves {
  const bodies = source.bodies.get(model) as ReadonlyMap<string, BodyId>;
  const units = model.units.flatMap((unit): UnitMove[] => {
    const from = model.poses.get(unit.root) as Pose;
    const to = result.poses[bodies.get(unit.root) as BodyId] as Pose;
    return samePose(from, to) ? [] : [{ unit, from, to }];
  });
  const joints = new Map<string, number>();
  for (const [name, id] of source.joints.get(model) ?? []) {
    const position = positions.get(id);
    const joint = model.model.joints.get(name);
    if (position === undefined || joint === undefined || driveOf(model.model, joint).driver !== joint) continue;
    if (!Number.isFinite(position)) throw new S4rError('INVALID_SCENE', `the result puts joint '${name}' at ${position}`);
    if (position !== model.values.get(name)) joints.set(name, position);
  }
  return { model, units, joints };
}

/** Poses of the links afterwards. */
function posesAfter({ model, units, joints }: ModelMoves): Map<string, Pose> {
  const whole = units.find(({ unit }) => unit.joint === undefined);
  const values = joints.size === 0 ? model.values : jointValues(model.model, new Map([...model.entry.joints, ...joints]));
  const poses = linkPoses(model.model, whole?.to ?? model.entry.X_WR, values);
  for (const { unit, from, to } of units) {
    if (unit.joint === undefined) continue;
    const step = compose(to, invert(from));
    for (const link of linksBelow(model, unit.root)) poses.set(link, link === unit.root ? to : compose(step, poses.get(link) as Pose));
  }
  return poses;
}

function linksBelow({ model }: PlacedModel, root: string): Set<string> {
  const below = new Set([root]);
  for (const { parent, child } of model.tree) if (below.has(parent)) below.add(child);
  return below;
}
