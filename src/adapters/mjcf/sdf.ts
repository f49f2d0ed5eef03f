/** Signed distance fields by plugin, which MuJoCo's WebAssembly build lacks: where there is a mesh, MuJoCo's own field of it stands in. */
import { S4rError } from '../../core/errors.js';
import { placeOf, type XmlDocument } from '../files/document.js';
import type { TextEdit } from '../files/edits.js';
import { attribute, endOf, type XmlElement } from '../files/xml.js';
import { descendants, type MjcfTree, type Placed } from './tree.js';

export interface SdfEdits {
  /** Take the plugins out. */
  readonly edits: ReadonlyMap<XmlDocument, readonly TextEdit[]>;
  readonly notes: readonly string[];
}

const SDF_PLUGIN = /^mujoco\.sdf\./;
/** What gives a mesh triangles of its own. */
const MESH_SOURCES = ['file', 'vertex', 'builtin'];

/** @throws S4rError INVALID_INPUT for a mesh whose shape only a plugin knows */
export function sdfEdits(tree: MjcfTree): SdfEdits {
  const plugins = [...descendants(tree)].filter(({ element }) => element.name === 'plugin');
  const declared = plugins.filter(({ element }) => pluginName(element) !== undefined);
  const instances = new Map(
    declared.flatMap(({ element }) =>
      element.children.map((child) => [attribute(child, 'name')?.value, pluginName(element) as string] as const),
    ),
  );
  const isSdf = (element: XmlElement) => pluginName(element) ?? instances.get(attribute(element, 'instance')?.value);
  const edits = new Map<XmlDocument, TextEdit[]>();
  const done = new Set<XmlElement>();
  const meshes = new Set<string>();
  const remove = ({ element, document }: Placed) => {
    if (isSdf(element) === undefined || done.has(element)) return;
    done.add(element);
    const end = endOf(document.text, element);
    // Line numbers stay what they were.
    const text = document.text.slice(element.start, end).replace(/[^\n]/g, '');
    edits.set(document, [...(edits.get(document) ?? []), { start: element.start, end, text, element: 'plugin', attribute: 'plugin' }]);
  };
  for (const placed of descendants(tree)) {
    const { element } = placed;
    const plugin = element.children.map(isSdf).find((name) => name !== undefined);
    if (plugin === undefined || (element.name !== 'mesh' && element.name !== 'geom')) continue;
    if (element.name === 'mesh' && !MESH_SOURCES.some((name) => attribute(element, name) !== undefined)) throw noMesh(placed, plugin);
    const names = element.name === 'geom' ? ['mesh'] : ['name', 'file'];
    meshes.add(names.map((name) => attribute(element, name)?.value).find((name) => name !== undefined) ?? '');
  }
  for (const placed of plugins) remove(placed);
  const notes = [...meshes].map(
    (name) => `mesh '${name}': MuJoCo's WebAssembly build has no SDF plugins; the distance field of the mesh itself is used`,
  );
  return { edits, notes };
}

function pluginName(element: XmlElement): string | undefined {
  const name = attribute(element, 'plugin')?.value;
  return name !== undefined && SDF_PLUGIN.test(name) ? name : undefined;
}

function noMesh({ document, element }: Placed, plugin: string): S4rError {
  const message =
    `the shape is computed by the plugin ${plugin}, which MuJoCo's WebAssembly build does not have; ` +
    'give the mesh a file, such as one exported from a MuJoCo that has the plugin';
  return new S4rError('INVALID_INPUT', message, placeOf(document, element));
}
