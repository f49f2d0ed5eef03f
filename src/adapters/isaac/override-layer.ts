/** A layer over the user's stage that holds nothing but the places of what moved. */
import { S4rError } from '../../core/errors.js';
import type { Pose } from '../../core/scene.js';
import { compose, invert } from '../conventions.js';
import { directoryOf, relativePath } from '../files/paths.js';
import { samePose } from '../poses.js';
import { type Affine, affineOf, inverse, multiply } from './affine.js';
import { formatValue } from './op-values.js';
import { type OpEdit, opEdit } from './override-ops.js';
import type { IsaacSource, SourceBody } from './source.js';
import type { Prim } from './usd/prim.js';
import type { Stage } from './usd/stage.js';
import { localTransform, WorldTransforms, xformStack } from './usd/xform.js';

export interface PrimEdit extends OpEdit {
  readonly prim: Prim;
}

/** Layer metadata that counts in the root layer only, so that the layer on top has to repeat it. */
const REPEATED = ['defaultPrim', 'kilogramsPerUnit', 'framesPerSecond', 'timeCodesPerSecond', 'startTimeCode', 'endTimeCode'];
/** A prim this far from its place [stage units, or relative] is put there. */
const ROUNDING = 1e-12;

/**
 * The edits that bring every body to its pose, in the order of the stage: bodies that moved, and those below them that did not.
 * @param poses by body id
 * @throws S4rError OUTPUT if a layer cannot say it
 */
export function primEdits({ stage, bodies }: IsaacSource, poses: readonly Pose[]): PrimEdit[] {
  const old = new WorldTransforms();
  const fresh = new Map<Prim, Affine>();
  const edits: PrimEdit[] = [];
  const worldOf = (prim: Prim): Affine => {
    const known = fresh.get(prim);
    if (known !== undefined || fresh.size === 0 || prim.parent === undefined) return known ?? old.of(prim);
    const stack = xformStack(prim);
    return stack.resets ? old.of(prim) : multiply(worldOf(prim.parent), localTransform(stack));
  };
  for (const body of bodies) {
    const wanted = worldAt(body, poses[body.id] as Pose, stage.metersPerUnit);
    if (isSame(worldOf(body.prim), wanted)) continue;
    assertWritable(body);
    const parent = xformStack(body.prim).resets || body.prim.parent === undefined ? undefined : worldOf(body.prim.parent);
    const toParent = parent === undefined ? undefined : inverse(parent);
    if (parent !== undefined && toParent === undefined) {
      throw new S4rError('OUTPUT', `<${body.name}> cannot be placed: the transform of its parent is singular`, { file: stage.layer.file });
    }
    const local = toParent === undefined ? wanted : multiply(toParent, wanted);
    edits.push({ prim: body.prim, ...opEdit(body.prim, local, stage.metersPerUnit) });
    fresh.set(body.prim, wanted);
  }
  return edits;
}

/** From the prim to the world once the body is at `pose`; as it was, bit for bit, if it did not move. */
function worldAt({ X_WB, world }: SourceBody, pose: Pose, metersPerUnit: number): Affine {
  if (samePose(pose, X_WB)) return world;
  if (pose.quaternion.every((value, k) => value === X_WB.quaternion[k])) {
    const step = pose.position.map((value, k) => (value - (X_WB.position[k] as number)) / metersPerUnit);
    return world.map((value, i) => (i % 4 === 3 ? value + (step[(i - 3) / 4] as number) : value));
  }
  const { position, quaternion } = compose(pose, invert(X_WB));
  const step: Pose = { position: [position[0] / metersPerUnit, position[1] / metersPerUnit, position[2] / metersPerUnit], quaternion };
  return multiply(affineOf(step), world);
}

function isSame(a: Affine, b: Affine): boolean {
  return a.every((value, i) => Math.abs(value - (b[i] as number)) <= ROUNDING * (1 + Math.abs(value)));
}

function assertWritable({ prim, name }: SourceBody): void {
  if (prim.copy !== undefined) {
    throw new S4rError('OUTPUT', `<${name}> is made by a PointInstancer, so no layer can move it alone; write a pose table (.npz, .json)`);
  }
  if (!prim.isInstanceProxy) return;
  let instance: Prim | undefined = prim.parent;
  while (instance !== undefined && !instance.isInstance) instance = instance.parent;
  const message =
    `<${name}> lies inside the instance <${instance?.path}>, and no layer can move what is inside an instance; ` +
    'set instanceable = false there, or write a pose table (.npz, .json)';
  throw new S4rError('OUTPUT', message);
}

/** The layer's text; `path` is where it goes, which the stage is referred to from. */
export function layerText(
  { path: stagePath, stage }: Pick<IsaacSource, 'path' | 'stage'>,
  edits: readonly PrimEdit[],
  path: string,
): string {
  const relative = relativePath(directoryOf(path), stagePath);
  const asset = relative.startsWith('/') || relative.startsWith('../') || /^[A-Za-z]:/.test(relative) ? relative : `./${relative}`;
  if (asset.includes('@')) throw new S4rError('OUTPUT', `a path with '@' cannot be written into a layer: ${asset}`, { file: path });
  const metadata = [...metadataOf(stage), `subLayers = [\n        @${asset}@\n    ]`];
  const head = `#usda 1.0\n(\n    "Poses repaired by s4r, over a stage that stays as it is."\n${metadata.map((line) => `    ${line}\n`).join('')})\n`;
  return head + overText(edits);
}

function metadataOf({ layer, metersPerUnit, upAxis }: Stage): string[] {
  const repeated = REPEATED.flatMap((key) => {
    const value = layer.metadata.get(key);
    return typeof value === 'number' || typeof value === 'string' ? [`${key} = ${typeof value === 'string' ? quoted(value) : value}`] : [];
  });
  return [...repeated, `metersPerUnit = ${metersPerUnit}`, `upAxis = "${upAxis}"`];
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Nested `over`s, with common parents once. */
function overText(edits: readonly PrimEdit[]): string {
  interface Over {
    readonly children: Map<string, Over>;
    edit?: PrimEdit;
  }
  const root: Over = { children: new Map() };
  for (const edit of edits) {
    let at = root;
    for (const name of edit.prim.path.split('/').slice(1)) {
      const next = at.children.get(name) ?? { children: new Map() };
      at.children.set(name, next);
      at = next;
    }
    at.edit = edit;
  }
  const write = (over: Over, indent: string): string =>
    [...over.children]
      .map(([name, child]) => {
        const lines = child.edit === undefined ? '' : attributeLines(child.edit, `${indent}    `);
        const below = write(child, `${indent}    `);
        return `${indent}over "${name}"\n${indent}{\n${lines}${below}${indent}}\n`;
      })
      .map((text, i) => (i === 0 && indent !== '' ? text : `\n${text}`))
      .join('');
  return write(root, '');
}

function attributeLines({ values, order }: OpEdit, indent: string): string {
  const lines = values.map(({ attribute, typeName, numbers }) => `${typeName} ${attribute} = ${formatValue(numbers, typeName)}`);
  if (order !== undefined) lines.push(`uniform token[] xformOpOrder = [${order.map((name) => `"${name}"`).join(', ')}]`);
  return lines.map((line) => `${indent}${line}\n`).join('');
}
