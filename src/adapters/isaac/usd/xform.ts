/** Transforms of prims: the stack of operations of UsdGeomXformable. */
import { type ErrorPlace, S4rError } from '../../../core/errors.js';
import type { Quat, Vec3 } from '../../../core/scene.js';
import { affineFromRowVectors, quatFromAxisAngle, radians } from '../../conventions.js';
import { type Affine, affineOf, IDENTITY, inverse, multiply, scaling, translation } from '../affine.js';
import type { Prim } from './prim.js';

export const RESET = '!resetXformStack!';
const INVERT = '!invert!';

/** One operation of a stack, evaluated. */
export interface XformOp {
  /** As in xformOpOrder, such as `xformOp:translate:pivot` or `!invert!xformOp:translate:pivot`. */
  readonly name: string;
  /** `translate`, `orient`, `rotateXYZ`, ... */
  readonly kind: string;
  /** Of the attribute: `double3`, `quatf`. */
  readonly typeName: string;
  readonly inverted: boolean;
  readonly matrix: Affine;
}

/** What places a prim relative to its parent. */
export interface XformStack {
  readonly ops: readonly XformOp[];
  /** The parent's transform does not count. */
  readonly resets: boolean;
  /** Some value changes in time. */
  readonly animated: boolean;
}

/** Types that have no transform, whatever attributes they carry. Types nobody knows have one if they have operations. */
const WITHOUT = /^$|^(Scope|Material|Shader|NodeGraph|GeomSubset|Backdrop|Physics.*|PhysicsScene|Render.*|Collection.*)$/;

export function xformStack(prim: Prim): XformStack {
  const order = WITHOUT.test(prim.typeName) ? [] : (prim.texts('xformOpOrder') ?? []);
  // What stands before the last reset does not count.
  const reset = order.lastIndexOf(RESET);
  const known = new Map<string, XformOp | undefined>();
  const ops = order.slice(reset + 1).flatMap((name) => {
    if (!known.has(name)) known.set(name, readOp(prim, name));
    return known.get(name) ?? [];
  });
  const animated = [...known.keys()].some((name) => prim.attribute(name.replace(INVERT, ''))?.animated === true);
  return { ops, resets: reset >= 0, animated };
}

export function localTransform({ ops }: Pick<XformStack, 'ops'>): Affine {
  return ops.reduce((product, { matrix }) => multiply(product, matrix), IDENTITY);
}

function readOp(prim: Prim, name: string): XformOp | undefined {
  const inverted = name.startsWith(INVERT);
  const attribute = inverted ? name.slice(INVERT.length) : name;
  const typeName = prim.attributeType(attribute);
  // USD passes over operations without an attribute, and takes those without a value for the identity.
  if (typeName === undefined) return undefined;
  const kind = attribute.split(':')[1] ?? '';
  const place: ErrorPlace = { ...placeOfPrim(prim), element: `${attribute} of <${prim.path}>` };
  const value = prim.attribute(attribute)?.value;
  const numbers = typeof value === 'number' ? [value] : Array.isArray(value) ? (value as readonly number[]) : [];
  const wanted = sizeOf(kind);
  if (wanted === undefined) throw new S4rError('INVALID_INPUT', `unknown kind of transform operation '${kind}'`, place);
  if (value !== undefined && (numbers.length !== wanted || !numbers.every(Number.isFinite))) {
    throw new S4rError('INVALID_INPUT', `expected ${wanted} finite numbers, got ${JSON.stringify(value)?.slice(0, 60)}`, place);
  }
  const matrix = value === undefined ? IDENTITY : opMatrix(kind, numbers);
  const final = inverted ? inverse(matrix) : matrix;
  if (final === undefined) throw new S4rError('INVALID_INPUT', 'cannot invert a singular transform', place);
  return { name, kind, typeName, inverted, matrix: final };
}

function sizeOf(kind: string): number | undefined {
  if (/^(translate|scale|rotate)[XYZ]$/.test(kind)) return 1;
  if (/^(translate|scale)$|^rotate(XYZ|XZY|YXZ|YZX|ZXY|ZYX)$/.test(kind)) return 3;
  return kind === 'orient' ? 4 : kind === 'transform' ? 16 : undefined;
}

/** The matrix of an operation; `v` has as many numbers as its kind takes. */
export function opMatrix(kind: string, v: readonly number[]): Affine {
  if (kind === 'orient') return rotationMatrix(orientOf(v as unknown as Quat));
  if (kind === 'transform') return affineFromRowVectors(v);
  const letters = /[XYZ]+$/.exec(kind)?.[0];
  const [x, y, z] = v as unknown as Vec3;
  const axes = (letters ?? '').split('').map((letter) => 'XYZ'.indexOf(letter));
  const single = (fill: number): Vec3 => [0, 1, 2].map((k) => (k === axes[0] ? x : fill)) as unknown as Vec3;
  if (kind.startsWith('translate')) return translation(letters === undefined ? [x, y, z] : single(0));
  if (kind.startsWith('scale')) return scaling(letters === undefined ? [x, y, z] : single(1));
  // The angles are those about x, y and z; the first letter turns first. A single axis has one angle only.
  const angle = (axis: number) => radians(axes.length === 1 ? x : (v[axis] as number));
  return axes.reduce((product, axis) => multiply(rotationMatrix(turn(axis, angle(axis))), product), IDENTITY);
}

/** As USD reads it: the angle from the first number alone, the axis from the others (GfRotation). */
export function orientOf([w, x, y, z]: Quat): Quat {
  if (Math.hypot(x, y, z) < 1e-10) return [1, 0, 0, 0];
  return quatFromAxisAngle([x, y, z], 2 * Math.acos(Math.max(-1, Math.min(1, w)))) ?? [1, 0, 0, 0];
}

function turn(axis: number, angle: number): Quat {
  return [Math.cos(angle / 2), ...([0, 1, 2].map((k) => (k === axis ? Math.sin(angle / 2) : 0)) as [number, number, number])];
}

function rotationMatrix(quaternion: Quat): Affine {
  return affineOf({ position: [0, 0, 0], quaternion });
}

export function placeOfPrim(prim: Prim): ErrorPlace {
  const first = prim.opinions[0];
  return { file: first?.layer.file, line: first?.spec.line, element: `prim <${prim.path}>` };
}

/** World transforms of prims, in stage units. */
export class WorldTransforms {
  private readonly known = new Map<Prim, Affine>();
  /** Prims whose own transform changes in time, of those asked for and all above them. */
  readonly animated = new Set<Prim>();

  of(prim: Prim): Affine {
    let world = this.known.get(prim);
    if (world === undefined) {
      const stack = xformStack(prim);
      if (stack.animated) this.animated.add(prim);
      const own = localTransform(stack);
      const local = prim.copy?.placement === undefined ? own : multiply(prim.copy.placement, own);
      world = stack.resets || prim.parent === undefined ? local : multiply(this.of(prim.parent), local);
      this.known.set(prim, world);
    }
    return world;
  }
}
