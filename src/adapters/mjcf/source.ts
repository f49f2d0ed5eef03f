/** What `write` needs to find its way back into the files. Opaque to callers. */
import type { BodyId, Pose } from '../../core/scene.js';
import { placeOf } from '../files/document.js';
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
  /** Address of the free joint in qpos; undefined unless the body is the root of a free tree. */
  readonly qposAddress: number | undefined;
  /** Its place in the file; undefined if it is not one element's only body. */
  readonly element: BodyElement | undefined;
  /** Its id in the scene; undefined if it has no part in it. */
  readonly sceneId: BodyId | undefined;
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
}

/** Where a body of the scene stands in the files; undefined if it is not one element's only body. */
export function placeOfBody(source: MjcfSource, body: BodyId): ReturnType<typeof placeOf> | undefined {
  const element = source.bodies.find(({ sceneId }) => sceneId === body)?.element;
  return element === undefined ? undefined : placeOf(element.document, element.element);
}
