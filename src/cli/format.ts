/** Numbers for people: no more digits than anybody can use. */

/** Decimals that suit a column of lengths [mm]: a hundredth, a tenth from 100 mm on. */
export function decimalsFor(millimetres: readonly number[]): number {
  return millimetres.some((value) => Math.abs(value) >= 100) ? 1 : 2;
}

/** A number with fixed decimals; what is not 0 but would read as 0 shows as `<0.01`. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  if (Number(text) !== 0) return text;
  return value === 0 ? (0).toFixed(decimals) : `${value < 0 ? '>-' : '<'}${(10 ** -decimals).toFixed(decimals)}`;
}

/** Three significant digits, no exponent in everyday ranges; below a thousandth of the unit `<0.001`. */
export function short(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) < 0.0005) return value < 0 ? '>-0.001' : '<0.001';
  return Math.abs(value) >= 1000 && Math.abs(value) < 1e6 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** A length given in metres, in mm with its unit. */
export function millimetres(metres: number): string {
  return `${short(1000 * metres)} mm`;
}

/** A duration given in milliseconds. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${short(milliseconds / 1000)} s`;
}

/** A name from the user's file, which may hold line breaks and terminal sequences, as part of one line. */
export function plain(name: string): string {
  return name.replace(/\p{Cc}/gu, '?');
}

/** `1 overlap`, `2 overlaps`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
