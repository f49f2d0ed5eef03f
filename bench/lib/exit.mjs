// How a bench ends badly: 2 for bad usage, 3 for a broken environment; nothing goes to stdout then.

export class BenchExit extends Error {
  /** @param {2 | 3} code */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Runs a bench; a BenchExit becomes its message on stderr and its code. */
export async function runBench(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof BenchExit)) throw error;
    console.error(error.message);
    process.exitCode = error.code;
  }
}
