/** USD's text encoding (`#usda 1.0`), as a layer. What bears on neither poses nor physics is checked for syntax and passed over. */
import { S4rError } from '../../../core/errors.js';
import { type AttributeSpec, type Layer, mergeListOps, newPrim, type PrimDraft, type PrimSpec, type UsdValue } from './layer.js';
import { UsdaLexer } from './usda-lexer.js';
import {
  acceptBrackets,
  acceptListEdit,
  type ListEdit,
  listOpOf,
  parseArc,
  parseDictionary,
  parseList,
  parseNumber,
  parseValue,
  rounded,
  skipParentheses,
} from './usda-values.js';

const MAX_DEPTH = 500;
const SPECIFIERS: ReadonlySet<string> = new Set(['def', 'over', 'class']);

/** @throws S4rError INVALID_INPUT with file and line */
export function parseUsda(text: string, file: string): Layer {
  if (!/^\uFEFF?#(usda|sdf) \d/.test(text)) {
    throw new S4rError('INVALID_INPUT', "no USD text file: it does not start with '#usda 1.0'", { file, line: 1 });
  }
  return new Parser(new UsdaLexer(text.replace(/^\uFEFF/, ''), file), file).layer();
}

class Parser {
  private readonly metadata = new Map<string, UsdValue | null>();
  private subLayers: readonly string[] = [];
  private readonly root = newPrim('', 'def', '');

  constructor(
    private readonly lexer: UsdaLexer,
    private readonly file: string,
  ) {}

  layer(): Layer {
    if (this.lexer.is('(')) this.metadataBlock((edit, key) => this.layerMetadata(edit, key));
    while (this.lexer.peek().kind !== 'end') this.statement(this.root, 0);
    return { file: this.file, metadata: this.metadata, subLayers: this.subLayers, root: this.root };
  }

  /** `( "comment"  key = value; ... )` */
  private metadataBlock(entry: (edit: ListEdit | undefined, key: string) => void): void {
    const { lexer } = this;
    lexer.expect('(');
    while (!lexer.accept(')')) {
      if (lexer.accept(';') || lexer.accept(',')) continue;
      if (lexer.peek().kind === 'string') {
        lexer.next();
        continue;
      }
      const edit = acceptListEdit(lexer);
      const key = lexer.take('name', "metadata or ')'").text;
      lexer.expect('=');
      entry(edit, key);
    }
  }

  private layerMetadata(edit: ListEdit | undefined, key: string): void {
    if (key === 'subLayers') {
      const paths = parseList(this.lexer, () => {
        const asset = this.lexer.take('asset', 'the asset path of a sublayer').text;
        skipParentheses(this.lexer);
        return asset;
      });
      this.subLayers = edit === 'append' ? [...this.subLayers, ...paths] : [...paths, ...this.subLayers];
    } else {
      this.metadata.set(key, parseValue(this.lexer));
    }
  }

  private statement(prim: PrimDraft, depth: number): void {
    const { lexer } = this;
    const { text, kind } = lexer.peek();
    if (lexer.accept(';')) return;
    if (SPECIFIERS.has(text) && kind === 'name') this.prim(prim.children, depth + 1);
    else if (prim === this.root) {
      const edit = acceptListEdit(lexer);
      if (edit !== 'reorder' || !lexer.accept('rootPrims')) throw lexer.unexpected("'def', 'over' or 'class'");
      lexer.expect('=');
      parseValue(lexer);
    } else if (lexer.accept('variantSet')) this.variantSet(prim, depth);
    else this.property(prim);
  }

  private prim(siblings: Map<string, PrimSpec>, depth: number): void {
    const { lexer } = this;
    const { text: specifier, line } = lexer.next();
    if (depth > MAX_DEPTH) throw lexer.error(`prims more than ${MAX_DEPTH} deep in one another`, line);
    let typeName = '';
    while (lexer.peek().kind === 'name' || lexer.is('.')) typeName += lexer.next().text;
    const { text: name } = lexer.take('string', 'the name of a prim in quotes');
    if (siblings.has(name)) throw lexer.error(`a second prim '${name}' in one place`, line);
    if (!/^[\p{L}\p{N}\p{M}_]+$/u.test(name)) throw lexer.error(`'${name}' is no name of a prim`, line);
    const prim = newPrim(name, specifier as PrimSpec['specifier'], typeName, line);
    siblings.set(name, prim);
    if (lexer.is('(')) this.metadataBlock((edit, key) => this.primMetadata(prim, edit, key));
    this.body(prim, depth);
  }

  private body(prim: PrimDraft, depth: number): void {
    this.lexer.expect('{');
    while (!this.lexer.accept('}')) {
      if (this.lexer.peek().kind === 'end') throw this.lexer.unexpected(`'}' of the prim '${prim.name}' that starts in line ${prim.line}`);
      this.statement(prim, depth);
    }
  }

  private primMetadata(prim: PrimDraft, edit: ListEdit | undefined, key: string): void {
    const { lexer } = this;
    const names = () =>
      listOpOf(
        edit,
        parseList(lexer, () => lexer.take('string', 'a name in quotes').text),
      );
    const arcs = () =>
      listOpOf(
        edit,
        parseList(lexer, () => parseArc(lexer)),
      );
    const paths = () =>
      listOpOf(
        edit,
        parseList(lexer, () => lexer.take('path', 'a prim path').text),
      );
    if (key === 'apiSchemas') prim.apiSchemas = mergeListOps(prim.apiSchemas, names());
    else if (key === 'variantSets') prim.variantSetNames = mergeListOps(prim.variantSetNames, names());
    else if (key === 'references') prim.references = mergeListOps(prim.references, arcs());
    else if (key === 'payload') prim.payloads = mergeListOps(prim.payloads, arcs());
    else if (key === 'inherits') prim.inherits = mergeListOps(prim.inherits, paths());
    else if (key === 'specializes') prim.specializes = mergeListOps(prim.specializes, paths());
    else if (key === 'variants') {
      for (const [set, choice] of parseDictionary(lexer)) prim.variants.set(set, String(choice));
    } else {
      const value = parseValue(lexer);
      if (key === 'active') prim.active = isTrue(value);
      if (key === 'instanceable') prim.instanceable = isTrue(value);
    }
  }

  private variantSet(prim: PrimDraft, depth: number): void {
    const { lexer } = this;
    const set = lexer.take('string', 'the name of a variant set').text;
    lexer.expect('=');
    lexer.expect('{');
    const variants = new Map<string, PrimSpec>();
    prim.variantSets.set(set, variants);
    while (!lexer.accept('}')) {
      const { text: name, line } = lexer.take('string', 'the name of a variant');
      if (depth > MAX_DEPTH) throw lexer.error(`variants more than ${MAX_DEPTH} deep in one another`, line);
      const variant = newPrim(prim.name, 'over', '', line);
      variants.set(name, variant);
      if (lexer.is('(')) this.metadataBlock((edit, key) => this.primMetadata(variant, edit, key));
      this.body(variant, depth + 1);
    }
  }

  private property(prim: PrimDraft): void {
    const { lexer } = this;
    const edit = acceptListEdit(lexer);
    if (edit === 'reorder' && (lexer.accept('nameChildren') || lexer.accept('properties'))) {
      lexer.expect('=');
      parseValue(lexer);
      return;
    }
    while (lexer.accept('custom') || lexer.accept('uniform') || lexer.accept('varying') || lexer.accept('config'));
    if (lexer.accept('rel')) this.relationship(prim, edit);
    else this.attribute(prim);
  }

  private relationship(prim: PrimDraft, edit: ListEdit | undefined): void {
    const { lexer } = this;
    const name = lexer.take('name', 'the name of a relationship').text;
    if (lexer.accept('.')) lexer.expect('default');
    if (lexer.accept('=')) {
      const targets = parseList(lexer, () => lexer.take('path', 'a path in <>').text);
      prim.relationships.set(name, mergeListOps(prim.relationships.get(name), listOpOf(edit, targets)));
    }
    if (lexer.is('(')) this.metadataBlock(() => void parseValue(lexer));
  }

  private attribute(prim: PrimDraft): void {
    const { lexer } = this;
    let typeName = lexer.take('name', "a property, a prim or '}'").text;
    if (acceptBrackets(lexer)) typeName += '[]';
    const name = lexer.take('name', 'the name of an attribute').text;
    const spec: { -readonly [K in keyof AttributeSpec]: AttributeSpec[K] } = {
      value: undefined,
      timeSamples: undefined,
      ...prim.attributes.get(name),
      typeName,
    };
    const part = lexer.accept('.') ? lexer.take('name', "'timeSamples' or 'connect'").text : 'default';
    if (part === 'default') {
      if (lexer.accept('=')) spec.value = rounded(parseValue(lexer), typeName);
    } else {
      lexer.expect('=');
      if (part === 'timeSamples') spec.timeSamples = this.timeSamples(typeName);
      else parseValue(lexer);
    }
    if (lexer.is('(')) this.metadataBlock(() => void parseValue(lexer));
    prim.attributes.set(name, spec);
  }

  private timeSamples(typeName: string): [number, UsdValue | null][] {
    const { lexer } = this;
    const samples: [number, UsdValue | null][] = [];
    lexer.expect('{');
    while (!lexer.accept('}')) {
      const time = parseNumber(lexer);
      lexer.expect(':');
      samples.push([time, rounded(parseValue(lexer), typeName)]);
      if (!lexer.accept(',') && !lexer.is('}')) throw lexer.unexpected("',' or '}'");
    }
    return samples.sort(([a], [b]) => a - b);
  }
}

function isTrue(value: UsdValue | null): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}
