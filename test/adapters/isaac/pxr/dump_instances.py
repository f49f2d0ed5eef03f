"""World transforms of a PointInstancer's visible instances, by OpenUSD. Prints JSON: a list of 16 numbers each."""

import json
import sys

from pxr import Usd, UsdGeom

stage = Usd.Stage.Open(sys.argv[1])
time = Usd.TimeCode.EarliestTime()
prim = stage.GetPrimAtPath(sys.argv[2])
world = UsdGeom.XformCache(time).GetLocalToWorldTransform(prim)
local = UsdGeom.PointInstancer(prim).ComputeInstanceTransformsAtTime(time, time)
print(json.dumps([[value for row in matrix * world for value in row] for matrix in local]))
