/** What a user should know about a scene that was read: what takes no part, and what looks like a mistake. */
import { numberTokens } from '../files/numbers.js';
import { attribute } from '../files/xml.js';
import { type MjModel, nameReader } from './engine.js';
import { keyElements } from './key-edits.js';
import type { SourceJoint, SourceKey } from './source.js';
import type { MjcfTree } from './tree.js';

/** How far beyond its limits a joint counts as within them [m, rad]: numbers in files are rounded. */
const LIMIT_TOLERANCE = 1e-6;
/** Names listed before the rest is counted. */
const LISTED = 3;

/** `'a', 'b', 'c', ... (7)`. */
export function listNames(names: readonly string[]): string {
  const some = names.slice(0, LISTED).map((name) => `'${name}'`);
  return some.join(', ') + (names.length > LISTED ? `, ... (${names.length})` : '');
}

/** Deformable things, which the solver does not know. */
export function deformableNotes(model: MjModel): string[] {
  const nameAt = nameReader(model);
  const names = (addresses: ArrayLike<number>) => Array.from(addresses, (address, i) => nameAt(address) || `${i}`);
  const notes: string[] = [];
  if (model.nflex > 0) notes.push(`flex ${listNames(names(model.name_flexadr))}: deformable bodies take no part and may overlap anything`);
  if (model.nskin > 0) notes.push(`skin ${listNames(names(model.name_skinadr))}: skins are for looks and take no part`);
  return notes;
}

/** Joints that stand where they may not. */
export function limitNotes(joints: readonly SourceJoint[]): string[] {
  const outside = joints.filter(
    ({ position, limits }) => limits !== undefined && (position < limits[0] - LIMIT_TOLERANCE || position > limits[1] + LIMIT_TOLERANCE),
  );
  if (outside.length === 0) return [];
  const short = (value: number) => String(Number(value.toPrecision(4)));
  const list = outside.slice(0, LISTED).map(({ name, type, position, limits = [0, 0] }) => {
    const unit = type === 'hinge' ? 'rad' : 'm';
    return `'${name}' at ${short(position)} ${unit}, not in [${limits.map(short).join(', ')}]`;
  });
  const more = outside.length > LISTED ? `, ... (${outside.length})` : '';
  return [`joint_limit: joints stand outside their limits: ${list.join('; ')}${more}`];
}

/** Keyframes left behind when bodies were added: MuJoCo fills what they lack with zeros, which puts bodies at the origin. */
export function shortKeyNotes(tree: MjcfTree, keys: readonly SourceKey[]): string[] {
  const elements = keyElements(tree, keys);
  return keys.flatMap(({ qpos }, k) => {
    const key = elements[k];
    const text = key === undefined ? undefined : attribute(key.element, 'qpos');
    const given = key === undefined || text === undefined ? 0 : numberTokens(key.document, text).length;
    if (given === 0 || given >= qpos.length) return [];
    return [
      `${keyLabel(keys, k)} gives ${given} of the ${qpos.length} numbers of qpos; MuJoCo takes the rest as zero, which is rarely meant`,
    ];
  });
}

/** `keyframe 'home'`, or `keyframe 2` if it has no name. */
export function keyLabel(keys: readonly SourceKey[], key: number): string {
  return keys[key]?.name ? `keyframe '${keys[key].name}'` : `keyframe ${key}`;
}
