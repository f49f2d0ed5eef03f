/** Moves of bodies as text for people. Lengths in mm. */
import type { Move, Standing } from '../index.js';
import { decimalsFor, fixed } from './format.js';
import { type Column, formatTable } from './table.js';

const TURNED: Column<Move> = { title: 'turned deg', align: 'right', text: ({ rotation }) => fixed((180 / Math.PI) * rotation, 2) };

/** Table of the moves, largest first. */
export function showMoves(moves: readonly Move[], all: boolean): string {
  if (moves.length === 0) return '';
  const decimals = decimalsFor(moves.map(({ distance }) => 1000 * distance));
  const along = (axis: 0 | 1 | 2) => (move: Move) => fixed(1000 * move.translation[axis], decimals);
  const columns: Column<Move>[] = [
    { title: 'moved mm', align: 'right', text: ({ distance }) => fixed(1000 * distance, decimals) },
    { title: 'dx', align: 'right', text: along(0) },
    { title: 'dy', align: 'right', text: along(1) },
    { title: 'dz', align: 'right', text: along(2) },
    ...(moves.some(({ rotation }) => rotation > 0) ? [TURNED] : []),
    { title: 'body', align: 'left', text: ({ name }) => name },
    { title: '', align: 'left', text: ({ wasOverlapping }) => (wasOverlapping ? '' : 'pushed') },
  ];
  return `\n${formatTable(moves, columns, all)}`;
}

/** Table of the bodies that were stood up or that stand over an edge; nothing if all stood and stand well. */
export function showStanding(standing: readonly Standing[], all: boolean): string {
  const rows = all
    ? standing
    : standing.filter(({ tiltBefore, heightBefore, offSupport }) => offSupport || tiltBefore > STOOD || Math.abs(heightBefore) > STOOD);
  if (rows.length === 0) return '';
  const degrees = (angle: number) => fixed((180 / Math.PI) * angle, 2);
  const decimals = decimalsFor(rows.map(({ heightBefore }) => 1000 * heightBefore));
  const columns: Column<Standing>[] = [
    { title: 'tilted deg', align: 'right', text: ({ tiltBefore }) => degrees(tiltBefore) },
    { title: 'now', align: 'right', text: ({ tiltAfter }) => degrees(tiltAfter) },
    { title: 'above mm', align: 'right', text: ({ heightBefore }) => fixed(1000 * heightBefore, decimals) },
    { title: 'now', align: 'right', text: ({ heightAfter }) => fixed(1000 * heightAfter, decimals) },
    { title: 'body', align: 'left', text: ({ name }) => name },
    { title: 'stands on', align: 'left', text: ({ support }) => support },
    { title: '', align: 'left', text: ({ offSupport }) => (offSupport ? 'over the edge' : '') },
  ];
  return `\n${formatTable(rows, columns, all)}`;
}

/** What is less tilted or lifted [rad], [m] stood. */
const STOOD = 1e-6;
