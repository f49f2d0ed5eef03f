/** The small scene file that lists URDFs and where they stand. */
import type { Node, YAMLMap } from 'yaml';
import { S4rError } from '../../core/errors.js';
import { unitVector } from '../../core/pose-math.js';
import type { Pose, Quat, Vec3 } from '../../core/scene.js';
import { normalizeQuat, quatFromEuler } from '../conventions.js';
import { directoryOf, join } from '../files/paths.js';
import { parseYamlDocument, type YamlDocument, YamlFields, type YamlPair } from '../files/yaml.js';
import type { ModelEntry, SceneSpec } from './options.js';

export const SCENE_KEYS = ['models', 'packages', 'mesh', 'ground', 'up'] as const;
export const MODEL_KEYS = ['urdf', 'name', 'position', 'quaternion_wxyz', 'rpy', 'base', 'joints', 'srdf'] as const;

export interface SceneFile {
  readonly document: YamlDocument;
  readonly spec: SceneSpec;
  /** The mapping of each entry, in the order of `spec.entries`. */
  readonly models: readonly YAMLMap[];
}

/** @throws S4rError INVALID_INPUT with file, line and key */
export function parseSceneFile(path: string, bytes: Uint8Array): SceneFile {
  const document = parseYamlDocument(path, bytes);
  const fields = new YamlFields(document);
  const top = fields.pairs(document.root, 'scene', SCENE_KEYS);
  const value = (key: (typeof SCENE_KEYS)[number]) => top.get(key)?.value;
  const list = value('models');
  if (list === undefined) {
    throw new S4rError('INVALID_INPUT', 'a scene needs a list of models, each with a urdf', fields.place(document.root));
  }
  const nodes = fields.list(list, 'models');
  if (nodes.length === 0) throw fields.refuse(list, 'models', 'at least one model');
  const folder = directoryOf(path);
  const [packages, mesh, ground, up] = [value('packages'), value('mesh'), value('ground'), value('up')];
  const direction = up === undefined ? ([0, 0, 1] as const) : unitVector(fields.numbers(up, 'up', 3) as unknown as Vec3);
  if (direction === undefined) throw fields.refuse(up ?? null, 'up', 'a direction');
  const spec: SceneSpec = {
    entries: nodes.map((node, i) => readEntry(node, `models[${i}]`, fields, folder)),
    packages: new Map(packages === undefined ? [] : readPackages(packages, fields, folder)),
    mesh: mesh === undefined ? 'hull' : fields.oneOf(mesh, 'mesh', ['hull', 'exact']),
    ground: ground === undefined ? false : fields.flag(ground, 'ground'),
    up: direction,
    write: 'scene',
  };
  return { document, spec, models: nodes as YAMLMap[] };
}

function readPackages(node: Node | null, fields: YamlFields, folder: string): [string, string][] {
  return [...fields.pairs(node, 'packages')].map(([name, pair]) => [name, join(folder, fields.text(pair.value, `packages.${name}`))]);
}

function readEntry(node: Node | null, what: string, fields: YamlFields, folder: string): ModelEntry {
  const pairs = fields.pairs(node, what, MODEL_KEYS);
  const optional = <T>(key: (typeof MODEL_KEYS)[number], read: (node: Node | null, what: string) => T): T | undefined => {
    const pair = pairs.get(key);
    return pair === undefined ? undefined : read(pair.value, `${what}.${key}`);
  };
  const urdf = pairs.get('urdf');
  if (urdf === undefined) throw new S4rError('INVALID_INPUT', 'urdf is missing: the file of the model', fields.place(node, what));
  const srdf = optional('srdf', (found, name) => join(folder, fields.text(found, name)));
  const numbers = (of: readonly [string, YamlPair]) => [of[0], fields.number(of[1].value, `${what}.joints.${of[0]}`)] as const;
  return {
    urdf: join(folder, fields.text(urdf.value, `${what}.urdf`)),
    name: optional('name', (found, name) => fields.text(found, name)),
    X_WR: readPose(pairs, what, fields, node),
    base: optional('base', (found, name) => fields.oneOf(found, name, ['fixed', 'free'])),
    joints: new Map(optional('joints', (found, name) => [...fields.pairs(found, name)].map(numbers)) ?? []),
    srdf,
    place: fields.place(node, what),
  };
}

function readPose(pairs: ReadonlyMap<string, YamlPair>, what: string, fields: YamlFields, node: Node | null): Pose {
  const numbers = (key: string, count: number) => {
    const pair = pairs.get(key);
    return pair === undefined ? undefined : fields.numbers(pair.value, `${what}.${key}`, count);
  };
  const [position, quaternion, rpy] = [numbers('position', 3) ?? [0, 0, 0], numbers('quaternion_wxyz', 4), numbers('rpy', 3)];
  if (quaternion !== undefined && rpy !== undefined) {
    throw new S4rError('INVALID_INPUT', 'give quaternion_wxyz or rpy, not both', fields.place(node, what));
  }
  if (quaternion !== undefined && !(Math.hypot(...quaternion) > 1e-9)) {
    throw fields.refuse(pairs.get('quaternion_wxyz')?.value ?? null, `${what}.quaternion_wxyz`, 'a quaternion that is not zero');
  }
  return { position: position as unknown as Vec3, quaternion: orientation(quaternion as Quat | undefined, rpy as Vec3 | undefined) };
}

/** From whichever of the two is given. */
export function orientation(quaternion: Quat | undefined, rpy: Vec3 | undefined): Quat {
  if (rpy !== undefined) return quatFromEuler(rpy, 'XYZ');
  return quaternion === undefined ? [1, 0, 0, 0] : normalizeQuat(quaternion);
}
