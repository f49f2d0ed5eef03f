/** What `write` needs to find its way back into the files. Opaque to callers. */
import type { MeshSource } from '../mesh-source.js';
import type { SceneSpec, UrdfReadOptions } from './options.js';
import type { PlacedModel } from './place.js';
import type { BuiltScene } from './scene-builder.js';
import type { SceneFile } from './scene-file.js';

export interface UrdfSource extends BuiltScene {
  /** Absolute path of the file that was read. */
  readonly path: string;
  /** As given to `read`. */
  readonly options: UrdfReadOptions;
  readonly spec: SceneSpec;
  /** Absent where a URDF was read. */
  readonly sceneFile: SceneFile | undefined;
  readonly models: readonly PlacedModel[];
  /** Every file that was read, absolute. */
  readonly inputs: readonly string[];
  /** Meshes as loaded, for reading the output back. */
  readonly meshSource: MeshSource;
}
