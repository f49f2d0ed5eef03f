/** A progress bar on one line of stderr, and only when somebody watches: stderr is a terminal. */
import type { Progress } from '../index.js';
import type { Io } from './io.js';

const WIDTH = 24;

/** Time between two drawings [ms]. */
const INTERVAL = 50;

const LABELS: Readonly<Record<Progress['stage'], string>> = {
  evaluate: 'checking',
  scale: 'growing',
  tail: 'separating',
  cleanup: 'cleaning up',
};

export class ProgressBar {
  readonly #io: Io;
  #drawnAt = -Infinity;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Draws a bar; `fraction` is 0..1. */
  show(label: string, fraction: number, note = ''): void {
    const { stderr } = this.#io;
    if (stderr.isTTY !== true || performance.now() - this.#drawnAt < INTERVAL) return;
    this.#drawnAt = performance.now();
    const done = Math.round(WIDTH * Math.min(1, Math.max(0, fraction)));
    const line = `${label.padEnd(12)}[${'#'.repeat(done)}${'-'.repeat(WIDTH - done)}] ${note}`;
    stderr.write(`\r${line.slice(0, (stderr.columns || 80) - 1)}\x1b[K`);
  }

  /** Listener for a solve. */
  readonly onProgress = ({ stage, fraction, overlaps }: Progress): void => {
    this.show(LABELS[stage], fraction, overlaps < 0 ? '' : `${overlaps} overlaps left`);
  };

  /** Removes the bar, so that other output starts on an empty line. */
  clear(): void {
    if (this.#drawnAt === -Infinity) return;
    this.#drawnAt = -Infinity;
    this.#io.stderr.write('\r\x1b[K');
  }
}
