/** What is held together, pair by pair: bodies by joints and constraints. */

/** Groups of the numbers below `count`, each known by its lowest member (union-find with path halving). */
export class Groups {
  private readonly parents: number[];

  constructor(count: number) {
    this.parents = Array.from({ length: count }, (_, i) => i);
  }

  /** Lowest member of the group of `member`. */
  lowest(member: number): number {
    const { parents } = this;
    let at = member;
    while (parents[at] !== at) at = parents[at] = parents[parents[at] as number] as number;
    return at;
  }

  /** Make one group of those of `a` and `b`. */
  join(a: number, b: number): void {
    const [first, second] = [this.lowest(a), this.lowest(b)];
    this.parents[Math.max(first, second)] = Math.min(first, second);
  }
}
