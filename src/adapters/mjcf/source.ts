/** What `write` needs to find its way back into the files. Opaque to callers. */
import type { BodyId, Pose, Vec3 } from '../../core/scene.js';
import type { XmlDocument } from '../files/document.js';
import { lineNumbers } from '../files/edits.js';
import { describeElement } from '../files/xml.js';
import type { BodyElement } from './bodies.js';
import type { MjcfFiles } from './files.js';

/** One body of the compiled model. */
export interface SourceBody {
  /** As in `Scene`: unique, made up if the file gives none. */
  readonly name: string;
  /** Pose in the state that was read. */
  readonly X_WB: Pose;
  /** MuJoCo id of the body it moves with rigidly: the root of a free tree, or itself. */
  readonly root: number;
  /** MuJoCo id of the body it hangs on; the world's is 0. */
  readonly parent: number;
  /** Address of the free joint in qpos; undefined unless the body is the root of a free tree. */
  readonly qposAddress: number | undefined;
  /** Likewise of the joint's 6 numbers in qvel. */
  readonly dofAddress: number | undefined;
  /** Its place in the file; undefined if it is not one element's only body. */
  readonly element: BodyElement | undefined;
  /** Its id in the scene; undefined if it has no part in it. */
  readonly sceneId: BodyId | undefined;
}

/** A hinge or slide, as in the state that was read. */
export interface SourceJoint {
  /** As in `Scene`: unique, made up if the file gives none. */
  readonly name: string;
  readonly type: 'hinge' | 'slide';
  /** MuJoCo id of the body it moves. */
  readonly body: number;
  readonly qposAddress: number;
  /** Unit vector, and a point [m], in W. */
  readonly axis: Vec3;
  readonly anchor: Vec3;
  /** [rad] or [m], as in qpos. */
  readonly position: number;
  readonly limits?: readonly [lower: number, upper: number];
}

/** A keyframe as compiled. */
export interface SourceKey {
  readonly name: string;
  readonly qpos: Float64Array;
  /** Its other attributes, for a copy of it. */
  readonly rest: Readonly<Record<'time' | 'qvel' | 'act' | 'ctrl' | 'mpos' | 'mquat', Float64Array>>;
}

export interface MjcfSource {
  /** Absolute path of the scene. */
  readonly path: string;
  readonly files: MjcfFiles;
  /** Index of the keyframe that was read, -1 for qpos0. */
  readonly key: number;
  readonly keys: readonly SourceKey[];
  /** Joint positions of the state that was read. */
  readonly qpos: Float64Array;
  /** By MuJoCo id. */
  readonly bodies: readonly SourceBody[];
  /** By id in the scene. */
  readonly joints: readonly SourceJoint[];
  /** Length of qvel. */
  readonly nv: number;
  /** By MuJoCo id; '' for those the file leaves unnamed. */
  readonly jointNames: readonly string[];
}

/** Says where a body of the scene stands in the files; undefined if it is not one element's only body. */
export function bodyPlaces(source: MjcfSource): (body: BodyId) => { file: string; line: number; element: string } | undefined {
  const elements = new Map(source.bodies.map(({ sceneId, element }) => [sceneId, element]));
  const lines = new Map<XmlDocument, (offset: number) => number>();
  return (body) => {
    const found = elements.get(body);
    if (found === undefined) return undefined;
    const { document, element } = found;
    const lineOf = lines.get(document) ?? lineNumbers(document.text);
    lines.set(document, lineOf);
    return { file: document.path, line: lineOf(element.start), element: describeElement(element) };
  };
}
