/** Poses as MJCF writes them: pos and one of quat, axisangle, euler, xyaxes, zaxis. */
import { S4rError } from '../../core/errors.js';
import type { Pose, Quat, Vec3 } from '../../core/scene.js';
import {
  compose,
  normalizeQuat,
  quatFromAxisAngle,
  quatFromEuler,
  quatFromXYAxes,
  quatFromZAxis,
  quatWxyzAt,
  radians,
  vec3At,
} from '../conventions.js';
import { placeOf } from '../files/document.js';
import { isBlank, numberTokens } from '../files/numbers.js';
import { attribute, shorten, type XmlAttribute, type XmlElement } from '../files/xml.js';
import { descendants, type MjcfTree, type Placed } from './tree.js';

/** What `<compiler>` says about angles; the last one wins, wherever it stands. */
export interface AngleConvention {
  readonly degrees: boolean;
  readonly eulerSequence: string;
}

const ORIENTATIONS = ['quat', 'axisangle', 'euler', 'xyaxes', 'zaxis'];

export function angleConvention(tree: MjcfTree): AngleConvention {
  let angle = 'degree';
  let eulerSequence = 'xyz';
  for (const { element } of descendants(tree)) {
    if (element.name !== 'compiler') continue;
    angle = attribute(element, 'angle')?.value ?? angle;
    eulerSequence = attribute(element, 'eulerseq')?.value ?? eulerSequence;
  }
  return { degrees: angle === 'degree', eulerSequence };
}

/** The attribute that orients an element; MJCF allows one. */
export function orientationAttribute(element: XmlElement): XmlAttribute | undefined {
  return element.attributes.find(({ name }) => ORIENTATIONS.includes(name));
}

/** Pose of a `<body>` or `<frame>` in what encloses it. @throws S4rError OUTPUT if a value cannot be understood */
export function localPose(placed: Placed, convention: AngleConvention): Pose {
  const pos = attribute(placed.element, 'pos');
  const orientation = orientationAttribute(placed.element);
  return {
    position: pos === undefined || isBlank(pos) ? [0, 0, 0] : vec3At(numbersOf(placed, pos, 3), 0),
    quaternion: orientation === undefined || isBlank(orientation) ? [1, 0, 0, 0] : quaternionOf(placed, orientation, convention),
  };
}

/** Pose of nested `<frame>`s, outermost first. @throws S4rError OUTPUT */
export function framePose(frames: readonly Placed[], convention: AngleConvention): Pose {
  return frames.reduce((pose: Pose, frame) => compose(pose, localPose(frame, convention)), {
    position: [0, 0, 0],
    quaternion: [1, 0, 0, 0],
  });
}

function quaternionOf(placed: Placed, found: XmlAttribute, { degrees, eulerSequence }: AngleConvention): Quat {
  const angle = (value: number) => (degrees ? radians(value) : value);
  const quaternion = () => {
    switch (found.name) {
      case 'axisangle': {
        const values = numbersOf(placed, found, 4);
        return quatFromAxisAngle(vec3At(values, 0), angle(values[3] as number));
      }
      case 'euler': {
        const [a, b, c] = vec3At(numbersOf(placed, found, 3), 0);
        return quatFromEuler([angle(a), angle(b), angle(c)] satisfies Vec3, eulerSequence);
      }
      case 'xyaxes': {
        const values = numbersOf(placed, found, 6);
        return quatFromXYAxes(vec3At(values, 0), vec3At(values, 3));
      }
      case 'zaxis':
        return quatFromZAxis(vec3At(numbersOf(placed, found, 3), 0));
      default:
        return normalizeQuat(quatWxyzAt(numbersOf(placed, found, 4), 0));
    }
  };
  return quaternion() ?? unreadable(placed, found);
}

function numbersOf(placed: Placed, found: XmlAttribute, count: number): number[] {
  const values = numberTokens(placed.document, found).map((token) => token.value);
  return values.length === count && values.every(Number.isFinite) ? values : unreadable(placed, found);
}

function unreadable({ document, element }: Placed, found: XmlAttribute): never {
  throw new S4rError('OUTPUT', `cannot edit a pose written as ${found.name}="${shorten(found.value)}"`, placeOf(document, element));
}
