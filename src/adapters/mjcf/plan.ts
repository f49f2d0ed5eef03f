/** What has to change in the text of the files, and which poses they must give afterwards. */
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { Pose } from '../../core/scene.js';
import { angleBetween, compose, invert, quatWxyzAt } from '../conventions.js';
import type { XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { UniqueNames } from '../names.js';
import { poseDistance, samePose, TURN_TOLERANCE } from '../poses.js';
import { bodyEdits } from './body-edits.js';
import { type JointMove, keyEdits, keyElements, movedQpos, newKeyEdit } from './key-edits.js';
import { angleConvention } from './orientation.js';
import type { MjcfSource, SourceBody, SourceKey } from './source.js';
import { descendants } from './tree.js';

export interface WritePlan {
  readonly edits: ReadonlyMap<XmlDocument, readonly TextEdit[]>;
  readonly notes: readonly string[];
  /** Keyframe that holds the repaired state: a number as read, the name of a new one, or undefined for qpos0. */
  readonly key: string | number | undefined;
  /** Poses in that state, by MuJoCo body id. */
  readonly expected: readonly Pose[];
  /** A body that could only be placed by a new keyframe, which MuJoCo may refuse. */
  readonly viaNewKey: SourceBody | undefined;
}

/** A free joint that moved. */
interface MovedRoot extends JointMove {
  readonly body: SourceBody;
}

/** Keys this near to the start pose [m, rad] repeat it, and move with it. */
const SAME_POSE = 1e-9;
/** How far a link may be from where its root takes it [m, rad]; solvers round. */
const RIGID_TOLERANCE = 1e-6;

/** @throws S4rError OUTPUT if the poses cannot be put into the files; INVALID_SCENE if `result` does not belong to the scene */
export function planWrite(source: MjcfSource, result: Result): WritePlan {
  const moves = movedRoots(source, result);
  const expected = expectedPoses(source, moves);
  assertRigid(source, result, expected);
  const edits = new Map<XmlDocument, TextEdit[]>();
  const notes: string[] = [];
  const add = (document: XmlDocument, more: readonly TextEdit[]) => edits.set(document, [...(edits.get(document) ?? []), ...more]);
  const plan = { edits, notes, expected, viaNewKey: undefined };

  if (source.key >= 0) {
    const key = keyElements(source.files.tree)[source.key];
    if (key !== undefined) add(key.document, keyEdits(key, (source.keys[source.key] as SourceKey).qpos, moves));
    if (key !== undefined || moves.length === 0) return { ...plan, key: source.key };
  }
  const unreachable = moves.find(({ body }) => source.key >= 0 || body.element === undefined);
  if (unreachable !== undefined) {
    const { name, edit } = newKey(source, moves);
    add(source.files.tree.top, [edit]);
    const reason = source.key >= 0 ? `${keyLabel(source, source.key)} stands in no <key> of this file` : madeBy(source, unreachable.body);
    notes.push(`the repaired state is the new keyframe '${name}', since ${reason}`);
    return { ...plan, key: name, viaNewKey: unreachable.body };
  }

  const convention = angleConvention(source.files.tree);
  for (const { body, to } of moves) {
    if (body.element !== undefined) add(body.element.document, bodyEdits(body.element, body.X_WB, to, convention));
  }
  editRepeatingKeys(source, moves, add, notes);
  return { ...plan, key: undefined };
}

/** A keyframe that holds the repaired state, under a name no other has. */
function newKey(source: MjcfSource, moves: readonly MovedRoot[]): { name: string; edit: TextEdit } {
  const names = new UniqueNames();
  for (const { name } of source.keys) names.reserve(name);
  const name = names.make('s4r');
  return { name, edit: newKeyEdit(source.files.tree.top, name, movedQpos(source.qpos, moves), source.keys[source.key]) };
}

function movedRoots(source: MjcfSource, result: Result): MovedRoot[] {
  const count = source.bodies.filter((body) => body.sceneId !== undefined).length;
  if (result.poses.length !== count) {
    throw new S4rError(
      'INVALID_SCENE',
      `the result has ${result.poses.length} poses, the scene ${count} bodies: they do not belong together`,
    );
  }
  const moves: MovedRoot[] = [];
  for (const body of source.bodies) {
    const to = body.sceneId === undefined ? undefined : result.poses[body.sceneId];
    if (to === undefined) continue;
    if (![...to.position, ...to.quaternion].every(Number.isFinite)) {
      throw new S4rError('INVALID_SCENE', `the result puts body '${body.name}' at a pose that is not finite`);
    }
    if (body.qposAddress === undefined || samePose(to, body.X_WB)) continue;
    moves.push({ body, address: body.qposAddress, to, turned: angleBetween(body.X_WB.quaternion, to.quaternion) > TURN_TOLERANCE });
  }
  return moves;
}

/** Every body of a moved tree goes where its root takes it. */
function expectedPoses(source: MjcfSource, moves: readonly MovedRoot[]): Pose[] {
  const byRoot = new Map(moves.map(({ body, to }) => [source.bodies.indexOf(body), { from: body.X_WB, to }]));
  return source.bodies.map((body, b) => {
    const move = byRoot.get(body.root);
    if (move === undefined) return body.X_WB;
    return b === body.root ? move.to : compose(compose(move.to, invert(move.from)), body.X_WB);
  });
}

function assertRigid(source: MjcfSource, result: Result, expected: readonly Pose[]): void {
  source.bodies.forEach((body, b) => {
    const pose = body.sceneId === undefined ? undefined : result.poses[body.sceneId];
    if (pose === undefined || poseDistance(pose, expected[b] as Pose) <= RIGID_TOLERANCE) return;
    const reason = body.root === b ? 'no free joint lets it move' : `it hangs on '${source.bodies[body.root]?.name}'`;
    throw new S4rError('INVALID_SCENE', `the result moves body '${body.name}' on its own, but ${reason}`);
  });
}

/** Keys that repeat a body's start pose are meant to follow it; others hold a state of their own. */
function editRepeatingKeys(
  source: MjcfSource,
  moves: readonly MovedRoot[],
  add: (document: XmlDocument, edits: readonly TextEdit[]) => void,
  notes: string[],
): void {
  const elements = keyElements(source.files.tree);
  source.keys.forEach(({ qpos }, k) => {
    const element = elements[k];
    // A key without qpos is qpos0 and follows by itself.
    if (element !== undefined && !element.element.attributes.some((a) => a.name === 'qpos')) return;
    const repeated = moves.filter(({ body, address }) => poseDistance(poseAt(qpos, address), body.X_WB) <= SAME_POSE);
    if (repeated.length > 0 && element !== undefined) add(element.document, keyEdits(element, qpos, repeated));
    const own = element === undefined ? moves : moves.filter((move) => !repeated.includes(move));
    if (own.length === 0) return;
    const list =
      own
        .slice(0, 3)
        .map(({ body }) => `'${body.name}'`)
        .join(', ') + (own.length > 3 ? `, ... (${own.length})` : '');
    notes.push(`${keyLabel(source, k)} holds poses of its own for ${list} and was left alone; repair it with the key option`);
  });
}

function keyLabel({ keys }: MjcfSource, key: number): string {
  return keys[key]?.name ? `keyframe '${keys[key].name}'` : `keyframe ${key}`;
}

function poseAt(qpos: Float64Array, address: number): Pose {
  return {
    position: [qpos[address] as number, qpos[address + 1] as number, qpos[address + 2] as number],
    quaternion: quatWxyzAt(qpos, address + 3),
  };
}

/** "body 'b0' is made by <replicate>", with whichever generators the file has. */
export function madeBy(source: MjcfSource, body: SourceBody): string {
  const generators = ['replicate', 'attach', 'composite', 'flexcomp'];
  const found = new Set<string>();
  for (const { element } of descendants(source.files.tree)) if (generators.includes(element.name)) found.add(`<${element.name}>`);
  return `body '${body.name}' is made by ${[...found].join(' or ') || 'an element that stands for several bodies'}`;
}
