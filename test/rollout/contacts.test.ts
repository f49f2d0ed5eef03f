/** The contacts MuJoCo reports: whose they are, and which of them s4r could do something about. */
import { describe, expect, test } from '@jest/globals';
import { mujocoContacts, rolloutMujoco } from '../../src/rollout/mujoco.js';
import { cube, scene } from './scenes.js';

describe('contacts between geoms', () => {
  test('are named, deepest first, and say what no free joint can change', async () => {
    const robot =
      '<body name="arm"><joint/><geom name="link" type="sphere" size="0.1"/></body><geom name="wall" type="box" size="0.1 0.1 0.1" pos="0.15 0 0"/>';
    const contacts = await mujocoContacts(scene(robot + cube('a', '0 0 5') + cube('b', '0.09 0 5')));
    expect(contacts[0]).toEqual({
      geomA: 'link',
      geomB: 'wall',
      bodyA: 'arm',
      bodyB: 'world',
      dist: expect.closeTo(-0.05, 9),
      constant: true,
      flex: false,
    });
    expect(contacts.slice(1)).toHaveLength(4);
    for (const { bodyA, bodyB, dist, constant } of contacts.slice(1)) {
      expect([bodyA, bodyB, constant]).toEqual(['a', 'b', false]);
      expect(dist).toBeCloseTo(-0.01, 9);
    }
  });

  test('between links of one floating robot are constant', async () => {
    const link = (name: string, x: number, inner = '') =>
      `<body name="${name}" pos="${x} 0 0"><joint/><geom type="sphere" size="0.1"/>${inner}</body>`;
    const robot = `<body name="root"><freejoint/><geom type="sphere" size="0.1"/>${link('mid', 0.05, link('tip', 0.05))}</body>`;
    const contacts = await mujocoContacts(scene(robot));
    expect(contacts).toEqual([expect.objectContaining({ bodyA: 'root', bodyB: 'tip', geomA: 'root/geom_0', constant: true })]);
  });

  test('without a name are called after their body', async () => {
    const contacts = await mujocoContacts(
      scene('<geom type="plane" size="1 1 1"/><body pos="0 0 0.05"><freejoint/><geom type="sphere" size="0.1"/></body>'),
    );
    expect(contacts).toEqual([
      {
        geomA: 'world/geom_0',
        geomB: 'body_1/geom_0',
        bodyA: 'world',
        bodyB: 'body_1',
        dist: expect.closeTo(-0.05, 9),
        constant: false,
        flex: false,
      },
    ]);
  });
});

describe('contacts with a flex', () => {
  const grid = (name: string, pos: string, more = '') =>
    `<flexcomp name="${name}" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" pos="${pos}" radius="0.01" dim="2" mass="1" ${more}>` +
    '<contact selfcollide="none"/></flexcomp>';
  const floor = '<geom name="floor" type="plane" size="1 1 1"/>';

  test('name the flex in place of geom and body', async () => {
    const contacts = await mujocoContacts(scene(grid('cloth', '0 0 1') + cube('a', '0 0 1.05')));
    expect(contacts.length).toBeGreaterThan(0);
    for (const contact of contacts) {
      expect(contact).toMatchObject({ geomA: 'a_geom', bodyA: 'a', geomB: 'flex:cloth', bodyB: 'flex:cloth', constant: false, flex: true });
    }
  });

  test('of two flexes name both', async () => {
    const contacts = await mujocoContacts(scene(grid('p', '0 0 1') + grid('q', '0 0 1.015')));
    expect(contacts.length).toBeGreaterThan(0);
    for (const contact of contacts) expect(contact).toMatchObject({ geomA: 'flex:p', geomB: 'flex:q', constant: true, flex: true });
  });

  test('are constant where no free joint moves the flex', async () => {
    const free = await mujocoContacts(scene(floor + grid('free', '0 0 0')));
    const nodes = await mujocoContacts(
      scene(`${floor}<flexcomp name="soft" type="grid" count="3 3 3" spacing="0.1 0.1 0.1" pos="0 0 0.1" radius="0.01" dim="3" mass="1"
        dof="trilinear"><contact selfcollide="none"/></flexcomp>`),
    );
    for (const contacts of [free, nodes]) {
      expect(contacts.length).toBeGreaterThan(0);
      for (const contact of contacts) expect(contact).toMatchObject({ bodyA: 'world', constant: true, flex: true });
    }
    const body = `<body name="carrier" pos="0 0 0.005"><freejoint/><geom size="0.001" pos="0 0 1" contype="0"/>${grid('rigid', '0 0 0', 'rigid="true"')}</body>`;
    const carried = await mujocoContacts(scene(floor + body));
    expect(carried.length).toBeGreaterThan(0);
    for (const contact of carried) expect(contact).toMatchObject({ geomB: 'flex:rigid', constant: false, flex: true });
  });

  test('are counted apart from those between geoms', async () => {
    const { start } = await rolloutMujoco(scene(floor + grid('cloth', '0 0 0') + cube('a', '0 0 0.04') + cube('b', '0 5 0.04')), {
      seconds: 0.002,
    });
    expect(start.count).toBe(8);
    expect(start.penetrating).toBe(8);
    expect(start.deepest).toMatchObject({ bodyA: 'world', dist: expect.closeTo(-0.01, 9), flex: false });
    expect(start.constant).toBe(0);
    expect(start.flex).toBeGreaterThan(9);
  });
});
