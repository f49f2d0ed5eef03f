// The plots that several benches share, from mean rows (`meansOf`).
import { barChart } from './bar-chart.mjs';
import { lineChart, slopeOf } from './line-chart.mjs';
import { MAIN } from './options.mjs';
import { groupsOf, seconds } from './report.mjs';

/** What the subtitle of every plot says of its rows. */
export function settingOf(rows) {
  const seeds = [...new Set(rows.map((row) => row.seed))];
  const threads = rows[0].threads === 0 ? 'all cores' : rows[0].threads === 1 ? 'one thread' : `${rows[0].threads} threads`;
  return `${seeds.length === 1 ? 'seed' : 'means over seeds'} ${seeds.join(', ')}; ${threads}`;
}

/** One series per method, and per pool where there are several. A method of `main` looks alike in every plot. */
export function seriesOf(means, x, y, note = () => undefined) {
  const several = groupsOf(means, ['pool']).length > 1;
  let others = MAIN.length;
  return groupsOf(means, ['pool', 'method']).map((group) => {
    const points = group.map((row) => [x(row), y(row)]);
    const { method, pool } = group[0];
    const known = MAIN.indexOf(method);
    const style = several ? undefined : known < 0 ? others++ : known;
    return { name: several ? `${method}, ${pool}` : method, points, note: note(points), style };
  });
}

/** Time against N, both logarithmic, with the exponent of each series. */
export function timePlot(means, title, subtitle) {
  const exponent = (points) => {
    const slope = slopeOf(points);
    return slope === undefined ? undefined : `grows as N^${slope.toFixed(2)}`;
  };
  const series = seriesOf(
    means,
    (row) => row.n,
    (row) => row.seconds,
    exponent,
  );
  return lineChart({ title, subtitle, x: { label: 'bodies N', log: true }, y: { label: 'setup + solve [s]', log: true }, series });
}

export function rmsdPlot(means, title, subtitle) {
  const series = seriesOf(
    means,
    (row) => row.n,
    (row) => row.rmsd,
  );
  return lineChart({ title, subtitle, x: { label: 'bodies N', log: true }, y: { label: 'RMSD [m]' }, series });
}

export function leftPlot(means, title, subtitle) {
  const series = seriesOf(
    means,
    (row) => row.n,
    (row) => row.pairsAfter,
  );
  return lineChart({ title, subtitle, x: { label: 'bodies N', log: true }, y: { label: 'overlapping pairs left' }, series });
}

/**
 * Share of each stage. Detections in the tail are the tail's; what no other stage claims is detection in the loop and
 * bookkeeping.
 */
export function phasesPlot(means, title, subtitle) {
  const bars = means.map((row) => {
    const { detect, ...others } = row.phases;
    const rest = row.seconds - Object.values(others).reduce((sum, value) => sum + value, 0);
    const { setup = 0, ...stages } = others;
    const used = Object.fromEntries(Object.entries(stages).filter(([, value]) => value > 0));
    const parts = { setup, 'detection and the rest': Math.max(0, rest), ...used };
    return { label: row.method, group: `${row.pool}, N = ${row.n}`, parts, note: `${seconds(row.seconds)} s` };
  });
  return barChart({ title, subtitle, bars, share: true });
}
