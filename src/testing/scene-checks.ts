/** Checks of what was read, whatever it was read from. */
import { deepStrictEqual, fail, ok } from 'node:assert/strict';
import type { ReadResult } from '../adapters/adapter.js';
import { angleBetween } from '../core/pose-math.js';
import { assertScene, collisionRule, type Mesh, type Result, type Scene } from '../index.js';
import { freeRoots } from './results.js';
import type { NamedPairs } from './subject.js';

/** The contract of `Scene`, and names that tell things apart. */
export function assertValid({ scene, notes }: ReadResult<unknown>): void {
  assertScene(scene);
  for (const list of [scene.bodies, scene.geoms, scene.joints ?? []]) {
    const names = list.map(({ name }) => name);
    ok(!names.includes(''), 'every body, geom and joint has a name');
    deepStrictEqual(names, [...new Set(names)], 'names are unique');
  }
  for (const note of notes) ok(note !== '' && !note.includes('\n'), `a note is one line, got '${note}'`);
}

/** Equal meshes are one object, so that they are processed once. */
export function assertMeshesShared(scene: Scene): void {
  const seen = new Map<string, Mesh>();
  for (const { name, shape, surface } of scene.geoms) {
    const meshes = [...('mesh' in shape ? [shape.mesh] : []), ...(surface === undefined ? [] : [surface])];
    for (const mesh of meshes) {
      const key = `${mesh.vertices.join()};${mesh.triangles.join()}`;
      const other = seen.get(key) ?? mesh;
      ok(other === mesh, `geom '${name}': its mesh is that of another geom, so both must hold the same object`);
      seen.set(key, mesh);
    }
  }
}

/** Every pair the scene lets collide, and no other, is one the engine tests. */
export function assertPairs(scene: Scene, engine: NamedPairs): void {
  const names = new Set(scene.geoms.map(({ name }) => name));
  const theirs = new Set<string>();
  for (const [a, b] of engine) {
    for (const name of [a, b]) ok(names.has(name), `the engine tests a geom '${name}' that is not in the scene`);
    theirs.add(key(a, b));
  }
  const collides = collisionRule(scene);
  const ours = new Set<string>();
  for (const a of scene.geoms) for (const b of scene.geoms) if (a.id < b.id && collides(a.id, b.id)) ours.add(key(a.name, b.name));
  const onlyOurs = [...ours].filter((pair) => !theirs.has(pair));
  const onlyTheirs = [...theirs].filter((pair) => !ours.has(pair));
  if (onlyOurs.length + onlyTheirs.length === 0) return;
  fail(`the scene lets collide what the engine does not test: ${list(onlyOurs)}; the engine tests what it does not: ${list(onlyTheirs)}`);
}

const key = (a: string, b: string) => (a < b ? `'${a}' and '${b}'` : `'${b}' and '${a}'`);

function list(pairs: readonly string[]): string {
  if (pairs.length === 0) return 'nothing';
  const more = pairs.length > 5 ? ` and ${pairs.length - 5} more pairs` : '';
  return [...pairs].sort().slice(0, 5).join(', ') + more;
}

/** The scene is the one that was written: all is as it was but the poses, and these are as told. */
export function assertRepaired(before: Scene, result: Result, after: Scene, tolerance: number): void {
  assertAlike(withoutPoses(after), withoutPoses(before), tolerance);
  after.bodies.forEach(({ name, X_WB: found }, i) => {
    const wanted = result.poses[i] as Scene['bodies'][number]['X_WB'];
    const distance = Math.hypot(...found.position.map((x, k) => x - (wanted.position[k] as number)));
    const angle = angleBetween(found.quaternion, wanted.quaternion);
    ok(distance <= tolerance, `body '${name}' lies ${distance} m from where it was written to, expected at most ${tolerance}`);
    ok(angle <= tolerance, `body '${name}' is turned by ${angle} rad from what was written, expected at most ${tolerance}`);
  });
}

/** Bodies of units that did not move have their numbers bit for bit. */
export function assertUntouched(before: Scene, moved: number, after: Scene): void {
  const rest = (scene: Scene) => scene.bodies.filter(({ movesWith }) => movesWith !== moved).map(({ name, X_WB }) => ({ name, X_WB }));
  deepStrictEqual(rest(after), rest(before), 'bodies that did not move keep their poses bit for bit');
}

/** Equal but for the rounding of numbers: what is given in W is seen from the body, and turns with it. */
function assertAlike(found: unknown, wanted: unknown, tolerance: number, path = 'scene'): void {
  const off = () => fail(`${path}: ${String(found)}, expected ${String(wanted)} as before`);
  if (typeof found === 'number' && typeof wanted === 'number') {
    if (!(Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted)))) off();
  } else if (typeof found === 'object' && found !== null && typeof wanted === 'object' && wanted !== null) {
    if (found === wanted) return;
    const [a, b] = [Object.entries(found), Object.entries(wanted)];
    if (a.length !== b.length || a.some(([key], i) => key !== b[i]?.[0])) {
      fail(`${path}: it has ${a.map(([key]) => key).join()}, expected ${b.map(([key]) => key).join()} as before`);
    }
    a.forEach(([key, value], i) => {
      assertAlike(value, b[i]?.[1], tolerance, `${path}.${key}`);
    });
  } else if (found !== wanted) off();
}

/** Joints follow the bodies, and so does what is measured in W. */
function withoutPoses(scene: Scene) {
  const bodies = scene.bodies.map(({ X_WB: _, ...rest }) => rest);
  return { ...scene, bodies, joints: scene.joints?.map(({ axis: _, anchor: __, ...rest }) => rest) };
}

/** The samples show what the other checks are about; without it these would find nothing. */
export function assertCoverage(scenes: readonly Scene[]): void {
  ok(
    scenes.some((scene) => freeRoots(scene).length >= 2),
    'a sample with two free units is needed',
  );
  ok(
    scenes.some(({ bodies }) => bodies.some(({ mobility }) => mobility === 'fixed')),
    'a sample with a fixed body is needed',
  );
  const meshes = (scene: Scene) => scene.geoms.flatMap(({ shape }) => ('mesh' in shape ? [shape.mesh] : []));
  ok(
    scenes.some((scene) => new Set(meshes(scene)).size < meshes(scene).length),
    'a sample with two geoms of one mesh, which is one object in the scene, is needed',
  );
}
