/** Which of many boxes meet a given one. */
import { AXES, type Box, uniteBoxes } from './units.js';

export interface Boxed {
  readonly box: Box;
}

/** Built once; halves of about as many items each, cut across the longest side of the box about their centres. */
export class BoxTree<Item extends Boxed> {
  private readonly root: Node<Item> | undefined;

  constructor(items: readonly Item[]) {
    this.root = items.length === 0 ? undefined : build([...items]);
  }

  /** Those whose boxes meet `range`, touching included, in an order that depends on the items alone. */
  meeting(range: Box): Item[] {
    const found: Item[] = [];
    if (this.root !== undefined) collect(this.root, range, found);
    return found;
  }
}

interface Node<Item> {
  readonly box: Box;
  readonly items: readonly Item[];
  readonly halves: readonly Node<Item>[];
}

const LEAF = 4;

function build<Item extends Boxed>(items: Item[]): Node<Item> {
  const box = items.map((item) => item.box).reduce(uniteBoxes);
  if (items.length <= LEAF) return { box, items, halves: [] };
  const axis = longestAxis(items);
  items.sort((a, b) => middle(a, axis) - middle(b, axis)); // stable
  const half = items.length >> 1;
  return { box, items: [], halves: [build(items.slice(0, half)), build(items.slice(half))] };
}

function collect<Item extends Boxed>(node: Node<Item>, range: Box, found: Item[]): void {
  if (!meets(node.box, range)) return;
  for (const item of node.items) if (meets(item.box, range)) found.push(item);
  for (const half of node.halves) collect(half, range, found);
}

/** Twice the middle. */
function middle({ box }: Boxed, axis: number): number {
  return (box.low[axis] as number) + (box.high[axis] as number);
}

function longestAxis(items: readonly Boxed[]): number {
  const lengths = AXES.map((_, axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (const item of items) {
      low = Math.min(low, middle(item, axis));
      high = Math.max(high, middle(item, axis));
    }
    return high - low;
  });
  return lengths.indexOf(Math.max(...lengths));
}

/** Written out, as it is asked very often. */
function meets({ low, high }: Box, other: Box): boolean {
  const [a, b] = [other.low, other.high];
  return low[0] <= b[0] && a[0] <= high[0] && low[1] <= b[1] && a[1] <= high[1] && low[2] <= b[2] && a[2] <= high[2];
}
