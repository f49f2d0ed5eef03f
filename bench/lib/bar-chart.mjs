// Horizontal bars, one a row, stacked from named parts; the height follows from the number of rows.
import { COLOURS, Drawing, MUTED } from './svg.mjs';

const WIDTH = 760;
const LEFT = 210;
const RIGHT = 560;
const ROW = 22;

/**
 * `bars`: [{label, group?, parts: {name: value}, note}]; a new `group` leaves a gap and gets a heading.
 * With `share` every bar is as long as the others and shows its parts' shares.
 */
export function barChart({ title, subtitle, bars, share = false }) {
  const names = [...new Set(bars.flatMap(({ parts }) => Object.keys(parts)))];
  const groups = new Set(bars.map(({ group }) => group).filter(Boolean)).size;
  const top = names.length > 1 ? 84 : 62;
  const drawing = new Drawing(WIDTH, top + ROW * bars.length + 24 * groups + 20, title);
  drawing.text(24, 28, title, { size: 16, weight: 'bold' });
  drawing.text(24, 46, subtitle, { fill: MUTED });
  if (names.length > 1) legend(drawing, names);

  const totals = bars.map(({ parts }) => Object.values(parts).reduce((sum, value) => sum + value, 0));
  const longest = Math.max(...totals);
  let y = top;
  bars.forEach(({ label, group, parts, note }, i) => {
    if (group !== undefined && group !== bars[i - 1]?.group) {
      drawing.text(24, y + 16, group, { weight: 'bold' });
      y += 24;
    }
    drawing.text(LEFT - 10, y + 14, label, { anchor: 'end' });
    let x = LEFT;
    for (const [name, value] of Object.entries(parts)) {
      const full = share ? totals[i] : longest;
      const width = full > 0 ? ((RIGHT - LEFT) * value) / full : 0;
      drawing.rect(x, y + 3, width, ROW - 7, colourOf(names, name));
      x += width;
    }
    drawing.text(Math.max(x, LEFT) + 8, y + 14, note, { fill: MUTED });
    y += ROW;
  });
  return drawing.toString();
}

function legend(drawing, names) {
  let x = LEFT;
  for (const name of names) {
    drawing.rect(x, 60, 11, 11, colourOf(names, name));
    drawing.text(x + 16, 70, name, { size: 11, fill: MUTED });
    x += 32 + 6 * name.length;
  }
}

const colourOf = (names, name) => COLOURS[(names.indexOf(name) + (names.length > 1 ? 1 : 5)) % COLOURS.length];
