/** MuJoCo's URDF compiler on what collides in a scene of URDFs, to compare ours with. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { loadModel, mujoco, withFiles } from '../../../src/adapters/mjcf/engine.js';
import type { Geom, Scene } from '../../../src/core/scene.js';
import { collidingPairs } from '../mjcf/engine.js';

interface Entry {
  /** Absolute path of the URDF. */
  readonly path: string;
  /** Text before the names of its links in the scene. */
  readonly prefix: string;
  readonly mobility: string;
}

/**
 * Pairs that MuJoCo tests, all models in one file, every shape a ball: shapes bear on no filter. MuJoCo takes a root link for a piece of the
 * world, which collides even with its own child, so two compilations agree on a pair: one in which every model turns on a joint, as
 * neighbours are told by it, and one in which the fixed are part of the world, which never collides with itself.
 * @param loose whether things on the root link stand on it, and are not held
 */
export async function enginePairs(path: string, scene: Scene, loose = false): Promise<[string, string][]> {
  const entries = await entriesOf(path, scene);
  const turning = await pairsOf(entries, scene, () => 'continuous', loose);
  const held = new Set(
    (await pairsOf(entries, scene, ({ mobility }) => (mobility === 'free' ? 'continuous' : 'fixed'), loose)).map(String),
  );
  return turning.filter((pair) => held.has(String(pair)));
}

async function entriesOf(path: string, scene: Scene): Promise<Entry[]> {
  const bodies = scene.bodies.filter(({ name }) => name !== 'ground');
  const single = path.endsWith('.urdf');
  const prefixes = single ? [''] : [...new Set(bodies.map(({ name }) => name.replace(/[^/]*$/, '')))];
  const models = single ? [{ urdf: path }] : (parse(await readFile(path, 'utf8')) as { models: { urdf: string }[] }).models;
  return models.map(({ urdf }, i) => ({
    path: resolve(dirname(path), urdf),
    prefix: prefixes[i]!,
    mobility: bodies.find(({ name }) => name.startsWith(prefixes[i]!))!.mobility,
  }));
}

const BALL = '<collision><geometry><sphere radius="0.5"/></geometry></collision>';

async function pairsOf(entries: readonly Entry[], scene: Scene, rootJoint: (entry: Entry) => string, loose: boolean) {
  const models = await Promise.all(
    entries.map(async (entry, i) => {
      const text = await readFile(entry.path, 'utf8');
      const root = rootOf(text);
      const named = text
        .replace(/<\?xml.*?\?>|<!--[\s\S]*?-->|<\/?robot[^>]*>|<visual>[\s\S]*?<\/visual>|<mimic[^>]*>/g, '')
        .replace(/<geometry>[\s\S]*?<\/geometry>/g, '<geometry><sphere radius="0.5"/></geometry>')
        .replace(/(<link name|<joint name|link)="([^"]*)"/g, (_, what, name) => `${what}="${i}:${name}"`)
        // What floats hangs on nothing.
        .replace(/<joint[^>]*type="floating"[\s\S]*?<\/joint>/g, (joint) =>
          joint.replace('"floating"', '"continuous"').replace(/<parent link="[^"]*"/, '<parent link="the world"'),
        );
      const onRoot = (joint: string) => loose && joint.includes(`<parent link="${i}:${root}"`);
      const freed = named.replace(/<joint[\s\S]*?<\/joint>/g, (joint) =>
        onRoot(joint) ? joint.replace('"fixed"', '"continuous"') : joint,
      );
      const joint = `<parent link="the world"/><child link="${i}:${root}"/><axis xyz="0 0 1"/>`;
      return `${freed}<joint name="${i}:to the world" type="${rootJoint(entry)}">${joint}</joint>`;
    }),
  );
  const settings = '<mujoco><compiler fusestatic="false" boundmass="1" boundinertia="1"/></mujoco>';
  const xml = `<robot name="all">${settings}<link name="the world">${BALL}</link>${models.join('')}</robot>`;
  return await compiled(xml, entries, scene);
}

const rootOf = (text: string) => {
  const children = [...text.matchAll(/<child link="([^"]*)"/g)].map(([, name]) => name);
  return [...text.matchAll(/<link name="([^"]*)"/g)].map(([, name]) => name!).find((name) => !children.includes(name))!;
};

async function compiled(xml: string, entries: readonly Entry[], scene: Scene): Promise<[string, string][]> {
  const engine = await mujoco();
  const model = withFiles(engine, new Map([['/all.urdf', Buffer.from(xml)]]), () => loadModel(engine, '/all.urdf'));
  const data = new engine.MjData(model);
  try {
    engine.mj_forward(model, data);
    const ofBody = (name: string) => scene.geoms.filter(({ bodyId }) => scene.bodies[bodyId]!.name === name);
    const seen = new Map<number, number>();
    const geoms = Array.from({ length: model.ngeom }, (_, g): Geom | undefined => {
      const body = model.geom_bodyid[g] as number;
      const nth = seen.get(body) ?? 0;
      seen.set(body, nth + 1);
      // Links have the number of their model before their name: one called world would be MuJoCo's own.
      const [, i, link] = /^(\d+):(.*)$/.exec(model.body(body).name) ?? [];
      return ofBody(i === undefined ? 'ground' : `${entries[Number(i)]!.prefix}${link}`)[nth];
    });
    return collidingPairs({ mujoco: engine, model, data }).flatMap(([i, j]): [string, string][] => {
      const [a, b] = [geoms[i], geoms[j]];
      return a === undefined || b === undefined ? [] : [[a.name, b.name]];
    });
  } finally {
    data.delete();
    model.delete();
  }
}
