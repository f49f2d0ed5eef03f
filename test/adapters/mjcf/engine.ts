/** MuJoCo's own verdict on a scene, to compare ours with. */
import { loadMjcf } from '../../../src/adapters/mjcf/compile.js';
import type { MainModule, MjData, MjModel } from '../../../src/adapters/mjcf/engine.js';
import { collidableGeoms } from '../../../src/adapters/mjcf/filters.js';
import type { GeomId, Scene } from '../../../src/core/scene.js';

export interface Simulated {
  readonly mujoco: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
}

/** Load `path` as a user would and bring it to a keyframe, or to qpos0 for -1; `use` must not keep anything. */
export async function simulate<T>(path: string, key: number, use: (simulated: Simulated) => T): Promise<T> {
  const { mujoco, model } = await loadMjcf(path);
  const data = new mujoco.MjData(model);
  try {
    if (key >= 0) mujoco.mj_resetDataKeyframe(model, data, key);
    mujoco.mj_forward(model, data);
    return use({ mujoco, model, data });
  } finally {
    data.delete();
    model.delete();
  }
}

/** Unordered pairs of scene geoms in contact according to MuJoCo, contacts in the gap included, as `a,b` with a < b. */
export function contactPairs({ model, data }: Simulated): Set<string> {
  const ids = new Map(collidableGeoms(model).map((g, i): [number, GeomId] => [g, i]));
  const pairs = new Set<string>();
  const contacts = data.contact;
  for (let i = 0; i < data.ncon; i++) {
    const contact = contacts.get(i);
    if (contact === undefined) continue;
    const { geom1, geom2 } = contact;
    contact.delete();
    if (geom1 < 0 || geom2 < 0) continue; // flex
    pairs.add(pairKey(ids.get(geom1) as GeomId, ids.get(geom2) as GeomId));
  }
  contacts.delete();
  return pairs;
}

/** Every pair the scene's filter allows, by the rule in words: welds, excludes, masks, and explicit pairs above all. */
export function allowedPairs(scene: Scene): Set<string> {
  const { bodies, geoms, filter } = scene;
  const excluded = new Set([...filter.excludedBodies, ...(filter.neighbours ?? [])].map(([a, b]) => pairKey(a, b)));
  const excludedGeoms = new Set(filter.excludedGeoms.map(([a, b]) => pairKey(a, b)));
  const explicit = new Set(filter.explicitPairs.map(({ geoms: [a, b] }) => pairKey(a, b)));
  const pairs = new Set<string>();
  for (const a of geoms) {
    for (const b of geoms) {
      if (a.id >= b.id || a.bodyId === b.bodyId) continue;
      const welded = bodies[a.bodyId]!.weldedTo === bodies[b.bodyId]!.weldedTo;
      const seen = (a.mask & b.category) !== 0 || (b.mask & a.category) !== 0;
      const apart = excluded.has(pairKey(a.bodyId, b.bodyId)) || excludedGeoms.has(pairKey(a.id, b.id));
      const dynamic = !welded && seen && !apart;
      if (dynamic || explicit.has(pairKey(a.id, b.id))) pairs.add(pairKey(a.id, b.id));
    }
  }
  return pairs;
}

export function pairKey(a: number, b: number): string {
  return a < b ? `${a},${b}` : `${b},${a}`;
}
