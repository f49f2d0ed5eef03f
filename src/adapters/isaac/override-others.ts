/**
 * Prims that refer to a prim of the same stage, or inherit from it, take over what a layer says of that prim: whoever moves `/World/a`
 * also moves `/World/b (references = </World/a>)`. What keeps those where they are.
 */
import { S4rError } from '../../core/errors.js';
import type { PrimEdit } from './override-layer.js';
import type { OpValue } from './override-ops.js';
import type { IsaacSource } from './source.js';
import { byStrength } from './usd/node.js';
import type { Prim } from './usd/prim.js';

const ORDER = 'xformOpOrder';

/**
 * The edits, with those of other prims that would move because of them: for them the layer repeats what they have now.
 * @throws S4rError OUTPUT for others that no layer can keep: those inside instances, and copies of a PointInstancer
 */
export function withOthersKept({ stage, bodies }: IsaacSource, moved: readonly PrimEdit[]): PrimEdit[] {
  const { root, layer } = stage;
  const copies = bodies.flatMap(({ prim }) => (prim.copy === undefined ? [] : [prim]));
  const edits = new Map(moved.map((edit) => [edit.prim.path, edit]));
  const all = new Map(edits);
  const visit = (prim: Prim) => {
    for (const edit of editsTakenOver(prim, root, edits)) {
      const kept = keeping(prim, edit, all.get(prim.path));
      if (kept === undefined) continue;
      if (prim.copy !== undefined || prim.isInstanceProxy) {
        const message = `<${prim.path}> is made of <${edit.prim.path}> and would move with it, and no layer can keep it; write a pose table (.npz, .json)`;
        throw new S4rError('OUTPUT', message, { file: layer.file });
      }
      all.set(prim.path, kept);
    }
    prim.children.forEach(visit);
  };
  if (moved.length > 0) for (const prim of [...root.children, ...copies]) visit(prim);
  return [...all.values()];
}

/** Edits of prims whose opinions are among those of this one. */
function editsTakenOver(prim: Prim, root: Prim, edits: ReadonlyMap<string, PrimEdit>): PrimEdit[] {
  return byStrength(prim.tree).flatMap(({ stack, arc, path }) => {
    const edit = stack === root.tree.stack && arc !== 'variant' && path !== prim.path ? edits.get(path) : undefined;
    return edit === undefined ? [] : [edit];
  });
}

/** The edit of `prim`, with what it takes to keep from it what `taken` says; undefined if that makes no difference to it. */
function keeping(prim: Prim, taken: PrimEdit, own: PrimEdit | undefined): PrimEdit | undefined {
  const has = (attribute: string) => own?.values.some((value) => value.attribute === attribute) === true;
  const values = taken.values.filter(({ attribute }) => !has(attribute) && isWeaker(prim, attribute, taken.prim.path));
  const order = own?.order === undefined && taken.order !== undefined && isWeaker(prim, ORDER, taken.prim.path);
  if (values.length === 0 && !order) return undefined;
  return {
    prim,
    values: [...(own?.values ?? []), ...values.map((value) => valueNow(prim, value))],
    order: order ? (prim.texts(ORDER) ?? []) : own?.order,
  };
}

/** Whether an opinion at the site `path` would win over the one that the attribute has now. */
function isWeaker(prim: Prim, attribute: string, path: string): boolean {
  const sites = byStrength(prim.tree);
  const says = ({ value, timeSamples }: { value: unknown; timeSamples: unknown }) => value !== undefined || timeSamples !== undefined;
  const now = sites.findIndex(({ opinions }) => opinions.some(({ spec }) => says(spec.attributes.get(attribute) ?? NOTHING)));
  return now < 0 || now >= sites.findIndex((site) => site.path === path && site.arc !== 'variant');
}

const NOTHING = { value: undefined, timeSamples: undefined };

/** None: an operation without a value does nothing, whatever a weaker layer says. */
function valueNow(prim: Prim, { attribute, typeName }: OpValue): OpValue {
  const value = prim.attribute(attribute)?.value;
  const numbers = typeof value === 'number' ? [value] : Array.isArray(value) ? (value as readonly number[]) : undefined;
  return { attribute, typeName: prim.attributeType(attribute) ?? typeName, numbers };
}
