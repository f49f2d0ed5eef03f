"""The reset event against an environment of plain Python: python3 -m unittest discover examples/isaac"""

import json
import os
import tempfile
import unittest

from reset_event import FORMAT, load_table, reset_root_poses

try:
    import numpy
except ImportError:
    numpy = None

HALF = 0.5**0.5


def make_table():
    return {
        "format": FORMAT,
        "prim_paths": ["/World/mug", "/World/shelf/book"],
        "root_pose_w_quat_wxyz": [[1.0, 2.0, 3.0, HALF, HALF, 0.0, 0.0], [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0]],
        "root_pose_w_quat_xyzw": [[1.0, 2.0, 3.0, HALF, 0.0, 0.0, HALF], [0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0]],
    }


def plain(rows):
    return rows.tolist() if hasattr(rows, "tolist") else rows


class Asset2x:
    def __init__(self):
        self.written = {}

    def write_root_pose_to_sim(self, root_pose, env_ids=None):
        self.written["pose"] = (plain(root_pose), plain(env_ids))

    def write_root_velocity_to_sim(self, root_velocity, env_ids=None):
        self.written["velocity"] = (plain(root_velocity), plain(env_ids))


class Asset3x:
    def __init__(self):
        self.written = {}

    def write_root_pose_to_sim_index(self, *, root_pose, env_ids=None):
        self.written["pose"] = (plain(root_pose), plain(env_ids))

    def write_root_velocity_to_sim_index(self, *, root_velocity, env_ids=None):
        self.written["velocity"] = (plain(root_velocity), plain(env_ids))


class Scene(dict):
    env_origins = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [20.0, 5.0, 0.0]]


class Env:
    num_envs = 3
    device = "cpu"

    def __init__(self, **assets):
        self.scene = Scene(assets)


class ResetRootPoses(unittest.TestCase):
    def assert_rows(self, got, wanted):
        self.assertEqual(len(got), len(wanted))
        for row, other in zip(got, wanted):
            self.assertEqual(len(row), len(other))
            for a, b in zip(row, other):
                self.assertAlmostEqual(a, b, places=6)

    def test_2x_has_w_first(self):
        env = Env(mug=Asset2x(), book=Asset2x())
        reset_root_poses(env, [2, 0], make_table())
        rows, ids = env.scene["mug"].written["pose"]
        self.assertEqual(ids, [2, 0])
        self.assert_rows(rows, [[21.0, 7.0, 3.0, HALF, HALF, 0.0, 0.0], [1.0, 2.0, 3.0, HALF, HALF, 0.0, 0.0]])
        self.assert_rows(env.scene["book"].written["pose"][0], [[20.0, 5.0, 0.5, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0]])

    def test_3x_has_w_last(self):
        env = Env(mug=Asset3x(), book=Asset3x())
        reset_root_poses(env, [1], make_table())
        self.assert_rows(env.scene["mug"].written["pose"][0], [[11.0, 2.0, 3.0, HALF, 0.0, 0.0, HALF]])

    def test_leaves_them_at_rest(self):
        for kind in (Asset2x, Asset3x):
            env = Env(mug=kind(), book=kind())
            reset_root_poses(env, None, make_table())
            rows, ids = env.scene["mug"].written["velocity"]
            self.assertEqual(ids, [0, 1, 2])
            self.assert_rows(rows, [[0.0] * 6] * 3)

    def test_no_environment_is_no_work(self):
        env = Env(mug=Asset2x(), book=Asset2x())
        reset_root_poses(env, [], make_table())
        self.assertEqual(env.scene["mug"].written, {})

    def test_assets_by_other_names(self):
        env = Env(cup=Asset2x())
        reset_root_poses(env, [0], make_table(), assets={"cup": "/World/mug"})
        self.assert_rows(env.scene["cup"].written["pose"][0], [[1.0, 2.0, 3.0, HALF, HALF, 0.0, 0.0]])

    def test_a_path_without_row_is_named(self):
        with self.assertRaisesRegex(KeyError, "asset 'cup': no row for /World/cup"):
            reset_root_poses(Env(cup=Asset2x()), [0], make_table(), assets={"cup": "/World/cup"})


class LoadTable(unittest.TestCase):
    def load(self, table):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "poses.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(table, file)
            return load_table(path)

    def test_json(self):
        self.assertEqual(self.load(make_table()), make_table())

    def test_another_format_is_refused(self):
        with self.assertRaisesRegex(ValueError, "expected a table of format 's4r-root-poses', got 'None'"):
            self.load({})

    def test_nan_is_refused(self):
        table = make_table()
        table["root_pose_w_quat_wxyz"][0][0] = float("nan")
        with self.assertRaisesRegex(ValueError, "7 finite numbers"):
            self.load(table)

    def test_a_missing_row_is_refused(self):
        table = make_table()
        table["root_pose_w_quat_xyzw"].pop()
        with self.assertRaisesRegex(ValueError, "1 rows in root_pose_w_quat_xyzw for 2 prims"):
            self.load(table)

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_npz(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "poses.npz")
            numpy.savez(path, **make_table())
            self.assertEqual(load_table(path), make_table())

    def test_what_s4r_wrote(self):
        # Set by the test that runs s4r; its table must be one that the event can apply.
        path = os.environ.get("S4R_TABLE")
        if path is None:
            self.skipTest("S4R_TABLE names no table")
        if path.endswith(".npz") and numpy is None:
            self.skipTest("needs NumPy")
        table = load_table(path)
        env = Env(**{p.rsplit("/", 1)[-1]: Asset3x() for p in table["prim_paths"]})
        reset_root_poses(env, [0], table)
        for name, asset in env.scene.items():
            self.assertEqual(len(asset.written["pose"][0][0]), 7, name)


if __name__ == "__main__":
    unittest.main()
