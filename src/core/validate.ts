/**
 * Waist 1's contract, checked before anything reads the scene: finite numbers, unit quaternions, ids that resolve,
 * positive sizes, consistent units and welds. Messages name the field by path and the body or geom by name.
 */
import { S4rError } from './errors.js';
import type { Body, Geom, Joint, PairFilter, Scene } from './scene.js';
import {
  failField,
  type Path,
  requireArray,
  requireFinite,
  requireIndex,
  requireNonNegative,
  requireNumbers,
  requireObject,
  requireOneOf,
  requirePose,
  requirePositive,
  requireUint32,
  requireUnit,
} from './validate-fields.js';
import { ShapeChecker } from './validate-shape.js';

const IMMOBILE_SHAPES = new Set(['halfspace', 'heightfield']);

/**
 * Check that `scene` keeps the contract of `scene.ts`. Cost is linear in the scene; shared shapes are read once.
 * @throws S4rError INVALID_SCENE for the first field that breaks it.
 */
export function assertScene(scene: Scene): void {
  const at: Path = () => 'scene';
  requireObject(at, '', scene);
  requireArray(at, '.bodies', scene.bodies);
  requireArray(at, '.geoms', scene.geoms);
  requireUnit(at, '.up', scene.up, 3, 'a unit vector [x, y, z]');
  checkBodies(scene.bodies);
  checkGroups(scene.bodies);
  checkGeoms(scene.geoms, scene.bodies);
  checkFilter(scene.filter, scene.bodies.length, scene.geoms.length);
  if (scene.joints !== undefined) {
    requireArray(at, '.joints', scene.joints);
    checkJoints(scene.joints, scene.bodies.length);
  }
}

function checkBodies(bodies: readonly Body[]): void {
  const names = new Map<string, number>();
  bodies.forEach((body, i) => {
    const at = pathOf('body', 'bodies', body, i);
    checkIdentity(at, body, i, names, 'bodies');
    requireOneOf(at, '.mobility', body.mobility, ['free', 'fixed']);
    requirePose(at, '.X_WB', body.X_WB);
    requirePositive(at, '.weight', body.weight);
    requireIndex(at, '.movesWith', body.movesWith, bodies.length, 'scene.bodies');
    requireIndex(at, '.weldedTo', body.weldedTo, bodies.length, 'scene.bodies');
  });
}

/** Units and welds: both name a representative that represents itself, and what is rigid must be able to move as one. */
function checkGroups(bodies: readonly Body[]): void {
  bodies.forEach((body, i) => {
    const at = pathOf('body', 'bodies', body, i);
    const root = bodies[body.movesWith] as Body;
    if (root.movesWith !== root.id) {
      failField(at, '.movesWith', 'the root of a unit', body.movesWith, `, body '${root.name}', which itself moves with ${root.movesWith}`);
    }
    if (body.mobility === 'fixed' && root.id !== i) failField(at, '.movesWith', `${i}: a fixed body moves with itself`, root.id);
    if (root.mobility !== body.mobility) {
      failField(at, '.mobility', `'${root.mobility}' like that of '${root.name}', which it moves with`, body.mobility);
    }
    const weld = bodies[body.weldedTo] as Body;
    if (weld.weldedTo !== weld.id) {
      failField(at, '.weldedTo', 'the representative of a weld', body.weldedTo, `, body '${weld.name}', itself welded to ${weld.weldedTo}`);
    }
    const bothFixed = body.mobility === 'fixed' && weld.mobility === 'fixed';
    if (!bothFixed && weld.movesWith !== body.movesWith) {
      failField(at, '.weldedTo', 'a body that moves with this one', body.weldedTo, `, body '${weld.name}', of another unit`);
    }
  });
}

function checkGeoms(geoms: readonly Geom[], bodies: readonly Body[]): void {
  const names = new Map<string, number>();
  const shapes = new ShapeChecker();
  geoms.forEach((geom, i) => {
    const at = pathOf('geom', 'geoms', geom, i);
    checkIdentity(at, geom, i, names, 'geoms');
    requireIndex(at, '.bodyId', geom.bodyId, bodies.length, 'scene.bodies');
    requirePose(at, '.X_BG', geom.X_BG);
    requireNonNegative(at, '.margin', geom.margin);
    requireUint32(at, '.category', geom.category);
    requireUint32(at, '.mask', geom.mask);
    shapes.check(at, geom.shape);
    if (geom.surface !== undefined) shapes.checkMesh(at, '.surface', geom.surface);
    const body = bodies[geom.bodyId] as Body;
    if (IMMOBILE_SHAPES.has(geom.shape.type) && body.mobility !== 'fixed') {
      failField(at, '.shape.type', `a shape that can move, as body '${body.name}' is free`, geom.shape.type);
    }
  });
}

const isNumber = (value: unknown) => typeof value === 'number';

function checkJoints(joints: readonly Joint[], bodyCount: number): void {
  const names = new Map<string, number>();
  joints.forEach((joint, i) => {
    const at = pathOf('joint', 'joints', joint, i);
    checkIdentity(at, joint, i, names, 'joints');
    requireOneOf(at, '.type', joint.type, ['hinge', 'slide']);
    requireUnit(at, '.axis', joint.axis, 3, 'a unit vector [x, y, z]');
    requireNumbers(at, '.anchor', joint.anchor, 3, 'a point [x, y, z]');
    requireArray(at, '.moves', joint.moves);
    joint.moves.forEach((body, k) => {
      requireIndex(at, `.moves[${k}]`, body, bodyCount, 'scene.bodies');
    });
    requireFinite(at, '.position', joint.position);
    if (joint.mobility !== undefined) requireOneOf(at, '.mobility', joint.mobility, ['free', 'fixed']);
    const { limits, follows } = joint;
    if (limits !== undefined && !(Array.isArray(limits) && limits.length === 2 && limits.every(isNumber) && limits[0] <= limits[1])) {
      failField(at, '.limits', 'two numbers, the lower limit first', limits);
    }
    if (follows === undefined) return;
    requireObject(at, '.follows', follows);
    requireIndex(at, '.follows.joint', follows.joint, joints.length, 'scene.joints');
    requireFinite(at, '.follows.ratio', follows.ratio);
    if (joints[follows.joint]?.follows !== undefined || follows.joint === i) {
      failField(at, '.follows.joint', 'a joint that follows no other', follows.joint);
    }
    const driven = joints[follows.joint]?.mobility ?? 'fixed';
    if ((joint.mobility ?? 'fixed') !== driven) failField(at, '.mobility', `'${driven}', as the joint that drives it`, joint.mobility);
  });
}

function checkFilter(filter: PairFilter, bodyCount: number, geomCount: number): void {
  const at: Path = () => 'scene.filter';
  requireObject(at, '', filter);
  requireOneOf(at, '.maskRule', filter.maskRule, ['either', 'both']);
  if (filter.neighbours !== undefined) checkPairs(at, '.neighbours', filter.neighbours, bodyCount, 'scene.bodies');
  checkPairs(at, '.excludedBodies', filter.excludedBodies, bodyCount, 'scene.bodies');
  checkPairs(at, '.excludedGeoms', filter.excludedGeoms, geomCount, 'scene.geoms');
  requireArray(at, '.explicitPairs', filter.explicitPairs);
  filter.explicitPairs.forEach((pair, i) => {
    const field = `.explicitPairs[${i}]`;
    requireObject(at, field, pair);
    checkPair(at, `${field}.geoms`, pair.geoms, geomCount, 'scene.geoms');
    if (pair.geoms[0] === pair.geoms[1]) failField(at, `${field}.geoms`, 'two different geoms', pair.geoms);
    requireNonNegative(at, `${field}.margin`, pair.margin);
  });
}

function checkPairs(at: Path, field: string, pairs: unknown, count: number, items: string): void {
  requireArray(at, field, pairs);
  for (let i = 0; i < pairs.length; i++) checkPair(at, `${field}[${i}]`, pairs[i], count, items);
}

function checkPair(at: Path, field: string, pair: unknown, count: number, items: string): void {
  if (!Array.isArray(pair) || pair.length !== 2) failField(at, field, 'a pair of ids', pair);
  requireIndex(at, `${field}[0]`, pair[0], count, items);
  requireIndex(at, `${field}[1]`, pair[1], count, items);
}

function checkIdentity(at: Path, item: Body | Geom | Joint, index: number, names: Map<string, number>, list: string): void {
  requireObject(at, '', item);
  if (item.id !== index) failField(at, '.id', `${index}, its index in scene.${list}`, item.id);
  if (typeof item.name !== 'string' || item.name === '') failField(at, '.name', 'a non-empty text', item.name);
  const other = names.get(item.name);
  if (other !== undefined) throw new S4rError('INVALID_SCENE', `${at()}.name: already the name of ${list}[${other}]`);
  names.set(item.name, index);
}

function pathOf(kind: 'body' | 'geom' | 'joint', list: string, item: Body | Geom | Joint, index: number): Path {
  return () => {
    const name: unknown = (item as { name?: unknown } | undefined | null)?.name;
    return typeof name === 'string' && name !== '' ? `${kind} '${name}' (${list}[${index}])` : `${list}[${index}]`;
  };
}
