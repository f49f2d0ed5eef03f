/** A `Scene` as a world of Rapier: one rigid body per unit, one collider per geom. */
import {
  type Collider,
  compose,
  type EventQueue,
  invert,
  type PhysicsHooks,
  quatFromXyzw,
  type RapierModule,
  type RigidBody,
  rapierModule,
  vec3FromXyz,
  type World,
  xyzFromVec3,
  xyzwFromQuat,
} from '../adapters/rapier/engine.js';
import { S4rError } from '../core/errors.js';
import { collisionRule } from '../core/filters.js';
import type { Body, BodyId, Geom, GeomId, Pose, Quat, Scene, Vec3 } from '../core/scene.js';
import { geomCollider } from './rapier-shapes.js';

/** Density of what has no mass given [kg/m^3], and mass of what has no volume [kg]. */
const DENSITY = 1000;
const SHEET_MASS = 1;

export interface RapierStateOptions {
  /** Poses by body id instead of the scene's own, such as `Result.poses`. */
  readonly poses?: readonly Pose[] | undefined;
  /** Masses [kg] by name of the root of a unit. Default: volume times 1000 kg/m^3. */
  readonly masses?: ReadonlyMap<string, number> | undefined;
}

/** Call `free` when done. */
export class RapierSimulation {
  /** Roots of free units, in order, and their bodies in Rapier. */
  readonly roots: readonly BodyId[];
  readonly #bodies = new Map<BodyId, RigidBody>();
  readonly #geomOf = new Map<number, GeomId>();
  /** Without a queue, Rapier does not ask the hooks. */
  readonly #events: EventQueue;
  readonly #collides: (a: GeomId, b: GeomId) => boolean;

  /** @throws S4rError INVALID_INPUT for a shape or mass that Rapier refuses; ENVIRONMENT without Rapier */
  static async create(scene: Scene, gravity: Vec3, options: RapierStateOptions): Promise<RapierSimulation> {
    const rapier = await rapierModule();
    const simulation = new RapierSimulation(rapier, new rapier.World(xyzFromVec3(gravity)), scene);
    try {
      simulation.#build(options);
      return simulation;
    } catch (error) {
      simulation.free();
      throw error;
    }
  }

  private constructor(
    readonly rapier: RapierModule,
    readonly world: World,
    readonly scene: Scene,
  ) {
    this.roots = scene.bodies.filter(({ id, mobility, movesWith }) => mobility === 'free' && movesWith === id).map(({ id }) => id);
    this.#collides = collisionRule(scene);
    this.#events = new rapier.EventQueue(true);
  }

  free(): void {
    this.world.free();
    this.#events.free();
  }

  /** One step of the world, or of a copy of it, by the scene's filter. */
  step(world = this.world): void {
    world.step(this.#events, this.#hooks);
  }

  /** Collision groups cannot say all that a `PairFilter` can, so every pair is asked for. Rapier's own rule: nothing within a body. */
  readonly #hooks: PhysicsHooks = {
    filterContactPair: (a, b) => (this.collides(a, b) ? this.rapier.SolverFlags.COMPUTE_IMPULSE : null),
    filterIntersectionPair: () => false,
  };

  /** Of two handles of colliders. */
  collides(a: number, b: number): boolean {
    return this.#collides(this.#geomOf.get(a) as GeomId, this.#geomOf.get(b) as GeomId);
  }

  geom(collider: Collider): Geom {
    return this.scene.geoms[this.#geomOf.get(collider.handle) as GeomId] as Geom;
  }

  /** Of a root. */
  body(id: BodyId): RigidBody {
    return this.#bodies.get(id) as RigidBody;
  }

  /** Centre of mass of a root in W [m]; NaN after a bad step. */
  centre(id: BodyId): Vec3 {
    return vec3FromXyz(this.body(id).worldCom());
  }

  orientation(id: BodyId): Quat {
    return quatFromXyzw(this.body(id).rotation());
  }

  #build({ poses, masses }: RapierStateOptions): void {
    const { bodies, geoms } = this.scene;
    const placed = bodies.map(({ id, X_WB }) => poses?.[id] ?? X_WB);
    const rootOf = ({ bodyId }: Geom) => (bodies[bodyId] as Body).movesWith;
    for (const { id, movesWith } of bodies) if (id === movesWith) this.#addBody(id, placed[id] as Pose);
    const asked = this.rapier.ActiveHooks.FILTER_CONTACT_PAIRS;
    for (const geom of geoms) {
      const root = rootOf(geom);
      const { desc, X_GC } = geomCollider(this.rapier, geom);
      const X_RB = compose(invert(placed[root] as Pose), placed[geom.bodyId] as Pose);
      const X_RC = compose(X_RB, compose(geom.X_BG, X_GC));
      desc.setTranslation(...X_RC.position).setRotation(xyzwFromQuat(X_RC.quaternion));
      desc.setDensity(DENSITY).setActiveHooks(asked).setContactSkin(geom.margin);
      const collider = this.world.createCollider(desc, this.body(root));
      this.#geomOf.set(collider.handle, geom.id);
    }
    for (const root of this.roots) this.#setMass(root, masses?.get((bodies[root] as Body).name));
  }

  #addBody(id: BodyId, { position, quaternion }: Pose): void {
    const { RigidBodyDesc } = this.rapier;
    const desc = this.scene.bodies[id]?.mobility === 'free' ? RigidBodyDesc.dynamic().setCanSleep(false) : RigidBodyDesc.fixed();
    const placed = desc.setTranslation(...position).setRotation(xyzwFromQuat(quaternion));
    this.#bodies.set(id, this.world.createRigidBody(placed));
  }

  /** The density that gives the unit its mass. */
  #setMass(root: BodyId, mass: number | undefined): void {
    const name = (this.scene.bodies[root] as Body).name;
    if (mass !== undefined && !(Number.isFinite(mass) && mass > 0)) {
      throw new S4rError('INVALID_OPTION', `option masses: expected a mass > 0 [kg] for '${name}', got ${mass}`);
    }
    const body = this.body(root);
    const full = body.mass();
    if (!(full > 0)) {
      body.setAdditionalMass(mass ?? SHEET_MASS, false);
      body.recomputeMassPropertiesFromColliders(); // else its centre is at the origin until the first step
    } else if (mass !== undefined) {
      for (let i = 0; i < body.numColliders(); i++) body.collider(i).setDensity((DENSITY * mass) / full);
      body.recomputeMassPropertiesFromColliders();
    }
  }
}
