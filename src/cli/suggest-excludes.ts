/** Lines for a scene or a robot that keep parts from colliding which nothing can move apart. */
import { escapeXml } from '../adapters/files/xml.js';
import { plain } from './format.js';
import type { Outcome } from './outcome.js';

export type ExcludeStyle = 'srdf' | 'mjcf';

const LINES: Readonly<Record<ExcludeStyle, (a: string, b: string) => string>> = {
  srdf: (a, b) => `<disable_collisions link1="${a}" link2="${b}" reason="Default"/>`,
  mjcf: (a, b) => `<exclude body1="${a}" body2="${b}"/>`,
};

/** One line per pair of bodies whose overlaps are constant, in the order found. Bodies without a name in the file need one first. */
export function suggestExcludes(outcome: Outcome, style: ExcludeStyle): string {
  const constant = outcome.findings.filter((finding) => finding.class === 'constant');
  const name = (text: string) => escapeXml(plain(text));
  const lines = new Set(
    constant.map(({ names: { bodyA, bodyB } }) => LINES[style](...([bodyA, bodyB].map(name).sort() as [string, string]))),
  );
  return [...lines].map((line) => `${line}\n`).join('');
}
