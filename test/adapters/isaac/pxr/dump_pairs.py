"""Pairs of colliders that PhysX would test, from what UsdPhysics' own parser makes of a stage. Prints JSON by stage path.

Tested are shapes of different bodies of which one is dynamic, unless their collision groups, filtered pairs, a joint between
their bodies or an articulation without self-collision say otherwise (OpenUSD, UsdPhysics schema; PhysX, static actors).
"""

import json
import sys
from itertools import combinations

from pxr import Usd, UsdPhysics


def described(stage):
    for object_type, (paths, descriptions) in UsdPhysics.LoadUsdPhysicsFromRange(stage, ["/"]).items():
        yield from ((str(object_type).rsplit(".", 1)[-1], str(path), item) for path, item in zip(paths, descriptions))


def pairs_of(path):
    stage = Usd.Stage.Open(path)
    items = list(described(stage))
    shapes = {p: d for name, p, d in items if name.endswith("Shape") and d.collisionEnabled}
    bodies = {p: d for name, p, d in items if name == "RigidBody"}
    joints = [d for name, _, d in items if name.endswith("Joint") and d.jointEnabled]
    articulations = {p: d for name, p, d in items if name == "Articulation"}
    table = UsdPhysics.CollisionGroup.ComputeCollisionGroupTable(stage)

    def body_of(shape):
        own = str(shapes[shape].rigidBody)
        return own if own in bodies and bodies[own].rigidBodyEnabled else None

    def dynamic(body):
        return body is not None and not bodies[body].kinematicBody

    def actor_of(shape):
        # To PhysX what is no rigid body is a static actor, which a joint may name.
        return body_of(shape) or shape

    def members(prim_path):
        """Bodies of an articulation, or the one body, that a filter names."""
        if prim_path in articulations:
            return {str(p) for p in articulations[prim_path].articulatedBodies}
        return {prim_path}

    shut = [
        {str(j.body0), str(j.body1)}
        for j in joints
        if not j.collisionEnabled and not j.body0.isEmpty and not j.body1.isEmpty
    ]
    filters = []
    for source, item in [*shapes.items(), *bodies.items(), *articulations.items()]:
        filters += [(members(source), members(str(target))) for target in item.filteredCollisions]
    closed = []
    for root, item in articulations.items():
        flag = stage.GetPrimAtPath(root).GetAttribute("physxArticulation:enabledSelfCollisions")
        if flag and flag.Get() is False:
            closed.append(members(root))

    def tested(a, b):
        body_a, body_b = body_of(a), body_of(b)
        if (body_a is not None and body_a == body_b) or not (dynamic(body_a) or dynamic(body_b)):
            return False
        if {actor_of(a), actor_of(b)} in shut or any(body_a in group and body_b in group for group in closed):
            return False
        sides = {a, body_a}, {b, body_b}
        if any((s & sides[0] and t & sides[1]) or (s & sides[1] and t & sides[0]) for s, t in filters):
            return False
        groups = shapes[a].collisionGroups, shapes[b].collisionGroups
        return all(table.IsCollisionEnabled(g, h) for g in groups[0] for h in groups[1])

    return [[a, b] for a, b in combinations(sorted(shapes), 2) if tested(a, b)]


print(json.dumps({path: pairs_of(path) for path in sys.argv[1:]}))
