/** Unique names for things the file leaves unnamed. */
export class UniqueNames {
  private readonly taken = new Set<string>();

  /** Keep a name the file gives. */
  reserve(name: string): void {
    this.taken.add(name);
  }

  /** `wish`, or `wish_2`, `wish_3`, ... if taken. */
  make(wish: string): string {
    let name = wish;
    for (let i = 2; this.taken.has(name); i++) name = `${wish}_${i}`;
    this.taken.add(name);
    return name;
  }
}
