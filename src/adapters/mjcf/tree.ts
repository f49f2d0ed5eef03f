/** The XML tree of a model with its `<include>`s, walked in the order in which MuJoCo reads it. */
import { S4rError } from '../../core/errors.js';
import type { Disk, Place } from '../files/disk.js';
import { parseDocument, placeOf, type XmlDocument } from '../files/document.js';
import { directoryOf, join } from '../files/paths.js';
import { attribute, type XmlElement } from '../files/xml.js';

export interface MjcfTree {
  readonly top: XmlDocument;
  /** The top document first; a document included twice stands here once. */
  readonly documents: readonly XmlDocument[];
  /** The document that takes the place of each `<include>`. */
  readonly includes: ReadonlyMap<XmlElement, XmlDocument>;
}

/** An element and the document it stands in. */
export interface Placed {
  readonly element: XmlElement;
  readonly document: XmlDocument;
}

/**
 * Read `path` and all it includes.
 * @throws S4rError INVALID_INPUT for unreadable or malformed files, cycles and `<include>`s without a file
 */
export async function loadTree(path: string, disk: Disk, place?: Place): Promise<MjcfTree> {
  const byPath = new Map<string, XmlDocument>();
  const includes = new Map<XmlElement, XmlDocument>();
  const directory = directoryOf(path);

  async function load(file: string, chain: readonly string[], from?: Place): Promise<XmlDocument> {
    const known = byPath.get(file);
    if (known !== undefined) return known;
    const document = parseDocument(file, await disk.read(file, from));
    byPath.set(file, document);
    for (const include of includeElements(document.root)) {
      const target = await resolveInclude(document, include, directory, disk);
      if (target === document.path || chain.includes(target)) {
        throw new S4rError('INVALID_INPUT', 'the file includes itself', placeOf(document, include));
      }
      includes.set(include, await load(target, [...chain, document.path], placeOf(document, include)));
    }
    return document;
  }

  const top = await load(path, [], place);
  return { top, documents: [...byPath.values()], includes };
}

/** MuJoCo looks beside the top file first, beside the including file second. */
export async function resolveInclude(
  document: Pick<XmlDocument, 'path' | 'text'>,
  include: XmlElement,
  topDirectory: string,
  disk: Disk,
): Promise<string> {
  const file = attribute(include, 'file')?.value;
  if (file === undefined || file === '') {
    throw new S4rError('INVALID_INPUT', 'include without file', placeOf(document, include));
  }
  const first = join(topDirectory, file);
  const second = join(directoryOf(document.path), file);
  return (await disk.isFile(first)) || !(await disk.isFile(second)) ? first : second;
}

/** Every `<include>` below `element`, in document order. */
export function* includeElements(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === 'include') yield child;
    else yield* includeElements(child);
  }
}

/** The children of an element, those of an included file's root in place of its `<include>`. */
export function* childrenOf(tree: MjcfTree, { element, document }: Placed): Generator<Placed> {
  for (const child of element.children) {
    const included = tree.includes.get(child);
    if (included !== undefined) yield* childrenOf(tree, { element: included.root, document: included });
    else yield { element: child, document };
  }
}

/** Every element below the root, parents first. */
export function* descendants(tree: MjcfTree, from: Placed = { element: tree.top.root, document: tree.top }): Generator<Placed> {
  for (const child of childrenOf(tree, from)) {
    yield child;
    yield* descendants(tree, child);
  }
}
