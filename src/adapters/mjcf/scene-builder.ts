/** From a compiled model and one of its states to a `Scene`. */
import { S4rError } from '../../core/errors.js';
import type { Body, BodyId, Geom, Pose, Scene, Vec3 } from '../../core/scene.js';
import { quatWxyzAt, vec3At } from '../conventions.js';
import { UniqueNames } from '../names.js';
import { userName } from './bodies.js';
import { heldPairs } from './couplings.js';
import { type MainModule, type MjModel, nameReader } from './engine.js';
import { type ContactOptions, collidableGeoms, contactOptions, pairFilter } from './filters.js';
import { readJoints } from './joints.js';
import { ShapeReader } from './shapes.js';
import type { SourceBody, SourceJoint } from './source.js';
import type { ModelState } from './state.js';
import { findUnits, type Units } from './units.js';

/** A compiled body before its element is known. */
export type ModelBody = SourceBody & { readonly compiledName: string; readonly element: undefined };

export interface BuiltScene {
  readonly scene: Scene;
  /** By MuJoCo id. */
  readonly bodies: readonly ModelBody[];
  /** By id in the scene. */
  readonly joints: readonly SourceJoint[];
  /** What was assumed, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * The bodies that carry colliding geoms or can be moved, those geoms, and MuJoCo's filters; and what became of every body.
 * @throws S4rError INVALID_INPUT if a pose is not finite; `file` is for the message
 */
export function buildScene(engine: MainModule, model: MjModel, state: ModelState, file: string): BuiltScene {
  const options = contactOptions(engine, model);
  const geomIds = collidableGeoms(model);
  const modelBodies = listBodies(model, state, new Set(geomIds.map((g) => model.geom_bodyid[g] as number)));
  const { geoms, geomOf } = sceneGeoms(engine, model, options, modelBodies, geomIds);
  const bodyOf = modelBodies.map((body) => body.sceneId);
  const filter = pairFilter(engine, model, options, bodyOf, geomOf);
  // A height field cannot move, whatever joint it hangs on.
  const landscapes = new Set(geoms.filter(({ shape }) => shape.type === 'heightfield').map(({ bodyId }) => bodyOf.indexOf(bodyId)));
  const held = heldPairs(engine, model);
  const units = findUnits(modelBodies, held, landscapes);
  const { joints, sourceJoints, notes } = readJoints(engine, model, state, { bodies: modelBodies, held, unitOf: units.unitOf });
  const bodies = sceneBodies(model, modelBodies, units);
  const scene: Scene = { bodies, geoms, ...(joints.length > 0 ? { joints } : {}), filter, up: upOf(model) };
  for (const body of scene.bodies) assertFinite(body.X_WB, `body '${body.name}'`, file);
  for (const geom of scene.geoms) assertFinite(geom.X_BG, `geom '${geom.name}'`, file);
  return { scene, bodies: modelBodies, joints: sourceJoints, notes: [...units.notes, ...notes] };
}

function listBodies(model: MjModel, state: ModelState, carriers: ReadonlySet<number>): ModelBody[] {
  const compiledNames = Array.from(model.name_bodyadr as ArrayLike<number>, nameReader(model));
  const names = new UniqueNames();
  for (const name of compiledNames) names.reserve(userName(name));
  let count: BodyId = 0;
  return compiledNames.map((compiledName, b) => {
    const free = isFreeRoot(model, b);
    return {
      compiledName,
      element: undefined,
      name: userName(compiledName) || names.make(`body_${b}`),
      X_WB: { position: vec3At(state.xpos, 3 * b), quaternion: quatWxyzAt(state.xquat, 4 * b) },
      root: rootOf(model, b),
      parent: model.body_parentid[b] as number,
      qposAddress: free ? (model.jnt_qposadr[model.body_jntadr[b]] as number) : undefined,
      dofAddress: free ? (model.jnt_dofadr[model.body_jntadr[b]] as number) : undefined,
      sceneId: free || carriers.has(b) ? count++ : undefined,
    };
  });
}

function sceneBodies(model: MjModel, modelBodies: readonly ModelBody[], { unitOf }: Units): Body[] {
  const weldReps = new Map<number, BodyId>();
  const bodies: Body[] = [];
  modelBodies.forEach(({ name, X_WB, sceneId }, b) => {
    if (sceneId === undefined) return;
    const weld = model.body_weldid[b] as number;
    const weldedTo = weldReps.get(weld) ?? sceneId;
    weldReps.set(weld, weldedTo);
    const unit = unitOf(b);
    const rootId = unit === undefined ? undefined : modelBodies[unit]?.sceneId;
    const mobility = rootId === undefined ? 'fixed' : 'free';
    bodies.push({ id: sceneId, name, mobility, X_WB, weight: 1, movesWith: rootId ?? sceneId, weldedTo });
  });
  return bodies;
}

function sceneGeoms(
  engine: MainModule,
  model: MjModel,
  options: ContactOptions,
  modelBodies: readonly ModelBody[],
  geomIds: readonly number[],
): { geoms: Geom[]; geomOf: ReadonlyMap<number, number> } {
  const shapes = new ShapeReader(engine, model);
  const nameAt = nameReader(model);
  const names = new UniqueNames();
  for (const g of geomIds) names.reserve(nameAt(model.name_geomadr[g]));
  const geoms: Geom[] = [];
  const geomOf = new Map<number, number>();
  for (const g of geomIds) {
    const found = shapes.read(g);
    if (found === undefined) continue;
    const b = model.geom_bodyid[g] as number;
    const body = modelBodies[b] as ModelBody;
    geomOf.set(g, geoms.length);
    geoms.push({
      id: geoms.length,
      name: nameAt(model.name_geomadr[g]) || names.make(`${body.name}/geom_${g - (model.body_geomadr[b] as number)}`),
      bodyId: body.sceneId as BodyId,
      ...found,
      // An overriding margin is one per pair, and the margins of a pair add up.
      margin: options.overrideMargin === undefined ? (model.geom_margin[g] as number) : options.overrideMargin / 2,
      category: options.disabled ? 0 : (model.geom_contype[g] as number) >>> 0,
      mask: options.disabled ? 0 : (model.geom_conaffinity[g] as number) >>> 0,
    });
  }
  return { geoms, geomOf };
}

/** The body a body moves with rigidly: the root of its tree if that floats freely, itself if not. */
function rootOf(model: MjModel, body: number): number {
  const root = model.body_rootid[body] as number;
  return isFreeRoot(model, root) ? root : body;
}

function isFreeRoot(model: MjModel, body: number): boolean {
  return body > 0 && model.body_parentid[body] === 0 && model.body_jntnum[body] === 1 && model.jnt_type[model.body_jntadr[body]] === 0;
}

function upOf(model: MjModel): Vec3 {
  const [x, y, z] = vec3At(model.opt.gravity, 0);
  const length = Math.hypot(x, y, z);
  return length > 0 && Number.isFinite(length) ? [-x / length, -y / length, -z / length] : [0, 0, 1];
}

/** Catches numbers that stand in no attribute of the scene's own files, such as those of an attached model. */
function assertFinite(pose: Pose, element: string, file: string): void {
  if ([...pose.position, ...pose.quaternion].every(Number.isFinite)) return;
  throw new S4rError('INVALID_INPUT', 'the pose is not finite', { file, element });
}
