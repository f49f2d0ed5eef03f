/** One USD file as data, whichever of its encodings it came in; nothing composed yet. */

/** Tuples, and arrays of tuples, are flat; quaternions are w, x, y, z, matrices row by row. Paths and assets are text. */
export type UsdValue = number | boolean | string | readonly number[] | readonly string[] | readonly boolean[] | UsdDictionary;
export type UsdDictionary = ReadonlyMap<string, UsdValue | null>;

/** An edit of a list that weaker layers may hold, or the list itself. */
export interface ListOp<T> {
  readonly explicit?: readonly T[];
  readonly prepended?: readonly T[];
  readonly appended?: readonly T[];
  readonly deleted?: readonly T[];
}

/** A reference or payload. */
export interface AssetArc {
  /** Empty: the same layer stack. */
  readonly asset: string;
  /** Undefined: the default prim. */
  readonly path: string | undefined;
}

export interface AttributeSpec {
  /** As in USDA: `double3`, `token[]`. */
  readonly typeName: string;
  /** Undefined: this layer says nothing; null: blocked. */
  readonly value: UsdValue | null | undefined;
  readonly timeSamples: readonly (readonly [time: number, value: UsdValue | null])[] | undefined;
}

export interface PrimSpec {
  readonly name: string;
  readonly specifier: 'def' | 'over' | 'class';
  readonly typeName: string;
  /** Line in a text file, from 1. */
  readonly line: number | undefined;
  readonly active: boolean | undefined;
  readonly instanceable: boolean | undefined;
  readonly apiSchemas: ListOp<string> | undefined;
  readonly references: ListOp<AssetArc> | undefined;
  readonly payloads: ListOp<AssetArc> | undefined;
  readonly inherits: ListOp<string> | undefined;
  readonly specializes: ListOp<string> | undefined;
  /** Chosen variant by set. */
  readonly variants: ReadonlyMap<string, string>;
  readonly variantSetNames: ListOp<string> | undefined;
  readonly variantSets: ReadonlyMap<string, ReadonlyMap<string, PrimSpec>>;
  readonly attributes: ReadonlyMap<string, AttributeSpec>;
  readonly relationships: ReadonlyMap<string, ListOp<string>>;
  readonly children: ReadonlyMap<string, PrimSpec>;
}

export interface Layer {
  /** As the user would name it: a path, or `archive.usdz[inner.usda]`. */
  readonly file: string;
  readonly metadata: ReadonlyMap<string, UsdValue | null>;
  readonly subLayers: readonly string[];
  /** The pseudo-root. */
  readonly root: PrimSpec;
}

/** A spec while its layer is read. */
export type PrimDraft = {
  -readonly [K in keyof PrimSpec]: PrimSpec[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : PrimSpec[K];
};

export function newPrim(name: string, specifier: PrimSpec['specifier'], typeName: string, line?: number): PrimDraft {
  return {
    name,
    specifier,
    typeName,
    line,
    active: undefined,
    instanceable: undefined,
    apiSchemas: undefined,
    references: undefined,
    payloads: undefined,
    inherits: undefined,
    specializes: undefined,
    variants: new Map(),
    variantSetNames: undefined,
    variantSets: new Map(),
    attributes: new Map(),
    relationships: new Map(),
    children: new Map(),
  };
}

/** `weaker` with the edit done to it; items are the same if `key` gives the same text. */
export function applyListOp<T>(op: ListOp<T> | undefined, weaker: readonly T[], key: (item: T) => string): readonly T[] {
  if (op === undefined) return weaker;
  if (op.explicit !== undefined) return op.explicit;
  const { prepended = [], appended = [], deleted = [] } = op;
  const gone = new Set([...prepended, ...appended, ...deleted].map(key));
  const last = new Set(appended.map(key));
  return [...prepended.filter((item) => !last.has(key(item))), ...weaker.filter((item) => !gone.has(key(item))), ...appended];
}

/** Two edits of one list in one layer: `prepend x = ...` and `append x = ...`. */
export function mergeListOps<T>(first: ListOp<T> | undefined, second: ListOp<T>): ListOp<T> {
  return { ...first, ...second };
}
