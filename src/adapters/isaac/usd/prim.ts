/** A composed prim: what all layers together say of it. */
import type { Affine } from '../affine.js';
import { applyListOp, type ListOp, type UsdValue } from './layer.js';
import { byStrength, chainOf, type Node, type Opinion, renamed, toStage } from './node.js';

export interface ResolvedAttribute {
  readonly typeName: string;
  /** The default value, or else the first time sample. */
  readonly value: UsdValue;
  /** Whether the value changes in time; it was then taken at the first sample if there is no default. */
  readonly animated: boolean;
}

/** Of a prim that an instancer makes. */
export interface PrimCopy {
  /** Goes before the prim's own transform; undefined below the top of the copy. */
  readonly placement: Affine | undefined;
  /** Paths of the prototype, and of the copy. */
  readonly from: string;
  readonly to: string;
}

export class Prim {
  readonly children: Prim[] = [];
  /** Strongest first. */
  readonly opinions: readonly (Opinion & { readonly node: Node })[];
  readonly typeName: string;
  readonly specifier: 'def' | 'over' | 'class';
  readonly active: boolean;
  /** Its children come from its arcs alone, and no layer can change them. */
  readonly isInstance: boolean;
  readonly apiSchemas: ReadonlySet<string>;

  constructor(
    readonly path: string,
    readonly parent: Prim | undefined,
    readonly tree: Node,
    readonly copy?: PrimCopy,
  ) {
    this.opinions = byStrength(tree).flatMap((node) => node.opinions.map((opinion) => ({ ...opinion, node })));
    const specs = this.opinions.map(({ spec }) => spec);
    this.typeName = specs.find((spec) => spec.typeName !== '')?.typeName ?? '';
    const isClass = (node: Node) => chainOf(tree, node).some(({ arc }) => arc === 'inherit' || arc === 'specialize');
    const defining = this.opinions.find(({ spec, node }) => spec.specifier === 'def' || (spec.specifier === 'class' && !isClass(node)));
    this.specifier = defining?.spec.specifier ?? 'over';
    this.active = specs.find((spec) => spec.active !== undefined)?.active ?? true;
    this.isInstance = tree.children.length > 0 && (specs.find((spec) => spec.instanceable !== undefined)?.instanceable ?? false);
    this.apiSchemas = new Set(this.list((spec) => spec.apiSchemas));
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf('/') + 1);
  }

  /** Inside an instance: no layer can say anything of this prim. */
  get isInstanceProxy(): boolean {
    return this.parent !== undefined && (this.parent.isInstance || this.parent.isInstanceProxy);
  }

  has(schema: string): boolean {
    return this.apiSchemas.has(schema);
  }

  /** Undefined if no layer gives a value, or the strongest blocks it. */
  attribute(name: string): ResolvedAttribute | undefined {
    for (const { spec } of this.opinions) {
      const found = spec.attributes.get(name);
      if (found === undefined || (found.value === undefined && found.timeSamples === undefined)) continue;
      const value = found.value ?? found.timeSamples?.find(([, sample]) => sample !== null)?.[1];
      if (value === undefined || value === null) return undefined;
      return { typeName: found.typeName, value, animated: found.timeSamples !== undefined };
    }
    return undefined;
  }

  /** The type an attribute has wherever it is declared, with a value or not. */
  attributeType(name: string): string | undefined {
    return this.opinions.map(({ spec }) => spec.attributes.get(name)?.typeName).find((type) => type !== undefined);
  }

  /** Undefined if there is none, or it is no number. */
  number(name: string): number | undefined {
    const value = this.attribute(name)?.value;
    return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : undefined;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.number(name);
    return value === undefined ? fallback : value !== 0;
  }

  text(name: string): string | undefined {
    const value = this.attribute(name)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  /** Undefined if there is none, or it is no list of numbers. */
  numbers(name: string): readonly number[] | undefined {
    const value = this.attribute(name)?.value;
    return Array.isArray(value) && value.every((item) => typeof item === 'number') ? (value as readonly number[]) : undefined;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.attribute(name)?.value;
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? (value as readonly string[]) : undefined;
  }

  /** Targets of a relationship, as paths of the stage. */
  targets(name: string): readonly string[] {
    const { copy } = this;
    const found = this.authoredTargets(name);
    return copy === undefined ? found : found.map((path) => renamed(path, copy.from, copy.to) ?? path);
  }

  private authoredTargets(name: string): readonly string[] {
    return this.list((spec, node) => {
      const op = spec.relationships.get(name);
      if (op === undefined) return undefined;
      const chain = chainOf(this.tree, node);
      const map = (paths: readonly string[]) => paths.flatMap((path) => toStage(chain, absolute(path, node.path)) ?? []);
      return Object.fromEntries(Object.entries(op).map(([key, paths]) => [key, map(paths as readonly string[])])) as ListOp<string>;
    });
  }

  private list(pick: (spec: Opinion['spec'], node: Node) => ListOp<string> | undefined): readonly string[] {
    return this.opinions.reduceRight<readonly string[]>(
      (weaker, { spec, node }) => applyListOp(pick(spec, node), weaker, (item) => item),
      [],
    );
  }
}

/** A path that a layer gives relative to the prim. */
function absolute(path: string, prim: string): string {
  if (path.startsWith('/')) return path;
  const parts = prim.split('/');
  const steps = path.split('/');
  while (steps[0] === '..') {
    steps.shift();
    parts.pop();
  }
  return [...parts, ...steps.filter((step) => step !== '.')].join('/') || '/';
}
