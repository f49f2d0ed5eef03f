import { describe, expect, test } from '@jest/globals';
import type { Scene } from '../../src/core/scene.js';
import { type Selection, selectMovable } from '../../src/core/selection.js';
import { assertScene } from '../../src/core/validate.js';
import { buildScene, sphere } from '../scenes/build.js';

const geoms = [sphere()];
const scene = buildScene([
  { name: 'table', fixed: true, geoms },
  { name: 'mug_1', geoms },
  { name: 'mug_2', geoms },
  { name: 'robot/base', geoms },
  { name: 'robot/hand', movesWith: 3, geoms },
  { name: 'robot/finger', movesWith: 3, weldedTo: 4, geoms },
]);

const freeNames = (selected: Scene) => selected.bodies.filter((body) => body.mobility === 'free').map((body) => body.name);
const free = (selection: Selection) => freeNames(selectMovable(scene, selection));
const ROBOT = ['robot/base', 'robot/hand', 'robot/finger'];

describe('selectMovable', () => {
  test('without options returns the very scene', () => {
    expect(selectMovable(scene, {})).toBe(scene);
    expect(selectMovable(scene, { movable: ['*'] })).toBe(scene);
    expect(selectMovable(scene, { frozen: ['table'] })).toBe(scene);
  });

  test.each([
    [{ movable: ['mug_1'] }, ['mug_1']],
    [{ movable: ['mug*'] }, ['mug_1', 'mug_2']],
    [{ movable: ['*_2'] }, ['mug_2']],
    [{ movable: ['*ug_*'] }, ['mug_1', 'mug_2']],
    [{ movable: [] }, []],
    [{ frozen: ['mug_1'] }, ['mug_2', ...ROBOT]],
    [{ movable: ['mug*'], frozen: ['mug_2'] }, ['mug_1']],
  ])('%j leaves %j free', (selection, names) => {
    expect(free(selection)).toEqual(names);
  });

  test('one link stands for its whole unit', () => {
    expect(free({ movable: ['robot/finger'] })).toEqual(ROBOT);
    expect(free({ frozen: ['*hand'] })).toEqual(['mug_1', 'mug_2']);
  });

  test('the result keeps the contract of a scene and the input is unchanged', () => {
    const selected = selectMovable(scene, { movable: ['mug_1'] });
    assertScene(selected);
    expect(selected.bodies[5]?.weldedTo).toBe(4);
    expect(freeNames(scene)).toHaveLength(5);
  });

  test.each([
    [{ movable: ['mug3'] }, "option movable: no body matches 'mug3'; did you mean 'mug_1', 'mug_2'?"],
    [{ frozen: ['finger'] }, "option frozen: no body matches 'finger'; did you mean 'robot/finger'?"],
    [
      { frozen: ['zzz*'] },
      "option frozen: no body matches 'zzz*'; bodies are 'table', 'mug_1', 'mug_2', 'robot/base', 'robot/hand' and 1 more",
    ],
    [{ movable: ['tab*'] }, "option movable: 'tab*' matches only fixed bodies ('table'), which cannot move"],
  ])('%j is refused', (selection, message) => {
    expect(() => selectMovable(scene, selection)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }));
  });
});
