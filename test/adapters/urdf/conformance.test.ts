/** The URDF adapter keeps what `docs/adapters.md` promises of every adapter; MuJoCo's URDF compiler judges what collides. */
import { fileURLToPath } from 'node:url';
import { describe, it } from '@jest/globals';
import { urdf } from '../../../src/adapters/urdf/index.js';
import type { UrdfReadOptions } from '../../../src/adapters/urdf/options.js';
import type { UrdfSource } from '../../../src/adapters/urdf/source.js';
import { adapterConformance, type FileSubject, filesIn } from '../../../src/testing/index.js';
import { enginePairs } from './engine-pairs.js';

const files = await filesIn(fileURLToPath(new URL('../../fixtures/urdf', import.meta.url)));

const WEDGES = `<robot name="wedges"><link name="body">
  <collision><geometry><mesh filename="package://parts/wedge.obj"/></geometry></collision>
  <collision><origin xyz="1 0 0"/><geometry><mesh filename="package://parts/wedge.obj"/></geometry></collision>
  <collision><origin xyz="3 0 0"/><geometry><mesh filename="meshes/notch.obj"/></geometry></collision>
</link></robot>
`;

const SHELF = `# two of everything
packages: {parts: parts}
models:
  - {urdf: table.urdf, name: table}
  - {urdf: wedges.urdf, name: one, position: [0, 0, 2]}
  - urdf: wedges.urdf
    name: two
    position: [0, 1, 2]
    rpy: [0.1, 0.2, 0.3]
`;

const bad = (name: string, main: string, text: string) => ({ name, main, files: { ...files, [main]: text } });

const scenes: FileSubject<UrdfSource, UrdfReadOptions> = {
  kind: 'files',
  read: async (path, options) => await urdf.read(path, options),
  write: async (source, result, target) => await urdf.write(source, result, target),
  samples: [
    { name: 'kitchen.yaml', main: 'kitchen.yaml', files },
    { name: 'kitchen.json', main: 'kitchen.json', files },
    { name: 'shelf.yaml', main: 'shelf.yaml', files: { ...files, 'shelf.yaml': SHELF, 'wedges.urdf': WEDGES } },
  ],
  refused: [
    bad('a position that is none', 'a.yaml', 'models: [{urdf: cup.urdf, position: [0, .nan, 0]}]\n'),
    bad('a model that is not there', 'a.yaml', 'models: [{urdf: none.urdf}]\n'),
    bad(
      'a loop of joints',
      'a.urdf',
      '<robot name="r"><link name="a"/><link name="b"/>'.concat(loop('a', 'b'), loop('b', 'a'), '</robot>'),
    ),
    bad('a xacro', 'a.urdf', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>'),
  ],
  enginePairs,
};

function loop(parent: string, child: string): string {
  return `<joint name="${parent}${child}" type="fixed"><parent link="${parent}"/><child link="${child}"/></joint>`;
}

/** A URDF of its own: it is written as a scene file beside it, or its origins are edited. */
const origins: FileSubject<UrdfSource, UrdfReadOptions> = {
  ...scenes,
  samples: [{ name: 'table.urdf', main: 'table.urdf', files, options: { write: 'origins' } }],
  refused: [],
  enginePairs: async (path, scene) => await enginePairs(path, scene, true),
};

describe('conformance of scene files', () => {
  for (const { name, run } of adapterConformance(scenes)) it(name, run);
});

describe('conformance of origins', () => {
  for (const { name, run } of adapterConformance(origins)) if (!name.startsWith('the samples show')) it(name, run);
});
