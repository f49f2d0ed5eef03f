"""What OpenUSD itself says of stages: prims, world transforms, physics. Prints JSON by stage path."""

import json
import sys

from pxr import Usd, UsdGeom, UsdPhysics


def prim_facts(prim, cache):
    world = cache.GetLocalToWorldTransform(prim)
    return {
        "type": str(prim.GetTypeName()),
        "world": [world[row][column] for row in range(4) for column in range(4)],
        "collider": prim.HasAPI(UsdPhysics.CollisionAPI),
        "body": prim.HasAPI(UsdPhysics.RigidBodyAPI),
        "instance": prim.IsInstance(),
        "radius": prim.GetAttribute("radius").Get() if prim.IsA(UsdGeom.Sphere) else None,
    }


def stage_facts(path):
    stage = Usd.Stage.Open(path)
    cache = UsdGeom.XformCache(Usd.TimeCode.EarliestTime())
    predicate = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    return {
        "metersPerUnit": UsdGeom.GetStageMetersPerUnit(stage),
        "upAxis": str(UsdGeom.GetStageUpAxis(stage)),
        "prims": {str(prim.GetPath()): prim_facts(prim, cache) for prim in stage.Traverse(predicate)},
    }


print(json.dumps({path: stage_facts(path) for path in sys.argv[1:]}))
