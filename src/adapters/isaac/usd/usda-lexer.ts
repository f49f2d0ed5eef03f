/** Tokens of USD's text encoding, one at a time. */
import { S4rError } from '../../../core/errors.js';

export type TokenKind = 'name' | 'number' | 'string' | 'asset' | 'path' | 'punctuation' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Text of a name or a mark; content of a string, an asset or a path. */
  readonly text: string;
  readonly line: number;
}

const SPACE = /(?:[ \t\r\n\f\v]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
/** Identifiers with their namespaces; digits may follow a colon, as in names of multiple-apply schemas. */
const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_]*(?::[\p{L}\p{N}\p{M}_]+)*/uy;
const NUMBER = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf\b|nan\b)/y;
const STRING = /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"([^"\\\n\r]*(?:\\[\s\S][^"\\\n\r]*)*)"|'([^'\\\n\r]*(?:\\[\s\S][^'\\\n\r]*)*)'/y;
const ASSET = /@@@([\s\S]*?)@@@|@([^@\n]*)@/y;
const PATH = /<([^>\n]*)>/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\n': '' };

export class UsdaLexer {
  private at = 0;
  private line = 1;
  private lineEnd: number;
  private token: Token;

  constructor(
    private readonly text: string,
    private readonly file: string,
  ) {
    this.lineEnd = this.nextBreak(0);
    this.token = this.read();
  }

  /** The token that `next` would give. */
  peek(): Token {
    return this.token;
  }

  next(): Token {
    const token = this.token;
    if (token.kind !== 'end') this.token = this.read();
    return token;
  }

  /** Whether the next token is this mark or name; it is taken then. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  is(text: string): boolean {
    return this.token.text === text && (this.token.kind === 'punctuation' || this.token.kind === 'name');
  }

  /** Take a token of this kind. @param what it is to be, for the message */
  take(kind: TokenKind, what: string): Token {
    if (this.token.kind !== kind) throw this.unexpected(what);
    return this.next();
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.unexpected(`'${text}'`);
  }

  unexpected(wanted: string): S4rError {
    const { kind, text } = this.token;
    const found = kind === 'end' ? 'the file ends' : `found '${text.length > 40 ? `${text.slice(0, 37)}...` : text}'`;
    return this.error(`expected ${wanted}, ${found}`);
  }

  error(message: string, line = this.token.line): S4rError {
    return new S4rError('INVALID_INPUT', `USD syntax: ${message}`, { file: this.file, line });
  }

  /** Offset of the next line break; looked for once a line, as lines may be megabytes long. */
  private nextBreak(from: number): number {
    const at = this.text.indexOf('\n', from);
    return at < 0 ? Infinity : at;
  }

  private read(): Token {
    this.skip(SPACE);
    const { line, text } = this;
    const first = text[this.at];
    const token = (kind: TokenKind, content: string): Token => ({ kind, text: content, line });
    if (first === undefined) return token('end', '');
    const number = this.match(NUMBER);
    if (number !== undefined) return token('number', number[0]);
    const name = this.match(NAME);
    if (name !== undefined) return token('name', name[0]);
    if (first === '"' || first === "'") {
      const found = this.match(STRING);
      if (found === undefined) throw this.error('a string without closing quote', line);
      return token(
        'string',
        (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').replace(/\\([\s\S])/g, (_, c: string) => ESCAPES[c] ?? c),
      );
    }
    if (first === '@') {
      const found = this.match(ASSET);
      if (found === undefined) throw this.error("an asset path without closing '@'", line);
      return token('asset', (found[1] ?? found[2] ?? '').replaceAll('\\@@@', '@@@'));
    }
    const path = first === '<' ? this.match(PATH) : undefined;
    if (path !== undefined) return token('path', path[1] as string);
    if (!'()[]{}=,;:.&'.includes(first)) throw this.error(`unexpected character '${first}'`, line);
    this.at++;
    return token('punctuation', first);
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null || found[0] === '') return undefined;
    this.advance(found[0].length);
    return found;
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    this.advance(pattern.exec(this.text)?.[0].length ?? 0);
  }

  private advance(length: number): void {
    this.at += length;
    while (this.lineEnd < this.at) {
      this.line++;
      this.lineEnd = this.nextBreak(this.lineEnd + 1);
    }
  }
}
