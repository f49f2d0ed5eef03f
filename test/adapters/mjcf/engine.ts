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

/**
 * Pairs of geoms that MuJoCo itself tests, by their names in the scene: for every two, their bodies are laid with these geoms into
 * each other, far from all else, and MuJoCo is asked for the contacts.
 */
export async function enginePairs(path: string, scene: Scene): Promise<[string, string][]> {
  return await simulate(path, -1, (simulated) => collidingPairs(simulated).map(([i, j]) => [scene.geoms[i]!.name, scene.geoms[j]!.name]));
}

/** The same as indices of collidable geoms. */
export function collidingPairs(simulated: Simulated): [number, number][] {
  const { mujoco, model, data } = simulated;
  const geoms = collidableGeoms(model);
  const found: [number, number][] = [];
  const start = poses(data);
  for (const [i, a] of geoms.entries()) {
    for (const [j, b] of geoms.entries()) {
      if (i >= j || model.geom_bodyid[a] === model.geom_bodyid[b]) continue;
      const reach = Math.min(...[a, b].map((g) => model.geom_rbound[g] || Infinity)); // planes have no bound
      // Several places: a thing in the middle of another may not reach its surface.
      for (const offset of OFFSETS) {
        layOver(simulated, start, a, FAR);
        layOver(simulated, start, b, [0, 1, 2].map((k) => FAR[k]! + reach * offset[k]!) as [number, number, number]);
        mujoco.mj_collision(model, data);
        if (!contactPairs(simulated).has(pairKey(i, j))) continue;
        found.push([i, j]);
        break;
      }
      restore(data, start);
    }
  }
  return found;
}

const FAR = [1e4, 1e4, 0] as const;

/** As parts of the smaller of the two. */
const OFFSETS = [0.01, 0.2, -0.2, 0.5, -0.5].flatMap((z) => [0, 0.3, -0.3].map((x) => [x, 0.1 * x + 0.02, z] as const));

type Positions = Readonly<Record<'geom_xpos' | 'xipos', Float64Array>>;

function poses(data: MjData): Positions {
  return { geom_xpos: Float64Array.from(data.geom_xpos), xipos: Float64Array.from(data.xipos) };
}

function restore(data: MjData, { geom_xpos, xipos }: Positions): void {
  data.geom_xpos.set(geom_xpos);
  data.xipos.set(xipos);
}

/** Shift the body of a geom, with all its geoms and without turning it, so that this geom lies at `target`. */
function layOver({ model, data }: Simulated, start: Positions, geom: number, target: readonly [number, number, number]): void {
  const body = model.geom_bodyid[geom] as number;
  for (const [k, wanted] of target.entries()) {
    const shift = wanted - start.geom_xpos[3 * geom + k]!;
    data.xipos[3 * body + k] = start.xipos[3 * body + k]! + shift;
    for (let g = 0; g < model.ngeom; g++) {
      if (model.geom_bodyid[g] === body) data.geom_xpos[3 * g + k] = start.geom_xpos[3 * g + k]! + shift;
    }
  }
}
