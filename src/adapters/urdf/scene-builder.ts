/** From placed models to a `Scene`. */
import { rotate } from '../../core/pose-math.js';
import type { Body, BodyId, Geom, Joint, JointId, Pose, Scene, Shape, Vec3 } from '../../core/scene.js';
import type { Disk } from '../files/disk.js';
import { placeOf } from '../files/document.js';
import { directoryOf } from '../files/paths.js';
import type { MeshSource } from '../mesh-source.js';
import { UriResolver } from '../meshes/packages.js';
import { UniqueNames } from '../names.js';
import { driveOf, jointFrame } from './kinematics.js';
import { isMovable, type UrdfCollision, type UrdfJoint, type UrdfModel } from './model.js';
import type { SceneSpec } from './options.js';
import type { PlacedModel } from './place.js';

/** What a mesh attribute led to. */
export interface MeshReference {
  readonly filename: string;
  readonly path: string;
}

type PlacedShape = Pick<Geom, 'shape' | 'X_BG' | 'surface'>;

export interface BuiltScene {
  readonly scene: Scene;
  /** Of every model, the body of each link that is one. */
  readonly bodies: ReadonlyMap<PlacedModel, ReadonlyMap<string, BodyId>>;
  /** Of every model, the joints of the scene by name. */
  readonly joints: ReadonlyMap<PlacedModel, ReadonlyMap<string, JointId>>;
  readonly meshes: readonly MeshReference[];
  readonly notes: readonly string[];
}

/** @throws S4rError INVALID_INPUT for meshes that cannot be found or used */
export async function buildScene(models: readonly PlacedModel[], spec: SceneSpec, disk: Disk, meshes: MeshSource): Promise<BuiltScene> {
  const builder = new SceneBuilder(models.length > 1, spec, new UriResolver(spec.packages, disk), meshes);
  for (const model of models) await builder.add(model);
  return builder.build();
}

class SceneBuilder {
  private readonly bodies: Body[] = [];
  private readonly geoms: Geom[] = [];
  private readonly joints: Joint[] = [];
  private readonly neighbours: [BodyId, BodyId][] = [];
  private readonly excluded: [BodyId, BodyId][] = [];
  private readonly bodyOf = new Map<PlacedModel, Map<string, BodyId>>();
  private readonly jointOf = new Map<PlacedModel, Map<string, JointId>>();
  private readonly found: MeshReference[] = [];
  private readonly notes: string[] = [];
  private fixedToWorld: BodyId | undefined;
  private readonly bodyNames = new UniqueNames();
  private readonly geomNames = new UniqueNames();
  private readonly jointNames = new UniqueNames();
  private readonly meshNotes = new Set<string>();
  /** Models of one file have their collisions in common. */
  private readonly shapes = new Map<UrdfCollision, PlacedShape>();

  constructor(
    private readonly several: boolean,
    private readonly spec: SceneSpec,
    private readonly resolver: UriResolver,
    private readonly meshes: MeshSource,
  ) {}

  async add(placed: PlacedModel): Promise<void> {
    const { model } = placed;
    const prefix = this.several ? `${placed.name}/` : '';
    const bodyOf = this.addBodies(placed, prefix);
    this.bodyOf.set(placed, bodyOf);
    for (const [link, bodyId] of bodyOf) {
      for (const [i, collision] of (model.links.get(link)?.collisions ?? []).entries()) {
        const name = this.geomNames.make(`${prefix}${collision.name ?? `${link}/collision_${i}`}`);
        this.geoms.push({
          id: this.geoms.length,
          name,
          bodyId,
          ...(await this.shapeOf(model, collision)),
          margin: 0,
          category: 1,
          mask: 1,
        });
      }
    }
    this.addJoints(placed, prefix, bodyOf);
    for (const [a, b] of placed.disabled) {
      const [bodyA, bodyB] = [bodyOf.get(a), bodyOf.get(b)];
      if (bodyA !== undefined && bodyB !== undefined) this.excluded.push([bodyA, bodyB]);
    }
  }

  build(): BuiltScene {
    if (this.spec.ground) this.addGround();
    const scene: Scene = {
      bodies: this.bodies,
      geoms: this.geoms,
      joints: this.joints,
      filter: { maskRule: 'both', neighbours: this.neighbours, excludedBodies: this.excluded, excludedGeoms: [], explicitPairs: [] },
      up: this.spec.up,
    };
    return { scene, bodies: this.bodyOf, joints: this.jointOf, meshes: this.found, notes: [...this.notes, ...this.meshNotes] };
  }

  /** Links that collide, and those a unit or the model is placed by. Links fixed to each other are one weld; joined welds are neighbours. */
  private addBodies(placed: PlacedModel, prefix: string): Map<string, BodyId> {
    const { model, units, poses } = placed;
    const unitRoots = new Set(units.map(({ root }) => root));
    const isBody = (link: string) => link === model.root || unitRoots.has(link) || model.links.get(link)?.collisions.length !== 0;
    const bodyOf = new Map<string, BodyId>();
    const unitOf = new Map<string, BodyId>();
    const weldOf = new Map<string, number>();
    const welds: BodyId[][] = [];
    const visit = (link: string, joint: UrdfJoint | undefined) => {
      const held = joint?.type === 'fixed' && !unitRoots.has(link);
      const weld = held ? (weldOf.get(joint.parent) as number) : welds.push([]) - 1;
      weldOf.set(link, weld);
      const unit = unitRoots.has(link) ? this.bodies.length : joint && unitOf.get(joint.parent);
      if (unit !== undefined) unitOf.set(link, unit);
      if (!isBody(link)) return;
      const id = this.bodies.length;
      const members = welds[weld] as BodyId[];
      members.push(id);
      bodyOf.set(link, id);
      this.bodies.push({
        id,
        name: this.bodyNames.make(`${prefix}${link}`),
        mobility: unit === undefined ? 'fixed' : 'free',
        X_WB: poses.get(link) as Pose,
        weight: 1,
        movesWith: unit ?? id,
        // A root that may not move is a piece of the world, and so is what it holds.
        weldedTo: weld === 0 && unit === undefined ? this.worldWeld(id) : (members[0] as BodyId),
      });
    };
    visit(model.root, undefined);
    for (const joint of model.tree) visit(joint.child, joint);
    // A floating joint joins nothing.
    for (const joint of model.tree.filter(({ type }) => type !== 'fixed' && type !== 'floating')) {
      const [above, below] = [weldOf.get(joint.parent) as number, weldOf.get(joint.child) as number];
      for (const a of welds[above] as BodyId[]) for (const b of welds[below] as BodyId[]) this.neighbours.push([a, b]);
    }
    return bodyOf;
  }

  private async shapeOf(model: UrdfModel, collision: UrdfCollision): Promise<PlacedShape> {
    const shape = this.shapes.get(collision) ?? (await this.makeShape(model, collision));
    this.shapes.set(collision, shape);
    return shape;
  }

  private async makeShape({ document }: UrdfModel, { geometry, X_LG, element }: UrdfCollision): Promise<PlacedShape> {
    const plain = (shape: Shape) => ({ shape, X_BG: X_LG });
    switch (geometry.type) {
      case 'box':
        return plain({ type: 'box', halfExtents: geometry.size.map((length) => length / 2) as unknown as Vec3 });
      case 'cylinder':
      case 'capsule':
        return plain({ type: geometry.type, radius: geometry.radius, halfLength: geometry.length / 2 });
      case 'mesh': {
        const place = placeOf(document, element);
        const folder = directoryOf(document.path);
        const path = await this.resolver.resolve(geometry.filename, folder, place);
        const { shape, surface, notes } = await this.meshes.load(path, geometry.scale, this.spec.mesh, place);
        for (const note of notes) this.meshNotes.add(`mesh ${path}: ${note}`);
        this.found.push({ filename: geometry.filename, path });
        return { shape, X_BG: X_LG, ...(surface && { surface }) };
      }
      default:
        return plain(geometry);
    }
  }

  private addJoints(placed: PlacedModel, prefix: string, bodyOf: ReadonlyMap<string, BodyId>): void {
    const { model, values, poses } = placed;
    const movable = model.tree.filter((joint) => isMovable(joint) && isMovable(driveOf(model, joint).driver));
    const ids = new Map(movable.map(({ name }, i): [string, JointId] => [name, this.joints.length + i]));
    const moves = bodiesBelow(placed, bodyOf);
    this.jointOf.set(placed, ids);
    const outside: string[] = [];
    for (const joint of movable) {
      const frame = jointFrame(joint, poses);
      const { driver, ratio } = driveOf(model, joint);
      const position = values.get(joint.name) as number;
      const { limits } = joint;
      if (limits !== undefined && (position < limits[0] || position > limits[1])) {
        outside.push(`'${joint.name}' at ${Number(position.toPrecision(6))}, limits ${limits[0]} to ${limits[1]}`);
      }
      this.joints.push({
        id: this.joints.length,
        name: this.jointNames.make(`${prefix}${joint.name}`),
        type: joint.type === 'prismatic' ? 'slide' : 'hinge',
        axis: rotate(frame.quaternion, joint.axis),
        anchor: frame.position,
        moves: moves.get(joint.child) ?? [],
        position,
        ...(limits && { limits }),
        ...(driver !== joint && { follows: { joint: ids.get(driver.name) as JointId, ratio } }),
      });
    }
    if (outside.length > 0) this.notes.push(`joints of '${placed.name}' outside their limits: ${outside.join('; ')}`);
  }

  /** No engine tests two things that are fixed to the world: they are one weld, named after the first of them. */
  private worldWeld(id: BodyId): BodyId {
    this.fixedToWorld ??= id;
    return this.fixedToWorld;
  }

  private addGround(): void {
    const id = this.bodies.length;
    const still: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };
    this.bodies.push({
      id,
      name: this.bodyNames.make('ground'),
      mobility: 'fixed',
      X_WB: still,
      weight: 1,
      movesWith: id,
      weldedTo: this.worldWeld(id),
    });
    const name = this.geomNames.make('ground');
    this.geoms.push({
      id: this.geoms.length,
      name,
      bodyId: id,
      shape: { type: 'halfspace' },
      X_BG: still,
      margin: 0,
      category: 1,
      mask: 1,
    });
  }
}

/** Of every link, the bodies that it carries, itself included. */
function bodiesBelow({ model }: PlacedModel, bodyOf: ReadonlyMap<string, BodyId>): Map<string, BodyId[]> {
  const below = new Map<string, BodyId[]>();
  const listOf = (link: string) => {
    const own = bodyOf.get(link);
    const list = below.get(link) ?? (own === undefined ? [] : [own]);
    below.set(link, list);
    return list;
  };
  for (const { parent, child } of [...model.tree].reverse()) listOf(parent).push(...listOf(child));
  for (const list of below.values()) list.sort((a, b) => a - b);
  return below;
}
