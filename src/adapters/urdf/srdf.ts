/** SRDF: which pairs of links MoveIt and others do not test. */
import { S4rError } from '../../core/errors.js';
import { parseDocument } from '../files/document.js';
import { Fields } from './fields.js';
import type { UrdfModel } from './model.js';

/**
 * Pairs of links whose collisions are disabled: `<disable_collisions>`, and `<disable_default_collisions>` unless `<enable_collisions>` says
 * otherwise.
 * @throws S4rError INVALID_INPUT for a file that is no SRDF, or names a link the model does not have
 */
export function readSrdf(path: string, bytes: Uint8Array, model: UrdfModel): (readonly [string, string])[] {
  const document = parseDocument(path, bytes);
  const fields = new Fields(document);
  const { root } = document;
  if (root.name !== 'robot') throw new S4rError('INVALID_INPUT', `not an SRDF file: the root element is <${root.name}>`, { file: path });
  const pairs = new Map<string, readonly [string, string]>();
  const set = (a: string, b: string, disabled: boolean) => {
    const pair = a < b ? ([a, b] as const) : ([b, a] as const);
    if (disabled && a !== b) pairs.set(JSON.stringify(pair), pair);
    else pairs.delete(JSON.stringify(pair));
  };
  const elements = (name: string) => root.children.filter((child) => child.name === name);
  for (const name of ['disable_default_collisions', 'enable_collisions', 'disable_collisions']) {
    for (const element of elements(name)) {
      const links = (name === 'disable_default_collisions' ? ['link'] : ['link1', 'link2']).map((key) => {
        const link = fields.text(element, key);
        if (!model.links.has(link)) throw fields.refuse(element, `${key}: the model ${model.document.path} has no link '${link}'`);
        return link;
      });
      const [a, b] = links as [string, string | undefined];
      const others = b === undefined ? model.links.keys() : [b];
      for (const other of others) set(a, other, name !== 'enable_collisions');
    }
  }
  return [...pairs.values()];
}
