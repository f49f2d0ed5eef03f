/** Joints that moved, as text for people. Angles in degrees, lengths in mm. */
import type { Joint, JointMove } from '../index.js';
import { fixed } from './format.js';
import { type Column, formatTable } from './table.js';

interface Row {
  readonly joint: Joint;
  readonly move: JointMove;
}

/** Table of the joints that moved, in the order of the scene; nothing without any. @param joints of the scene */
export function showJoints(joints: readonly Joint[], moves: readonly JointMove[], all: boolean): string {
  if (moves.length === 0) return '';
  const rows = moves.map((move): Row => ({ joint: joints[move.jointId] as Joint, move }));
  const columns: Column<Row>[] = [
    { title: 'moved', align: 'right', text: ({ joint, move }) => shown(joint, move.after - move.before) },
    { title: '', align: 'left', text: ({ joint }) => (joint.type === 'hinge' ? 'deg' : 'mm') },
    { title: 'from', align: 'right', text: ({ joint, move }) => shown(joint, move.before) },
    { title: 'to', align: 'right', text: ({ joint, move }) => shown(joint, move.after) },
    { title: 'joint', align: 'left', text: ({ move }) => move.name },
    { title: '', align: 'left', text: ({ joint, move }) => note(joint, move, joints) },
  ];
  return `\n${formatTable(rows, columns, all)}`;
}

function shown({ type }: Joint, value: number): string {
  return fixed((type === 'hinge' ? 180 / Math.PI : 1000) * value, 2);
}

function note({ follows, limits }: Joint, { after }: JointMove, joints: readonly Joint[]): string {
  if (follows !== undefined) return `with ${joints[follows.joint]?.name}`;
  if (limits === undefined) return '';
  if (after < limits[0] || after > limits[1]) return 'outside of its limits';
  return after === limits[0] || after === limits[1] ? 'at its limit' : '';
}
