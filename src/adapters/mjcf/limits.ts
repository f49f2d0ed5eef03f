/**
 * What MuJoCo's WebAssembly build can hold, found out before it compiles. Beyond its stack of 64 KiB it writes over its own memory,
 * and a crash is the lucky end of that; copies by the million keep it busy for hours, and nothing can interrupt it.
 */
import { S4rError } from '../../core/errors.js';
import { placeOf, type XmlDocument } from '../files/document.js';
import { baseName } from '../files/paths.js';
import { attribute, type XmlElement } from '../files/xml.js';
import type { MjcfTree, Placed } from './tree.js';

/** What a model asks for where it is attached. */
export interface Extent {
  /** Bodies, frames and so on inside one another, at most. */
  readonly depth: number;
  /** Models attached in models attached in it, at most. */
  readonly models: number;
  /** Elements MuJoCo makes of it. */
  readonly made: number;
}

/** Elements that MuJoCo reads by recursion. */
const NESTING = new Set(['body', 'frame', 'replicate', 'default']);

/**
 * Levels of nesting that fit, with 15 % to spare; what else takes stack, in such levels: an element around an include (or an
 * include), a composite and the like, an attached model. Measured with MuJoCo 3.14 by painting its stack: 432 bytes a body,
 * 2544, 13 500 and 3900 bytes the others, 14 300 bytes at the end of every nesting.
 */
const MAX_LEVELS = 100;
const INCLUDE_LEVELS = 5;
const COMPOSITE_LEVELS = 31;
const MODEL_LEVELS = 9;

/** Elements beyond those written down. MuJoCo's time grows with the square of their number: half a minute for so many. */
const MAX_COPIES = 30_000;
/** Of one composite, whose bodies hang on each other: its time grows with the cube. */
const MAX_COMPOSITE = 1000;

/**
 * Refuse what nests or multiplies more than MuJoCo's build can hold.
 * @param models extents of the models that may be attached, by name
 * @throws S4rError INVALID_INPUT with file, line, element, the number and the limit
 */
export function extentWithin(tree: MjcfTree, models: ReadonlyMap<string, Extent> = new Map()): Extent {
  const seen = new Set<unknown>();
  const deepestChain = Math.max(0, ...[...models.values()].map((model) => model.models + 1));
  let depth = 0;
  let made = 0;
  let copies = 0;
  const refuse = ({ element, document }: Placed, message: string) => new S4rError('INVALID_INPUT', message, placeOf(document, element));
  const count = (placed: Placed, times: number, written: number) => {
    made += times;
    copies += times - written;
    if (copies <= MAX_COPIES) return;
    throw refuse(placed, `copies make ${copies} elements besides those written down; at most ${MAX_COPIES} can be read`);
  };
  const firstTime = (thing: unknown) => !seen.has(thing) && seen.add(thing) !== undefined;
  /** Refuse `nested` things inside one another if less of the levels, each of so many, is left. */
  const nest = (placed: Placed, nested: number, what: string, taken = 0, each = 1) => {
    const most = Math.floor((MAX_LEVELS - MODEL_LEVELS * deepestChain - taken) / each);
    if (nested <= most) return;
    throw refuse(placed, `${nested} ${what}; at most ${most} fit on the stack of MuJoCo's WebAssembly build`);
  };

  const visit = (parent: XmlElement, document: XmlDocument, level: number, path: number, times: number) => {
    for (const element of parent.children) {
      const placed = { element, document };
      const included = tree.includes.get(element);
      if (included !== undefined) {
        nest(placed, path + 1, 'elements and includes inside one another', 0, INCLUDE_LEVELS);
        count(placed, 1, firstTime(element) ? 1 : 0);
        visit(included.root, included, level, path + 1, times);
        continue;
      }
      const inner = level + (NESTING.has(element.name) ? 1 : 0);
      nest(placed, inner, 'bodies, frames and so on inside one another');
      depth = Math.max(depth, inner);
      count(placed, times, firstTime(element) ? 1 : 0);
      const composite = COMPOSITES[element.name];
      if (composite !== undefined) {
        nest(placed, inner, `bodies, frames and so on around <${element.name}>`, COMPOSITE_LEVELS);
        const parts = composite(element);
        if (parts > MAX_COMPOSITE) throw refuse(placed, `a composite of ${parts} parts; at most ${MAX_COMPOSITE} can be read`);
        count(placed, times * parts, 0);
      }
      const model = element.name === 'attach' ? models.get(attribute(element, 'model')?.value ?? '') : undefined;
      if (model !== undefined) {
        nest(placed, inner + model.depth, 'bodies, frames and so on inside one another, with those of the attached model');
        depth = Math.max(depth, inner + model.depth);
        count(placed, times * model.made, firstTime(model) ? model.made : 0);
      }
      const copied = element.name === 'replicate' ? whole(attribute(element, 'count')?.value) : 1;
      visit(element, document, inner, path + 1, times * copied);
    }
  };
  const most = Math.floor(MAX_LEVELS / MODEL_LEVELS);
  const top = { element: tree.top.root, document: tree.top };
  if (deepestChain > most) throw refuse(top, `${deepestChain} models attached in one another; at most ${most} fit on MuJoCo's stack`);
  visit(tree.top.root, tree.top, 0, 0, 1);
  return { depth, models: deepestChain, made };
}

/** How many parts they make. */
const COMPOSITES: Readonly<Record<string, (element: XmlElement) => number>> = {
  composite: (element) =>
    (attribute(element, 'count')?.value ?? '')
      .trim()
      .split(/\s+/)
      .reduce((product, n) => product * whole(n), 1),
  // Its points need no bodies of their own, and too many of them MuJoCo refuses soon enough.
  flexcomp: () => 1,
};

/** A count, 1 if it is none: MuJoCo says what is wrong with it. */
function whole(text: string | undefined): number {
  const value = Number(text);
  return Number.isFinite(value) && value >= 1 ? Math.trunc(value) : 1;
}

/** Name under which a model asset is attached. */
export function modelName(element: XmlElement): string {
  return attribute(element, 'name')?.value || baseName(attribute(element, 'file')?.value ?? '').replace(/\.[^.]*$/, '');
}
