/** What has to change in the text of the files, and which poses they must give afterwards. */
import type { Result } from '../../core/result.js';
import type { Pose } from '../../core/scene.js';
import { quatWxyzAt, vec3At } from '../conventions.js';
import type { XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { poseDistance } from '../poses.js';
import { bodyEdits } from './body-edits.js';
import { hasReplicate, keyEdits, keyElements, movedQpos, stateKey } from './key-edits.js';
import { movementOf, type RootMove } from './moves.js';
import { keyLabel, listNames } from './notes.js';
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
  /** Why there is a new keyframe, which MuJoCo may refuse; undefined if there is none. */
  readonly newKeyReason: string | undefined;
}

/** Keys this near to the start pose [m, rad] repeat it, and move with it. */
const SAME_POSE = 1e-9;

/**
 * @param as `body`: edit the state that was read, wherever the file allows; `keyframe`: a keyframe `s4r` holds the repaired state
 * @throws S4rError OUTPUT if the poses cannot be put into the files; INVALID_SCENE if `result` does not belong to the scene
 */
export function planWrite(source: MjcfSource, result: Result, as: 'body' | 'keyframe'): WritePlan {
  const { roots, joints, expected } = movementOf(source, result);
  const moves = [...roots, ...joints];
  const edits = new Map<XmlDocument, TextEdit[]>();
  const notes: string[] = [];
  const add = (document: XmlDocument, more: readonly TextEdit[]) => edits.set(document, [...(edits.get(document) ?? []), ...more]);
  const plan = { edits, notes, expected, newKeyReason: undefined };
  const read = source.key < 0 ? undefined : source.key;
  if (moves.length === 0) return { ...plan, key: read };

  const key = read === undefined ? undefined : keyElements(source.files.tree, source.keys)[read];
  if (as === 'body' && key !== undefined) {
    add(key.document, keyEdits(key, (source.keys[source.key] as SourceKey).qpos, moves));
    return { ...plan, key: read };
  }
  const unreachable = roots.find(({ body }) => body.element === undefined);
  const reason =
    as === 'keyframe'
      ? 'a keyframe was asked for'
      : read !== undefined
        ? `${keyLabel(source.keys, read)} stands in no <key> of this file`
        : unreachable !== undefined
          ? madeBy(source, unreachable.body)
          : joints[0] !== undefined
            ? `joint '${joints[0].joint.name}' was moved, and no attribute sets where a joint starts`
            : undefined;
  if (reason !== undefined) {
    const rest = source.keys[source.key]?.rest;
    const { name, document, edit } = stateKey(source.files.tree, source.keys, movedQpos(source.qpos, moves), rest);
    add(document, [edit]);
    notes.push(`the repaired state is the new keyframe '${name}', since ${reason}`);
    return { ...plan, key: name, newKeyReason: reason };
  }

  const convention = angleConvention(source.files.tree);
  for (const { body, to } of roots) {
    if (body.element !== undefined) add(body.element.document, bodyEdits(body.element, body.X_WB, to, convention));
  }
  editRepeatingKeys(source, roots, add, notes);
  return { ...plan, key: undefined };
}

/** Keys that repeat a body's start pose are meant to follow it; others hold a state of their own. */
function editRepeatingKeys(
  source: MjcfSource,
  moves: readonly RootMove[],
  add: (document: XmlDocument, edits: readonly TextEdit[]) => void,
  notes: string[],
): void {
  const elements = keyElements(source.files.tree, source.keys);
  const replicated = hasReplicate(source.files.tree);
  source.keys.forEach(({ qpos }, k) => {
    const element = elements[k];
    // Those that <replicate> makes of the keys are of no use to anybody, and follow them.
    if (element === undefined && replicated) return;
    // A key without qpos is qpos0 and follows by itself.
    if (element !== undefined && !element.element.attributes.some((a) => a.name === 'qpos')) return;
    const repeated = moves.filter(({ body, address }) => poseDistance(poseAt(qpos, address), body.X_WB) <= SAME_POSE);
    if (repeated.length > 0 && element !== undefined) add(element.document, keyEdits(element, qpos, repeated));
    // An attached model's key has the start pose of what is not its own, and follows by itself.
    const own = moves.filter((move) => !repeated.includes(move));
    if (own.length === 0) return;
    const list = listNames(own.map(({ body }) => body.name));
    notes.push(`${keyLabel(source.keys, k)} holds poses of its own for ${list} and was left alone; repair it with the key option`);
  });
}

function poseAt(qpos: Float64Array, address: number): Pose {
  return { position: vec3At(qpos, address), quaternion: quatWxyzAt(qpos, address + 3) };
}

/** "body 'b0' is made by <replicate>", with whichever generators the file has. */
function madeBy(source: MjcfSource, body: SourceBody): string {
  const generators = ['replicate', 'attach', 'composite', 'flexcomp'];
  const found = new Set<string>();
  for (const { element } of descendants(source.files.tree)) if (generators.includes(element.name)) found.add(`<${element.name}>`);
  return `body '${body.name}' is made by ${[...found].join(' or ') || 'an element that stands for several bodies'}`;
}
