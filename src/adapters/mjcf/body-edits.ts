/** Write a new pose into a `<body>` element. */
import type { Pose, Quat, Vec3 } from '../../core/scene.js';
import { angleBetween, compose, invert, multiplyQuat, normalizeQuat, rotate } from '../conventions.js';
import type { TextEdit } from '../files/edits.js';
import { formatNumber, isBlank, numberTokens } from '../files/numbers.js';
import { attribute } from '../files/xml.js';
import { nearest, TURN_TOLERANCE } from '../poses.js';
import type { BodyElement } from './bodies.js';
import { type AngleConvention, framePose, localPose, orientationAttribute } from './orientation.js';

/** A difference between the pose in the text and the compiled one beyond this means `align` moved the body's frame. */
const ALIGN_TOLERANCE = 1e-9;

/**
 * Edits that take the body from world pose `from` to `to`: the changed numbers of `pos`, and the orientation only if it
 * turned. `from` is the compiled pose; enclosing `<frame>`s and `<freejoint align="true"/>` are divided out.
 * @throws S4rError OUTPUT
 */
export function bodyEdits(body: BodyElement, from: Pose, to: Pose, convention: AngleConvention): TextEdit[] {
  const frame = framePose(body.frames, convention);
  const local = localPose(body, convention);
  const written = compose(frame, local);
  const shift = compose(invert(from), written);
  const aligned = Math.hypot(...shift.position) > ALIGN_TOLERANCE || angleBetween(from.quaternion, written.quaternion) > ALIGN_TOLERANCE;
  // World pose of the frame the text sets, before and after.
  const before = aligned ? written : from;
  const after = aligned ? compose(to, shift) : to;

  const plain = body.frames.length === 0;
  const position = plain ? after.position : moved(local.position, frame.quaternion, before.position, after.position);
  const changed = ([0, 1, 2] as const).map((i) => (plain ? after.position[i] !== before.position[i] : position[i] !== local.position[i]));
  const edits = positionEdits(body, position, changed);
  if (angleBetween(from.quaternion, to.quaternion) > TURN_TOLERANCE) {
    const turned = multiplyQuat(invert(frame).quaternion, after.quaternion);
    edits.push(...orientationEdits(body, nearest(normalizeQuat(turned), local.quaternion)));
  }
  return edits;
}

/** A local position moved by a world displacement; components that are only rounding stay. */
function moved(local: Vec3, frame: Quat, before: Vec3, after: Vec3): Vec3 {
  const world: Vec3 = [after[0] - before[0], after[1] - before[1], after[2] - before[2]];
  const step = rotate([frame[0], -frame[1], -frame[2], -frame[3]], world);
  const noise = 1e-14 * Math.hypot(...step);
  const at = (i: 0 | 1 | 2) => (Math.abs(step[i]) <= noise ? local[i] : local[i] + step[i]);
  return [at(0), at(1), at(2)];
}

function positionEdits({ element, document }: BodyElement, position: Vec3, changed: readonly boolean[]): TextEdit[] {
  const what = { element: 'body', attribute: 'pos' };
  if (!changed.includes(true)) return [];
  const pos = attribute(element, 'pos');
  if (pos === undefined) {
    const at = attribute(element, 'name')?.end ?? element.nameEnd;
    return [{ ...what, start: at, end: at, text: ` pos="${position.map(formatNumber).join(' ')}"` }];
  }
  if (isBlank(pos)) return [{ ...what, start: pos.valueStart, end: pos.valueEnd, text: position.map(formatNumber).join(' ') }];
  const tokens = numberTokens(document, pos);
  return tokens.flatMap(({ start, end }, i) =>
    changed[i] === true ? [{ ...what, start, end, text: formatNumber(position[i as 0 | 1 | 2]) }] : [],
  );
}

function orientationEdits({ element, document }: BodyElement, quaternion: Quat): TextEdit[] {
  const what = { element: 'body', attribute: 'quat' };
  const old = orientationAttribute(element);
  if (old?.name === 'quat' && !isBlank(old)) {
    return numberTokens(document, old).flatMap(({ start, end, value }, i) => {
      const component = quaternion[i as 0 | 1 | 2 | 3];
      return component === value ? [] : [{ ...what, start, end, text: formatNumber(component) }];
    });
  }
  const values = quaternion.map(formatNumber).join(' ');
  if (old !== undefined) {
    const quote = document.text[old.end - 1] as string;
    return [{ ...what, start: old.start, end: old.end, text: `quat=${quote}${values}${quote}` }];
  }
  const at = (attribute(element, 'pos') ?? attribute(element, 'name'))?.end ?? element.nameEnd;
  return [{ ...what, start: at, end: at, text: ` quat="${values}"` }];
}
