/** YAML and JSON files with source offsets, and values of theirs that are what they should be or refused with their line. */
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument as parseYaml,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { S4rError } from '../../core/errors.js';
import type { Place } from './disk.js';
import { binaryText, type TextFile } from './document.js';

export interface YamlDocument extends TextFile {
  readonly root: Node | null;
  /** The text as YAML sees it, in UTF-16; offsets of nodes are into this. */
  readonly decoded: string;
  readonly json: boolean;
  lineOf(node: Node): number;
}

/** @throws S4rError INVALID_INPUT with file and line for what is not YAML, or JSON if that is what the name ends in; aliases are refused too */
export function parseYamlDocument(path: string, bytes: Uint8Array): YamlDocument {
  const text = binaryText(path, bytes);
  const decoded = decodeUtf8(path, bytes);
  const json = path.toLowerCase().endsWith('.json');
  const lines = new LineCounter();
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const refuse = (message: string, line?: number) => new S4rError('INVALID_INPUT', message, { file: path, line });
  const document = parseYaml(decoded, { lineCounter: lines, uniqueKeys: true, prettyErrors: false, version: '1.2' });
  const [error] = document.errors;
  if (error !== undefined) throw refuse(`${json ? 'JSON' : 'YAML'} error: ${error.message}`, lineAt(error.pos[0]));
  if (json) assertJson(decoded, refuse);
  const lineOf = (node: Node) => lineAt(node.range?.[0] ?? 0);
  visit(document, {
    Alias(_, alias) {
      throw refuse('aliases (*name) are not supported here: write the value out', lineOf(alias));
    },
  });
  return { path, text, decoded, json, root: document.contents, lineOf };
}

function decodeUtf8(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new S4rError('INVALID_INPUT', 'the file is not UTF-8 text', { file: path }, { cause });
  }
}

/** YAML takes more than JSON does. */
function assertJson(text: string, refuse: (message: string) => S4rError): void {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw refuse(`JSON error: ${(error as Error).message}`);
  }
}

/** Byte offset, in `text`, of an offset into `decoded`. */
export function byteOffset({ decoded }: YamlDocument, offset: number): number {
  return Buffer.byteLength(decoded.slice(0, offset), 'utf8');
}

export type YamlPair = Pair<Scalar<string>, Node | null>;

/** A short list of plain values is shown as it is. */
function shownList(items: readonly unknown[]): string {
  const plain = items.length <= 8 && items.every((item) => isScalar(item));
  return plain ? `[${items.map((item) => JSON.stringify((item as Scalar).value)).join(', ')}]` : 'a list';
}

/** Reads values of one file. `what` is what a value is called in messages, such as `models[0].position`. */
export class YamlFields {
  constructor(private readonly document: YamlDocument) {}

  place(node: Node | null, element?: string): Place {
    return { file: this.document.path, line: node === null ? 1 : this.document.lineOf(node), ...(element !== undefined && { element }) };
  }

  refuse(node: Node | null, what: string, wanted: string): S4rError {
    const found =
      node === null
        ? 'nothing'
        : isScalar(node)
          ? JSON.stringify(node.value)
          : isMap(node)
            ? 'a mapping'
            : isSeq(node)
              ? shownList(node.items)
              : 'an alias';
    return new S4rError('INVALID_INPUT', `expected ${wanted}, got ${found}`, this.place(node, what));
  }

  /** The pairs of a mapping by key, all of which must be among `keys`, if given. */
  pairs(node: Node | null, what: string, keys?: readonly string[]): Map<string, YamlPair> {
    if (!isMap(node)) throw this.refuse(node, what, 'a mapping');
    const found = new Map<string, YamlPair>();
    for (const pair of (node as YAMLMap<Node, Node | null>).items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
      if (key === undefined) throw this.refuse(pair.key, what, 'plain keys');
      if (keys !== undefined && !keys.includes(key)) throw this.refuse(pair.key, what, `one of the keys ${keys.join(', ')}`);
      found.set(key, pair as YamlPair);
    }
    return found;
  }

  list(node: Node | null, what: string): readonly (Node | null)[] {
    if (!isSeq(node)) throw this.refuse(node, what, 'a list');
    return node.items as (Node | null)[];
  }

  text(node: Node | null, what: string): string {
    if (isScalar(node) && typeof node.value === 'string' && node.value !== '') return node.value;
    throw this.refuse(node, what, 'a text');
  }

  flag(node: Node | null, what: string): boolean {
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    throw this.refuse(node, what, 'true or false');
  }

  oneOf<T extends string>(node: Node | null, what: string, choices: readonly T[]): T {
    if (isScalar(node) && choices.includes(node.value as T)) return node.value as T;
    throw this.refuse(node, what, choices.map((choice) => `'${choice}'`).join(' or '));
  }

  number(node: Node | null, what: string): number {
    if (isScalar(node) && typeof node.value === 'number' && Math.abs(node.value) <= 1e10) return node.value;
    throw this.refuse(node, what, 'a number, finite and within +-1e10');
  }

  numbers(node: Node | null, what: string, count: number): readonly number[] {
    const items = this.list(node, what);
    if (items.length !== count)
      throw new S4rError('INVALID_INPUT', `expected ${count} numbers, got ${items.length}`, this.place(node, what));
    return items.map((item, i) => this.number(item, `${what}[${i}]`));
  }
}
