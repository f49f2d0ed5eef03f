/** What to say of a robot that overlaps itself: the joints in between, and the SRDF that accepts it. */
import type { BodyId } from '../../core/scene.js';
import { encodeValue } from '../files/xml.js';
import type { PlacedModel } from './place.js';
import type { UrdfSource } from './source.js';

/** Names of the joints on the way from one body to the other through the tree; undefined if they belong to different models. */
export function jointChain(source: UrdfSource, a: BodyId, b: BodyId): readonly string[] | undefined {
  const [linkA, linkB] = [linkOf(source, a), linkOf(source, b)];
  if (linkA === undefined || linkB === undefined || linkA.placed !== linkB.placed) return undefined;
  const [up, down] = [toRoot(linkA), toRoot(linkB)];
  // The way to the root is shared above the link where the two ways meet.
  while (up.length > 0 && down.length > 0 && up.at(-1) === down.at(-1)) {
    up.pop();
    down.pop();
  }
  return [...up, ...down.reverse()];
}

/** An SRDF that disables these pairs, one line each. It is for one model, by name as in `source.models`: pairs of others are left out. */
export function suggestSrdf(source: UrdfSource, model: string, pairs: readonly (readonly [BodyId, BodyId])[]): string {
  const quoted = (name: string) => `"${Buffer.from(encodeValue(name), 'latin1').toString('utf8')}"`;
  const lines = pairs.flatMap(([a, b]) => {
    const [linkA, linkB] = [linkOf(source, a), linkOf(source, b)];
    if (linkA?.placed.name !== model || linkB?.placed.name !== model) return [];
    return [`  <disable_collisions link1=${quoted(linkA.link)} link2=${quoted(linkB.link)} reason="Default"/>\n`];
  });
  const robot = source.models.find(({ name }) => name === model)?.model.name ?? model;
  return `<robot name=${quoted(robot)}>\n${[...new Set(lines)].join('')}</robot>\n`;
}

function linkOf({ bodies }: UrdfSource, body: BodyId): { placed: PlacedModel; link: string } | undefined {
  for (const [placed, bodyOf] of bodies) for (const [link, id] of bodyOf) if (id === body) return { placed, link };
  return undefined;
}

/** Joints from a link to the root of its model, nearest first. */
function toRoot({ placed, link }: { placed: PlacedModel; link: string }): string[] {
  const above = new Map(placed.model.tree.map((joint) => [joint.child, joint]));
  const joints: string[] = [];
  for (let joint = above.get(link); joint !== undefined; joint = above.get(joint.parent)) joints.push(joint.name);
  return joints;
}
