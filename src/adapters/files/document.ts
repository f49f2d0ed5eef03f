/** One XML file of a scene: its bytes, its elements and where they stand. */
import { constants } from 'node:buffer';
import { S4rError } from '../../core/errors.js';
import { describeElement, parseXml, type XmlElement, XmlSyntaxError } from './xml.js';

export interface TextFile {
  /** Absolute path with forward slashes. */
  readonly path: string;
  /** Binary string, one character per byte of the file. */
  readonly text: string;
}

export interface XmlDocument extends TextFile {
  readonly root: XmlElement;
}

/**
 * Parse the bytes of one file.
 * @throws S4rError INVALID_INPUT with file and line if MuJoCo's XML parser would refuse it.
 */
export function parseDocument(path: string, bytes: Uint8Array): XmlDocument {
  if (bytes.length === 0) throw new S4rError('INVALID_INPUT', 'the file is empty', { file: path });
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new S4rError('INVALID_INPUT', 'the file is UTF-16; only UTF-8 is read', { file: path });
  }
  const text = binaryText(path, bytes);
  try {
    const root = parseUntilZero(text);
    if (root === undefined) throw new XmlSyntaxError('the file holds no XML element', 0);
    return { path, text, root };
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
    const element = error.element === undefined ? undefined : `<${error.element}>`;
    throw new S4rError('INVALID_INPUT', `XML error: ${error.message}`, { file: path, line: lineAt(text, error.offset), element });
  }
}

/**
 * The bytes of one file as a string, one character each.
 * @throws S4rError INVALID_INPUT if no string is that long
 */
export function binaryText(path: string, bytes: Uint8Array): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new S4rError('INVALID_INPUT', `the file is too large (${Math.round(bytes.length / 1e6)} MB)`, { file: path });
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** As for MuJoCo, a zero byte is the end of the text: harmless after the root element, damage before its end. */
function parseUntilZero(text: string): XmlElement | undefined {
  const zero = text.indexOf('\0');
  if (zero < 0) return parseXml(text);
  try {
    return parseXml(text.slice(0, zero));
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
    throw new XmlSyntaxError('a zero byte, which no text has; the file is damaged, or of another kind', zero);
  }
}

/** Number of the line, from 1, that holds the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Place of an element for an error message. */
export function placeOf(document: TextFile, element: XmlElement): { file: string; line: number; element: string } {
  return { file: document.path, line: lineAt(document.text, element.start), element: describeElement(element) };
}
