/**
 * Composition of a stage from its layers: sublayers, inherits, variants, references, payloads, specializes, instances.
 * Every arc at a prim is a node of its tree; a child starts with the tree of its parent, one step further down.
 */
import { type ErrorPlace, S4rError } from '../../../core/errors.js';
import { type AssetArc, applyListOp, type Layer, type ListOp, type PrimSpec } from './layer.js';
import { type LayerFiles, resolveAsset } from './layer-files.js';
import { type Arc, addNode, byStrength, childPath, childTree, type LayerStack, type Node, type Opinion, renamed } from './node.js';
import { Prim } from './prim.js';

/** Prims that a stage may have, and arcs that may meet in one of them; beyond this they most likely feed each other. */
const MAX_PRIMS = 1_000_000;
const MAX_ARCS = 2_000;
/** Arcs inside one another: two references in each of them double the prims every time. Far more than stages are built of. */
const MAX_NESTING = 16;
const MAX_DEPTH = 256;

export interface Stage {
  readonly layer: Layer;
  /** The pseudo-root; below it the prims that are active. */
  readonly root: Prim;
  readonly metersPerUnit: number;
  readonly upAxis: 'Y' | 'Z';
  readonly notes: readonly string[];
}

export interface StageOptions {
  /** Leave out references, payloads and sublayers whose file cannot be found. Default false: refuse the stage. */
  readonly skipMissing?: boolean | undefined;
}

/** @throws S4rError INVALID_INPUT with file, line and prim as far as known */
export async function openStage(files: LayerFiles, path: string, options: StageOptions = {}): Promise<Stage> {
  const composer = new Composer(files, options);
  const layer = await files.open(path);
  const root = await composer.compose(await composer.stackOf(layer));
  const unit = layer.metadata.get('metersPerUnit') ?? 0.01;
  if (typeof unit !== 'number' || !(unit > 0) || !Number.isFinite(unit)) {
    throw new S4rError('INVALID_INPUT', `metersPerUnit must be a positive number, got ${String(unit)}`, { file: path });
  }
  const axis = layer.metadata.get('upAxis') ?? 'Y';
  if (axis !== 'Y' && axis !== 'Z') throw new S4rError('INVALID_INPUT', `upAxis must be "Y" or "Z", got "${String(axis)}"`, { file: path });
  return { layer, root, metersPerUnit: unit, upAxis: axis, notes: [...composer.notes] };
}

class Composer {
  readonly notes = new Set<string>();
  private readonly stacks = new Map<Layer, LayerStack>();
  private prims = 0;
  private arcs = 0;

  constructor(
    private readonly files: LayerFiles,
    private readonly options: StageOptions,
  ) {}

  async stackOf(layer: Layer): Promise<LayerStack> {
    let stack = this.stacks.get(layer);
    if (stack === undefined) {
      stack = { layers: await this.withSublayers(layer, []) };
      this.stacks.set(layer, stack);
    }
    return stack;
  }

  private async withSublayers(layer: Layer, above: readonly Layer[]): Promise<Layer[]> {
    if (above.includes(layer)) throw new S4rError('INVALID_INPUT', 'the layer is a sublayer of itself', { file: layer.file });
    const found: Layer[] = [layer];
    for (const asset of layer.subLayers) {
      const sub = await this.find(layer, asset, { file: layer.file, element: 'subLayers' });
      if (sub !== undefined) found.push(...(await this.withSublayers(sub, [...above, layer])));
    }
    return found;
  }

  private async find(layer: Layer, asset: string, place: ErrorPlace): Promise<Layer | undefined> {
    try {
      return await this.files.open(resolveAsset(layer, asset, place), place);
    } catch (error) {
      // Only files that are not there; damaged ones are still refused.
      const missing = error instanceof S4rError && error.place.file === place.file && error.place.element === place.element;
      if (!missing || this.options.skipMissing !== true) throw error;
      this.notes.add(`left out, as asked: ${error.message}`);
      return undefined;
    }
  }

  async compose(stack: LayerStack): Promise<Prim> {
    const root = new Prim('/', undefined, rootNode(stack));
    const pending = [root];
    for (let prim = pending.pop(); prim !== undefined; prim = pending.pop()) {
      for (const name of childNames(prim.tree, prim.isInstance)) {
        const tree = childTree(prim.tree, name, prim.isInstance);
        const path = childPath(prim.path, name);
        if (++this.prims > MAX_PRIMS || path.split('/').length > MAX_DEPTH) {
          throw new S4rError('INVALID_INPUT', 'the stage has no end; do its references lead in a circle?', this.placeOf(tree, path));
        }
        this.arcs = 0;
        await this.expand(tree, depthOf(path), []);
        await this.chooseVariants(tree, depthOf(path));
        const child = new Prim(path, prim, tree);
        if (!child.active) continue;
        prim.children.push(child);
        pending.push(child);
      }
    }
    return root;
  }

  /** The arcs that stand at this prim, and those that they bring, but for variants. */
  private async expand(node: Node, depth: number, above: readonly Node[]): Promise<void> {
    for (const child of [...node.children]) await this.expand(child, depth, [...above, node]);
    const from = (asset: AssetArc) => `${asset.asset}<${asset.path ?? ''}>`;
    const text = (value: string) => value;
    for (const target of composed(node, (spec) => spec.inherits, text)) await this.graft(node, 'inherit', node.stack, target, depth, above);
    for (const target of composed(node, (spec) => spec.references, from)) await this.addArc(node, 'reference', target, depth, above);
    for (const target of composed(node, (spec) => spec.payloads, from)) await this.addArc(node, 'payload', target, depth, above);
    for (const target of composed(node, (spec) => spec.specializes, text))
      await this.graft(node, 'specialize', node.stack, target, depth, above);
  }

  private async addArc(node: Node, arc: Arc, { asset, path }: AssetArc, depth: number, above: readonly Node[]): Promise<void> {
    const place = this.placeOf(node, node.path);
    const layer = asset === '' ? node.stack.layers[0] : await this.find(layerOf(node, arc, asset), asset, place);
    if (layer === undefined) return;
    const target = path ?? layer.metadata.get('defaultPrim');
    if (typeof target !== 'string' || target === '') {
      throw new S4rError('INVALID_INPUT', `the ${arc} names no prim, and ${layer.file} has no defaultPrim`, place);
    }
    const stack = asset === '' ? node.stack : await this.stackOf(layer);
    await this.graft(node, arc, stack, target.startsWith('/') ? target : `/${target}`, depth, above);
  }

  /** Add what `target` is in `stack`, with all that its own arcs and those above it bring. */
  private async graft(node: Node, arc: Arc, stack: LayerStack, target: string, depth: number, above: readonly Node[]): Promise<void> {
    const place = this.placeOf(node, node.path);
    const chain = [...above, node];
    if (chain.some((other) => other.stack === stack && renamed(other.path, target, '/') !== undefined)) {
      throw new S4rError('INVALID_INPUT', `the ${arc} of <${target}> leads in a circle`, place);
    }
    if (chain.length > MAX_NESTING)
      throw new S4rError('INVALID_INPUT', `more than ${MAX_NESTING} references and the like inside one another`, place);
    if (++this.arcs > MAX_ARCS)
      throw new S4rError('INVALID_INPUT', `more than ${MAX_ARCS} references and the like meet in one prim`, place);
    let tree = rootNode(stack);
    const names = target.split('/').filter((name) => name !== '');
    for (const [i, name] of names.entries()) {
      tree = childTree(tree, name, false);
      await this.expand(tree, i + 1, chain);
      if (i < names.length - 1) await this.chooseVariants(tree, i + 1);
    }
    const found = byStrength(tree).some(({ opinions }) => opinions.length > 0);
    if (!found && (arc === 'reference' || arc === 'payload')) {
      throw new S4rError('INVALID_INPUT', `the ${arc} leads to <${target}>, and there is no such prim in ${stack.layers[0]?.file}`, place);
    }
    if (found) addNode(node, { ...tree, arc, direct: true, depth, from: target, to: node.path });
  }

  /** Variants last: any of the other arcs may hold the choice. */
  private async chooseVariants(root: Node, depth: number): Promise<void> {
    const done = new Map<Node, Set<string>>();
    for (;;) {
      const order = byStrength(root);
      const next = order.flatMap((node) => {
        const sets = composed(
          node,
          (spec) => spec.variantSetNames,
          (name) => name,
        );
        const all = new Set([...sets, ...node.opinions.flatMap(({ spec }) => [...spec.variantSets.keys()])]);
        return [...all].filter((set) => !done.get(node)?.has(set)).map((set) => ({ node, set }));
      })[0];
      if (next === undefined) return;
      const { node, set } = next;
      done.set(node, (done.get(node) ?? new Set()).add(set));
      const choice = order.flatMap(({ opinions }) => opinions.map(({ spec }) => spec.variants.get(set))).find((name) => name !== undefined);
      const opinions = node.opinions.flatMap(({ spec, layer }): Opinion[] => {
        const variant = choice === undefined ? undefined : spec.variantSets.get(set)?.get(choice);
        return variant === undefined ? [] : [{ spec: variant, layer }];
      });
      if (opinions.length === 0) continue;
      const chosen: Node = { ...node, arc: 'variant', direct: true, depth, opinions, from: '/', to: '/', children: [] };
      await this.expand(chosen, depth, [node]);
      addNode(node, chosen);
    }
  }

  private placeOf(node: Node, path: string): ErrorPlace {
    const first = byStrength(node).flatMap(({ opinions }) => opinions)[0];
    return { file: first?.layer.file ?? node.stack.layers[0]?.file, line: first?.spec.line, element: `prim <${path}>` };
  }
}

function rootNode(stack: LayerStack): Node {
  const opinions = stack.layers.map((layer) => ({ spec: layer.root, layer }));
  return { stack, arc: 'root', direct: false, depth: 0, opinions, path: '/', from: '/', to: '/', children: [] };
}

function composed<T>(node: Node, pick: (spec: PrimSpec) => ListOp<T> | undefined, key: (item: T) => string): readonly T[] {
  return node.opinions.reduceRight<readonly T[]>((weaker, { spec }) => applyListOp(pick(spec), weaker, key), []);
}

/** The layer that asks for an asset, whose folder its path is relative to. */
function layerOf(node: Node, arc: Arc, asset: string): Layer {
  const asks = node.opinions.find(({ spec }) => {
    const op = arc === 'payload' ? spec.payloads : spec.references;
    return [...(op?.explicit ?? []), ...(op?.prepended ?? []), ...(op?.appended ?? [])].some((item) => item.asset === asset);
  });
  return asks?.layer ?? (node.stack.layers[0] as Layer);
}

/** Names of children in the order of the weakest opinion first, as USD lists them. */
function childNames(tree: Node, isInstance: boolean): Set<string> {
  const names = new Set<string>();
  const visit = (node: Node, hidden: boolean) => {
    for (const child of [...node.children].reverse()) visit(child, hidden && !node.direct);
    if (hidden && !node.direct) return;
    for (const { spec } of [...node.opinions].reverse()) for (const name of spec.children.keys()) names.add(name);
  };
  visit(tree, isInstance);
  return names;
}

function depthOf(path: string): number {
  return path.split('/').length - 1;
}
