/** Reading: shapes, bodies, filters and states, compared with MuJoCo's own numbers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compose, rotate } from '../../../src/adapters/conventions.js';
import { loadMjcf, mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Geom, Mesh, Scene, Shape, Vec3 } from '../../../src/core/scene.js';
import { assertScene } from '../../../src/core/validate.js';
import { allowedPairs, contactPairs, pairKey, simulate } from './engine.js';
import { FIXTURES, Workspace } from './workspace.js';

const fixture = (name: string) => `${FIXTURES}/${name}`;
const geomOf = (scene: Scene, name: string): Geom => scene.geoms.find((geom) => geom.name === name)!;
const bodyOf = (scene: Scene, name: string) => scene.bodies.find((body) => body.name === name)!;

async function readText(xml: string, key?: string): Promise<Scene> {
  const { scene } = await mjcf.read(new Workspace().put('scene.xml', xml), { key });
  assertScene(scene);
  return scene;
}

describe('shapes', () => {
  let scene: Scene;
  beforeAll(async () => {
    ({ scene } = await mjcf.read(fixture('shapes.xml')));
  });

  it('make a valid scene, decoration left out', () => {
    assertScene(scene);
    expect(scene.geoms.map((geom) => geom.name)).toEqual([
      'floor',
      'terrain',
      'only paired',
      'sphere',
      'capsule',
      'cylinder',
      'box',
      'primitives/geom_4',
      'ell 1/geom_0',
      'ell 2/geom_0',
      'ell 2/geom_1',
      'body_4/geom_0',
    ]);
  });

  it('have the sizes of the file', () => {
    const shapes = (names: string[]) => names.map((name) => geomOf(scene, name).shape);
    expect(shapes(['floor', 'sphere', 'cylinder', 'box', 'primitives/geom_4'])).toEqual([
      { type: 'halfspace' },
      { type: 'sphere', radius: 0.1 },
      { type: 'cylinder', radius: 0.3, halfLength: 0.4 },
      { type: 'box', halfExtents: [0.1, 0.2, 0.3] },
      { type: 'ellipsoid', radii: [0.4, 0.5, 0.6] },
    ]);
    expect(geomOf(scene, 'capsule').shape).toEqual({ type: 'capsule', radius: 0.2, halfLength: 0.5 });
  });

  it('stand where MuJoCo puts them', async () => {
    await simulate(fixture('shapes.xml'), -1, ({ model, data }) => {
      const byName = new Map(Array.from({ length: model.ngeom }, (_, g) => [model.geom(g).name as string, g]));
      for (const geom of scene.geoms) {
        const g = byName.get(geom.name);
        if (g === undefined || geom.name.includes('/')) continue;
        const { position, quaternion } = compose(scene.bodies[geom.bodyId]!.X_WB, geom.X_BG);
        const z = rotate(quaternion, [0, 0, 1]);
        for (let i = 0; i < 3; i++) {
          expect(position[i]).toBeCloseTo(data.geom_xpos[3 * g + i], 14);
          expect(z[i]).toBeCloseTo(data.geom_xmat[9 * g + 3 * i + 2], 14);
        }
      }
    });
  });

  it('of bodies have bit for bit the poses of the compiled model', async () => {
    const { scene: frames } = await mjcf.read(fixture('frames.xml'));
    await simulate(fixture('frames.xml'), -1, ({ model, data }) => {
      expect(frames.bodies).toHaveLength(model.nbody);
      frames.bodies.forEach(({ X_WB }, b) => {
        expect(X_WB.position).toEqual(Array.from(data.xpos.subarray(3 * b, 3 * b + 3)));
        expect(Math.hypot(...X_WB.quaternion.map((q, i) => q - data.xquat[4 * b + i]))).toBeLessThan(1e-15);
      });
    });
  });

  it('use convex hulls for meshes, one for all geoms of an asset, wound outwards', () => {
    const first = geomOf(scene, 'ell 1/geom_0').shape;
    expect(geomOf(scene, 'ell 2/geom_0').shape).toBe(first);
    expect(first.type).toBe('convex');
    const { vertices, triangles } = (first as Extract<Shape, { type: 'convex' }>).mesh;
    expect(vertices).toHaveLength(3 * 10); // the two reentrant corners of the L are inside its hull
    expect(triangles).toHaveLength(3 * (2 * 10 - 4));
    expect(volume({ vertices, triangles })).toBeCloseTo(3.5e-3, 8);
    expect(volume((geomOf(scene, 'body_4/geom_0').shape as Extract<Shape, { type: 'convex' }>).mesh)).toBeCloseTo(1 / 6, 6);
  });

  it.each(['-1 1 1', '1 -1 1', '1 1 -1', '-1 -1 1', '-1 -1 -1'])('wind mirrored meshes outwards too: scale %s', async (scale) => {
    const mirrored = await readText(`<mujoco><asset>
      <mesh name="m" scale="${scale}" vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3"/></asset>
      <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m"/><geom type="sdf" mesh="m"/></body></worldbody></mujoco>`);
    for (const { shape } of mirrored.geoms) {
      expect(volume((shape as Extract<Shape, { type: 'convex' | 'mesh' }>).mesh)).toBeCloseTo(1 / 6, 6);
    }
  });

  it('use the triangles themselves for signed distance fields', () => {
    const { shape } = geomOf(scene, 'ell 2/geom_1');
    expect(shape.type).toBe('mesh');
    const { mesh } = shape as Extract<Shape, { type: 'mesh' }>;
    expect(mesh.vertices).toHaveLength(3 * 12);
    expect(volume(mesh)).toBeCloseTo(3e-3, 8);
  });

  it('sample height fields so that every ray meets the surface where MuJoCo says', async () => {
    const terrain = geomOf(scene, 'terrain');
    const X_WG = compose(scene.bodies[terrain.bodyId]!.X_WB, terrain.X_BG);
    const shape = terrain.shape as Extract<Shape, { type: 'heightfield' }>;
    expect([shape.rows, shape.cols, shape.baseDepth]).toEqual([4, 3, 0.25]);
    expect(Math.max(...shape.heights)).toBe(0.5);
    await simulate(fixture('shapes.xml'), -1, ({ mujoco, model, data }) => {
      const hit = new mujoco.IntBuffer(1);
      const normal = new mujoco.DoubleBuffer(3);
      const [hx, hy] = shape.halfExtents;
      for (let i = 0; i < 200; i++) {
        const x = hx * (2 * fraction(i * 0.618034) - 1) * 0.999;
        const y = hy * (2 * fraction(i * 0.754878) - 1) * 0.999;
        const from = compose(X_WG, { position: [x, y, 5], quaternion: [1, 0, 0, 0] }).position;
        const distance = mujoco.mj_ray(model, data, [...from], [0, 0, -1], [1, 1, 1, 1, 1, 1], true, -1, hit, normal);
        expect(5 - distance).toBeCloseTo(heightAt(shape, x, y), 6);
      }
      hit.delete();
      normal.delete();
    });
  });

  it('cut the cells of height fields along the diagonal MuJoCo collides with', async () => {
    // One cell, high at two opposite corners: in its middle is a ridge or a valley, and a ball that finds out.
    for (const [elevation, height] of [
      ['0 1 1 0', 1],
      ['1 0 0 1', 0],
    ] as const) {
      const xml = `<mujoco><asset><hfield name="h" nrow="2" ncol="2" elevation="${elevation}" size="1 1 1 .1"/></asset>
        <worldbody><geom name="h" type="hfield" hfield="h"/><body pos="0 0 .5"><freejoint/><geom size=".05"/></body></worldbody></mujoco>`;
      const path = new Workspace().put('scene.xml', xml);
      const { scene: saddle } = await mjcf.read(path);
      expect(heightAt(geomOf(saddle, 'h').shape as Extract<Shape, { type: 'heightfield' }>, 0, 0)).toBeCloseTo(height, 12);
      expect(await simulate(path, -1, ({ data }) => data.ncon > 0)).toBe(height === 1);
    }
  });

  it('keep masks as unsigned numbers and leave the gap out of the margin', () => {
    expect(geomOf(scene, 'box')).toMatchObject({ category: 6, mask: 0x80000000, margin: 0.01 });
    expect(scene.filter.explicitPairs).toEqual([{ geoms: [geomOf(scene, 'only paired').id, geomOf(scene, 'sphere').id], margin: 0.02 }]);
  });

  it('come with up against gravity', async () => {
    expect(scene.up).toEqual([-0, 0.6, 0.8]);
    expect((await readText('<mujoco><option gravity="0 0 0"/><worldbody><geom size="1"/></worldbody></mujoco>')).up).toEqual([0, 0, 1]);
  });
});

describe('bodies', () => {
  let scene: Scene;
  beforeAll(async () => {
    ({ scene } = await mjcf.read(fixture('filters.xml')));
    assertScene(scene);
  });

  it('are free only at the root of a floating tree, with all that hangs on it', () => {
    const free = scene.bodies.filter((body) => body.mobility === 'free').map((body) => [body.name, scene.bodies[body.movesWith]!.name]);
    expect(Object.fromEntries(free)).toEqual({
      robot: 'robot',
      'robot hat': 'robot',
      'robot feather': 'robot',
      'robot leg': 'robot',
      'robot foot': 'robot',
      mug: 'mug',
      lid: 'lid',
      'typed 1': 'typed 1',
      'typed 2': 'typed 2',
      'typed 3': 'typed 3',
      ghost: 'ghost',
    });
  });

  it('with height fields are obstacles even if they float, with all that hangs on them', async () => {
    const { bodies } = await readText(`<mujoco>
      <asset><hfield name="h" nrow="2" ncol="2" elevation="0 1 1 0" size="1 1 1 .1"/></asset>
      <worldbody><body name="island"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size=".1"/>
        <body name="hill"><geom type="hfield" hfield="h" mass="1"/></body></body>
        <body name="ship"><freejoint/><geom size=".1"/></body></worldbody></mujoco>`);
    expect(bodies.map(({ name, mobility, movesWith }) => [name, mobility, movesWith])).toEqual([
      ['island', 'fixed', 0],
      ['hill', 'fixed', 1],
      ['ship', 'free', 2],
    ]);
  });

  it('are welded as in MuJoCo', () => {
    const weldOf = (name: string) => scene.bodies[bodyOf(scene, name).weldedTo]!.name;
    expect(['box on shelf', 'hand', 'arm 1 cover', 'arm 2', 'robot hat', 'robot feather'].map(weldOf)).toEqual([
      'world',
      'hand',
      'arm 1',
      'arm 2',
      'robot',
      'robot feather',
    ]);
  });

  it('without a name get one that nobody has', async () => {
    const named = await readText(`<mujoco><worldbody>
      <body><freejoint/><geom size="1"/></body>
      <body name="body_1"><freejoint/><geom name="body_1_2/geom_0" size="1"/><geom size="1"/></body>
    </worldbody></mujoco>`);
    expect(named.bodies.map((body) => body.name)).toEqual(['body_1_2', 'body_1']);
    expect(named.geoms.map((geom) => geom.name)).toEqual(['body_1_2/geom_0_2', 'body_1_2/geom_0', 'body_1/geom_1']);
  });

  it('without a name are told from those with names like the ones made up in memory', async () => {
    const { bodies } = await readText(`<mujoco><worldbody>
      <body name="__s4r_0_" pos="1 0 0"><freejoint/><geom size="1"/></body><body pos="2 0 0"><freejoint/><geom size="1"/></body>
      <body name="__s4r_1_" pos="3 0 0"><freejoint/><geom size="1"/></body>
    </worldbody></mujoco>`);
    expect(bodies.map(({ X_WB }) => X_WB.position[0])).toEqual([1, 2, 3]);
  });

  it('of a static group without the world have a representative among them', async () => {
    const { bodies } = await readText(`<mujoco><worldbody>
      <body name="a"><geom size="1"/></body><body name="b"><geom size="1"/></body>
    </worldbody></mujoco>`);
    expect(bodies.map(({ name, weldedTo, mobility }) => [name, weldedTo, mobility])).toEqual([
      ['a', 0, 'fixed'],
      ['b', 0, 'fixed'],
    ]);
  });
});

describe('filters', () => {
  it('allow exactly the pairs that touch when everything is in one place', async () => {
    const { scene } = await mjcf.read(fixture('filters.xml'));
    const contacts = await simulate(fixture('filters.xml'), -1, contactPairs);
    expect([...allowedPairs(scene)].sort()).toEqual([...contacts].sort());
    expect(contacts.size).toBeGreaterThan(100);
    expect(contacts).toContain(pairKey(geomOf(scene, 'ghost').id, geomOf(scene, 'world ball').id));
  });

  it.each([
    ['no parent filter', '<option><flag filterparent="disable"/></option>'],
    ['contacts off', '<option><flag contact="disable"/></option>'],
    ['constraints off', '<option><flag constraint="disable"/></option>'],
  ])('follow the flags: %s', async (_, option) => {
    const workspace = Workspace.withFixtures();
    const path = workspace.put('flags.xml', workspace.text('filters.xml').replace('<default>', `${option}<default>`));
    const { scene } = await mjcf.read(path);
    assertScene(scene);
    expect([...allowedPairs(scene)].sort()).toEqual([...(await simulate(path, -1, contactPairs))].sort());
  });

  it('take margins as MuJoCo does: added, the pair before the geoms, the override before all', async () => {
    const two = (option: string, pair: string) => `<mujoco>${option}<worldbody>
      <geom name="a" size="1" margin=".1" gap=".02"/>
      <body pos="2.1 0 0"><freejoint/><geom name="b" size="1" margin=".2" gap=".03"/></body>
    </worldbody>${pair}</mujoco>`;
    const pairTag = '<contact><pair geom1="a" geom2="b" margin="0.15" gap="0.01"/></contact>';
    const override = '<option o_margin="0.5"><flag override="enable"/></option>';
    for (const xml of [two('', ''), two('', pairTag), two(override, ''), two(override, pairTag)]) {
      const path = new Workspace().put('scene.xml', xml);
      const { scene } = await mjcf.read(path);
      const ours = scene.filter.explicitPairs[0]?.margin ?? scene.geoms[0]!.margin + scene.geoms[1]!.margin;
      const theirs = await simulate(path, -1, ({ data }) => {
        const contact = data.contact.get(0)!;
        const margin = contact.includemargin as number;
        contact.delete();
        return margin;
      });
      expect(ours).toBeCloseTo(theirs, 12);
    }
  });
});

describe('states', () => {
  const positions = (scene: Scene) => Object.fromEntries(scene.bodies.map(({ name, X_WB }) => [name, [...X_WB.position]]));

  it('are qpos0 or a keyframe, by name or number, with mocap bodies', async () => {
    const at = async (key?: string) => positions((await mjcf.read(fixture('keys.xml'), { key })).scene);
    expect(await at()).toMatchObject({ a: [1, 0, 0], b: [2, 0, 0], hand: [0, 5, 0] });
    expect(await at('start')).toMatchObject({ hand: [0, 6, 0] });
    expect(await at('spread')).toMatchObject({ a: [1, 1.5, 0], b: [2, 2, 0] });
    expect(await at('1')).toEqual(await at('spread'));
    // MuJoCo pads a short key with zeros, not with qpos0.
    expect(await at('2')).toMatchObject({ a: [1, 0, 0], b: [0, 0, 0] });
    expect(await at('3')).toEqual(await at());
  });

  it('normalise quaternions of keyframes', async () => {
    const { scene } = await mjcf.read(fixture('keys.xml'), { key: 'spread' });
    expect(bodyOf(scene, 'b').X_WB.quaternion).toEqual([0.6, 0, 0, 0.8]);
  });
});

describe('large scenes', () => {
  it('do not need the gigabytes of MuJoCo’s default arena', async () => {
    const bodies = Array.from({ length: 1500 }, (_, i) => `<body pos="${i} 0 0"><freejoint/><geom size=".1"/></body>`).join('\n');
    const scene = await readText(`<mujoco><worldbody>${bodies}</worldbody></mujoco>`);
    expect(scene.bodies).toHaveLength(1500);
    expect(scene.bodies[1499]!.X_WB.position).toEqual([1499, 0, 0]);
  });
});

describe('loadMjcf', () => {
  it('gives the module, the model and the files, and a smaller arena if the file asks for too much', async () => {
    const path = new Workspace().put('scene.xml', '<mujoco><size memory="3G"/><worldbody><geom size="1"/></worldbody></mujoco>');
    const { mujoco, model, files } = await loadMjcf(path);
    expect([model.ngeom, model.narena, files.main]).toEqual([1, 64 * 2 ** 20, path]);
    expect(files.files.get(path)).toBeDefined();
    expect((await loadMjcf(path)).mujoco).toBe(mujoco);
    model.delete();
  });
});

describe('files', () => {
  it('are all collected, included ones and those beside them', async () => {
    const { scene, source } = await mjcf.read(fixture('include/scene.xml'));
    expect(scene.geoms.map((geom) => geom.name)).toEqual(['floor', 'ell/geom_0', 'nested/geom_0', 'own/geom_0']);
    expect(geomOf(scene, 'own/geom_0')).toMatchObject({ shape: { type: 'box' }, margin: 0.002 });
    expect([...source.files.files.keys()].map((path) => path.slice(FIXTURES.length)).sort()).toEqual([
      '/assets/l-shape.obj',
      '/include/parts/defaults.xml',
      '/include/parts/nested.xml',
      '/include/parts/objects.xml',
      '/include/parts/wedge.obj',
      '/include/scene.xml',
    ]);
  });

  it('of the same base name are never confused, and changed ones are read again', async () => {
    const workspace = Workspace.withFixtures();
    const obj = (size: number) => `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nv 0 0 ${size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;
    workspace.put('include/part.obj', obj(1));
    workspace.put('assets/part.obj', obj(2));
    workspace.put('include/parts/part.obj', obj(3));
    const mesh = (name: string, file: string) => `<mesh name="${name}" file="${file}"/>`;
    const geom = (name: string) => `<geom type="mesh" mesh="${name}" name="${name}"/>`;
    const parts = ['top', '../include/part.obj'] as const;
    workspace.put('include/parts/meshes.xml', `<mujoco><asset>${mesh('beside', './part.obj')}</asset></mujoco>`);
    const path = workspace.put(
      'include/three.xml',
      `<mujoco><compiler meshdir="../assets"/><include file="parts/meshes.xml"/><asset>${mesh(...parts)}${mesh('asset', 'part.obj')}</asset>
       <worldbody>${geom('top')}${geom('asset')}${geom('beside')}</worldbody></mujoco>`,
    );
    const sizes = async () => {
      const { scene } = await mjcf.read(path);
      return scene.geoms.map(({ shape }) => Math.round(Math.cbrt(6 * volume((shape as Extract<Shape, { type: 'convex' }>).mesh))));
    };
    // './part.obj' is found in the asset directory first.
    expect(await sizes()).toEqual([1, 2, 2]);
    workspace.put('include/parts/meshes.xml', `<mujoco><asset>${mesh('beside', 'part2.obj')}</asset></mujoco>`);
    workspace.put('include/parts/part2.obj', obj(3));
    workspace.put('assets/part.obj', obj(4));
    expect(await sizes()).toEqual([1, 4, 3]);
  });
});

function fraction(x: number): number {
  return x - Math.floor(x);
}

/** Height of the surface by the convention of `scene.ts`. */
function heightAt(shape: Extract<Shape, { type: 'heightfield' }>, x: number, y: number): number {
  const { rows, cols, heights, halfExtents } = shape;
  const u = ((x / halfExtents[0] + 1) / 2) * (cols - 1);
  const v = ((y / halfExtents[1] + 1) / 2) * (rows - 1);
  const col = Math.min(Math.floor(u), cols - 2);
  const row = Math.min(Math.floor(v), rows - 2);
  const at = (r: number, c: number) => heights[r * cols + c]!;
  const [fu, fv] = [u - col, v - row];
  // The diagonal runs from (row, col + 1) to (row + 1, col).
  if (fu + fv <= 1) return at(row, col) + fu * (at(row, col + 1) - at(row, col)) + fv * (at(row + 1, col) - at(row, col));
  const far = at(row + 1, col + 1);
  return far + (1 - fu) * (at(row + 1, col) - far) + (1 - fv) * (at(row, col + 1) - far);
}

/** Signed volume: positive if the triangles are counter-clockwise from outside. */
function volume({ vertices, triangles }: Mesh): number {
  const corner = (i: number): Vec3 => [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [corner(triangles[t]!), corner(triangles[t + 1]!), corner(triangles[t + 2]!)];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}
