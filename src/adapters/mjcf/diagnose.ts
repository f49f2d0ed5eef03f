/** MuJoCo's errors as one line with file, line and element. */
import { S4rError } from '../../core/errors.js';
import { lineAt, type XmlDocument } from '../files/document.js';
import { applyEdits } from '../files/edits.js';
import { endOf, shorten, type XmlElement } from '../files/xml.js';
import type { CompileOptions } from './compile.js';
import { engineMessage, loadModel, type MainModule, withFiles } from './engine.js';
import type { MjcfFiles } from './files.js';
import { includeElements } from './tree.js';

/** Names s4r gives to unnamed bodies in memory; they must not show up in messages. */
const OWN_NAME = /__s4r_\d+_/g;

interface Fault {
  readonly message: string;
  readonly element: string | undefined;
  /** 0: MuJoCo does not know. */
  readonly line: number;
}

/** The error to throw for what `compileOnce` threw. */
export function diagnose(engine: MainModule, files: MjcfFiles, options: CompileOptions, cause: unknown, message: string): S4rError {
  if (!message.startsWith('MuJoCo Error')) {
    return new S4rError('INVALID_INPUT', `MuJoCo's WebAssembly build crashed on this scene (${message})`, { file: files.main }, { cause });
  }
  const fault = parseMessage(message);
  let place: { file: string; line?: number } = { file: files.main };
  if (fault.line > 0) place = { file: files.main, line: fault.line };
  else if (files.tree.includes.size > 0) place = placeByFlattening(engine, files, options) ?? place;
  return new S4rError('INVALID_INPUT', fault.message, { ...place, element: fault.element }, { cause });
}

/** Where MuJoCo's memory ends. */
export function tooLarge(path: string, cause: unknown): S4rError {
  const { message } = parseMessage(engineMessage(cause));
  return new S4rError('INVALID_INPUT', `the scene does not fit into MuJoCo's 2 GiB of memory (${message})`, { file: path }, { cause });
}

/** Take `... Element 'body', line 4` or `... Element name 'q', id 1, line 4 | more` apart. */
function parseMessage(raw: string): Fault {
  const message = raw.replace(OWN_NAME, '');
  const where = /\s*\|?\s*Element (?:name )?'([^']*)'(?:, id -?\d+)?(?:, line (\d+))?\s*(?:\|(?!.*Element )(.*))?$/.exec(message);
  const more = where?.[3]?.replace(/^[\s|]+/, '');
  const head = where === null ? message : `${message.slice(0, where.index)}${more ? ` | ${more}` : ''}`;
  const text = head.replace(/^(?:(?:MuJoCo Error|Loading error|XML Error|Error): )+/, '').replace(/[\s|]+$/, '');
  const short = text.replace(/'([^']*)(?:'|$)/g, (_, quoted: string) => `'${shorten(quoted)}'`); // MuJoCo may cut the end off
  const parserLine = /(?:Line number=|\bline )(\d+)/.exec(message)?.[1];
  const name = where?.[1];
  const named = where?.[0].includes('Element name');
  const element = name === undefined || name === '' ? undefined : named ? `'${shorten(name)}'` : `<${name}>`;
  const hint = /^plugin .* not found$/.test(text) ? ` (MuJoCo's WebAssembly build has none)` : '';
  return { message: `MuJoCo: ${short}${hint}`, element, line: Number(where?.[2] ?? parserLine ?? 0) };
}

/**
 * MuJoCo forgets the line numbers of included files. So put their text where they are included, compile that,
 * and translate the line it reports back to the file it came from.
 */
function placeByFlattening(engine: MainModule, files: MjcfFiles, options: CompileOptions): { file: string; line: number } | undefined {
  const { text, origin } = flatten(files, options);
  try {
    const bytes = new Map([...files.files, [files.main, Buffer.from(text, 'latin1')]]);
    withFiles(engine, bytes, () => loadModel(engine, files.main)).delete();
  } catch (error) {
    const { line } = parseMessage(engineMessage(error));
    return origin[line - 1];
  }
  return undefined; // the fault vanished, as that of a file included twice does
}

/** The top file with all includes put in place, and for each of its lines the line it came from. */
function flatten(files: MjcfFiles, options: CompileOptions): { text: string; origin: { file: string; line: number }[] } {
  let text = '';
  const origin: { file: string; line: number }[] = [];
  const emit = (piece: string, document: XmlDocument, offset: number) => {
    let line = lineAt(document.text, offset);
    for (const character of piece) {
      if (character === '\n') {
        origin.push({ file: document.path, line });
        line += 1;
      }
    }
    text += piece;
  };
  const copy = (document: XmlDocument, start: number, end: number, root: XmlElement) => {
    const edits = [...(files.madeEdits.get(document) ?? []), ...(options.edits?.get(document) ?? [])];
    const edited = (from: number, to: number) =>
      applyEdits(
        document.text.slice(from, to),
        edits.filter((e) => e.start >= from && e.end <= to).map((e) => ({ ...e, start: e.start - from, end: e.end - from })),
      );
    let at = start;
    for (const include of includeElements(root)) {
      const included = files.tree.includes.get(include);
      if (included === undefined) continue;
      emit(edited(at, include.start), document, at);
      // A line break keeps lines of different files apart; between elements it means nothing.
      emit('\n', document, include.start);
      copy(included, included.root.contentStart, included.root.contentEnd, included.root);
      emit('\n', included, included.root.contentEnd);
      at = endOf(document.text, include);
    }
    emit(edited(at, end), document, at);
  };
  const { top } = files.tree;
  copy(top, 0, top.text.length, top.root);
  origin.push({ file: top.path, line: lineAt(top.text, top.text.length) });
  return { text, origin };
}
