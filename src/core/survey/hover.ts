/** What free units would fall on, and how far. */
import { collisionRule, pairMargin } from '../filters.js';
import { BoxTree } from '../geometry/box-tree.js';
import { hullIn, partsIn } from '../geometry/convex-parts.js';
import { type Convex, fallDistance } from '../geometry/fall.js';
import { type Box, geomsOfUnits } from '../geometry/units.js';
import { compose, dot, quatBetween, rotate } from '../pose-math.js';
import type { Hover } from '../result.js';
import type { Body, BodyId, Geom, Pose, Scene } from '../scene.js';

/**
 * The free units with geoms, but those in `without`, that fall farther than `height` [m] along -up, everything else staying where it is,
 * until their margin to something they collide with is used up. Highest first. Exact to about 1e-9 of the sizes.
 */
export function hoveringUnits(scene: Scene, without: ReadonlySet<BodyId>, height: number): Hover[] {
  const fall = new Fall(scene);
  const found: Hover[] = [];
  for (const [root, geoms] of geomsOfUnits(scene)) {
    if (geoms.length === 0 || without.has(root)) continue;
    const { gap, above } = fall.of(geoms);
    const { name } = scene.bodies[root] as Body;
    if (gap > height) found.push({ bodyId: root, name, gap, ...(above === undefined ? {} : { above }) });
  }
  return found.sort((a, b) => (a.gap === b.gap ? a.bodyId - b.bodyId : b.gap - a.gap));
}

interface Landing {
  readonly gap: number;
  readonly above?: string;
}

/** A bounded geom in the frame whose z axis is up; its parts are made when they are asked for. */
class Placed {
  readonly hull: Convex;
  readonly box: Box;
  private tree: BoxTree<Convex> | undefined;

  constructor(
    readonly geom: Geom,
    private readonly X_UB: Pose,
  ) {
    this.hull = hullIn(geom, X_UB);
    this.box = this.hull.box;
  }

  parts(range: Box): Convex[] {
    this.tree ??= new BoxTree(partsIn(this.geom, this.X_UB));
    return this.tree.meeting(range);
  }
}

class Fall {
  private readonly poses: readonly Pose[];
  private readonly placed: readonly (Placed | undefined)[];
  private readonly bounded: BoxTree<Placed>;
  private readonly halfspaces: readonly Geom[];
  private readonly collides: ReturnType<typeof collisionRule>;
  private readonly margin: ReturnType<typeof pairMargin>;

  constructor(private readonly scene: Scene) {
    const { bodies, geoms, up } = scene;
    const X_UW: Pose = { position: [0, 0, 0], quaternion: quatBetween(up, [0, 0, 1]) };
    this.poses = bodies.map((body) => compose(X_UW, body.X_WB));
    this.placed = geoms.map((geom) => (geom.shape.type === 'halfspace' ? undefined : new Placed(geom, this.poses[geom.bodyId] as Pose)));
    this.bounded = new BoxTree(this.placed.filter((placed) => placed !== undefined));
    this.halfspaces = geoms.filter(({ shape }) => shape.type === 'halfspace');
    this.collides = collisionRule(scene);
    this.margin = pairMargin(scene);
  }

  /** Of a unit with these geoms. */
  of(geoms: readonly Geom[]): Landing {
    let nearest: Landing = { gap: Infinity };
    const offer = (own: Geom, other: Geom, distance: number) => {
      const gap = Math.max(0, distance - this.margin(own.id, other.id));
      if (gap < nearest.gap) nearest = { gap, above: (this.scene.bodies[other.bodyId] as Body).name };
    };
    for (const own of geoms) {
      const falling = this.placed[own.id] as Placed;
      for (const other of this.halfspaces) {
        if (this.isMet(own, other)) offer(own, other, this.ontoHalfspace(falling, other));
      }
      for (const { other, bound } of this.below(falling)) {
        const margin = this.margin(own.id, other.geom.id);
        if (bound - margin < nearest.gap) offer(own, other.geom, onto(falling, other, nearest.gap + margin));
      }
    }
    return nearest;
  }

  private isMet(own: Geom, other: Geom): boolean {
    const unitOf = ({ bodyId }: Geom) => (this.scene.bodies[bodyId] as Body).movesWith;
    return unitOf(own) !== unitOf(other) && this.collides(own.id, other.id);
  }

  /** What may be met, with a lower bound of how far down it is; nearest first. */
  private below(falling: Placed): { other: Placed; bound: number }[] {
    const { low, high } = falling.box;
    return this.bounded
      .meeting({ low: [low[0], low[1], -Infinity], high })
      .filter((other) => this.isMet(falling.geom, other.geom))
      .map((other) => ({ other, bound: Math.max(0, low[2] - other.box.high[2]) }))
      .sort((a, b) => a.bound - b.bound || a.other.geom.id - b.other.geom.id);
  }

  private ontoHalfspace({ hull }: Placed, { bodyId, X_BG }: Geom): number {
    const X_UG = compose(this.poses[bodyId] as Pose, X_BG);
    const normal = rotate(X_UG.quaternion, [0, 0, 1]);
    if (normal[2] <= 1e-9) return Infinity; // a wall, or a ceiling
    const lowest = hull.farthest([-normal[0], -normal[1], -normal[2]]);
    return Math.max(0, (dot(normal, lowest) - dot(normal, X_UG.position)) / normal[2]);
  }
}

/** How far a geom falls onto another, Infinity if no less than `limit`. */
function onto(falling: Placed, other: Placed, limit: number): number {
  const { low, high } = other.box;
  const own = falling.parts({ low, high: [high[0], high[1], Infinity] }).sort((a, b) => a.box.low[2] - b.box.low[2]);
  let nearest = limit;
  for (const part of own) {
    const { box } = part;
    if (box.low[2] - high[2] >= nearest) break;
    for (const piece of other.parts({ low: [box.low[0], box.low[1], box.low[2] - nearest], high: box.high })) {
      if (box.low[2] - piece.box.high[2] < nearest) nearest = Math.min(nearest, fallDistance(part, piece));
    }
  }
  return nearest < limit ? nearest : Infinity;
}
