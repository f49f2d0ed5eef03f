/** What the user should know of a stage, one sentence per kind of thing and not one per prim. */
export class Notes {
  private readonly places = new Map<string, Set<string>>();

  /** @param text without a full stop; the prims it is true of are named after it */
  add(text: string, path: string): void {
    this.places.set(text, (this.places.get(text) ?? new Set()).add(path));
  }

  list(): string[] {
    return [...this.places].map(([text, paths]) => {
      const [first, ...more] = paths;
      return `${text}: ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
    });
  }
}
