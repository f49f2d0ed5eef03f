/** What changes in the text of a scene file. */
import { isMap, isScalar, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Quat } from '../../core/scene.js';
import { angleBetween } from '../conventions.js';
import type { TextEdit } from '../files/edits.js';
import { formatNumber } from '../files/numbers.js';
import { directoryOf, isAbsolute, join, relativePath } from '../files/paths.js';
import { YamlEditor } from '../files/yaml-edits.js';
import { nearest, TURN_TOLERANCE } from '../poses.js';
import type { ModelMoves } from './moves.js';
import type { SceneFile } from './scene-file.js';
import type { UrdfSource } from './source.js';

/** New poses and joint positions in the entries of the models that changed. */
export function sceneEdits({ document, models }: SceneFile, source: UrdfSource, moves: readonly ModelMoves[]): TextEdit[] {
  const editor = new YamlEditor(document);
  for (const move of moves) {
    const map = models[source.models.indexOf(move.model)] as YAMLMap;
    poseEdits(editor, map, move);
    jointEdits(editor, map, move);
  }
  return editor.edits;
}

function poseEdits(editor: YamlEditor, map: YAMLMap, { model, units }: ModelMoves): void {
  const { name } = model;
  for (const { from, to } of units) {
    const position = pairOf(map, 'position');
    const anchor = position ?? pairOf(map, 'name') ?? (pairOf(map, 'urdf') as Pair);
    if (position !== undefined) editor.numbers(position.value as Node, to.position, name, 'position');
    else if (from.position.some((x, i) => x !== to.position[i])) editor.insert(map, anchor, 'position', listText(to.position), name);
    if (angleBetween(from.quaternion, to.quaternion) <= TURN_TOLERANCE) continue;
    const quaternion = pairOf(map, 'quaternion_wxyz');
    const rpy = pairOf(map, 'rpy');
    if (quaternion !== undefined)
      editor.numbers(quaternion.value as Node, nearest(to.quaternion, numbersOf(quaternion.value)), name, 'quaternion_wxyz');
    else if (rpy !== undefined) editor.pair(rpy, 'quaternion_wxyz', listText(to.quaternion), name);
    else editor.insert(map, anchor, 'quaternion_wxyz', listText(to.quaternion), name);
  }
}

function jointEdits(editor: YamlEditor, map: YAMLMap, { model, joints }: ModelMoves): void {
  if (joints.size === 0) return;
  const pair = pairOf(map, 'joints');
  const given = pair?.value;
  const fresh = [...joints].map(([joint, position]) => `${JSON.stringify(joint)}: ${formatNumber(position)}`);
  if (!isMap(given)) editor.insert(map, map.items.at(-1) as Pair, 'joints', `{${fresh.join(', ')}}`, model.name);
  else if (given.items.length === 0) editor.scalar(given, `{${fresh.join(', ')}}`, model.name, 'joints');
  else {
    const last = given.items.at(-1) as Pair;
    for (const [joint, position] of joints) {
      const own = pairOf(given, joint);
      if (own === undefined) editor.insert(given, last, joint, formatNumber(position), model.name);
      else editor.scalar(own.value as Node, formatNumber(position), model.name, joint);
    }
  }
}

/** Relative paths that would lead elsewhere from the folder of `path`. */
export function scenePathEdits({ document, models }: SceneFile, path: string): TextEdit[] {
  const [from, to] = [directoryOf(document.path), directoryOf(path)];
  const editor = new YamlEditor(document);
  const move = (node: unknown, what: string) => {
    if (from === to || !isScalar(node) || isAbsolute(String(node.value))) return;
    const moved = relativePath(to, join(from, String(node.value))) || '.';
    const plain = node.type === 'PLAIN' && /^[\w./-]+$/.test(moved);
    editor.scalar(node, plain ? moved : JSON.stringify(moved), 'scene', what);
  };
  for (const map of models) for (const key of ['urdf', 'srdf']) move(pairOf(map, key)?.value, key);
  const packages = isMap(document.root) ? pairOf(document.root as YAMLMap, 'packages')?.value : undefined;
  if (isMap(packages)) for (const pair of packages.items as Pair[]) move(pair.value, 'packages');
  return editor.edits;
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return (map.items as Pair[]).find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function numbersOf(list: unknown): Quat {
  return (list as { items: Scalar<number>[] }).items.map(({ value }) => value) as unknown as Quat;
}

/** Numbers as JSON has them. */
export function listText(values: readonly number[]): string {
  return `[${values.map(formatNumber).join(', ')}]`;
}
