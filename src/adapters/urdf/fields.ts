/** Attributes of URDF elements, checked. */
import { S4rError } from '../../core/errors.js';
import type { Pose, Vec3 } from '../../core/scene.js';
import { quatFromEuler } from '../conventions.js';
import { placeOf, type TextFile } from '../files/document.js';
import { attribute, shorten, type XmlElement } from '../files/xml.js';

/** What to do with a file that is not a URDF yet. */
export const EXPAND_XACRO = 'expand it first: `xacro FILE > robot.urdf` (in ROS 2: `ros2 run xacro xacro FILE > robot.urdf`)';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Coordinates and sizes beyond this [m] are nonsense, and their squares lose all digits. */
const MAX_VALUE = 1e10;

/** Reads attributes of one file; what is wrong is refused with file, line and element. */
export class Fields {
  constructor(private readonly document: TextFile) {}

  refuse(element: XmlElement, message: string): S4rError {
    return new S4rError('INVALID_INPUT', message, placeOf(this.document, element));
  }

  /** A name or the like: there and not empty. */
  text(element: XmlElement, name: string): string {
    const value = attribute(element, name)?.value ?? '';
    if (value === '') throw this.refuse(element, `${name} is missing`);
    return value;
  }

  /** Numbers separated by white space. */
  numbers(element: XmlElement, name: string, count: number, otherwise?: readonly number[]): readonly number[] {
    const found = attribute(element, name);
    if (found === undefined && otherwise !== undefined) return otherwise;
    if (found === undefined) throw this.refuse(element, `${name} is missing`);
    const tokens = found.value
      .trim()
      .split(/\s+/)
      .filter((token) => token !== '');
    const numbers = tokens.map((token) => (NUMBER.test(token) ? Number(token) : Number.NaN));
    if (numbers.length === count && numbers.every((value) => Math.abs(value) <= MAX_VALUE)) return numbers;
    const wanted = count === 1 ? 'a number' : `${count} numbers`;
    const xacro = /\$[{(]/.test(found.value) ? `; this is xacro: ${EXPAND_XACRO}` : '';
    throw this.refuse(element, `${name} must be ${wanted}, finite and within +-1e10, got '${shorten(found.value)}'${xacro}`);
  }

  number(element: XmlElement, name: string, otherwise?: number): number {
    return this.numbers(element, name, 1, otherwise === undefined ? undefined : [otherwise])[0] as number;
  }

  vector(element: XmlElement, name: string, otherwise?: Vec3): Vec3 {
    return this.numbers(element, name, 3, otherwise) as unknown as Vec3;
  }

  /** Sizes. */
  positive(element: XmlElement, name: string): number {
    const value = this.number(element, name);
    if (value > 0) return value;
    throw this.refuse(element, `${name} must be positive, got ${value}`);
  }

  /** `<origin xyz rpy>` of an element: fixed-axis roll, pitch, yaw [rad]. */
  origin(element: XmlElement): Pose {
    const origin = this.only(element, 'origin');
    if (origin === undefined) return { position: [0, 0, 0], quaternion: [1, 0, 0, 0] };
    const rpy = this.vector(origin, 'rpy', [0, 0, 0]);
    return { position: this.vector(origin, 'xyz', [0, 0, 0]), quaternion: quatFromEuler(rpy, 'XYZ') };
  }

  /** The child of that name, of which there may be one. */
  only(element: XmlElement, name: string): XmlElement | undefined {
    const [first, second] = element.children.filter((child) => child.name === name);
    if (second !== undefined) throw this.refuse(second, `a second <${name}> in <${element.name}>`);
    return first;
  }
}
