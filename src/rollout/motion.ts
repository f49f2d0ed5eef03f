/** Follows bodies through a rollout and keeps the extremes of their motion. Knows no engine. */
import type { Motion, Peak } from './rollout.js';

/** A peak whose body is still a number. */
interface Extreme {
  value: number;
  body: number;
  time: number;
}

/** Bodies `ids` of an engine whose arrays hold 3 numbers per body. */
export class MotionTracker {
  readonly #ids: readonly number[];
  readonly #start: Float64Array;
  readonly #previous: Float64Array;
  readonly #speed: Extreme = { value: -1, body: 0, time: 0 };
  readonly #angularSpeed: Extreme = { value: -1, body: 0, time: 0 };
  readonly #displacement: Extreme = { value: -1, body: 0, time: 0 };

  /** @param centres centre of mass of every body at the start [m] */
  constructor(ids: readonly number[], centres: ArrayLike<number>) {
    this.#ids = ids;
    this.#start = Float64Array.from(centres);
    this.#previous = Float64Array.from(centres);
  }

  /**
   * Records the state at `time` [s], one step of `dt` [s] after the last one.
   * @param centres centre of mass of every body [m]
   * @param angularSpeed of a body at the start of this step [rad/s]
   */
  record(time: number, dt: number, centres: ArrayLike<number>, angularSpeed: (body: number) => number): void {
    for (const body of this.#ids) {
      raise(this.#speed, distance(centres, this.#previous, body) / dt, body, time);
      raise(this.#displacement, distance(centres, this.#start, body), body, time);
      raise(this.#angularSpeed, angularSpeed(body), body, time - dt);
      for (let i = 3 * body; i < 3 * body + 3; i++) this.#previous[i] = centres[i] as number;
    }
  }

  report(nameOf: (body: number) => string): Motion {
    const peak = ({ value, body, time }: Extreme): Peak | null => (value < 0 ? null : { value, body: nameOf(body), time });
    return {
      bodies: this.#ids.length,
      speed: peak(this.#speed),
      angularSpeed: peak(this.#angularSpeed),
      displacement: peak(this.#displacement),
    };
  }
}

function raise(extreme: Extreme, value: number, body: number, time: number): void {
  if (value <= extreme.value) return;
  extreme.value = value;
  extreme.body = body;
  extreme.time = time;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>, body: number): number {
  const i = 3 * body;
  return Math.hypot(
    (a[i] as number) - (b[i] as number),
    (a[i + 1] as number) - (b[i + 1] as number),
    (a[i + 2] as number) - (b[i + 2] as number),
  );
}
