/** Where edited files go, and what must change in them so that they still find the files they refer to. */
import { existsSync } from 'node:fs';
import { S4rError } from '../../core/errors.js';
import { Disk } from '../files/disk.js';
import { placeOf, type XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { baseName, directoryOf, isAbsolute, join, relativePath } from '../files/paths.js';
import { attribute, encodeValue, type XmlAttribute } from '../files/xml.js';
import { type MjcfFiles, type ResolvedReference, valueEdit } from './files.js';
import { type AssetDirectories, assetDirectories, resolveReference, searchDirectories } from './references.js';
import { childrenOf, descendants, includeElements, loadTree, resolveInclude } from './tree.js';

/** One file to write. */
export interface OutputFile {
  readonly document: XmlDocument;
  /** Absolute path to write it to. */
  readonly path: string;
  readonly edits: readonly TextEdit[];
}

export type EditsByDocument = ReadonlyMap<XmlDocument, readonly TextEdit[]>;

/** Write edited documents over themselves. */
export function inPlace(poseEdits: EditsByDocument): OutputFile[] {
  return [...poseEdits].filter(([, edits]) => edits.length > 0).map(([document, edits]) => ({ document, path: document.path, edits }));
}

/**
 * Write the top document to `outPath`, and documents it includes that must change beside it, so that no input is touched.
 * Only references that would lead elsewhere are edited, to paths relative to the new place. Of files nobody named, those
 * that the output so far includes are replaced, and no others.
 * @throws S4rError OUTPUT if a reference cannot be kept
 */
export async function relocate(files: MjcfFiles, poseEdits: EditsByDocument, outPath: string): Promise<OutputFile[]> {
  const earlier = await loadTree(outPath, new Disk()).then(
    ({ documents }) => documents.map(({ path }) => path),
    () => [], // no output yet, or something else
  );
  return new Relocation(files, poseEdits, outPath, new Set(earlier)).run();
}

class Relocation {
  /** Documents that get a new place. */
  private readonly placed = new Map<XmlDocument, string>();
  private readonly oldTop: string;
  private readonly newTop: string;
  /** Whether `<compiler assetdir>` is added, since the top file's directory was the implied one. */
  private addAssetDir = false;

  constructor(
    private readonly files: MjcfFiles,
    private readonly poseEdits: EditsByDocument,
    outPath: string,
    private readonly earlier: ReadonlySet<string>,
  ) {
    this.oldTop = directoryOf(files.main);
    this.newTop = directoryOf(outPath);
    this.placed.set(files.tree.top, outPath);
    for (const [document, edits] of poseEdits) if (edits.length > 0) this.place(document);
  }

  /** Placing a document may require placing those that include it, so repeat until nothing is added. */
  async run(): Promise<OutputFile[]> {
    for (;;) {
      const before = `${this.placed.size}${this.addAssetDir}`;
      const edits = await this.referenceEdits();
      if (`${this.placed.size}${this.addAssetDir}` !== before) continue;
      return [...this.placed].map(([document, path]) => ({
        document,
        path,
        edits: [...(this.poseEdits.get(document) ?? []), ...(edits.get(document) ?? [])],
      }));
    }
  }

  private place(document: XmlDocument): void {
    if (this.placed.has(document)) return;
    const out = this.placed.get(this.files.tree.top) as string;
    const stem = baseName(out).replace(/\.[^.]*$/, '');
    const placed = new Set(this.placed.values());
    const isTaken = (path: string) => placed.has(path) || this.files.files.has(path) || (!this.earlier.has(path) && existsSync(path));
    let path = `${this.newTop}/${stem}.${baseName(document.path)}`;
    for (let i = 2; isTaken(path); i++) path = `${this.newTop}/${stem}.${i}.${baseName(document.path)}`;
    this.placed.set(document, path);
  }

  private newPath(document: XmlDocument): string {
    return this.placed.get(document) ?? document.path;
  }

  /** One round: the edits of the documents placed so far; documents that turn out to need edits are placed. */
  private async referenceEdits(): Promise<Map<XmlDocument, TextEdit[]>> {
    const edits = new Map<XmlDocument, TextEdit[]>([...this.placed.keys()].map((document) => [document, []]));
    const edit = (document: XmlDocument, change: TextEdit) => {
      const list = edits.get(document);
      if (list === undefined) this.place(document);
      else if (!list.some((known) => known.start === change.start)) list.push(change);
    };
    // A file that is about to be written exists as far as lookups are concerned.
    const disk = new Disk(new Map([...this.placed.values()].map((path) => [path, new Uint8Array(1)])));
    await this.editIncludes(disk, edit);
    const directories = this.editDirectories(edit);
    for (const reference of this.files.references) {
      const value = await this.newReference(reference, directories, disk);
      if (value !== undefined) edit(reference.document, valueEdit(reference, value));
    }
    return edits;
  }

  private async editIncludes(disk: Disk, edit: (document: XmlDocument, change: TextEdit) => void): Promise<void> {
    const { documents, includes } = this.files.tree;
    for (const document of documents) {
      for (const include of includeElements(document.root)) {
        const target = this.newPath(includes.get(include) as XmlDocument);
        const found = await resolveInclude({ path: this.newPath(document), text: document.text }, include, this.newTop, disk);
        if (found === target) continue;
        const file = attribute(include, 'file') as XmlAttribute;
        edit(document, valueEdit({ element: include, attribute: file }, relativePath(this.newTop, target)));
      }
    }
  }

  /** Relative asset directories are relative to the top file, wherever they are written. */
  private editDirectories(edit: (document: XmlDocument, change: TextEdit) => void): AssetDirectories {
    const { tree } = this.files;
    const implied = this.addAssetDir ? relativePath(this.newTop, this.oldTop) : '';
    if (this.newTop === this.oldTop) return assetDirectories(tree);
    const moved = (value: string) => (isAbsolute(value) ? value : relativePath(this.newTop, join(this.oldTop, value)) || '.');
    for (const { element, document } of descendants(tree)) {
      if (element.name !== 'compiler') continue;
      for (const name of ['assetdir', 'meshdir', 'texturedir']) {
        const old = attribute(element, name);
        if (old === undefined || old.value === '' || moved(old.value) === old.value) continue;
        edit(document, valueEdit({ element, attribute: old }, moved(old.value)));
      }
    }
    if (this.addAssetDir) edit(tree.top, this.assetDirEdit(implied));
    return assetDirectories(
      tree,
      (compiler, name) => {
        const value = attribute(compiler, name)?.value;
        return value === undefined || value === '' || name === 'strippath' ? value : moved(value);
      },
      implied,
    );
  }

  private hasAssetDir(): boolean {
    return [...descendants(this.files.tree)].some(
      ({ element }) => element.name === 'compiler' && attribute(element, 'assetdir') !== undefined,
    );
  }

  /** Into the first `<compiler>`, so that whatever the others say still overrides it. */
  private assetDirEdit(value: string): TextEdit {
    const { tree } = this.files;
    const text = `assetdir="${encodeValue(value)}"`;
    const what = { element: 'compiler', attribute: 'assetdir' };
    const first = [...descendants(tree)].find(({ element }) => element.name === 'compiler');
    const own = [...childrenOf(tree, { element: tree.top.root, document: tree.top })].some((child) => child.element === first?.element);
    if (first !== undefined && own && first.document === tree.top) {
      return { ...what, start: first.element.nameEnd, end: first.element.nameEnd, text: ` ${text}` };
    }
    const at = tree.top.root.contentStart;
    return { ...what, start: at, end: at, text: `<compiler ${text}/>` };
  }

  /** The value a reference needs in its new surroundings; undefined if it may stay. */
  private async newReference(reference: ResolvedReference, directories: AssetDirectories, disk: Disk): Promise<string | undefined> {
    const { kind, document, path: target } = reference;
    const includeDirectory = document === this.files.tree.top ? undefined : directoryOf(this.newPath(document));
    const leadsTo = async (file: string) => (await resolveReference({ kind, file, includeDirectory }, directories, this.newTop, disk)).path;
    if ((await leadsTo(reference.attribute.value)) === target) return undefined;
    const { load } = searchDirectories(kind, directories, this.newTop);
    if (!this.addAssetDir && !this.hasAssetDir() && kind !== 'model' && load === this.newTop && this.newTop !== this.oldTop) {
      this.addAssetDir = true; // one attribute instead of one edit per file; this round is repeated
      return undefined;
    }
    for (const from of includeDirectory === undefined ? [load] : [load, includeDirectory]) {
      const candidate = relativePath(from, target);
      if ((await leadsTo(candidate)) === target) return candidate;
    }
    if ((await leadsTo(target)) === target) return target;
    const message = `the output would not find ${target} any more; write it into ${this.oldTop} or in place`;
    throw new S4rError('OUTPUT', message, placeOf(document, reference.element));
  }
}
