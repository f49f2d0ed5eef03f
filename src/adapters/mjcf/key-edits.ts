/** Write new poses of free joints into `<key>` elements. */
import type { Pose } from '../../core/scene.js';
import { quatWxyzAt } from '../conventions.js';
import type { XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { formatNumber, numberTokens } from '../files/numbers.js';
import { attribute, endOf } from '../files/xml.js';
import { UniqueNames } from '../names.js';
import { nearest } from '../poses.js';
import type { SourceKey } from './source.js';
import { childrenOf, descendants, type MjcfTree, type Placed } from './tree.js';

/** New position of one joint: the pose of a free one, the number of a hinge or slide. */
export interface QposMove {
  /** Where its numbers start in qpos. */
  readonly address: number;
  readonly to: Pose | number;
  /** Whether the orientation of a free joint changed. */
  readonly turned?: boolean;
}

/** Name of the keyframe that is ours. */
const OWN_KEY = 's4r';

/**
 * The `<key>` element of each of the model's keyframes; undefined where it has none of its own. MuJoCo puts the elements' keys in one
 * run, in order: first of all, but behind those that `<replicate>` makes of them for its copies, and those of models attached before.
 */
export function keyElements(tree: MjcfTree, keys: readonly SourceKey[]): readonly (Placed | undefined)[] {
  const elements: Placed[] = [];
  for (const section of childrenOf(tree, { element: tree.top.root, document: tree.top })) {
    if (section.element.name !== 'keyframe') continue;
    for (const child of childrenOf(tree, section)) if (child.element.name === 'key') elements.push(child);
  }
  const names = elements.map(({ element }) => attribute(element, 'name')?.value ?? '');
  const runs = keys.flatMap((_, first) => (names.every((name, i) => keys[first + i]?.name === name) ? [first] : []));
  const first = hasReplicate(tree) ? (runs.length === 1 ? runs[0] : undefined) : runs[0];
  const found: (Placed | undefined)[] = keys.map(() => undefined);
  if (first === undefined) return found;
  elements.forEach((key, i) => {
    if (elements.filter(({ element }) => element === key.element).length === 1) found[first + i] = key;
  });
  return found;
}

/** Whether anything is made by `<replicate>`, which does strange things to keyframes. */
export function hasReplicate(tree: MjcfTree): boolean {
  return [...descendants(tree)].some(({ element }) => element.name === 'replicate');
}

/**
 * Edits of `qpos` for these moves; numbers that keep their value keep their text.
 * @param qpos the key as compiled: MuJoCo pads what the text leaves out
 */
export function keyEdits({ element, document }: Placed, qpos: Float64Array, moves: readonly QposMove[]): TextEdit[] {
  const wanted = movedQpos(qpos, moves);
  const what = { element: 'key', attribute: 'qpos' };
  const old = attribute(element, 'qpos');
  if (old === undefined) {
    const at = attribute(element, 'name')?.end ?? element.nameEnd;
    return [{ ...what, start: at, end: at, text: ` qpos="${Array.from(wanted, formatNumber).join(' ')}"` }];
  }
  const tokens = numberTokens(document, old);
  const edits: TextEdit[] = [];
  for (const { address, to, turned } of moves) {
    for (let i = address; i < address + (typeof to === 'number' ? 1 : turned ? 7 : 3); i++) {
      const token = tokens[i];
      // A position is compiled as written, a quaternion is normalised: compare with the compiled key or with the text.
      if (token === undefined || wanted[i] === (i < address + 3 ? qpos[i] : token.value)) continue;
      edits.push({ ...what, start: token.start, end: token.end, text: formatNumber(wanted[i] as number) });
    }
  }
  const last = wanted.findLastIndex((value, i) => value !== qpos[i]);
  if (last >= tokens.length) {
    const at = tokens.at(-1)?.end ?? old.valueStart;
    const missing = Array.from(wanted.subarray(tokens.length, last + 1), formatNumber).join(' ');
    edits.push({ ...what, start: at, end: at, text: tokens.length > 0 ? ` ${missing}` : missing });
  }
  return edits;
}

/** Joint positions with the moves made. */
export function movedQpos(qpos: Float64Array, moves: readonly QposMove[]): Float64Array {
  const result = Float64Array.from(qpos);
  for (const { address, to, turned } of moves) {
    if (typeof to === 'number') {
      result[address] = to;
      continue;
    }
    result.set(to.position, address);
    if (turned) result.set(nearest(to.quaternion, quatWxyzAt(qpos, address + 3)), address + 3);
  }
  return result;
}

/** A keyframe of our own, and the edit that puts it there. */
export interface StateKey {
  readonly name: string;
  readonly document: XmlDocument;
  readonly edit: TextEdit;
}

/**
 * A keyframe `s4r` with these joint positions: in place of the one an earlier run wrote, or at the end of the top file, under
 * another name if that is taken by a key that has no element.
 * @param rest its other attributes
 */
export function stateKey(tree: MjcfTree, keys: readonly SourceKey[], qpos: Float64Array, rest: SourceKey['rest'] | undefined): StateKey {
  const names = new UniqueNames();
  for (const { name } of keys) names.reserve(name);
  const earlier = keyElements(tree, keys)[keys.findIndex(({ name }) => name === OWN_KEY)];
  const name = earlier === undefined ? names.make(OWN_KEY) : OWN_KEY;
  const values = Object.entries({ qpos, ...rest }).filter(([, numbers]) => numbers.length > 0);
  const attributes = values.map(([attribute, numbers]) => `${attribute}="${Array.from(numbers, formatNumber).join(' ')}"`);
  const text = `<key name="${name}" ${attributes.join(' ')}/>`;
  const what = { element: 'keyframe', attribute: 'key' };
  if (earlier === undefined) return { name, document: tree.top, edit: { ...what, ...appended(tree.top, text) } };
  const { element, document } = earlier;
  return { name, document, edit: { ...what, start: element.start, end: endOf(document.text, element), text } };
}

/** `key` in a section of its own at the end of the file. */
function appended(top: XmlDocument, key: string): Pick<TextEdit, 'start' | 'end' | 'text'> {
  const newline = top.text.includes('\r\n') ? '\r\n' : '\n';
  const lines = ['  <keyframe>', `    ${key}`, '  </keyframe>', ''].join(newline);
  const end = top.root.contentEnd;
  const lineStart = top.text.lastIndexOf('\n', end - 1) + 1;
  const ownLine = top.text.slice(lineStart, end).trim() === '';
  const at = ownLine ? lineStart : end;
  return { start: at, end: at, text: ownLine ? lines : newline + lines };
}
