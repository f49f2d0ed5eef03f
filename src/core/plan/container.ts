/** The `container` option: bodies that are in a region have to stay in it. Its sides become half-spaces that nothing else meets. */
import type { ContainerOption } from '../container-options.js';
import { S4rError } from '../errors.js';
import { convexHull } from '../geometry/hull.js';
import { isInside, type Plane, sidesOf } from '../geometry/polytope.js';
import { tessellate } from '../geometry/tessellate.js';
import { centreOf, geomsOfUnits } from '../geometry/units.js';
import { listNames, matcherOf, matching } from '../patterns.js';
import { compose, ORIGIN, quatBetween, scaled, transform, unitVector } from '../pose-math.js';
import type { Body, BodyId, Geom, GeomId, Scene, Vec3 } from '../scene.js';

export interface Container {
  /** As reports call it: `the container 'bin'`, or `the container`. */
  readonly name: string;
  /** Roots of the units in it. */
  readonly units: readonly BodyId[];
  readonly planes: readonly Plane[];
  /** Geoms whose hull it is; none if it is given by planes. */
  readonly geoms: readonly GeomId[];
}

/**
 * The container, and the units whose centre is in it.
 * @throws S4rError INVALID_OPTION for a name that nothing fixed and bounded has, and if no free body is in it
 */
export function planContainer(scene: Scene, option: ContainerOption): Container {
  const region = typeof option === 'string' ? hullOf(scene, option) : { name: 'the container', planes: planesOf(option), geoms: [] };
  const units = [...geomsOfUnits(scene)]
    .filter(([root, geoms]) => isInside(region.planes, centreOf(scene, root, geoms)))
    .map(([root]) => root);
  if (units.length > 0) return { ...region, units };
  throw new S4rError(
    'INVALID_OPTION',
    `option container: no body that may move has its centre in ${region.name}; move one in, or leave the option out`,
  );
}

/** The scene with one more fixed body: the sides of the container, which collide with the geoms of its units only. */
export function withContainer(scene: Scene, { name, units, planes }: Container): Scene {
  const { bodies, geoms, filter } = scene;
  const id = bodies.length;
  const title = name.replace(/^the /, '');
  const body: Body = { id, name: title, mobility: 'fixed', X_WB: ORIGIN, weight: 1, movesWith: id, weldedTo: id };
  const sides = planes.map(
    ({ normal, offset }, k): Geom => ({
      id: geoms.length + k,
      name: `${title} side ${k + 1}`,
      bodyId: id,
      shape: { type: 'halfspace' },
      X_BG: { position: scaled(normal, offset), quaternion: quatBetween([0, 0, 1], scaled(normal, -1)) },
      margin: 0,
      category: 0,
      mask: 0,
    }),
  );
  const held = new Set(units);
  const inside = geoms.filter((geom) => held.has((bodies[geom.bodyId] as Body).movesWith) && bodies[geom.bodyId]?.mobility === 'free');
  const pairs = inside.flatMap((geom) => sides.map((side) => ({ geoms: [geom.id, side.id] as const, margin: 0 })));
  return {
    ...scene,
    bodies: [...bodies, body],
    geoms: [...geoms, ...sides],
    filter: { ...filter, explicitPairs: [...filter.explicitPairs, ...pairs] },
  };
}

function hullOf(scene: Scene, pattern: string): Pick<Container, 'name' | 'planes' | 'geoms'> {
  const bodies = scene.bodies.filter(matcherOf(pattern));
  const nouns = { one: 'body or geom', many: 'bodies' };
  const named = bodies.length > 0 ? [] : matching([...scene.geoms, ...scene.bodies], 'container', pattern, nouns);
  const geoms = scene.geoms.filter((geom) => named.includes(geom) || bodies.some((body) => body.id === geom.bodyId));
  const fail = (why: string) => new S4rError('INVALID_OPTION', `option container: '${pattern}' ${why}`);
  const free = geoms.filter((geom) => scene.bodies[geom.bodyId]?.mobility !== 'fixed');
  if (free.length > 0) throw fail(`can move (geoms ${listNames(free)}); a container must be fixed, so name another or freeze it`);
  const endless = geoms.filter(({ shape }) => shape.type === 'halfspace' || shape.type === 'heightfield');
  if (endless.length > 0) throw fail(`is ground (geoms ${listNames(endless)}), which holds nothing in; give planes, or low and high`);
  const points = geoms.flatMap((geom) => {
    const X_WG = compose((scene.bodies[geom.bodyId] as Body).X_WB, geom.X_BG);
    return tessellate(geom.shape, [1, 0, 0]).map((point) => transform(X_WG, point));
  });
  const hull = convexHull(points);
  if (hull === undefined) throw fail('is flat or has no geoms, and so no inside; give planes, or low and high');
  return { name: `the container '${pattern}'`, planes: sidesOf(hull.faces), geoms: geoms.map(({ id }) => id) };
}

function planesOf(option: Exclude<ContainerOption, string>): Plane[] {
  if ('planes' in option) {
    return option.planes.map(({ normal, offset }) => ({ normal: unitVector(normal) as Vec3, offset: offset / Math.hypot(...normal) }));
  }
  return ([0, 1, 2] as const).flatMap((k): Plane[] => {
    const axis = ([0, 1, 2] as const).map((i) => (i === k ? 1 : 0)) as unknown as Vec3;
    return [
      { normal: scaled(axis, -1), offset: -option.low[k] },
      { normal: axis, offset: option.high[k] },
    ];
  });
}

/** Without negative zeros. */
