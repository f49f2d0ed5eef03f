"""What OpenUSD makes of a stage and of the layer over it. Prints JSON: both world transforms and attribute types of all prims."""

import json
import sys

from pxr import Usd, UsdGeom


def prim_facts(prim, cache):
    world = cache.GetLocalToWorldTransform(prim)
    attributes = prim.GetAttributes()
    return {
        "world": [world[row][column] for row in range(4) for column in range(4)],
        "types": {a.GetName(): str(a.GetTypeName()) for a in attributes if a.GetName().startswith("xformOp:")},
    }


def stage_facts(path):
    stage = Usd.Stage.Open(path)
    cache = UsdGeom.XformCache(Usd.TimeCode.EarliestTime())
    predicate = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
    return {
        "defaultPrim": str(stage.GetDefaultPrim().GetPath()),
        "metersPerUnit": UsdGeom.GetStageMetersPerUnit(stage),
        "upAxis": str(UsdGeom.GetStageUpAxis(stage)),
        "prims": {str(prim.GetPath()): prim_facts(prim, cache) for prim in stage.Traverse(predicate)},
    }


print(json.dumps([stage_facts(path) for path in sys.argv[1:3]]))
