/** How URDF files become a scene: what a caller says, and the same with everything filled in. */
import type { Pose, Quat, Vec3 } from '../../core/scene.js';
import type { Place } from '../files/disk.js';
import type { MeshMode } from '../mesh-source.js';
import type { PackageMap } from '../meshes/packages.js';

/** How one model stands in the scene. */
export interface ModelPlacement {
  /** Origin of the root link [m]. Default 0. */
  readonly position?: Vec3 | undefined;
  /** Rotation of the root link, w first; or fixed-axis roll, pitch, yaw [rad]. Default none. */
  readonly quaternion_wxyz?: Quat | undefined;
  readonly rpy?: Vec3 | undefined;
  /**
   * Whether it may move. Default: `free` if it has no movable joints, or hangs on the world by a floating joint; otherwise, and if its root
   * link is called `world`, `fixed`.
   */
  readonly base?: 'fixed' | 'free' | undefined;
  /** Positions of joints by name [rad, m]. Default 0. */
  readonly joints?: Readonly<Record<string, number>> | undefined;
  /** SRDF file whose disabled collisions count. */
  readonly srdf?: string | undefined;
}

export interface NamedModel extends ModelPlacement {
  readonly urdf: string;
  /** Prefix of its bodies, where there are several models. Default: that of the robot. */
  readonly name?: string | undefined;
}

export interface UrdfReadOptions extends ModelPlacement {
  /** More models beside the URDF that is read; its own placement is said by the options themselves. Not for scene files. */
  readonly with?: readonly NamedModel[] | undefined;
  /** Directories of packages by name, for `package://`. */
  readonly packages?: Readonly<Record<string, string>> | undefined;
  /** Default `hull`. */
  readonly mesh?: MeshMode | undefined;
  /** A half-space below z = 0. Default false. */
  readonly ground?: boolean | undefined;
  /**
   * What `write` changes: `scene`, poses and joint positions in a scene file; `origins`, the `<origin>` of the joints by which movable
   * things hang on the root link of the one URDF that is read. Default `scene`.
   */
  readonly write?: 'scene' | 'origins' | undefined;
}

/** A model to place, with what was not given left open. */
export interface ModelEntry {
  /** Absolute path. */
  readonly urdf: string;
  readonly name: string | undefined;
  readonly X_WR: Pose;
  readonly base: 'fixed' | 'free' | undefined;
  /** In the order given. */
  readonly joints: ReadonlyMap<string, number>;
  readonly srdf: string | undefined;
  /** Where the entry stands, for messages; undefined if it comes from options. */
  readonly place: Place | undefined;
}

export interface SceneSpec {
  readonly entries: readonly ModelEntry[];
  /** Absolute directories. */
  readonly packages: PackageMap;
  readonly mesh: MeshMode;
  readonly ground: boolean;
  /** Unit. */
  readonly up: Vec3;
  readonly write: 'scene' | 'origins';
}
