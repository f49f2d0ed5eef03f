/** Joint chains and suggested SRDFs. */
import { expect, it } from '@jest/globals';
import { jointChain, suggestSrdf, urdf } from '../../../src/adapters/urdf/index.js';
import { withFixtures } from './workspace.js';

it('the joints between two bodies are named in order', async () => {
  const { source } = await urdf.read(withFixtures().path('kitchen.yaml'));
  // base, upper, hand, left, right; first/cup
  expect(jointChain(source, 0, 2)).toEqual(['bolt', 'shoulder', 'wrist']);
  expect(jointChain(source, 3, 4)).toEqual(['grip', 'grip_mirror']);
  expect(jointChain(source, 3, 1)).toEqual(['grip', 'wrist']);
  expect(jointChain(source, 3, 5)).toBeUndefined();
});

it('a suggested SRDF, read with the model, accepts the pairs', async () => {
  const workspace = withFixtures();
  const { source } = await urdf.read(workspace.path('arm.urdf'));
  const text = suggestSrdf(source, 'arm', [
    [0, 3],
    [3, 4],
    [0, 3],
  ]);
  expect(suggestSrdf(source, 'cup', [[0, 3]])).toBe('<robot name="cup">\n</robot>\n');
  expect(text.match(/disable_collisions/g)).toHaveLength(2);
  const { scene } = await urdf.read(workspace.path('arm.urdf'), { srdf: workspace.put('new.srdf', text) });
  expect(scene.filter.excludedBodies).toEqual([
    [0, 3],
    [3, 4],
  ]);
});
