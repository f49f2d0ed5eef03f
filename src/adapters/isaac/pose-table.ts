/** Root poses as a table, for what resets a simulation: `.npz` or `.json`. The order of quaternions is in every name. */
import { createRequire } from 'node:module';
import { S4rError } from '../../core/errors.js';
import type { Result } from '../../core/result.js';
import type { Pose, Vec3 } from '../../core/scene.js';
import { quatXyzwFromWxyz } from '../conventions.js';
import { encodeNpz, type NpyArray } from '../files/npz.js';
import { baseName } from '../files/paths.js';
import { samePose } from '../poses.js';
import type { IsaacSource } from './source.js';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** One row per floating body, or root of a floating tree. */
export interface PoseTable {
  readonly format: 's4r-root-poses';
  readonly s4r_version: string;
  /** File name of the stage, and SHA-256 over all files it was read from. */
  readonly source: string;
  readonly source_sha256: string;
  readonly meters_per_unit: number;
  readonly up_axis: string;
  /** What the positions are relative to: `world`, or `env` if an origin was given. */
  readonly frame: 'world' | 'env';
  /** That origin in the world [m]. */
  readonly env_origin: Vec3;
  readonly prim_paths: readonly string[];
  readonly moved: readonly boolean[];
  /** x, y, z [m], then the quaternion: Isaac Lab 2.x, Isaac Sim. */
  readonly root_pose_w_quat_wxyz: readonly (readonly number[])[];
  /** The same for Isaac Lab 3.x, Isaac Gym. */
  readonly root_pose_w_quat_xyzw: readonly (readonly number[])[];
  /** Of joints that were freed: their prims, and where they stand now [rad, m]. */
  readonly joint_prim_paths: readonly string[];
  readonly joint_positions: readonly number[];
}

/** @param origin of the environment in the world [m], subtracted from the positions */
export function poseTable({ path, stage, bodies, sha256 }: IsaacSource, { poses, joints = [] }: Result, origin?: Vec3): PoseTable {
  if (origin !== undefined && !origin.every(Number.isFinite))
    throw new S4rError('INVALID_OPTION', `the origin must be finite, got ${origin}`);
  const [x, y, z] = origin ?? [0, 0, 0];
  const roots = bodies.filter(({ id, free, root }) => free && root === id);
  const pose = (id: number) => poses[id] as Pose;
  const place = ({ position: p }: Pose) => (origin === undefined ? p : [p[0] - x, p[1] - y, p[2] - z]);
  return {
    format: 's4r-root-poses',
    s4r_version: version,
    source: baseName(path),
    source_sha256: sha256,
    meters_per_unit: stage.metersPerUnit,
    up_axis: stage.upAxis,
    frame: origin === undefined ? 'world' : 'env',
    env_origin: [x, y, z],
    prim_paths: roots.map(({ name }) => name),
    moved: roots.map(({ id, X_WB }) => !samePose(pose(id), X_WB)),
    root_pose_w_quat_wxyz: roots.map(({ id }) => [...place(pose(id)), ...pose(id).quaternion]),
    root_pose_w_quat_xyzw: roots.map(({ id }) => [...place(pose(id)), ...quatXyzwFromWxyz(pose(id).quaternion)]),
    joint_prim_paths: joints.map(({ name }) => name),
    joint_positions: joints.map(({ after }) => after),
  };
}

export function encodeTable(table: PoseTable, format: 'npz' | 'json'): Uint8Array {
  if (format === 'json') return Buffer.from(`${JSON.stringify(table, null, 1)}\n`);
  const text = (data: readonly string[], shape: number[] = [data.length]): NpyArray => ({ dtype: 'string', shape, data });
  const numbers = (data: readonly number[], shape: number[] = [data.length]): NpyArray => ({
    dtype: 'float64',
    shape,
    data: Float64Array.from(data),
  });
  const rows = table.prim_paths.length;
  return encodeNpz({
    format: text([table.format], []),
    s4r_version: text([table.s4r_version], []),
    source: text([table.source], []),
    source_sha256: text([table.source_sha256], []),
    meters_per_unit: numbers([table.meters_per_unit], []),
    up_axis: text([table.up_axis], []),
    frame: text([table.frame], []),
    env_origin: numbers(table.env_origin),
    prim_paths: text(table.prim_paths),
    moved: { dtype: 'bool', shape: [rows], data: Uint8Array.from(table.moved, Number) },
    root_pose_w_quat_wxyz: numbers(table.root_pose_w_quat_wxyz.flat(), [rows, 7]),
    root_pose_w_quat_xyzw: numbers(table.root_pose_w_quat_xyzw.flat(), [rows, 7]),
    joint_prim_paths: text(table.joint_prim_paths),
    joint_positions: numbers(table.joint_positions),
  });
}
