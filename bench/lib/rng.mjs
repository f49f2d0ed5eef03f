// Seeded random numbers with 32-bit integers only, so that every platform draws the same ones.

/** xoshiro128** 1.1 (Blackman and Vigna); its state are four steps of splitmix32 from the seed. */
export class Random {
  #s;

  /** @param {number} seed integer in [0, 2^32) */
  constructor(seed) {
    let state = seed >>> 0;
    this.#s = Uint32Array.from({ length: 4 }, () => {
      state = (state + 0x9e3779b9) >>> 0;
      let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return z ^ (z >>> 15);
    });
  }

  /** Uniform integer in [0, 2^32). */
  uint32() {
    const s = this.#s;
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** Uniform multiple of 2^-53 in [0, 1), from two integers. */
  unit() {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  between(low, high) {
    return low + (high - low) * this.unit();
  }

  /** Uniform integer in [0, count). */
  below(count) {
    return Math.floor(this.unit() * count);
  }

  /** The items in random order (Fisher and Yates). */
  shuffled(items) {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
}

function rotateLeft(x, k) {
  return (x << k) | (x >>> (32 - k));
}
