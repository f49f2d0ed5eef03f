/** Where a composed prim's opinions come from: a tree of sites, one per composition arc, in USD's order of strength (LIVERPS). */
import type { Layer, PrimSpec } from './layer.js';

/** A root layer with its sublayers, strongest first. */
export interface LayerStack {
  readonly layers: readonly Layer[];
}

export type Arc = 'root' | 'inherit' | 'variant' | 'reference' | 'payload' | 'specialize';

/** A spec and the layer that holds it. */
export interface Opinion {
  readonly spec: PrimSpec;
  readonly layer: Layer;
}

export interface Node {
  readonly stack: LayerStack;
  readonly arc: Arc;
  /** Whether the arc stands at this very prim, and not at one above it; how deep in the tree of prims it stands. */
  readonly direct: boolean;
  readonly depth: number;
  /** Strongest first. */
  readonly opinions: readonly Opinion[];
  /** Path of the prim in the namespace of `stack`. */
  readonly path: string;
  /** What the arc renames: paths below `from` in this namespace are paths below `to` in the parent's. */
  readonly from: string;
  readonly to: string;
  readonly children: Node[];
}

const RANK: Readonly<Record<Arc, number>> = { root: 0, inherit: 1, variant: 2, reference: 3, payload: 4, specialize: 5 };

/** Add a child where its strength puts it among the others. */
export function addNode(parent: Node, child: Node): void {
  const stronger = (a: Node, b: Node) => RANK[a.arc] - RANK[b.arc] || b.depth - a.depth;
  const at = parent.children.findIndex((other) => stronger(child, other) < 0);
  parent.children.splice(at < 0 ? parent.children.length : at, 0, child);
}

/** All nodes, strongest first; what is specialized comes last of all. */
export function byStrength(root: Node): Node[] {
  const [order, last]: [Node[], Node[]] = [[], []];
  const visit = (node: Node, into: Node[]) => {
    into.push(node);
    for (const child of node.children) visit(child, child.arc === 'specialize' ? last : into);
  };
  visit(root, order);
  return [...order, ...last];
}

/** The tree for the child `name`; arcs come with it. Below an instance only what its own arcs bring counts. */
export function childTree(node: Node, name: string, ofInstance: boolean): Node {
  return {
    ...node,
    direct: false,
    opinions: ofInstance && !node.direct ? [] : childOpinions(node.opinions, name),
    path: childPath(node.path, name),
    children: node.children.map((child) => childTree(child, name, ofInstance && !node.direct)),
  };
}

export function childOpinions(opinions: readonly Opinion[], name: string): Opinion[] {
  return opinions.flatMap(({ spec, layer }) => {
    const child = spec.children.get(name);
    return child === undefined ? [] : [{ spec: child, layer }];
  });
}

export function childPath(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

/** `path` with `from` at its start replaced by `to`; undefined if it does not lie below `from`. */
export function renamed(path: string, from: string, to: string): string | undefined {
  if (from === '/') return to === '/' ? path : path === '/' ? to : to + path;
  if (path !== from && !/^[/.]/.test(path.slice(from.length))) return undefined;
  if (!path.startsWith(from)) return undefined;
  return to === '/' ? path.slice(from.length) || '/' : to + path.slice(from.length);
}

/** A path in the namespace of a node, as a path of the stage; undefined if it leads out of what was referenced. */
export function toStage(chain: readonly Node[], path: string): string | undefined {
  let at: string | undefined = path;
  for (const node of chain) {
    if (at === undefined) return undefined;
    const inside: string | undefined = renamed(at, node.from, node.to);
    const parent = chain[chain.indexOf(node) + 1];
    // Within one layer stack paths elsewhere keep their meaning.
    at = inside ?? (parent === undefined || parent.stack === node.stack ? at : undefined);
  }
  return at;
}

/** A node and those above it, up to the root. */
export function chainOf(root: Node, node: Node): Node[] {
  if (root === node) return [node];
  for (const child of root.children) {
    const chain = chainOf(child, node);
    if (chain.length > 0) return [...chain, root];
  }
  return [];
}
