/** Edits of YAML and JSON that leave all else as it is. */
import { isMap, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { TextEdit } from './edits.js';
import { formatNumber } from './numbers.js';
import { byteOffset, type YamlDocument } from './yaml.js';

/** Collects edits of one file. */
export class YamlEditor {
  readonly edits: TextEdit[] = [];

  constructor(private readonly document: YamlDocument) {}

  /** Change the numbers of a list that differ. @param element what the list belongs to, for people */
  numbers(list: Node, values: readonly number[], element: string, attribute: string): void {
    if (!isSeq(list)) return;
    for (const [i, value] of values.entries()) {
      const item = list.items[i] as Scalar<number>;
      if (item.value !== value) this.replace(startOf(item), endOf(item), formatNumber(value), element, attribute);
    }
  }

  scalar(node: Node, text: string, element: string, attribute: string): void {
    this.replace(startOf(node), endOf(node), text, element, attribute);
  }

  /** Another key and value in place of a pair. @param value as in JSON */
  pair(pair: Pair, key: string, value: string, element: string): void {
    const old = pair.key as Scalar;
    this.replace(startOf(old), endOf(pair.value as Node), `${this.keyText(old, key)}: ${value}`, element, key);
  }

  /** A new pair after an existing one of the same mapping. @param value as in JSON, on one line */
  insert(map: YAMLMap, after: Pair, key: string, value: string, element: string): void {
    const { decoded } = this.document;
    const anchor = after.key as Scalar;
    const text = `${this.keyText(anchor, key)}: ${value}`;
    const end = endOf((after.value ?? after.key) as Node);
    const lineStart = decoded.lastIndexOf('\n', startOf(anchor) - 1) + 1;
    const before = decoded.slice(lineStart, startOf(anchor));
    const newLine = decoded.includes('\r\n') ? '\r\n' : '\n';
    if (map.flow === true) {
      const ownLine = lineStart > 0 && before.trim() === '';
      this.replace(end, end, ownLine ? `,${newLine}${before}${text}` : `, ${text}`, element, key);
      return;
    }
    const firstKey = startOf((map.items[0] as Pair).key as Node);
    const indent = ' '.repeat(
      firstKey - (decoded.lastIndexOf('\n', firstKey - 1) + 1) - (decoded.startsWith('\ufeff') && lineStart === 0 ? 1 : 0),
    );
    const lineEnd = /\r?\n|$/.exec(decoded.slice(end)) as RegExpExecArray;
    const at = end + lineEnd.index;
    this.replace(at, at, `${newLine}${indent}${text}`, element, key);
  }

  private keyText(like: Scalar, key: string): string {
    return like.type === 'QUOTE_DOUBLE' || /[^\w-]/.test(key) ? JSON.stringify(key) : key;
  }

  private replace(start: number, end: number, text: string, element: string, attribute: string): void {
    const binary = Buffer.from(text, 'utf8').toString('latin1');
    this.edits.push({ start: byteOffset(this.document, start), end: byteOffset(this.document, end), text: binary, element, attribute });
  }
}

function startOf(node: Node): number {
  return (node.range as [number, number, number])[0];
}

/** Where the text of a value ends; the range of a block ends on a later line. */
function endOf(node: Node): number {
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1) as Node);
  if (isMap(node) && node.flow !== true && node.items.length > 0) {
    const last = node.items.at(-1) as Pair;
    return endOf((last.value ?? last.key) as Node);
  }
  return (node.range as [number, number, number])[1];
}
