/** From a URDF file, or a scene file that lists several, to a `Scene`. */
import { S4rError } from '../../core/errors.js';
import type { ReadResult } from '../adapter.js';
import { Disk } from '../files/disk.js';
import { absolutePath } from '../files/paths.js';
import { MeshSource } from '../mesh-source.js';
import { UniqueNames } from '../names.js';
import type { UrdfModel } from './model.js';
import type { ModelEntry, NamedModel, SceneSpec, UrdfReadOptions } from './options.js';
import { parseUrdf } from './parse.js';
import { type PlacedModel, placeModel } from './place.js';
import { buildScene } from './scene-builder.js';
import { orientation, parseSceneFile, type SceneFile } from './scene-file.js';
import type { UrdfSource } from './source.js';
import { readSrdf } from './srdf.js';

/**
 * Read a `.urdf` or `.xml` file, or a scene file (`.json`, `.yaml`, `.yml`).
 * @throws S4rError INVALID_INPUT with file, line and element or key; INVALID_OPTION
 */
export async function read(path: string, options: UrdfReadOptions = {}): Promise<ReadResult<UrdfSource>> {
  const disk = new Disk();
  return await load(absolutePath(path), options, disk, new MeshSource(disk));
}

/** `read` through a given disk, with the meshes that are loaded already. */
export async function load(path: string, options: UrdfReadOptions, disk: Disk, meshSource: MeshSource): Promise<ReadResult<UrdfSource>> {
  const sceneFile = isSceneFile(path) ? parseSceneFile(path, await disk.read(path)) : undefined;
  const spec = sceneFile === undefined ? specOf(path, options) : withOptions(sceneFile, options);
  const models = await placeAll(spec, disk);
  const built = await buildScene(models, spec, disk, meshSource);
  const described = spec.entries.flatMap(({ urdf, srdf }) => (srdf === undefined ? [urdf] : [urdf, srdf]));
  const inputs = [...new Set([path, ...described, ...built.meshes.map((mesh) => mesh.path)])];
  const source = { ...built, path, options, spec, sceneFile, models, inputs, meshSource };
  return { scene: built.scene, source, notes: [...modelNotes(models, spec), ...built.notes] };
}

export function isSceneFile(path: string): boolean {
  return /\.(json|ya?ml)$/i.test(path);
}

function specOf(path: string, options: UrdfReadOptions): SceneSpec {
  const { with: others = [], mesh = 'hull', ground = false, write = 'scene' } = options;
  if (!['hull', 'exact'].includes(mesh)) throw new S4rError('INVALID_OPTION', `option mesh: expected 'hull' or 'exact', got '${mesh}'`);
  if (!['scene', 'origins'].includes(write))
    throw new S4rError('INVALID_OPTION', `option write: expected 'scene' or 'origins', got '${write}'`);
  if (write === 'origins' && others.length > 0) {
    throw new S4rError('INVALID_OPTION', "option write: 'origins' is for one URDF; of several models the poses stand in a scene file");
  }
  if (write === 'origins' && options.base !== undefined) {
    throw new S4rError('INVALID_OPTION', "option base: with write 'origins' the root link is the world, and stays");
  }
  const entries = [entryOf({ ...options, urdf: path }), ...others.map(entryOf)];
  return { entries, packages: packagesOf(options), mesh, ground, up: [0, 0, 1], write };
}

function entryOf({ urdf, name, position = [0, 0, 0], quaternion_wxyz, rpy, base, joints = {}, srdf }: NamedModel): ModelEntry {
  const finite = (values: readonly number[], count: number) => values.length === count && values.every((x) => Math.abs(x) <= 1e10);
  const check = (what: string, values: readonly number[] | undefined, count: number) => {
    if (values === undefined || finite(values, count)) return;
    const wanted = count === 1 ? 'a number' : `${count} numbers`;
    throw new S4rError('INVALID_OPTION', `option ${what}: expected ${wanted}, finite and within +-1e10, got ${values.join(', ')}`);
  };
  check('position', position, 3);
  check('quaternion_wxyz', quaternion_wxyz, 4);
  check('rpy', rpy, 3);
  for (const [joint, value] of Object.entries(joints)) check(`joints.${joint}`, [value], 1);
  if (quaternion_wxyz !== undefined && rpy !== undefined)
    throw new S4rError('INVALID_OPTION', 'option rpy: give it or quaternion_wxyz, not both');
  if (quaternion_wxyz !== undefined && !(Math.hypot(...quaternion_wxyz) > 1e-9)) {
    throw new S4rError('INVALID_OPTION', 'option quaternion_wxyz: it must not be zero');
  }
  if (base !== undefined && !['fixed', 'free'].includes(base)) {
    throw new S4rError('INVALID_OPTION', `option base: expected 'fixed' or 'free', got '${base}'`);
  }
  return {
    urdf: absolutePath(urdf),
    name,
    X_WR: { position, quaternion: orientation(quaternion_wxyz, rpy) },
    base,
    joints: new Map(Object.entries(joints)),
    srdf: srdf === undefined ? undefined : absolutePath(srdf),
    place: undefined,
  };
}

function packagesOf({ packages = {} }: UrdfReadOptions): Map<string, string> {
  return new Map(Object.entries(packages).map(([name, directory]) => [name, absolutePath(directory)]));
}

/** What the caller says of packages and meshes wins over the scene file; what only the file can say is refused. */
function withOptions({ spec }: SceneFile, options: UrdfReadOptions): SceneSpec {
  for (const key of ['position', 'quaternion_wxyz', 'rpy', 'base', 'joints', 'srdf', 'with', 'ground', 'write'] as const) {
    const given = options[key];
    if (given === undefined || (key === 'write' && given === 'scene')) continue;
    throw new S4rError('INVALID_OPTION', `option ${key}: for a URDF on its own; a scene file says so itself`);
  }
  return { ...spec, mesh: options.mesh ?? spec.mesh, packages: new Map([...spec.packages, ...packagesOf(options)]) };
}

async function placeAll(spec: SceneSpec, disk: Disk): Promise<PlacedModel[]> {
  const parsed = new Map<string, UrdfModel>();
  const names = new UniqueNames();
  const given = new Set<string>();
  for (const { name, place } of spec.entries) {
    if (name === undefined) continue;
    if (given.has(name)) {
      if (place !== undefined) throw new S4rError('INVALID_INPUT', `a second model of the name '${name}'`, place);
      throw new S4rError('INVALID_OPTION', `option name: a second model of the name '${name}'`);
    }
    given.add(name);
    names.reserve(name);
  }
  const models: PlacedModel[] = [];
  for (const entry of spec.entries) {
    const model = parsed.get(entry.urdf) ?? parseUrdf(entry.urdf, await disk.read(entry.urdf, entry.place));
    parsed.set(entry.urdf, model);
    const srdf = entry.srdf === undefined ? [] : readSrdf(entry.srdf, await disk.read(entry.srdf, entry.place), model);
    models.push(placeModel(entry, entry.name ?? names.make(model.name), model, srdf, spec.write));
  }
  return models;
}

function modelNotes(models: readonly PlacedModel[], { write }: SceneSpec): string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, base, assumed } of models) {
    if (assumed === undefined) continue;
    const reason = `${base}, since ${assumed}`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), `'${name}'`]);
  }
  const notes = [...byReason].map(([reason, names]) => `taken as ${reason}: ${names.join(', ')}`);
  const seen = new Set<UrdfModel>();
  for (const { model, name } of models) {
    if (!seen.has(model)) notes.push(...model.notes.map((note) => `'${name}': ${note}`));
    seen.add(model);
  }
  if (write === 'origins' && models[0]?.units.length === 0)
    notes.push('nothing hangs on the root link by a fixed or floating joint: nothing may move');
  return notes;
}
