/** The text of a scene file that places URDFs which had none. */

import { formatNumber } from '../files/numbers.js';
import { baseName, directoryOf, relativePath } from '../files/paths.js';
import type { ModelMoves } from './moves.js';
import { listText } from './scene-edits.js';
import type { UrdfSource } from './source.js';

/** Everything that was said and assumed when the scene was read, with the new poses and joint positions. @param path of the scene file */
export function newScene(source: UrdfSource, moves: readonly ModelMoves[], path: string): string {
  const folder = directoryOf(path);
  const { spec } = source;
  const relative = (to: string) => JSON.stringify(relativePath(folder, to) || '.');
  const models = source.models.map((model): [string, string][] => {
    const { entry, name, base, model: urdf } = model;
    const move = moves.find((candidate) => candidate.model === model);
    const { position, quaternion } = move?.units[0]?.to ?? entry.X_WR;
    const joints = new Map([...entry.joints, ...(move?.joints ?? [])]);
    const values = [...joints].map(([joint, value]) => `${JSON.stringify(joint)}: ${formatNumber(value)}`);
    return [
      ['urdf', relative(urdf.document.path)],
      ['name', JSON.stringify(name)],
      ['position', listText(position)],
      ['quaternion_wxyz', listText(quaternion)],
      ['base', JSON.stringify(base)],
      ...(joints.size === 0 ? [] : [['joints', `{${values.join(', ')}}`] as [string, string]]),
      ...(entry.srdf === undefined ? [] : [['srdf', relative(entry.srdf)] as [string, string]]),
    ];
  });
  const packages = [...spec.packages].map(([name, directory]) => `${JSON.stringify(name)}: ${relative(directory)}`);
  const head: [string, string][] = [
    ['mesh', JSON.stringify(spec.mesh)],
    ['ground', String(spec.ground)],
    ...(packages.length === 0 ? [] : [['packages', `{${packages.join(', ')}}`] as [string, string]]),
  ];
  return /\.json$/i.test(path) ? asJson(head, models) : asYaml(head, models, baseName(source.path));
}

function asJson(head: readonly [string, string][], models: readonly (readonly [string, string])[][]): string {
  const pairs = (of: readonly (readonly [string, string])[], indent: string) =>
    of.map(([key, value]) => `${indent}"${key}": ${value}`).join(',\n');
  const entries = models.map((model) => `    {\n${pairs(model, '      ')}\n    }`);
  return `{\n${pairs(head, '  ')},\n  "models": [\n${entries.join(',\n')}\n  ]\n}\n`;
}

function asYaml(head: readonly [string, string][], models: readonly (readonly [string, string])[][], from: string): string {
  const lines = [`# s4r scene made from ${from}`, ...head.map(([key, value]) => `${key}: ${value}`), 'models:'];
  for (const model of models) lines.push(...model.map(([key, value], i) => `  ${i === 0 ? '-' : ' '} ${key}: ${value}`));
  return `${lines.join('\n')}\n`;
}
