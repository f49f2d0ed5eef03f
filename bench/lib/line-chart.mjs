// Lines with marks over a linear or logarithmic pair of axes, the legend on the right.
import { COLOURS, Drawing, INK, MUTED } from './svg.mjs';

const SIZE = { width: 760, height: 400 };
const LEGEND_ROW = 38;
const AREA = { left: 76, top: 58, right: 540, bottom: 348 };

/**
 * `series`: [{name, points: [[x, y], ...], note?, style?}], `x` and `y`: {label, log?}; `style` picks colour and mark, by default
 * the place in the list. Ticks of x stand at the measured values.
 * A linear y starts at 0; a logarithmic one leaves out points at 0.
 */
export function lineChart({ title, subtitle, x, y, series }) {
  const drawing = new Drawing(SIZE.width, Math.max(SIZE.height, AREA.top + LEGEND_ROW * series.length + 12), title);
  drawing.text(24, 28, title, { size: 16, weight: 'bold' });
  drawing.text(24, 46, subtitle, { fill: MUTED });
  const shown = series.map((one) => ({ ...one, points: one.points.filter(([a, b]) => (!x.log || a > 0) && (!y.log || b > 0)) }));
  const points = shown.flatMap((one) => one.points);
  if (points.length === 0) return drawing.toString();
  const across = axis(
    points.map((p) => p[0]),
    x.log,
    AREA.left + 14,
    AREA.right - 14,
  );
  const up = axis(y.log ? points.map((p) => p[1]) : [0, ...points.map((p) => p[1])], y.log, AREA.bottom, AREA.top + 8);

  for (const tick of spread(up.ticks, up.place, 14)) {
    drawing.line([
      [AREA.left, up.place(tick)],
      [AREA.right, up.place(tick)],
    ]);
    drawing.text(AREA.left - 8, up.place(tick) + 4, label(tick), { anchor: 'end', fill: MUTED });
  }
  for (const tick of spread(
    [...new Set(points.map((p) => p[0]))].sort((a, b) => a - b),
    across.place,
    34,
  )) {
    drawing.line(
      [
        [across.place(tick), AREA.bottom],
        [across.place(tick), AREA.bottom + 5],
      ],
      { stroke: MUTED },
    );
    drawing.text(across.place(tick), AREA.bottom + 20, label(tick), { anchor: 'middle', fill: MUTED });
  }
  drawing.line(
    [
      [AREA.left, AREA.bottom],
      [AREA.right, AREA.bottom],
    ],
    { stroke: MUTED },
  );
  drawing.text((AREA.left + AREA.right) / 2, AREA.bottom + 40, x.label, { anchor: 'middle' });
  drawing.text(22, (AREA.top + AREA.bottom) / 2, y.label, { anchor: 'middle', turn: -90 });

  shown.forEach((one, i) => {
    const { style = i } = one;
    const colour = COLOURS[style % COLOURS.length];
    const placed = one.points.map(([a, b]) => [across.place(a), up.place(b)]);
    if (placed.length > 1) drawing.line(placed, { stroke: colour, width: 2 });
    for (const [a, b] of placed) drawing.mark(a, b, style, colour);
    drawing.mark(AREA.right + 24, AREA.top + 14 + LEGEND_ROW * i, style, colour);
    drawing.text(AREA.right + 38, AREA.top + 18 + LEGEND_ROW * i, one.name, { fill: INK, weight: 'bold' });
    if (one.note) drawing.text(AREA.right + 38, AREA.top + 33 + LEGEND_ROW * i, one.note, { size: 11, fill: MUTED });
  });
  return drawing.toString();
}

/** Exponent of the least-squares line through the logarithms; undefined below two different x. */
export function slopeOf(points) {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (k) => logs.reduce((sum, p) => sum + p[k], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const spreadX = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return spreadX > 0 ? logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spreadX : undefined;
}

/** From values to pixels, with round ticks that enclose the values. */
function axis(values, log, from, to) {
  const ticks = log ? decadeTicks(Math.min(...values), Math.max(...values)) : evenTicks(Math.min(...values), Math.max(...values));
  const scale = log ? Math.log : (value) => value;
  const [low, high] = [scale(ticks[0]), scale(ticks.at(-1))];
  return { ticks, place: (value) => from + ((to - from) * (scale(value) - low)) / (high - low) };
}

/** 1, 2 and 5 times powers of ten. */
function decadeTicks(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)) + 1; power++) {
    for (const digit of [1, 2, 5]) all.push(Number(`${digit}e${power}`));
  }
  const first = all.findLastIndex((tick) => tick <= low * (1 + 1e-9));
  const last = all.findIndex((tick) => tick >= high * (1 - 1e-9));
  return all.slice(first, Math.max(last, first + 1) + 1);
}

function evenTicks(low, high) {
  const raw = (high - low || Math.abs(high) || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((value) => value >= raw * (1 - 1e-9));
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Those ticks whose labels keep their distance [px]. */
function spread(ticks, place, distance) {
  const kept = [];
  for (const tick of ticks) if (kept.length === 0 || Math.abs(place(tick) - place(kept.at(-1))) >= distance) kept.push(tick);
  return kept;
}

const label = (value) => (value >= 1e4 ? value.toLocaleString('en-US') : String(value));
