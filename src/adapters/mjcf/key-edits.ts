/** Write new poses of free joints into `<key>` elements. */
import type { Pose, Quat } from '../../core/scene.js';
import { quatWxyzAt } from '../conventions.js';
import type { XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { formatNumber, numberTokens } from '../files/numbers.js';
import { attribute } from '../files/xml.js';
import { nearest } from '../poses.js';
import type { SourceKey } from './source.js';
import { childrenOf, type MjcfTree, type Placed } from './tree.js';

/** New pose of one free joint. */
export interface JointMove {
  /** Where its 7 numbers start in qpos. */
  readonly address: number;
  readonly to: Pose;
  /** Whether the orientation changed. */
  readonly turned: boolean;
}

/** The `<key>` elements in the order of the model's keyframes, of which they are the first; undefined where one stands for several. */
export function keyElements(tree: MjcfTree): (Placed | undefined)[] {
  const keys: Placed[] = [];
  for (const section of childrenOf(tree, { element: tree.top.root, document: tree.top })) {
    if (section.element.name !== 'keyframe') continue;
    for (const child of childrenOf(tree, section)) if (child.element.name === 'key') keys.push(child);
  }
  return keys.map((key) => (keys.filter(({ element }) => element === key.element).length === 1 ? key : undefined));
}

/**
 * Edits of `qpos` for these moves; numbers that keep their value keep their text.
 * @param qpos the key as compiled: MuJoCo pads what the text leaves out
 */
export function keyEdits({ element, document }: Placed, qpos: Float64Array, moves: readonly JointMove[]): TextEdit[] {
  const wanted = movedQpos(qpos, moves);
  const what = { element: 'key', attribute: 'qpos' };
  const old = attribute(element, 'qpos');
  if (old === undefined) {
    const at = attribute(element, 'name')?.end ?? element.nameEnd;
    return [{ ...what, start: at, end: at, text: ` qpos="${Array.from(wanted, formatNumber).join(' ')}"` }];
  }
  const tokens = numberTokens(document, old);
  const edits: TextEdit[] = [];
  for (const { address, turned } of moves) {
    for (let i = address; i < address + (turned ? 7 : 3); i++) {
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
export function movedQpos(qpos: Float64Array, moves: readonly JointMove[]): Float64Array {
  const result = Float64Array.from(qpos);
  for (const { address, to, turned } of moves) {
    result.set(to.position, address);
    if (turned) result.set(nearest(to.quaternion, quatWxyzAt(qpos, address + 3) as Quat), address + 3);
  }
  return result;
}

/** A new keyframe at the end of the top file, in all but `qpos` a copy of `like`. */
export function newKeyEdit(top: XmlDocument, name: string, qpos: Float64Array, like: SourceKey | undefined): TextEdit {
  const newline = top.text.includes('\r\n') ? '\r\n' : '\n';
  const values = Object.entries({ qpos, ...like?.rest }).filter(([, numbers]) => numbers.length > 0);
  const attributes = values.map(([attribute, numbers]) => `${attribute}="${Array.from(numbers, formatNumber).join(' ')}"`);
  const lines = ['  <keyframe>', `    <key name="${name}" ${attributes.join(' ')}/>`, '  </keyframe>', ''].join(newline);
  const end = top.root.contentEnd;
  const lineStart = top.text.lastIndexOf('\n', end - 1) + 1;
  const ownLine = top.text.slice(lineStart, end).trim() === '';
  const at = ownLine ? lineStart : end;
  return { start: at, end: at, text: ownLine ? lines : newline + lines, element: 'keyframe', attribute: 'key' };
}
