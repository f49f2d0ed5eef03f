/** Which `<body>` element each compiled body comes from. */
import type { XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { attribute } from '../files/xml.js';
import { childrenOf, type MjcfTree, type Placed } from './tree.js';

/** A `<body>` that becomes exactly one compiled body. */
export interface BodyElement extends Placed {
  /** The `<frame>`s around it inside its parent body, outermost first. */
  readonly frames: readonly Placed[];
}

export interface BodyElements {
  /** By name in a model compiled with `edits`; bodies made by replicate, attach or composite are missing. */
  readonly byName: ReadonlyMap<string, BodyElement>;
  /** Give unnamed bodies a name, so that the compiled bodies tell which element they come from. */
  readonly edits: ReadonlyMap<XmlDocument, readonly TextEdit[]>;
}

const OWN_NAME = /^__s4r_\d+_$/;

/** The name people know a compiled body by: empty for those named by `bodyElements`. */
export function userName(name: string): string {
  return OWN_NAME.test(name) ? '' : name;
}

/** Names survive only on bodies compiled straight from one element: replicate adds a suffix, attach a prefix. */
export function bodyElements(tree: MjcfTree): BodyElements {
  const visits: (BodyElement & { readonly replicated: boolean })[] = [];
  const visit = (parent: Placed, frames: readonly Placed[], replicated: boolean) => {
    for (const child of childrenOf(tree, parent)) {
      if (child.element.name === 'body') {
        visits.push({ ...child, frames, replicated });
        visit(child, [], replicated);
      } else if (child.element.name === 'frame') {
        visit(child, [...frames, child], replicated);
      } else if (child.element.name === 'replicate') {
        visit(child, [], true);
      }
    }
  };
  for (const section of childrenOf(tree, { element: tree.top.root, document: tree.top })) {
    if (section.element.name === 'worldbody') visit(section, [], false);
  }

  // Numbers the file itself does not use in such names, or in anything that reads like one.
  const used = tree.documents.flatMap(({ text }) => Array.from(text.matchAll(/__s4r_(\d+)_/g), (match) => Number(match[1])));
  const first = used.reduce((highest, number) => Math.max(highest, number + 1), 0);

  const uses = new Map<unknown, number>();
  for (const { element } of visits) uses.set(element, (uses.get(element) ?? 0) + 1);
  const byName = new Map<string, BodyElement>();
  const edits = new Map<XmlDocument, TextEdit[]>();
  visits.forEach(({ element, document, frames, replicated }, i) => {
    if (replicated || uses.get(element) !== 1) return;
    const given = attribute(element, 'name');
    const name = given?.value || `__s4r_${first + i}_`;
    byName.set(name, { element, document, frames });
    if (given?.value) return;
    const edit = { element: 'body', attribute: 'name' };
    const list = edits.get(document) ?? [];
    if (given === undefined) list.push({ ...edit, start: element.nameEnd, end: element.nameEnd, text: ` name="${name}"` });
    else list.push({ ...edit, start: given.valueStart, end: given.valueEnd, text: name });
    edits.set(document, list);
  });
  return { byName, edits };
}
