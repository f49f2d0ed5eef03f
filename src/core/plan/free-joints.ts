/** Which joints may move: the option `freeJoints` applied to a scene. */
import { S4rError } from '../errors.js';
import { freeJoints, rangeOf } from '../joints.js';
import type { ResolvedOptions } from '../options.js';
import { listNames, matcherOf, matching } from '../patterns.js';
import type { Body, Joint, JointId, Scene } from '../scene.js';

const JOINTS = { one: 'joint', many: 'joints' };

/**
 * The scene with the joints that match one of the patterns free, and those that they drive; the same object without patterns. A joint
 * whose limits leave it no room stays fixed.
 * @throws S4rError INVALID_OPTION for a pattern that matches no joint, or only joints that are driven by others; INVALID_SCENE for a
 * free joint that would move the root of a free unit, or a shape that cannot move
 */
export function releaseJoints(scene: Scene, patterns: readonly string[] | undefined): Scene {
  if (patterns === undefined || patterns.length === 0) return scene;
  const { joints = [] } = scene;
  if (joints.length === 0) {
    throw new S4rError('INVALID_OPTION', `option freeJoints: the scene has no hinge or slide to free, got ${quoted(patterns)}`);
  }
  const named = new Set(patterns.flatMap((pattern) => leaders(joints, pattern)));
  const moving = new Set(joints.filter(({ moves }) => moves.length > 0).map(leads));
  const released = joints.map((joint): Joint => {
    return named.has(leads(joint)) && moving.has(leads(joint)) ? { ...joint, mobility: 'free' } : joint;
  });
  const free: Scene = { ...scene, joints: released };
  const stuck = new Set(
    freeJoints(free)
      .filter((joint) => joint.follows === undefined && rangeOf(free, joint).every((bound) => bound === 0))
      .map(({ id }) => id),
  );
  const result: Scene = { ...scene, joints: released.map((joint, id) => (stuck.has(leads(joint)) ? (joints[id] as Joint) : joint)) };
  for (const joint of freeJoints(result)) assertMovable(result, joint);
  return result;
}

/** The joint that a joint moves with: itself, unless another one drives it. */
const leads = ({ id, follows }: Joint): JointId => follows?.joint ?? id;

/** Ids of the joints that match and are driven by no other. */
function leaders(joints: readonly Joint[], pattern: string): number[] {
  const matches = matching(joints, 'freeJoints', pattern, JOINTS);
  const found = matches.filter(({ follows }) => follows === undefined);
  if (found.length > 0) return found.map(({ id }) => id);
  const driving = [...new Set(matches.map(({ follows }) => joints[follows?.joint as number] as Joint))];
  throw new S4rError(
    'INVALID_OPTION',
    `option freeJoints: '${pattern}' matches only joints that are driven by others (${listNames(matches)}); name ${listNames(driving)}`,
  );
}

function assertMovable({ bodies, geoms }: Scene, { name, moves }: Joint): void {
  for (const id of moves) {
    const body = bodies[id] as Body;
    if (body.mobility === 'free' && body.movesWith === id) {
      throw new S4rError(
        'INVALID_SCENE',
        `joint '${name}': expected bodies that hang on the root of their unit, got the root '${body.name}'`,
      );
    }
    const rigid = geoms.find(({ bodyId, shape }) => bodyId === id && (shape.type === 'halfspace' || shape.type === 'heightfield'));
    if (rigid !== undefined) {
      throw new S4rError('INVALID_SCENE', `joint '${name}': would move geom '${rigid.name}', a ${rigid.shape.type}, which cannot move`);
    }
  }
}

/** @throws S4rError INVALID_OPTION for options that do not go with free joints, or that forbid what these move */
export function assertGoesWithJoints(scene: Scene, options: ResolvedOptions): void {
  const free = freeJoints(scene);
  if (free.length === 0) return;
  const { profile, upright, container, keepSupport, overflow, frozen = [] } = options;
  const refuse = (option: string, why: string) => {
    throw new S4rError('INVALID_OPTION', `option ${option}: does not go with freeJoints, ${why}`);
  };
  if (profile === 'reference') refuse('profile', "which 'reference' does not know; use 'default' or 'quick'");
  if (upright !== undefined) refuse('upright', 'as a body that stands keeps its shape');
  if (container !== undefined) refuse('container', 'as what is in it is told by rigid bodies');
  if (keepSupport) refuse('keepSupport', 'as rigid bodies are what rests on others');
  if (overflow !== 'fail') refuse('overflow', 'as only rigid bodies are lifted');
  for (const pattern of frozen) {
    for (const joint of free) {
      const moved = scene.bodies.filter(matcherOf(pattern)).find(({ id }) => joint.moves.includes(id));
      if (moved === undefined) continue;
      throw new S4rError(
        'INVALID_OPTION',
        `option freeJoints: '${joint.name}' would move '${moved.name}', which the option frozen names ('${pattern}'); ` +
          'freeze the root of the robot alone, or leave the joint out',
      );
    }
  }
}

function quoted(patterns: readonly string[]): string {
  return listNames(patterns.map((name) => ({ name })));
}
