/** Pairs that MuJoCo never tests, whatever the masks say. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { allowedPairs, contactPairs, simulate } from './engine.js';
import { FIXTURES, Workspace } from './workspace.js';

const TYPES = {
  plane: 'type="plane" size="3 3 .1"',
  hfield: 'type="hfield" hfield="hills"',
  sphere: 'size=".4"',
  capsule: 'type="capsule" size=".3 .4"',
  ellipsoid: 'type="ellipsoid" size=".3 .2 .4"',
  cylinder: 'type="cylinder" size=".3 .4"',
  box: 'type="box" size=".3 .4 .4"',
  mesh: 'type="mesh" mesh="wedge"',
  sdf: 'type="sdf" mesh="wedge"',
};

/** Two geoms into each other, in bodies with joints; a plane stands in the world, as it must. */
const scene = (a: string, b: string, pair: boolean) => `<mujoco>
  <asset>
    <mesh name="wedge" vertex="-.5 -.5 -.5  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3"/>
    <hfield name="hills" nrow="3" ncol="3" size="2 2 .5 .5" elevation="0 1 0 2 1 0 1 2 0"/>
  </asset>
  <worldbody>
    ${[a, b]
      .map((type, i) => {
        const geom = `<geom name="${i}" ${TYPES[type as keyof typeof TYPES]}/>`;
        return type === 'plane'
          ? geom
          : `<body pos="${i * 0.11} ${i * 0.07} ${i * 0.13}" euler="${i * 10} ${i * 20} 0"><joint type="slide"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>${geom}</body>`;
      })
      .join('\n')}
  </worldbody>
  ${pair ? '<contact><pair geom1="0" geom2="1"/></contact>' : ''}
</mujoco>
`;

const names = Object.keys(TYPES);
const pairs = names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const)).filter(([, b]) => b !== 'plane');

describe('types of geoms', () => {
  it.each(pairs)('%s and %s collide in the scene if they do in MuJoCo, explicit pairs too', async (a, b) => {
    for (const pair of a === 'hfield' || b === 'hfield' ? [false, true] : [false]) {
      const path = new Workspace().put('scene.xml', scene(a, b, pair));
      const { scene: read } = await mjcf.read(path);
      expect(allowedPairs(read)).toEqual(await simulate(path, -1, contactPairs));
    }
  });

  it('are named only where masks, welds and joints let them collide', async () => {
    const { scene: read } = await mjcf.read(`${FIXTURES}/shapes.xml`);
    const name = (id: number) => read.geoms[id]!.name;
    expect(read.filter.excludedGeoms.map((pair) => pair.map(name).sort())).toEqual([['ell 2/geom_1', 'terrain']]);
    const deaf = scene('hfield', 'sdf', false).replace('name="0"', 'name="0" contype="2" conaffinity="4"');
    expect((await mjcf.read(new Workspace().put('scene.xml', deaf))).scene.filter.excludedGeoms).toEqual([]);
  });
});

describe('bodies', () => {
  it('without joints are kept apart by the engine, those joined are neighbours', async () => {
    const { scene: read } = await mjcf.read(`${FIXTURES}/filters.xml`);
    const named = (pairs: readonly (readonly [number, number])[] = []) =>
      pairs.map((pair) => pair.map((id) => read.bodies[id]!.name).join());
    const { neighbours, excludedBodies } = read.filter;
    for (const pair of ['world,hand', 'world,other hand', 'shelf,hand', 'hand,other hand', 'mug,lid'])
      expect(named(excludedBodies)).toContain(pair);
    expect(named(neighbours)).toContain('hand,finger');
    expect(named(neighbours)).toContain('arm 1,arm 2');
    expect(named(neighbours).filter((pair) => named(excludedBodies).includes(pair))).toEqual([]);
    expect(named(neighbours)).not.toContain('world,hand');
  });
});
