/** What changes in the text of a URDF: origins of joints, and paths that would lead elsewhere. */
import { conjugate, rotate, subtract } from '../../core/pose-math.js';
import type { Pose, Vec3 } from '../../core/scene.js';
import { angleBetween, compose, invert, rpyFromQuat } from '../conventions.js';
import { placeOf, type XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { formatNumber, numberTokens } from '../files/numbers.js';
import { directoryOf, isAbsolute, join, relativePath } from '../files/paths.js';
import { attribute, encodeValue, type XmlElement } from '../files/xml.js';
import type { UriResolver } from '../meshes/packages.js';
import { TURN_TOLERANCE } from '../poses.js';
import type { UrdfJoint } from './model.js';
import type { ModelMoves } from './moves.js';

/** Origins that put the units where they moved to. */
export function originEdits({ model, units }: ModelMoves): TextEdit[] {
  return units.flatMap(({ unit, from, to }) => {
    const joint = unit.joint as UrdfJoint;
    const parent = model.poses.get(joint.parent) as Pose;
    const step = rotate(conjugate(parent.quaternion), subtract(to.position, from.position));
    // Components of the step that are only rounding leave their number alone.
    const noise = 1e-14 * Math.hypot(...step);
    const xyz = joint.X_PJ.position.map((x, i) => (Math.abs(step[i] as number) <= noise ? x : x + (step[i] as number))) as unknown as Vec3;
    const turned = angleBetween(from.quaternion, to.quaternion) > TURN_TOLERANCE;
    const rpy = turned ? rpyFromQuat(compose(invert(parent), to).quaternion) : undefined;
    return originElementEdits(model.model.document, joint, xyz, rpy);
  });
}

function originElementEdits(document: XmlDocument, { element, X_PJ, name }: UrdfJoint, xyz: Vec3, rpy: Vec3 | undefined): TextEdit[] {
  const origin = element.children.find((child) => child.name === 'origin');
  if (origin === undefined) {
    const first = element.children[0] as XmlElement;
    const gap = document.text.slice(element.contentStart, first.start);
    const indent = gap.trim() === '' ? gap : '';
    const attributes = `xyz="${numbersText(xyz)}"${rpy === undefined ? '' : ` rpy="${numbersText(rpy)}"`}`;
    const at = element.contentStart;
    return [{ start: at, end: at, text: `${indent}<origin ${attributes}/>`, element: name, attribute: 'origin' }];
  }
  const moved = xyz.some((x, i) => x !== X_PJ.position[i]);
  return [
    ...(moved ? attributeEdits(document, origin, 'xyz', xyz, name) : []),
    ...(rpy === undefined ? [] : attributeEdits(document, origin, 'rpy', rpy, name)),
  ];
}

function attributeEdits(document: XmlDocument, origin: XmlElement, name: string, values: Vec3, joint: string): TextEdit[] {
  const what = { element: joint, attribute: name };
  const found = attribute(origin, name);
  if (found === undefined) return [{ ...what, start: origin.nameEnd, end: origin.nameEnd, text: ` ${name}="${numbersText(values)}"` }];
  return numberTokens(document, found).flatMap(({ start, end, value }, i) => {
    const wanted = values[i] as number;
    return wanted === value ? [] : [{ ...what, start, end, text: formatNumber(wanted) }];
  });
}

function numbersText(values: Vec3): string {
  return values.map(formatNumber).join(' ');
}

/**
 * File names of meshes and textures that would lead elsewhere from the folder of `path`. Those of packages stay, unless they are found by
 * looking upwards from the old folder only.
 */
export async function urdfPathEdits(document: XmlDocument, path: string, resolver: UriResolver): Promise<TextEdit[]> {
  const [from, to] = [directoryOf(document.path), directoryOf(path)];
  if (from === to) return [];
  const edits: TextEdit[] = [];
  for (const element of descendants(document.root)) {
    const found = ['mesh', 'texture'].includes(element.name) ? attribute(element, 'filename') : undefined;
    if (found === undefined || found.value === '') continue;
    const uri = /^[a-z]+:\/\//i.test(found.value);
    const place = placeOf(document, element);
    const lookup = (folder: string) => resolver.resolve(found.value, folder, place).catch(() => undefined);
    const target = uri ? await lookup(from) : isAbsolute(found.value) ? undefined : join(from, found.value);
    if (target === undefined || (uri && (await lookup(to)) === target)) continue;
    const text = encodeValue(relativePath(to, target));
    edits.push({ start: found.valueStart, end: found.valueEnd, text, element: element.name, attribute: 'filename' });
  }
  return edits;
}

function* descendants(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    yield child;
    yield* descendants(child);
  }
}
