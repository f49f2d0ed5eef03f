/** Which values of a prim's transform operations give it a new place: its own operations if they can, else new ones before them. */
import { angleBetween, rowVectorsFromAffine } from '../conventions.js';
import { type Affine, affineOf, apply, column, determinant, inverse, multiply, rotationOf, translation } from './affine.js';
import { eulerDegrees, narrowed, orientNumbers } from './op-values.js';
import type { Prim } from './usd/prim.js';
import { localTransform, opMatrix, RESET, type XformOp, type XformStack, xformStack } from './usd/xform.js';

/** A value for an attribute of an operation. */
export interface OpValue {
  readonly attribute: string;
  readonly typeName: string;
  /** Undefined: none, so that the operation does nothing. */
  readonly numbers: readonly number[] | undefined;
}

export interface OpEdit {
  readonly values: readonly OpValue[];
  /** Undefined: the order stays. */
  readonly order: readonly string[] | undefined;
}

/** Largest error accepted of a value that is rounded to its type [m, rad]. */
const ROUNDING = 1e-6;

/**
 * The edit that makes `wanted` the transform to the parent (or to the world, if the stack resets).
 * @param metersPerUnit for the error that rounding may make
 */
export function opEdit(prim: Prim, wanted: Affine, metersPerUnit: number): OpEdit {
  const stack = xformStack(prim);
  for (const make of [shifted, placed, replaced]) {
    const edit = make(stack, wanted);
    if (edit !== undefined && poseError(after(stack, edit), wanted, metersPerUnit) <= ROUNDING) return edit;
  }
  return prepended(prim, stack, wanted);
}

/** A new value for one translate, where the linear part stays. */
function shifted({ ops }: XformStack, wanted: Affine): OpEdit | undefined {
  const now = localTransform({ ops });
  const turned = wanted.some((value, i) => i % 4 !== 3 && Math.abs(value - (now[i] as number)) > 1e-13 * (1 + Math.abs(value)));
  const at = turned ? -1 : mainOp(ops, /^translate$/);
  return at < 0 ? undefined : translated(ops, at, wanted);
}

/** New values for a translate and a rotation. */
function placed({ ops }: XformStack, wanted: Affine): OpEdit | undefined {
  const at = mainOp(ops, /^(orient|rotate(XYZ|XZY|YXZ|YZX|ZXY|ZYX))$/);
  if (at < 0) return undefined;
  const [before, behind] = [inverse(product(ops.slice(0, at))), inverse(product(ops.slice(at + 1)))];
  if (before === undefined || behind === undefined) return undefined;
  const turn = linear(multiply(multiply(linear(before), linear(wanted)), linear(behind)));
  const quaternion = determinant(turn) > 0 ? rotationOf(turn) : undefined;
  if (quaternion === undefined || !isNear(affineOf({ position: [0, 0, 0], quaternion }), turn)) return undefined;
  const { name, kind, typeName } = ops[at] as XformOp;
  const numbers = narrowed(kind === 'orient' ? orientNumbers(quaternion, typeName) : eulerDegrees(turn, kind.slice(-3)), typeName);
  const turning: OpValue = { attribute: name, typeName, numbers };
  const next = ops.map((op, i) => (i === at ? { ...op, matrix: opMatrix(kind, numbers) } : op));
  const where = mainOp(next, /^translate$/);
  const moving = where < 0 ? undefined : translated(next, where, wanted);
  return moving === undefined ? undefined : { values: [...moving.values, turning], order: undefined };
}

/** A new matrix for the only transform. */
function replaced({ ops }: XformStack, wanted: Affine): OpEdit | undefined {
  const at = mainOp(ops, /^transform$/);
  const [before, behind] = [inverse(product(ops.slice(0, at))), inverse(product(ops.slice(at + 1)))];
  if (at < 0 || before === undefined || behind === undefined) return undefined;
  const { name, typeName } = ops[at] as XformOp;
  return { values: [{ attribute: name, typeName, numbers: matrixNumbers(multiply(multiply(before, wanted), behind)) }], order: undefined };
}

/** New operations in front of all others: a translate, and a rotation if it turned; a matrix where even that is not enough. */
function prepended(prim: Prim, { ops, resets }: XformStack, wanted: Affine): OpEdit {
  const now = localTransform({ ops });
  const names = ops.map(({ name }) => name);
  const free = (attribute: string) => {
    for (let i = 0; ; i++) {
      const name = i === 0 ? attribute : `${attribute}:s4r${i === 1 ? '' : i}`;
      if (prim.attributeType(name) === undefined) return name;
    }
  };
  const order = (fresh: readonly OpValue[], old: readonly string[]) => [
    ...(resets ? [RESET] : []),
    ...fresh.map(({ attribute }) => attribute),
    ...old,
  ];
  const undo = inverse(now);
  const step = undo === undefined ? undefined : multiply(wanted, undo);
  const quaternion = step !== undefined && determinant(step) > 0 ? rotationOf(step) : undefined;
  const rigid = quaternion && affineOf({ position: column(step as Affine, 3), quaternion });
  if (rigid === undefined || quaternion === undefined || !isNear(rigid, step as Affine)) {
    const value: OpValue = { attribute: free('xformOp:transform'), typeName: 'matrix4d', numbers: matrixNumbers(wanted) };
    return { values: [value], order: order([value], []) };
  }
  const values: OpValue[] = [{ attribute: free('xformOp:translate'), typeName: 'double3', numbers: column(rigid, 3) }];
  if (angleBetween(quaternion, [1, 0, 0, 0]) > 1e-12) {
    values.push({ attribute: free('xformOp:orient'), typeName: 'quatd', numbers: orientNumbers(quaternion, 'quatd') });
  }
  return { values, order: order(values, names) };
}

/** The stack's transform once the values are in place. */
function after({ ops }: XformStack, { values }: OpEdit): Affine {
  const by = new Map(values.map((value) => [value.attribute, value]));
  return product(
    ops.map((op) => {
      const value = by.get(op.name);
      return value?.numbers === undefined ? op : { ...op, matrix: opMatrix(op.kind, value.numbers) };
    }),
  );
}

/** Index of the first operation of a kind whose attribute no other operation uses, -1 if there is none. */
function mainOp(ops: readonly XformOp[], kind: RegExp): number {
  const uses = (attribute: string) => ops.filter(({ name }) => name.endsWith(attribute)).length;
  return ops.findIndex((op) => !op.inverted && kind.test(op.kind) && uses(op.name) === 1);
}

/** The value of the translate `at` that brings the origin to where `wanted` has it. */
function translated(ops: readonly XformOp[], at: number, wanted: Affine): OpEdit | undefined {
  const before = inverse(product(ops.slice(0, at)));
  if (before === undefined) return undefined;
  const { name, typeName } = ops[at] as XformOp;
  const target = apply(before, column(wanted, 3));
  const rest = column(product(ops.slice(at + 1)), 3);
  const numbers = narrowed(
    target.map((value, k) => value - (rest[k] as number)),
    typeName,
  );
  return { values: [{ attribute: name, typeName, numbers }], order: undefined };
}

function product(ops: readonly XformOp[]): Affine {
  return localTransform({ ops });
}

function linear(a: Affine): Affine {
  return multiply(translation([-(a[3] as number), -(a[7] as number), -(a[11] as number)]), a);
}

function isNear(a: Affine, b: Affine): boolean {
  return a.every((value, i) => Math.abs(value - (b[i] as number)) <= 1e-9 * (1 + Math.abs(value)));
}

/** The larger of the distance [m] and the largest change of the linear part, relative to its size. */
function poseError(a: Affine, b: Affine, metersPerUnit: number): number {
  const [p, q] = [column(a, 3), column(b, 3)];
  const size = Math.max(...linear(b).map(Math.abs), 1e-300);
  const turn = Math.max(...linear(a).map((value, i) => Math.abs(value - (linear(b)[i] as number)))) / size;
  return Math.max(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) * metersPerUnit, turn);
}

function matrixNumbers(a: Affine): readonly number[] {
  return rowVectorsFromAffine(a);
}
