/** The classes of overlaps, through the real native core. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PairFilter, Scene } from '../../../src/core/scene.js';
import { Solver } from '../../../src/core/solver.js';
import type { SurveyOptions } from '../../../src/core/survey-options.js';
import { type BodySpec, buildScene, sphere } from '../../scenes/build.js';
import { icosphereMesh } from '../../scenes/meshes.js';

let solver: Solver;
beforeAll(async () => {
  solver = await Solver.create();
});

/** Names of the geoms and the class of every overlap, sorted. */
async function _classes(scene: Scene, options?: SurveyOptions): Promise<string[]> {
  const { overlaps } = await solver.survey(scene, options);
  return overlaps.map(({ names, class: found }) => `${names.geomA} ${names.geomB}: ${found}`);
}

/** Two balls of 1 m that overlap by 0.5 m. */
const balls = (a: Partial<BodySpec> = {}, b: Partial<BodySpec> = {}): BodySpec[] => [
  { name: 'a', geoms: [sphere()], ...a },
  { name: 'b', at: [1.5, 0, 0], geoms: [sphere()], ...b },
];

describe('classes', () => {
  test.each([
    ['real', balls(), {}],
    ['filtered', balls(), { excludedBodies: [[1, 0]] }],
    ['filtered', balls(), { excludedGeoms: [[1, 0]] }],
    ['filtered', balls({ geoms: [{ shape: sphere(), category: 0, mask: 0 }] }, { geoms: [{ shape: sphere(), category: 0, mask: 2 }] }), {}],
    ['neighbours', balls(), { neighbours: [[1, 0]] }],
    ['neighbours', balls(), { neighbours: [[0, 1]], excludedBodies: [[0, 1]] }],
    ['real', balls(), { neighbours: [[0, 1]], explicitPairs: [{ geoms: [1, 0], margin: 0 }] }],
    ['intra-body', balls({}, { movesWith: 0, weldedTo: 0 }), {}],
    ['constant', balls({}, { movesWith: 0 }), {}],
    ['constant', balls({}, { movesWith: 0, weldedTo: 0 }), { explicitPairs: [{ geoms: [0, 1], margin: 0 }] }],
    ['constant', balls({ fixed: true }, { fixed: true }), {}],
    ['filtered', balls({ fixed: true }, { fixed: true, weldedTo: 0 }), {}],
    ['contained', balls({ geoms: [{ type: 'mesh', mesh: icosphereMesh(1, 2) }] }, { at: [0.2, 0, 0], geoms: [sphere(0.1)] }), {}],
  ] satisfies [string, BodySpec[], Partial<PairFilter>][])('%s', async (expected, bodies, filter) => {
    const scene = buildScene(bodies, filter);
    const survey = await solver.survey(scene);
    expect(survey.overlaps.map((overlap) => overlap.class)).toEqual([expected]);
    expect(survey.counts).toMatchObject({ [expected]: 1 });
    expect(Object.values(survey.counts).reduce((sum, count) => sum + count)).toBe(1);
    expect(survey.evaluation).toEqual(await solver.check(scene));
  });
});
