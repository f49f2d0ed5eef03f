/** Files a model refers to (meshes, textures, height fields, skins, models) and where MuJoCo looks for them. */
import type { Disk } from '../files/disk.js';
import type { XmlDocument } from '../files/document.js';
import { baseName, directoryOf, isAbsolute, join } from '../files/paths.js';
import { attribute, type XmlAttribute, type XmlElement } from '../files/xml.js';
import { descendants, type MjcfTree } from './tree.js';

export type ReferenceKind = 'mesh' | 'texture' | 'hfield' | 'skin' | 'flexcomp' | 'model';

export interface Reference {
  readonly kind: ReferenceKind;
  readonly document: XmlDocument;
  readonly element: XmlElement;
  readonly attribute: XmlAttribute;
}

/** The directories named by the `<compiler>` elements of a tree, as written. Empty: the directory of the top file. */
export interface AssetDirectories {
  /** Where the compiler finally looks. */
  readonly mesh: string;
  readonly texture: string;
  /** Last values written, which decide whether a file counts as found beside an including file. */
  readonly lastMesh: string;
  readonly lastTexture: string;
  readonly lastAsset: string;
  readonly stripPath: boolean;
}

const TEXTURE_FILES = ['file', 'fileright', 'fileleft', 'fileup', 'filedown', 'filefront', 'fileback'];
const FILE_ATTRIBUTES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  mesh: ['file'],
  texture: TEXTURE_FILES,
  hfield: ['file'],
  skin: ['file'],
  flexcomp: ['file'],
  model: ['file'],
};

/** Every reference of a tree except its includes. A document included twice is listed twice. */
export function* referencesOf(tree: MjcfTree): Generator<Reference> {
  for (const { element, document } of descendants(tree)) {
    const names = FILE_ATTRIBUTES[element.name as ReferenceKind];
    if (names === undefined) continue;
    for (const name of names) {
      const found = attribute(element, name);
      if (found !== undefined && found.value !== '') {
        yield { kind: element.name as ReferenceKind, document, element, attribute: found };
      }
    }
  }
}

/**
 * What the `<compiler>` elements say, in order.
 * @param read substitutes values that are about to be written
 * @param implied an asset directory set before the first of them
 */
export function assetDirectories(
  tree: MjcfTree,
  read: (compiler: XmlElement, name: string) => string | undefined = (compiler, name) => attribute(compiler, name)?.value,
  implied = '',
): AssetDirectories {
  let result: AssetDirectories = { mesh: implied, texture: implied, lastMesh: '', lastTexture: '', lastAsset: implied, stripPath: false };
  for (const { element } of descendants(tree)) {
    if (element.name !== 'compiler') continue;
    const asset = read(element, 'assetdir');
    const mesh = read(element, 'meshdir');
    const texture = read(element, 'texturedir');
    const strip = read(element, 'strippath');
    result = {
      mesh: mesh ?? asset ?? result.mesh,
      texture: texture ?? asset ?? result.texture,
      lastMesh: mesh ?? result.lastMesh,
      lastTexture: texture ?? result.lastTexture,
      lastAsset: asset ?? result.lastAsset,
      stripPath: strip === undefined ? result.stripPath : strip === 'true',
    };
  }
  return result;
}

/** Directories a reference of this kind is looked up in: whether it counts as found, and where it is loaded from. */
export function searchDirectories(kind: ReferenceKind, directories: AssetDirectories, top: string): { probe: string; load: string } {
  const { mesh, texture, lastMesh, lastTexture, lastAsset } = directories;
  switch (kind) {
    case 'mesh':
      return { probe: join(top, lastMesh || lastAsset), load: join(top, mesh) };
    case 'texture':
      return { probe: join(top, lastTexture || lastAsset), load: join(top, texture) };
    case 'hfield':
    case 'skin':
      return { probe: join(top, lastAsset), load: join(top, mesh) };
    case 'flexcomp':
      return { probe: top, load: join(top, mesh) };
    case 'model':
      return { probe: '', load: top };
  }
}

/** A reference as far as its resolution goes. */
export interface Lookup {
  readonly kind: ReferenceKind;
  readonly file: string;
  /** Directory of the document it stands in; undefined in the top document. */
  readonly includeDirectory: string | undefined;
}

export function lookupOf(reference: Reference, top: XmlDocument): Lookup {
  const { document, kind } = reference;
  return { kind, file: reference.attribute.value, includeDirectory: document === top ? undefined : directoryOf(document.path) };
}

/**
 * The file MuJoCo loads for a reference, whether or not it exists. Measured with MuJoCo 3.14 on absolute scene paths:
 * the asset directory first; what is missing there is sought beside the included file, without the asset directory.
 * `firstChoice` is false if only the second rule finds it, which the virtual file system may get wrong.
 */
export async function resolveReference(
  lookup: Lookup,
  directories: AssetDirectories,
  topDirectory: string,
  disk: Disk,
): Promise<{ path: string; firstChoice: boolean }> {
  const { probe, load } = searchDirectories(lookup.kind, directories, topDirectory);
  if (directories.stripPath && lookup.kind !== 'model') return { path: join(load, baseName(lookup.file)), firstChoice: true };
  if (isAbsolute(lookup.file)) return { path: join('', lookup.file), firstChoice: true };
  const first = join(load, lookup.file);
  if (lookup.includeDirectory === undefined) return { path: first, firstChoice: true };
  if (probe !== '' && (await disk.isFile(join(probe, lookup.file)))) return { path: first, firstChoice: true };
  return { path: join(lookup.includeDirectory, lookup.file), firstChoice: false };
}
