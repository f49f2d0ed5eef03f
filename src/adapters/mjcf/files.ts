/** All files a scene needs, checked to exist, under names MuJoCo's virtual file system cannot confuse. */
import { S4rError } from '../../core/errors.js';
import { Disk, type Overlay, type Place } from '../files/disk.js';
import { placeOf, type XmlDocument } from '../files/document.js';
import { applyEdits, type TextEdit } from '../files/edits.js';
import { absolutePath, directoryOf, join } from '../files/paths.js';
import { attribute, encodeValue, type XmlAttribute } from '../files/xml.js';
import { type Extent, extentWithin, modelName } from './limits.js';
import { type AssetDirectories, assetDirectories, lookupOf, type Reference, referencesOf, resolveReference } from './references.js';
import { sdfEdits } from './sdf.js';
import { includeElements, loadTree, type MjcfTree } from './tree.js';

/** A reference with the file it leads to. */
export interface ResolvedReference extends Reference {
  /** Absolute path of the file. */
  readonly path: string;
}

export interface MjcfFiles {
  /** Absolute path of the top file with forward slashes; its key in `files`. */
  readonly main: string;
  /**
   * Contents by absolute path: what to put into an `MjVFS` before `from_xml_path(main, vfs)`. XML is as on disk, except
   * that references MuJoCo would look up by base name in a virtual file system are made absolute, and SDF plugins taken out.
   */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly tree: MjcfTree;
  readonly directories: AssetDirectories;
  /** Meshes, textures and so on of the tree itself, without those of model assets. */
  readonly references: readonly ResolvedReference[];
  /** Edits already made to the documents in `files`, of paths and plugins. */
  readonly madeEdits: ReadonlyMap<XmlDocument, readonly TextEdit[]>;
  /** What that changed in what the scene means, one sentence each. */
  readonly notes: readonly string[];
  /** What MuJoCo has to hold. */
  readonly extent: Extent;
}

/**
 * Read an MJCF file and all it refers to. `overlay` holds contents to use instead of, or besides, those on disk.
 * @throws S4rError INVALID_INPUT naming file, line and element for anything missing, unreadable or malformed
 */
export async function collectFiles(path: string, overlay?: Overlay): Promise<MjcfFiles> {
  return collect(absolutePath(path), new Disk(overlay), []);
}

async function collect(path: string, disk: Disk, chain: readonly string[], place?: Place): Promise<MjcfFiles> {
  if (chain.includes(path)) throw new S4rError('INVALID_INPUT', `the model contains itself (${path})`, place);
  const tree = await loadTree(path, disk, place);
  if (tree.top.root.name !== 'mujoco') {
    throw new S4rError('INVALID_INPUT', `not an MJCF scene: ${rootHint(tree.top.root.name)}`, place ?? { file: path });
  }
  extentWithin(tree);
  const files = new Map<string, Uint8Array>();
  const sdf = sdfEdits(tree);
  const notes = [...sdf.notes];
  const edits = new Map(
    tree.documents.map((document): [XmlDocument, TextEdit[]] => [
      document,
      [...includePathEdits(tree, document), ...(sdf.edits.get(document) ?? [])],
    ]),
  );
  const directories = assetDirectories(tree);
  const references: ResolvedReference[] = [];
  const models = new Map<string, Extent>();
  const edited = new Set<Reference['attribute']>();
  for (const reference of referencesOf(tree)) {
    const found = await resolveReference(lookupOf(reference, tree.top), directories, directoryOf(path), disk);
    const from = placeOf(reference.document, reference.element);
    if (reference.kind === 'model') {
      const model = await collect(found.path, disk, [...chain, path], from);
      for (const [name, bytes] of model.files) files.set(name, bytes);
      notes.push(...model.notes);
      models.set(modelName(reference.element), model.extent);
    } else if (!files.has(found.path)) {
      files.set(found.path, await disk.read(found.path, from));
    }
    references.push({ ...reference, path: found.path });
    if (!found.firstChoice && !edited.has(reference.attribute)) {
      edited.add(reference.attribute);
      edits.get(reference.document)?.push(valueEdit(reference, found.path));
    }
  }
  for (const document of tree.documents) files.set(document.path, bytesOf(document, edits.get(document) ?? []));
  return { main: path, files, tree, directories, references, madeEdits: edits, notes, extent: extentWithin(tree, models) };
}

function rootHint(name: string): string {
  if (name === 'robot') return 'this is a URDF file, not <mujoco>';
  if (name === 'mujocoinclude') return 'this is a part for scenes to include (<mujocoinclude>); name the scene that includes it';
  return `the root element is <${name}>, not <mujoco>`;
}

/** The document as bytes, edited. */
export function bytesOf(document: XmlDocument, edits: readonly TextEdit[]): Uint8Array {
  return Buffer.from(applyEdits(document.text, edits), 'latin1');
}

/** Replace the value of a reference's attribute. */
export function valueEdit(reference: Pick<Reference, 'element' | 'attribute'>, value: string): TextEdit {
  const { valueStart, valueEnd, name } = reference.attribute;
  return { start: valueStart, end: valueEnd, text: encodeValue(value), element: reference.element.name, attribute: name };
}

/**
 * MuJoCo tries an include's name beside the top file first, where a virtual file system would match any base name. One that
 * is found there keeps its name: MuJoCo takes a file twice under a relative path, and refuses it under an absolute one.
 */
function includePathEdits(tree: MjcfTree, document: XmlDocument): TextEdit[] {
  if (document === tree.top) return [];
  return [...includeElements(document.root)].flatMap((include) => {
    const { path } = tree.includes.get(include) as XmlDocument;
    const file = attribute(include, 'file') as XmlAttribute;
    return join(directoryOf(tree.top.path), file.value) === path ? [] : [valueEdit({ element: include, attribute: file }, path)];
  });
}
