"""What UsdPhysics' own parser makes of stages. Prints JSON by stage path."""

import json
import sys

from pxr import Usd, UsdPhysics

KEYS = {
    "shapes": "radius halfHeight halfExtents axis approximation rigidBody localPos localRot collisionEnabled",
    "bodies": "position rotation kinematicBody rigidBodyEnabled",
    "joints": "body0 body1 rel0 rel1 collisionEnabled jointEnabled",
    "articulations": "articulatedBodies",
    "groups": "filteredGroups",
}


def kind_of(name):
    if name.endswith("Shape"):
        return "shapes"
    if name.endswith("Joint"):
        return "joints"
    return {"RigidBody": "bodies", "Articulation": "articulations", "CollisionGroup": "groups"}.get(name)


def plain(value):
    if hasattr(value, "GetReal"):
        return [value.GetReal(), *value.GetImaginary()]
    if hasattr(value, "pathString"):
        return str(value)
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) or type(value).__name__.startswith("Vec"):
        return [plain(item) for item in value]
    return str(value).rsplit(".", 1)[-1]


def stage_facts(path):
    stage = Usd.Stage.Open(path)
    facts = {kind: {} for kind in KEYS}
    for object_type, (paths, descriptions) in UsdPhysics.LoadUsdPhysicsFromRange(stage, ["/"]).items():
        name = str(object_type).rsplit(".", 1)[-1]
        kind = kind_of(name)
        for prim_path, description in zip(paths, descriptions) if kind else []:
            values = {key: plain(getattr(description, key)) for key in KEYS[kind].split() if hasattr(description, key)}
            facts[kind][str(prim_path)] = {"type": name, **values}
    return facts


print(json.dumps({path: stage_facts(path) for path in sys.argv[1:]}))
