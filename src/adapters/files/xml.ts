/**
 * XML with source offsets, exactly as tolerant as MuJoCo's parser (tinyxml2): version="0.0", `--` in comments, raw `&`,
 * `<` in attribute values and text between other things after the root are fine, and all from an end tag without a start is
 * ignored; unquoted values, crossed tags, elements more than 500 deep and text at the very end are not.
 *
 * A stock parser would refuse files MuJoCo loads, and none reports where an attribute's value starts and ends,
 * which write-back needs. Text is a binary string, one character per byte: offsets are byte offsets, and bytes
 * that are not valid UTF-8 survive an edit elsewhere in the file.
 */

export interface XmlAttribute {
  readonly name: string;
  /** Entities resolved, UTF-8 decoded. */
  readonly value: string;
  /** Offsets of the whole attribute, `name="value"`, and of the text between its quotes. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Offset of `<` of the start tag, and of the character after its name. */
  readonly start: number;
  readonly nameEnd: number;
  /** Content between start and end tag; empty, and right after the tag, for `<a/>`. */
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly selfClosing: boolean;
}

/** Malformed XML; `offset` says where. */
export class XmlSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
    readonly element?: string,
  ) {
    super(message);
  }
}

type Draft = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { attributes: XmlAttribute[]; children: XmlElement[] };

/** Delimited runs that hold no elements. Declarations and doctypes end at the first `>`, as in tinyxml2. */
const SKIPPED: readonly (readonly [open: string, close: string, what: string])[] = [
  ['<!--', '-->', 'comment'],
  ['<![CDATA[', ']]>', 'CDATA section'],
  ['<?', '?>', 'declaration'],
  ['<!', '>', 'declaration'],
];
const NAME = /[A-Za-z_:\x80-\xff][\w:.\x80-\xff-]*/y;
const SPACE = /[ \t\r\n\f\v]*/y;
const MAX_DEPTH = 500;

/**
 * The root element of `text` with everything below it; undefined if there is no element at all.
 * @throws XmlSyntaxError
 */
export function parseXml(text: string): XmlElement | undefined {
  const stack: Draft[] = [];
  let root: Draft | undefined;
  let at = text.indexOf('<');
  let last = 0;
  while (at >= 0) {
    const skipped = SKIPPED.find(([open]) => text.startsWith(open, at));
    if (skipped !== undefined) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end < 0) throw new XmlSyntaxError(`${skipped[2]} without end`, at);
      at = end + skipped[1].length;
    } else if (text.startsWith('</', at)) {
      if (stack.length === 0 && root !== undefined) return root;
      at = closeElement(text, at, stack);
    } else {
      const element = readStartTag(text, at);
      stack.at(-1)?.children.push(element);
      root ??= element;
      if (!element.selfClosing) stack.push(element);
      if (stack.length > MAX_DEPTH) throw new XmlSyntaxError(`more than ${MAX_DEPTH} elements inside one another`, at, element.name);
      at = element.contentStart;
    }
    last = at;
    at = text.indexOf('<', at);
  }
  const open = stack.at(-1);
  if (open !== undefined) throw new XmlSyntaxError(`the file ends before </${open.name}>`, open.start, open.name);
  const rest = last + match(SPACE, text, last).length;
  if (root !== undefined && rest < text.length) throw new XmlSyntaxError(`text after the end of <${root.name}>`, rest);
  return root;
}

function readStartTag(text: string, start: number): Draft {
  const name = match(NAME, text, start + 1);
  if (name === '') throw new XmlSyntaxError(`expected an element name after '<'`, start);
  const nameEnd = start + 1 + name.length;
  const attributes: XmlAttribute[] = [];
  let at = nameEnd;
  for (;;) {
    at += match(SPACE, text, at).length;
    const selfClosing = text.startsWith('/>', at);
    if (selfClosing || text[at] === '>') {
      const contentStart = at + (selfClosing ? 2 : 1);
      return { name, attributes, children: [], start, nameEnd, contentStart, contentEnd: contentStart, selfClosing };
    }
    const attribute = readAttribute(text, at, name);
    if (attributes.some((other) => other.name === attribute.name)) {
      throw new XmlSyntaxError(`attribute '${attribute.name}' given twice`, at, name);
    }
    attributes.push(attribute);
    at = attribute.end;
  }
}

function readAttribute(text: string, start: number, element: string): XmlAttribute {
  const name = match(NAME, text, start);
  let at = start + name.length;
  if (name === '') throw new XmlSyntaxError(start < text.length ? `expected an attribute or '>'` : 'tag without end', start, element);
  at += match(SPACE, text, at).length;
  if (text[at] !== '=') throw new XmlSyntaxError(`attribute '${name}' has no value`, start, element);
  at += 1;
  at += match(SPACE, text, at).length;
  const quote = text[at];
  if (quote !== '"' && quote !== "'") throw new XmlSyntaxError(`the value of '${name}' must be quoted`, start, element);
  const valueStart = at + 1;
  const valueEnd = text.indexOf(quote, valueStart);
  if (valueEnd < 0) throw new XmlSyntaxError(`the value of '${name}' has no closing quote`, start, element);
  return { name, value: decodeValue(text.slice(valueStart, valueEnd)), start, end: valueEnd + 1, valueStart, valueEnd };
}

/** Offset after the end tag at `at`, which must close the innermost open element. */
function closeElement(text: string, at: number, stack: Draft[]): number {
  const name = match(NAME, text, at + 2);
  const open = stack.pop();
  if (open === undefined) throw new XmlSyntaxError(`</${name}> closes nothing`, at);
  if (open.name !== name) throw new XmlSyntaxError(`<${open.name}> is closed by </${name}>`, open.start, open.name);
  const end = text.indexOf('>', at);
  if (end < 0) throw new XmlSyntaxError(`</${name} without '>'`, at, name);
  open.contentEnd = at;
  return end + 1;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' };

/** The value of an attribute from the text between its quotes. */
export function decodeValue(raw: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no decoding
  if (/^[\x00-%'-\x7f]*$/.test(raw)) return raw;
  const decoded = Buffer.from(raw, 'latin1').toString('utf8');
  return decoded.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Text for an attribute value in a binary string, quotes not included. */
export function encodeValue(value: string): string {
  return Buffer.from(escapeXml(value), 'utf8').toString('latin1');
}

/** Text for an attribute value or between two tags. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&${Object.entries(ENTITIES).find(([, character]) => character === c)?.[0]};`);
}

/** Offset of the character after an element of `text`, its end tag included. */
export function endOf(text: string, element: XmlElement): number {
  return element.selfClosing ? element.contentStart : text.indexOf('>', element.contentEnd) + 1;
}

/** The attribute `name` of `element`, if it has one. */
export function attribute(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((a) => a.name === name);
}

/** The element as people know it, such as `<body name="mug">` or `<mesh file="mug.obj">`. */
export function describeElement(element: XmlElement): string {
  const key = ['name', 'file', 'filename', 'key', 'class', 'link']
    .map((name) => attribute(element, name))
    .find((a) => a !== undefined && a.value !== '');
  return key === undefined ? `<${element.name}>` : `<${element.name} ${key.name}="${shorten(key.value)}">`;
}

/** A value as an error message shows it. */
export function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 57)}...` : value;
}
