/**
 * USD's binary encoding, crate files (`PXR-USDC`), versions 0.4 to 0.13, as a layer. The layout follows OpenUSD's crateFile.h;
 * sections are tables: tokens, strings, fields (name and value), sets of fields, paths, and specs (path, kind, set of fields).
 */
import { S4rError } from '../../../core/errors.js';
import { CrateReader } from './crate-reader.js';
import { type CrateValue, CrateValues } from './crate-values.js';
import { type AssetArc, type Layer, type ListOp, newPrim, type PrimDraft, type UsdValue } from './layer.js';

const MAGIC = 'PXR-USDC';
/** Kinds of specs. */
const ATTRIBUTE = 1;
const PRIM = 6;
const PSEUDO_ROOT = 7;
const RELATIONSHIP = 8;
const VARIANT = 10;
const SPECIFIERS = ['def', 'over', 'class'] as const;

type Fields = ReadonlyMap<string, CrateValue>;
type Spec = { readonly kind: number; readonly fields: Fields };

export function isCrate(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString('latin1') === MAGIC;
}

/** @throws S4rError INVALID_INPUT if the file is damaged or of a version that is not known */
export function parseCrate(bytes: Uint8Array, file: string): Layer {
  const reader = new CrateReader(bytes, file);
  const specs = readSpecs(reader);
  const top = specs.get('/');
  if (top?.kind !== PSEUDO_ROOT) throw reader.damaged('it has no root');
  const root = new LayerBuilder(specs, reader).prim('/', top, 0);
  const metadata = new Map([...top.fields].flatMap(([name, value]) => (isPlain(value) ? [[name, value] as const] : [])));
  const subLayers = top.fields.get('subLayers');
  return { file, metadata, subLayers: Array.isArray(subLayers) ? subLayers.map(String) : [], root };
}

function readSpecs(reader: CrateReader): Map<string, Spec> {
  const minor = readVersion(reader);
  const sections = readSections(reader);
  const open = (name: string) => {
    const start = sections.get(name);
    if (start === undefined) throw reader.damaged(`no section ${name}`);
    reader.seek(start);
  };
  open('TOKENS');
  const tokens = readTokens(reader);
  open('STRINGS');
  const strings = Array.from({ length: reader.count(reader.u64(), 1, 4) }, reader.u32);
  open('FIELDS');
  const fields = readFields(reader);
  open('FIELDSETS');
  const fieldSets = reader.integers(reader.count(reader.u64()));
  open('PATHS');
  const paths = readPaths(reader, tokens);
  open('SPECS');
  const values = new CrateValues(reader, { tokens, strings, paths, minor });
  const columns = readColumns(reader);
  const decoded = new Map<number, CrateValue>();
  const sets = new Map<number, Fields>();
  const fieldsOf = (start: number): Fields => {
    const found = new Map<string, CrateValue>();
    for (let at = start; ; at++) {
      const index = fieldSets[at];
      if (index === undefined) throw reader.damaged(`set of fields ${start} of ${fieldSets.length}`);
      if (index === -1) return found;
      const field = fields[index];
      const name = field === undefined ? undefined : tokens[field.name];
      if (field === undefined || name === undefined) throw reader.damaged(`field ${index} of ${fields.length}`);
      if (!decoded.has(index)) decoded.set(index, values.read(field.low, field.high));
      found.set(name, decoded.get(index));
    }
  };
  const specs = new Map<string, Spec>();
  for (let i = 0; i < columns.paths.length; i++) {
    const [path, start, kind] = [paths[columns.paths[i] as number], columns.sets[i] as number, columns.kinds[i] as number];
    if (path === undefined) throw reader.damaged(`path ${columns.paths[i]} of ${paths.length}`);
    if (!sets.has(start)) sets.set(start, fieldsOf(start));
    specs.set(path, { kind, fields: sets.get(start) as Fields });
  }
  return specs;
}

function readVersion(reader: CrateReader): number {
  if (!isCrate(reader.bytes)) throw reader.damaged(`it does not start with ${MAGIC}`);
  reader.seek(8);
  const [major, minor, patch] = [reader.u8(), reader.u8(), reader.u8()];
  if (major === 0 && minor >= 4 && minor <= 13) return minor;
  const message = `crate files of version ${major}.${minor}.${patch} are not supported, 0.4 to 0.13 are; convert it to .usda`;
  throw new S4rError('INVALID_INPUT', message, { file: reader.file });
}

function readSections(reader: CrateReader): Map<string, number> {
  reader.seek(16);
  reader.seek(reader.u64());
  const sections = new Map<string, number>();
  for (let i = reader.count(reader.u64(), 1, 32); i > 0; i--) {
    const name = Buffer.from(reader.take(16)).toString('latin1').replace(/\0.*$/s, '');
    sections.set(name, reader.u64());
    reader.u64();
  }
  return sections;
}

function readTokens(reader: CrateReader): string[] {
  const count = reader.count(reader.u64());
  const size = reader.u64();
  const { bytes } = reader.block(reader.count(size), size);
  const tokens = Buffer.from(bytes).toString('utf8').split('\0');
  if (tokens.length < count) throw reader.damaged(`${tokens.length} tokens of ${count}`);
  return tokens.slice(0, count);
}

interface Field {
  readonly name: number;
  readonly low: number;
  readonly high: number;
}

function readFields(reader: CrateReader): Field[] {
  const count = reader.count(reader.u64());
  const names = reader.integers(count);
  const values = reader.block(8 * count, 8 * count);
  return Array.from({ length: count }, (_, i) => ({ name: names[i] as number, low: values.u32(), high: values.u32() }));
}

/** Of every spec: the index of its path, of the first field of its set, and its kind. */
function readColumns(reader: CrateReader): Record<'paths' | 'sets' | 'kinds', ArrayLike<number>> {
  const count = reader.count(reader.u64());
  return { paths: reader.integers(count), sets: reader.integers(count), kinds: reader.integers(count) };
}

/** Paths by index, as in `/World/mug.radius` or `/World{look=red}mug`. A tree in depth-first order; `jump` says how it goes on. */
function readPaths(reader: CrateReader, tokens: readonly string[]): string[] {
  const total = reader.count(reader.u64());
  const paths = new Array<string>(total).fill('');
  const count = reader.count(reader.u64());
  const [indices, elements, jumps] = [reader.integers(count), reader.integers(count), reader.integers(count)];
  const pending: { at: number; parent: string }[] = count === 0 ? [] : [{ at: 0, parent: '' }];
  for (let visits = 0; pending.length > 0; ) {
    let { at, parent } = pending.pop() as { at: number; parent: string };
    for (;;) {
      const [index, element, jump] = [indices[at], elements[at], jumps[at]];
      if (index === undefined || element === undefined || jump === undefined || index < 0 || index >= total || ++visits > count) {
        throw reader.damaged(`path ${at} of ${count} leads nowhere`);
      }
      const path: string = parent === '' ? '/' : pathOf(parent, tokens[Math.abs(element)] ?? '', element < 0);
      if (path.length > 65536) throw reader.damaged('a path without end');
      paths[index] = path;
      if (jump > 0) pending.push({ at: at + jump, parent });
      if (jump > 0 || jump === -1) parent = path;
      else if (jump !== 0) break;
      at++;
    }
  }
  return paths;
}

function pathOf(parent: string, element: string, isProperty: boolean): string {
  if (isProperty) return `${parent}.${element}`;
  return parent === '/' || parent.endsWith('}') || element.startsWith('{') || element.startsWith('[')
    ? parent + element
    : `${parent}/${element}`;
}

class LayerBuilder {
  constructor(
    private readonly specs: ReadonlyMap<string, Spec>,
    private readonly reader: CrateReader,
  ) {}

  prim(path: string, { fields }: Spec, depth: number): PrimDraft {
    if (depth > 500) throw this.reader.damaged('prims more than 500 deep in one another');
    const name = /([^/{}]*)(\{[^}]*\})*$/.exec(path)?.[1] ?? '';
    const specifier = path === '/' ? 'def' : (SPECIFIERS[Number(fields.get('specifier') ?? 1)] ?? 'over');
    const prim = newPrim(name, specifier, String(fields.get('typeName') ?? ''));
    const flag = (key: string) => (fields.get(key) === undefined ? undefined : fields.get(key) === true);
    prim.active = flag('active');
    prim.instanceable = flag('instanceable');
    prim.apiSchemas = fields.get('apiSchemas') as ListOp<string> | undefined;
    prim.references = fields.get('references') as ListOp<AssetArc> | undefined;
    prim.payloads = fields.get('payload') as ListOp<AssetArc> | undefined;
    prim.inherits = fields.get('inheritPaths') as ListOp<string> | undefined;
    prim.specializes = fields.get('specializes') as ListOp<string> | undefined;
    prim.variantSetNames = fields.get('variantSetNames') as ListOp<string> | undefined;
    prim.variants = new Map((fields.get('variantSelection') as ReadonlyMap<string, string> | undefined) ?? []);
    for (const property of this.names(fields, 'properties')) this.property(prim, property, this.specs.get(`${path}.${property}`));
    for (const child of this.names(fields, 'primChildren')) {
      const at = pathOf(path, child, false);
      const spec = this.specs.get(at);
      if (spec?.kind === PRIM) prim.children.set(child, this.prim(at, spec, depth + 1));
    }
    for (const set of this.names(fields, 'variantSetChildren')) {
      const variants = new Map<string, PrimDraft>();
      for (const variant of this.names(this.specs.get(`${path}{${set}=}`)?.fields ?? new Map(), 'variantChildren')) {
        const at = `${path}{${set}=${variant}}`;
        const spec = this.specs.get(at);
        if (spec?.kind === VARIANT) variants.set(variant, this.prim(at, spec, depth + 1));
      }
      prim.variantSets.set(set, variants);
    }
    return prim;
  }

  private property(prim: PrimDraft, name: string, spec: Spec | undefined): void {
    if (spec?.kind === RELATIONSHIP) {
      const targets = spec.fields.get('targetPaths');
      if (targets !== undefined) prim.relationships.set(name, targets as ListOp<string>);
    } else if (spec?.kind === ATTRIBUTE) {
      const samples = spec.fields.get('timeSamples') as { samples: readonly (readonly [number, UsdValue | null])[] } | undefined;
      prim.attributes.set(name, {
        typeName: String(spec.fields.get('typeName') ?? ''),
        value: spec.fields.get('default') as UsdValue | null | undefined,
        timeSamples: samples?.samples,
      });
    }
  }

  private names(fields: Fields, key: string): readonly string[] {
    const names = fields.get(key);
    return Array.isArray(names) ? names.map(String) : [];
  }
}

function isPlain(value: CrateValue): value is number | boolean | string {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
}
