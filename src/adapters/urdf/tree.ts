/** Links and joints as one tree. */
import type { XmlElement } from '../files/xml.js';
import type { Fields } from './fields.js';
import type { UrdfJoint, UrdfLink } from './model.js';

/**
 * The root and the joints, depth first, siblings as in the file.
 * @throws S4rError INVALID_INPUT for a link with two parents, a loop or several roots
 */
export function treeOf(
  robot: XmlElement,
  links: ReadonlyMap<string, UrdfLink>,
  joints: ReadonlyMap<string, UrdfJoint>,
  fields: Fields,
): { root: string; tree: UrdfJoint[] } {
  const parentJoint = new Map<string, UrdfJoint>();
  const childJoints = new Map<string, UrdfJoint[]>();
  for (const joint of joints.values()) {
    const other = parentJoint.get(joint.child);
    if (other !== undefined) {
      throw fields.refuse(joint.element, `link '${joint.child}' already hangs on joint '${other.name}'; a link has one parent`);
    }
    parentJoint.set(joint.child, joint);
    const siblings = childJoints.get(joint.parent);
    if (siblings === undefined) childJoints.set(joint.parent, [joint]);
    else siblings.push(joint);
  }
  const roots = [...links.values()].filter(({ name }) => !parentJoint.has(name));
  const tree: UrdfJoint[] = [];
  const below = (link: string) => [...(childJoints.get(link) ?? [])].reverse();
  const stack = roots.slice(0, 1).flatMap(({ name }) => below(name));
  for (let joint = stack.pop(); joint !== undefined; joint = stack.pop()) {
    tree.push(joint);
    stack.push(...below(joint.child));
  }
  const reached = new Set(tree);
  const stray = [...joints.values()].find((joint) => !reached.has(joint) && !hangsOnRoot(joint, parentJoint));
  if (stray !== undefined) throw fields.refuse(stray.element, `link '${stray.child}' hangs on itself: the joints make a loop`);
  const [root, second] = roots;
  if (root === undefined) throw fields.refuse(robot, 'no link is the root: the joints make a loop');
  if (second !== undefined) {
    const names = roots.slice(0, 4).map(({ name }) => `'${name}'`);
    const more = roots.length > names.length ? ' and more' : '';
    throw fields.refuse(
      second.element,
      `several links have no parent: ${names.join(', ')}${more}; join them, or make them models of their own`,
    );
  }
  return { root: root.name, tree };
}

function hangsOnRoot(joint: UrdfJoint, parentJoint: ReadonlyMap<string, UrdfJoint>): boolean {
  const seen = new Set<UrdfJoint>();
  for (let at: UrdfJoint | undefined = joint; at !== undefined; at = parentJoint.get(at.parent)) {
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return true;
}
