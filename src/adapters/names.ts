/** Unique names for things the file leaves unnamed. */
export class UniqueNames {
  private readonly taken = new Set<string>();
  /** Number to try next by wish, as thousands may wish for the same. */
  private readonly next = new Map<string, number>();

  /** Keep a name the file gives. */
  reserve(name: string): void {
    this.taken.add(name);
  }

  /** `wish`, or `wish_2`, `wish_3`, ... if taken. */
  make(wish: string): string {
    let name = wish;
    let i = this.next.get(wish) ?? 2;
    for (; this.taken.has(name); i++) name = `${wish}_${i}`;
    this.next.set(wish, i);
    this.taken.add(name);
    return name;
  }
}
