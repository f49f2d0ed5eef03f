/** PointInstancer: copies of prototypes at positions in arrays. Each copy becomes prims of its own, named `/World/many[3]`. */
import { S4rError } from '../../core/errors.js';
import type { Quat, Vec3 } from '../../core/scene.js';
import { affineOf, multiply, scaling } from './affine.js';
import { Prim, type PrimCopy } from './usd/prim.js';
import { placeOfPrim } from './usd/xform.js';

/** Copies that one stage may have. */
const MAX_COPIES = 100_000;

/** @param find a prim of the stage by its path */
export function instancesOf(instancer: Prim, find: (path: string) => Prim | undefined): Prim[] {
  const refuse = (message: string) => new S4rError('INVALID_INPUT', message, placeOfPrim(instancer));
  const prototypes = instancer.targets('prototypes');
  const indices = instancer.numbers('protoIndices') ?? [];
  const positions = instancer.numbers('positions') ?? [];
  if (positions.length !== 3 * indices.length) {
    throw refuse(`${indices.length} protoIndices want as many positions, there are ${positions.length / 3}`);
  }
  if (indices.length > MAX_COPIES) throw refuse(`more than ${MAX_COPIES} instances`);
  const ids = instancer.numbers('ids') ?? [...indices.keys()];
  const hidden = new Set(instancer.numbers('invisibleIds') ?? []);
  // USD takes arrays of another length for none.
  const optional = (name: string, size: number) => {
    const found = instancer.numbers(name);
    return found?.length === size * indices.length ? found : undefined;
  };
  const orientations = optional('orientationsf', 4) ?? optional('orientations', 4);
  const scales = optional('scales', 3);
  const three = (a: readonly number[], i: number) => a.slice(3 * i, 3 * i + 3) as unknown as Vec3;
  return indices.flatMap((index, i) => {
    const path = prototypes[index];
    const prototype = path === undefined ? undefined : find(path);
    if (prototype === undefined) throw refuse(`protoIndices[${i}] is ${index}, and there is no such prototype`);
    if (hidden.has(ids[i] as number)) return [];
    const turn = orientations === undefined ? [1, 0, 0, 0] : orientations.slice(4 * i, 4 * i + 4);
    const numbers = [...three(positions, i), ...turn, ...(scales === undefined ? [] : three(scales, i))];
    if (!numbers.every(Number.isFinite)) throw refuse(`the transform of instance ${i} is not finite`);
    // As USD reads it: by the formula for unit quaternions, whatever the length of this one.
    const rigid = affineOf({ position: three(positions, i), quaternion: turn as unknown as Quat });
    const placement = scales === undefined ? rigid : multiply(rigid, scaling(three(scales, i)));
    const to = `${instancer.path}[${i}]`;
    return [copied(prototype, to, instancer, { placement, from: prototype.path, to })];
  });
}

function copied(prim: Prim, path: string, parent: Prim, copy: PrimCopy): Prim {
  const made = new Prim(path, parent, prim.tree, copy);
  const below = { ...copy, placement: undefined };
  made.children.push(...prim.children.map((child) => copied(child, `${path}/${child.name}`, made, below)));
  return made;
}
