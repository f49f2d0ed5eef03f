/** Whether closed regions can hold their bodies at all: volumes that are certain, on either side. */
import { collisionRule } from '../filters.js';
import { type Part, partsOf, primitiveVolume } from '../geometry/mass.js';
import { isBounded, MAX_SIDES, type Plane, volumeOf } from '../geometry/polytope.js';
import { type Box, boxOf, boxOfShape, geomsOfUnits, posesInUnit } from '../geometry/units.js';
import { listNames } from '../patterns.js';
import { compose, dot, ORIGIN, rotate, transform } from '../pose-math.js';
import type { Body, BodyId, Geom, GeomId, Mesh, Pose, Scene, Shape, Vec3 } from '../scene.js';
import type { Container } from './container.js';

/**
 * Why the bodies cannot fit, in one sentence; undefined if they may. Two kinds of regions are looked at: the container, and what all
 * half-spaces of the scene enclose together. `scene`: without the sides of the container.
 */
export function lackOfRoom(scene: Scene, container: Container | undefined): string | undefined {
  const units = geomsOfUnits(scene);
  const collide = collisionRule(scene);
  const verdict = (name: string, planes: readonly Plane[], held: readonly (readonly Geom[])[], own: readonly Geom[]) => {
    if (held.length === 0 || planes.length > MAX_SIDES || !isBounded(planes)) return undefined;
    const region = volumeOf(planes);
    if (region === undefined) return undefined;
    const whole = region - own.reduce((sum, { shape }) => sum + atMost(shape), 0);
    // As a rule there is room for the boxes of all, which cost nothing.
    if (held.flat().reduce((sum, { shape }) => sum + atMost(shape), 0) <= whole) return undefined;
    const counted = mutuallyColliding(scene, held.flat(), collide);
    const need = held.reduce(
      (sum, geoms) =>
        sum +
        certainVolume(
          scene,
          geoms.filter(({ id }) => counted.has(id)),
        ),
      0,
    );
    const solid = own.filter(({ id }) => [...counted].every((other) => collide(id, other)));
    const room = region - certainVolume(scene, solid);
    if (need <= room * (1 + 1e-9)) return undefined;
    const bodies = held.length === 1 ? 'the body in it needs' : `the ${held.length} bodies in it need`;
    const [holds, needs] = litres(Math.max(0, room), need);
    return `${name} holds ${holds} l, ${bodies} at least ${needs} l`;
  };
  if (container !== undefined) {
    const held = container.units.map((root) => units.get(root) ?? []);
    const own = container.geoms.map((id) => scene.geoms[id] as Geom);
    const reason = verdict(container.name, container.planes, held, own);
    if (reason !== undefined) return reason;
  }
  const walls = scene.geoms.filter(({ shape }) => shape.type === 'halfspace');
  if (walls.length < 4) return undefined;
  const held = [...units.values()].filter(
    (geoms) => geoms.length > 0 && geoms.every(({ id }) => walls.every((wall) => collide(id, wall.id))),
  );
  return verdict(
    `the space between the half-spaces ${listNames(walls, 2)}`,
    walls.map((wall) => outside(scene, wall)),
    held,
    [],
  );
}

/** The free side of a half-space. */
function outside(scene: Scene, { bodyId, X_BG }: Geom): Plane {
  const { position, quaternion } = compose((scene.bodies[bodyId] as Body).X_WB, X_BG);
  const [x, y, z] = rotate(quaternion, [0, 0, 1]);
  const normal: Vec3 = [-x, -y, -z];
  return { normal, offset: dot(normal, position) };
}

/**
 * Geoms of several units of which each collides with all those of the other units, the largest first: only their volumes add up.
 * Geoms that no exclusion names are told apart by category and mask alone.
 */
function mutuallyColliding(scene: Scene, geoms: readonly Geom[], collide: (a: GeomId, b: GeomId) => boolean): Set<GeomId> {
  const { bodies, filter } = scene;
  const named = new Set([...filter.excludedGeoms.flat(), ...filter.explicitPairs.flatMap((pair) => pair.geoms)]);
  const namedBodies = new Set(filter.excludedBodies.flat());
  const unitOf = ({ bodyId }: Geom) => (bodies[bodyId] as Body).movesWith;
  const taken = new Set<GeomId>();
  /** One per class and unit, two units at most: enough to meet one of another unit. */
  const met = new Map<string, Geom[]>();
  const solid = (geom: Geom) => solidsOf(geom, ORIGIN).reduce((sum, { volume }) => sum + volume, 0);
  const volumes = new Map(geoms.map((geom) => [geom.id, solid(geom)]));
  const bySize = [...geoms].sort((a, b) => (volumes.get(b.id) as number) - (volumes.get(a.id) as number) || a.id - b.id);
  for (const geom of bySize) {
    const others = [...met.values()].flat().filter((other) => unitOf(other) !== unitOf(geom));
    if (!others.every((other) => collide(geom.id, other.id))) continue;
    taken.add(geom.id);
    const special = named.has(geom.id) || namedBodies.has(geom.bodyId);
    const key = special ? `geom ${geom.id}` : `${geom.category} ${geom.mask}`;
    const same = met.get(key) ?? [];
    if (same.length < 2 && same.every((other) => unitOf(other) !== unitOf(geom))) met.set(key, [...same, geom]);
  }
  return taken;
}

/** A lower bound of the volume that geoms of one unit, or fixed ones, fill together: parts whose boxes are apart, largest first. */
export function certainVolume(scene: Scene, geoms: readonly Geom[]): number {
  const [first] = geoms;
  if (first === undefined) return 0;
  const root: BodyId = (scene.bodies[first.bodyId] as Body).movesWith;
  const inUnit = posesInUnit(scene, root);
  const parts = geoms.flatMap((geom) => solidsOf(geom, inUnit(geom.bodyId)));
  const cavities = parts.reduce((sum, { volume }) => sum + Math.min(0, volume), 0);
  const apart: Box[] = [];
  let volume = cavities;
  for (const part of parts.filter((solid) => solid.volume > 0).sort((a, b) => b.volume - a.volume)) {
    if (apart.some((box) => meet(box, part.box))) continue;
    apart.push(part.box);
    // A surface that runs through itself can claim more than its box has.
    volume += Math.min(part.volume, extentOf(part.box));
  }
  return Math.max(0, volume);
}

function solidsOf(geom: Geom, X_RB: Pose): Pick<Part, 'volume' | 'box'>[] {
  const { shape } = geom;
  if (shape.type !== 'convex' && shape.type !== 'mesh') return [{ volume: primitiveVolume(shape), box: boxOf(geom, X_RB) }];
  const X_RG = compose(X_RB, geom.X_BG);
  return partsOf(shape.mesh).map(({ volume, box }) => ({ volume, box: boxAround(box, X_RG) }));
}

function boxAround({ low, high }: Box, X_RG: Pose): Box {
  const corners = Array.from({ length: 8 }, (_, i) => {
    return transform(X_RG, [0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])) as unknown as Vec3);
  });
  const extreme = (pick: (...values: number[]) => number) => [0, 1, 2].map((k) => pick(...corners.map((corner) => corner[k] as number)));
  return { low: extreme(Math.min) as unknown as Vec3, high: extreme(Math.max) as unknown as Vec3 };
}

const meshExtents = new WeakMap<Mesh, number>();

/** No solid has more than the box about it, in its own axes [m^3]. */
function atMost(shape: Shape): number {
  if (shape.type !== 'convex' && shape.type !== 'mesh') return primitiveVolume(shape);
  const known = meshExtents.get(shape.mesh);
  if (known !== undefined) return known;
  const extent = extentOf(boxOfShape(shape));
  meshExtents.set(shape.mesh, extent);
  return extent;
}

/** Touching boxes, to rounding, are apart. */
function meet(a: Box, b: Box): boolean {
  return [0, 1, 2].every((k) => {
    const depth = Math.min(a.high[k] as number, b.high[k] as number) - Math.max(a.low[k] as number, b.low[k] as number);
    return depth > 1e-9 * ((a.high[k] as number) - (a.low[k] as number));
  });
}

function extentOf({ low, high }: Box): number {
  return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}

/** Two volumes [m^3] in litres, with as many digits as it takes to tell them apart. */
function litres(a: number, b: number): [string, string] {
  for (let digits = 2; digits < 15; digits++) {
    const [left, right] = [a, b].map((volume) => String(Number((1000 * volume).toPrecision(digits)))) as [string, string];
    if (left !== right) return [left, right];
  }
  return [String(1000 * a), String(1000 * b)];
}
