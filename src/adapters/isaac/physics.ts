/** Which prims of a stage are bodies, colliders, joints and filters, as UsdPhysics defines them. */
import type { Affine } from './affine.js';
import { instancesOf } from './instancer.js';
import type { Notes } from './notes.js';
import type { Prim } from './usd/prim.js';
import type { Stage } from './usd/stage.js';
import { WorldTransforms, xformStack } from './usd/xform.js';

export interface PhysicsBody {
  readonly prim: Prim;
  /** `static`: a collider without a body of its own, or below a body that is switched off. */
  readonly kind: 'dynamic' | 'kinematic' | 'static';
  /** From the prim to the world, scale included [stage units]. */
  readonly world: Affine;
}

export interface Collider {
  readonly prim: Prim;
  readonly body: PhysicsBody;
  /** From the prim to the world, scale included [stage units]. */
  readonly world: Affine;
}

export interface Physics {
  /** In the order of the stage. */
  readonly bodies: readonly PhysicsBody[];
  readonly colliders: readonly Collider[];
  /** All prims of the world that are defined. */
  readonly prims: readonly Prim[];
  readonly joints: readonly Prim[];
  readonly articulations: readonly Prim[];
  readonly groups: readonly Prim[];
  /** The body of a prim: itself or the nearest above it that is switched on. */
  bodyOf(prim: Prim): PhysicsBody | undefined;
  find(path: string): Prim | undefined;
  readonly transforms: WorldTransforms;
}

export const ANIMATED = 'animated; the default value or else the first time sample is used';
export const RIGID_BODY = 'PhysicsRigidBodyAPI';
export const COLLISION = 'PhysicsCollisionAPI';

export function readPhysics(stage: Stage, notes: Notes): Physics {
  const transforms = new WorldTransforms();
  const prims: Prim[] = [];
  const everything = index(stage.root, new Map());
  collect(stage.root, prims, (path) => everything.get(path));
  const byPath = new Map(prims.map((prim) => [prim.path, prim]));
  const bodies = new Map<Prim, PhysicsBody>();
  for (const prim of prims) {
    if (!prim.has(RIGID_BODY) || !prim.flag('physics:rigidBodyEnabled', true)) continue;
    const kind = prim.flag('physics:kinematicEnabled', false) ? 'kinematic' : 'dynamic';
    const above = bodyAbove(prim.parent, bodies);
    if (above !== undefined && !xformStack(prim).resets) {
      notes.add(
        'a rigid body inside another one without !resetXformStack!, which PhysX warns of; it is taken for a body of its own',
        prim.path,
      );
    }
    bodies.set(prim, { prim, kind, world: transforms.of(prim) });
    noteSpeedCap(prim, stage, notes);
  }
  const colliders: Collider[] = [];
  const order: PhysicsBody[] = [];
  for (const prim of prims) {
    const own = bodies.get(prim);
    if (own !== undefined) order.push(own);
    if (!prim.has(COLLISION) || !prim.flag('physics:collisionEnabled', true)) continue;
    if (prim.has('PhysxMeshMergeCollisionAPI'))
      notes.add('PhysxMeshMergeCollisionAPI merges meshes, which is not supported; they take no part', prim.path);
    const world = transforms.of(prim);
    const found = bodyAbove(prim, bodies);
    const body: PhysicsBody = found ?? { prim, kind: 'static', world };
    if (found === undefined) order.push(body);
    colliders.push({ prim, body, world });
  }
  for (const prim of transforms.animated) notes.add(ANIMATED, prim.path);
  const is = (type: RegExp) => prims.filter(({ typeName }) => type.test(typeName));
  return {
    prims,
    bodies: order,
    colliders,
    joints: is(/^Physics(Revolute|Prismatic|Spherical|Distance|Fixed)?Joint$/),
    articulations: prims.filter(
      (prim) => prim.has('PhysicsArticulationRootAPI') && prim.flag('physxArticulation:articulationEnabled', true),
    ),
    groups: is(/^PhysicsCollisionGroup$/),
    bodyOf: (prim) => bodyAbove(prim, bodies),
    find: (path) => byPath.get(path),
    transforms,
  };
}

function bodyAbove(prim: Prim | undefined, bodies: ReadonlyMap<Prim, PhysicsBody>): PhysicsBody | undefined {
  for (let at = prim; at !== undefined; at = at.parent) {
    const body = bodies.get(at);
    if (body !== undefined) return body;
  }
  return undefined;
}

/** Defined prims, in the order of the stage. Prototypes of an instancer are no prims of the world, their copies are. */
function collect(prim: Prim, into: Prim[], find: (path: string) => Prim | undefined): void {
  for (const child of prim.children) {
    if (child.specifier !== 'def') continue;
    into.push(child);
    const instances = child.typeName === 'PointInstancer' ? instancesOf(child, find).filter(holdsPhysics) : undefined;
    for (const instance of instances ?? []) {
      into.push(instance);
      collect(instance, into, find);
    }
    if (instances === undefined) collect(child, into, find);
  }
}

/** By path, of all prims, also those that are not defined. */
function index(prim: Prim, into: Map<string, Prim>): Map<string, Prim> {
  into.set(prim.path, prim);
  for (const child of prim.children) index(child, into);
  return into;
}

function holdsPhysics(prim: Prim): boolean {
  return prim.has(COLLISION) || prim.has(RIGID_BODY) || prim.children.some(holdsPhysics);
}

/** Below this speed [m/s] PhysX leaves bodies in each other for seconds. */
const SLOWEST_PUSH = 0.1;

function noteSpeedCap(prim: Prim, stage: Stage, notes: Notes): void {
  const cap = prim.number('physxRigidBody:maxDepenetrationVelocity');
  if (cap === undefined || cap * stage.metersPerUnit >= SLOWEST_PUSH) return;
  notes.add(`maxDepenetrationVelocity is ${cap * stage.metersPerUnit} m/s, so PhysX hides overlaps instead of solving them`, prim.path);
}
