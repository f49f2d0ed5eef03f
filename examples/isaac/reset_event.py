"""Apply a table of root poses that s4r wrote, as a reset event of Isaac Lab 2.x or 3.x.

In the configuration of an environment, after the events that place things:

    from isaaclab.managers import EventTermCfg
    from reset_event import load_table, reset_root_poses

    repaired = EventTermCfg(func=reset_root_poses, mode="reset", params={"table": load_table("poses.json")})

Copy it and adapt it. Nothing but the standard library is needed to read a table in JSON; one in npz needs NumPy.
"""

import json
import math

FORMAT = "s4r-root-poses"
WXYZ = "root_pose_w_quat_wxyz"
XYZW = "root_pose_w_quat_xyzw"


def load_table(path):
    """The table as a dictionary of plain lists, checked."""
    if str(path).endswith(".npz"):
        import numpy

        with numpy.load(path, allow_pickle=False) as arrays:
            table = {name: arrays[name].tolist() for name in arrays.files}
    else:
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
    if table.get("format") != FORMAT:
        raise ValueError(f"{path}: expected a table of format '{FORMAT}', got '{table.get('format')}'")
    for name in (WXYZ, XYZW):
        rows = table[name]
        if len(rows) != len(table["prim_paths"]):
            raise ValueError(f"{path}: {len(rows)} rows in {name} for {len(table['prim_paths'])} prims")
        if not all(len(row) == 7 and all(math.isfinite(value) for value in row) for row in rows):
            raise ValueError(f"{path}: every row of {name} must be 7 finite numbers")
    return table


def reset_root_poses(env, env_ids, table, assets=None):
    """Put the assets of the given environments at the poses of the table, at rest.

    env: has `scene` with `env_origins` [num_envs x 3, m] and assets by name, `num_envs` and `device`.
    env_ids: indices of environments; None for all of them.
    table: from `load_table`; positions are relative to the origin of an environment.
    assets: names in the scene and the prim paths of their rows; by default an asset has the last name of its path.
    """
    ids = list(range(env.num_envs)) if env_ids is None else [int(i) for i in env_ids]
    if not ids:
        return
    if assets is None:
        assets = {path.rsplit("/", 1)[-1]: path for path in table["prim_paths"]}
    for name, path in assets.items():
        if path not in table["prim_paths"]:
            raise KeyError(f"asset '{name}': no row for {path} in the table; it has {', '.join(table['prim_paths'])}")
        _place(env, env.scene[name], ids, table, table["prim_paths"].index(path))


def _place(env, asset, ids, table, row):
    # Isaac Lab 3.x writes by `..._index`, with x first and w last; 2.x has w first.
    is_3x = hasattr(asset, "write_root_pose_to_sim_index")
    x, y, z, *quaternion = table[XYZW if is_3x else WXYZ][row]
    poses = []
    for i in ids:
        origin = [float(value) for value in env.scene.env_origins[i]]
        poses.append([x + origin[0], y + origin[1], z + origin[2], *quaternion])
    velocities = [[0.0] * 6 for _ in ids]
    poses, velocities, indices = _tensor(env, poses), _tensor(env, velocities), _tensor(env, ids)
    if is_3x:
        asset.write_root_pose_to_sim_index(root_pose=poses, env_ids=indices)
        asset.write_root_velocity_to_sim_index(root_velocity=velocities, env_ids=indices)
    else:
        asset.write_root_pose_to_sim(poses, env_ids=indices)
        asset.write_root_velocity_to_sim(velocities, env_ids=indices)


def _tensor(env, rows):
    """A tensor on the environment's device; the list itself where there is no torch, as in tests."""
    try:
        import torch
    except ImportError:
        return rows
    kind = torch.long if isinstance(rows[0], int) else torch.float32
    return torch.tensor(rows, dtype=kind, device=env.device)
