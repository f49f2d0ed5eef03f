/** From the XML of a URDF file to a checked model. */
import { S4rError } from '../../core/errors.js';
import { unitVector } from '../../core/pose-math.js';
import { parseDocument, type XmlDocument } from '../files/document.js';
import { attribute, type XmlElement } from '../files/xml.js';
import { EXPAND_XACRO, Fields } from './fields.js';
import { readGeometry } from './geometry.js';
import { isMovable, JOINT_TYPES, type UrdfCollision, type UrdfJoint, type UrdfJointType, type UrdfLink, type UrdfModel } from './model.js';
import { treeOf } from './tree.js';

/** @throws S4rError INVALID_INPUT with file, line and element */
export function parseUrdf(path: string, bytes: Uint8Array): UrdfModel {
  const document = parseDocument(path, bytes);
  const fields = new Fields(document);
  assertUrdf(document, fields);
  const links = uniqueByName(document, fields, 'link', readLink);
  const joints = uniqueByName(document, fields, 'joint', readJoint);
  if (links.size === 0) throw fields.refuse(document.root, 'a robot needs a <link>');
  for (const joint of joints.values()) checkReferences(joint, links, joints, fields);
  const name = attribute(document.root, 'name')?.value || 'robot';
  return { document, name, links, joints, ...treeOf(document.root, links, joints, fields), notes: notesOf(joints) };
}

function assertUrdf({ root, path }: XmlDocument, fields: Fields): void {
  if (root.name !== 'robot') {
    const hint =
      root.name === 'mujoco' ? 'this is an MJCF file' : root.name === 'sdf' ? 'this is an SDF file' : `the root element is <${root.name}>`;
    throw new S4rError('INVALID_INPUT', `not a URDF file: ${hint}, not <robot>`, { file: path });
  }
  const macro = findXacro(root);
  if (macro === undefined) return;
  throw fields.refuse(macro, `this is a xacro file, not a URDF; ${EXPAND_XACRO}`);
}

/** The first element that xacro would replace. Left-overs of it in what simulators read for themselves are nobody's business. */
function findXacro(element: XmlElement): XmlElement | undefined {
  if (element.name.startsWith('xacro:')) return element;
  if (element.name === 'gazebo') return undefined;
  for (const child of element.children) {
    const found = findXacro(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function uniqueByName<T>(
  { root }: XmlDocument,
  fields: Fields,
  kind: string,
  read: (element: XmlElement, name: string, fields: Fields) => T,
): Map<string, T> {
  const found = new Map<string, T>();
  for (const element of root.children.filter((child) => child.name === kind)) {
    const name = fields.text(element, 'name');
    if (found.has(name)) throw fields.refuse(element, `a second <${kind}> with this name`);
    found.set(name, read(element, name, fields));
  }
  return found;
}

function readLink(element: XmlElement, name: string, fields: Fields): UrdfLink {
  const collisions = element.children
    .filter((child) => child.name === 'collision')
    .map((collision): UrdfCollision => {
      const geometry = fields.only(collision, 'geometry');
      if (geometry === undefined) throw fields.refuse(collision, `a collision of link '${name}' has no <geometry>`);
      return {
        ...readGeometry(geometry, fields),
        name: attribute(collision, 'name')?.value || undefined,
        X_LG: fields.origin(collision),
      };
    });
  return { name, element, collisions };
}

function readJoint(element: XmlElement, name: string, fields: Fields): UrdfJoint {
  const type = fields.text(element, 'type') as UrdfJointType;
  if (!JOINT_TYPES.includes(type)) throw fields.refuse(element, `unknown joint type '${type}'; expected one of ${JOINT_TYPES.join(', ')}`);
  const linkOf = (which: string) => {
    const found = fields.only(element, which);
    if (found === undefined) throw fields.refuse(element, `<${which} link="..."/> is missing`);
    return fields.text(found, 'link');
  };
  const axisElement = fields.only(element, 'axis');
  const axis = unitVector(axisElement === undefined ? [1, 0, 0] : fields.vector(axisElement, 'xyz', [1, 0, 0]));
  const joint = { name, element, type, parent: linkOf('parent'), child: linkOf('child'), X_PJ: fields.origin(element) };
  if (axis === undefined && isMovable(joint)) throw fields.refuse(axisElement ?? element, 'the axis has no direction');
  const limits = type === 'revolute' || type === 'prismatic' ? readLimits(element, fields) : undefined;
  const mimic = readMimic(element, fields);
  return { ...joint, axis: axis ?? [1, 0, 0], ...(limits && { limits }), ...(mimic && { mimic }) };
}

/** None if neither bound is given, or the lower is above the upper, which in Bullet means none. */
function readLimits(element: XmlElement, fields: Fields): readonly [number, number] | undefined {
  const limit = fields.only(element, 'limit');
  if (limit === undefined || (attribute(limit, 'lower') === undefined && attribute(limit, 'upper') === undefined)) return undefined;
  const [lower, upper] = [fields.number(limit, 'lower', 0), fields.number(limit, 'upper', 0)];
  return lower <= upper ? [lower, upper] : undefined;
}

function readMimic(element: XmlElement, fields: Fields): UrdfJoint['mimic'] {
  const mimic = fields.only(element, 'mimic');
  if (mimic === undefined) return undefined;
  const joint = fields.text(mimic, 'joint');
  return { joint, multiplier: fields.number(mimic, 'multiplier', 1), offset: fields.number(mimic, 'offset', 0) };
}

function checkReferences(
  joint: UrdfJoint,
  links: ReadonlyMap<string, UrdfLink>,
  joints: ReadonlyMap<string, UrdfJoint>,
  fields: Fields,
): void {
  for (const which of ['parent', 'child'] as const) {
    if (!links.has(joint[which])) throw fields.refuse(joint.element, `its ${which} link '${joint[which]}' does not exist`);
  }
  const seen = new Set<string>();
  for (let at: UrdfJoint = joint; at.mimic !== undefined; ) {
    const next = joints.get(at.mimic.joint);
    if (next === undefined) throw fields.refuse(at.element, `it mimics joint '${at.mimic.joint}', which does not exist`);
    if (seen.has(at.name)) throw fields.refuse(joint.element, 'its <mimic> leads back to itself');
    seen.add(at.name);
    at = next;
  }
}

function notesOf(joints: ReadonlyMap<string, UrdfJoint>): string[] {
  const held = [...joints.values()].filter((joint) => !isMovable(joint) && joint.type !== 'fixed');
  return held.length === 0 ? [] : [`held at their origin: ${held.map(({ name, type }) => `${type} joint '${name}'`).join(', ')}`];
}
