/** URDF and scene files to be damaged. */
import { readFileSync } from 'node:fs';
import { type Seed, XML_PIECES, XML_VALUES } from './mutate.js';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/urdf/${name}`, import.meta.url));

const FILES = Object.fromEntries(
  ['arm.urdf', 'arm.srdf', 'cup.urdf', 'meshes.urdf', 'meshes/notch.obj', 'meshes/wedge.dae', 'meshes/wedge.stl', 'parts/package.xml'].map(
    (name) => [name, fixture(name)],
  ),
);
const ALL = { ...FILES, 'parts/wedge.obj': fixture('parts/wedge.obj') };

const robot = (content: string) => `<robot name="r">${content}</robot>`;
const joint = (name: string, parent: string, child: string, more = '') =>
  `<joint name="${name}" type="continuous"><parent link="${parent}"/><child link="${child}"/>${more}</joint>`;
const geometry = (inside: string) => robot(`<link name="a"><collision><geometry>${inside}</geometry></collision></link>`);
const links = (count: number) => Array.from({ length: count }, (_, i) => `<link name="l${i}"/>`).join('');
const chain = (count: number) => Array.from({ length: count - 1 }, (_, i) => joint(`j${i}`, `l${i}`, `l${i + 1}`)).join('');

const MODELS = {
  empty: '',
  'another root': '<sdf/>',
  'no links': robot(''),
  'a joint alone': robot(joint('j', 'a', 'b')),
  'a link that is its own parent': robot(`<link name="a"/>${joint('j', 'a', 'a')}`),
  'a loop of joints': robot(links(3) + joint('x', 'l0', 'l1') + joint('y', 'l1', 'l2') + joint('z', 'l2', 'l0')),
  'a link with two parents': robot(links(3) + joint('x', 'l0', 'l2') + joint('y', 'l1', 'l2')),
  'two roots': robot(links(2)),
  'two links of one name': robot('<link name="a"/><link name="a"/>'),
  'two joints of one name': robot(links(3) + joint('x', 'l0', 'l1') + joint('x', 'l1', 'l2')),
  'a joint that follows itself': robot(links(2) + joint('x', 'l0', 'l1', '<mimic joint="x"/>')),
  'joints that follow each other': robot(
    links(3) + joint('x', 'l0', 'l1', '<mimic joint="y"/>') + joint('y', 'l1', 'l2', '<mimic joint="x"/>'),
  ),
  'a chain of 10000 links': robot(links(10_000) + chain(10_000)),
  'no geometry': geometry(''),
  'two geometries': geometry('<sphere radius="1"/><sphere radius="1"/>'),
  'a ball of no radius': geometry('<sphere radius="0"/>'),
  'a ball of minus one': geometry('<sphere radius="-1"/>'),
  'a mesh of no name': geometry('<mesh/>'),
  'a mesh that is a folder': geometry('<mesh filename="meshes"/>'),
  'a mesh on the net': geometry('<mesh filename="http://localhost/a.stl"/>'),
  'a mesh that is the model': geometry('<mesh filename="arm.urdf"/>'),
  'a package of no name': geometry('<mesh filename="package://"/>'),
  'a path out of everything': geometry(`<mesh filename="package://${'../'.repeat(5000)}a.stl"/>`),
  'a mesh of no scale': geometry('<mesh filename="meshes/notch.obj" scale="0 0 0"/>'),
  'a mesh of any scale': geometry('<mesh filename="meshes/notch.obj" scale="1e300 1e300 1e300"/>'),
  'a number of a million digits': geometry(`<sphere radius="${'9'.repeat(1_000_000)}"/>`),
  'a name of a million letters': robot(`<link name="${'a'.repeat(1_000_000)}"/>`),
  'elements a million deep': '<a>'.repeat(1_000_000),
  'an axis of no length': robot(links(2) + joint('x', 'l0', 'l1', '<axis xyz="0 0 0"/>')),
  xacro: '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="arm.urdf"/></robot>',
};

const STL = (count: number, length: number) => {
  const bytes = Buffer.alloc(84 + length);
  bytes.writeUInt32LE(count, 80);
  return bytes;
};

/** A mesh file instead of the one that the model asks for. */
const meshSeed = (name: string, special: Record<string, string | Uint8Array>): Seed => ({
  files: { 'scene.urdf': Buffer.from(geometry(`<mesh filename="${name}"/>`)), [name]: ALL[`meshes/${name}` as keyof typeof ALL] as Buffer },
  main: 'scene.urdf',
  damaged: name,
  pieces: [/<[^>]+>/g, /^.*\n/gm],
  values: /(?<=")[^"]*(?=")/g,
  special,
});

export const URDF_SEEDS: readonly Seed[] = [
  { main: 'arm.urdf', files: ALL, pieces: XML_PIECES, values: XML_VALUES, special: MODELS },
  { main: 'meshes.urdf', files: ALL, pieces: XML_PIECES, values: XML_VALUES, special: {} },
  meshSeed('wedge.stl', { 'a mesh of 4 billion triangles': STL(0xffffffff, 50), 'a mesh of no triangles': STL(0, 0), 'no mesh': '' }),
  meshSeed('wedge.dae', { 'a document of no scene': '<COLLADA/>', 'no document': '', 'half a document': '<COLLADA><library_geometries>' }),
  meshSeed('notch.obj', {
    'a face of no vertex': 'f 1 2 3\n',
    'a face of vertex 10^9': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1000000000\n',
    'vertices of no number': 'v a b c\nv nan 0 0\nv 0 1 0\nf 1 2 3\n',
    'all points at one place': `${'v 1 1 1\n'.repeat(9)}f 1 2 3\n`,
    'points in a row': `${Array.from({ length: 9 }, (_, i) => `v ${i} 0 0\n`).join('')}f 1 2 3\n`,
  }),
];

const MODEL = '{urdf: cup.urdf}';

const SCENES = {
  empty: '',
  'a list': '- a\n- b\n',
  'a word': 'models\n',
  'no models': 'models: []\n',
  'models of no kind': 'models: 5\n',
  'a model of no kind': 'models: [5]\n',
  'a model without a file': 'models: [{name: a}]\n',
  'a scene as its own model': 'models: [{urdf: scene.yaml}]\n',
  'an unknown word': `models: [${MODEL}]\nmodel: 1\n`,
  'an alias of itself': 'models: &a [*a]\n',
  'aliases that grow': `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
    .split('')
    .map((name, i) => `${name}: &${name} [${`*${'abcdefghij'[i]},`.repeat(9)}]\n`)
    .join('')}models: *j\n`,
  'brackets 100000 deep': '['.repeat(100_000),
  'braces 100000 deep': `models: ${'{a: '.repeat(100_000)}`,
  'a tag': 'models: !!js/function "function () {}"\n',
  'ten thousand models': `models:\n${`  - ${MODEL}\n`.repeat(10_000)}`,
  'numbers of all kinds': `models: [{urdf: cup.urdf, position: [.inf, 0x10, 1_000]}]\n`,
  'a position of four': 'models: [{urdf: cup.urdf, position: [1, 2, 3, 4]}]\n',
  'a turn of no length': 'models: [{urdf: cup.urdf, quaternion_wxyz: [0, 0, 0, 0]}]\n',
  'two turns': 'models: [{urdf: cup.urdf, rpy: [0, 0, 0], quaternion_wxyz: [1, 0, 0, 0]}]\n',
  'a key twice': `models: [${MODEL}]\nmodels: [${MODEL}]\n`,
  'a joint that is not there': 'models: [{urdf: arm.urdf, joints: {none: 1}}]\n',
  prototype: 'models: [{urdf: cup.urdf, joints: {__proto__: 1, constructor: 2}}]\n',
};

export const SCENE_FILE_SEEDS: readonly Seed[] = [
  {
    main: 'scene.yaml',
    files: { ...ALL, 'scene.yaml': fixture('kitchen.yaml') },
    damaged: 'scene.yaml',
    pieces: [/^.*\n/gm, /[\w"]+\s*:[^,\n}]*/g, /\[[^\]]*\]/g],
    values: /(?<=:\s+)[^,\n}#]+/g,
    special: SCENES,
  },
  {
    main: 'scene.json',
    files: { ...ALL, 'scene.json': fixture('kitchen.json') },
    damaged: 'scene.json',
    pieces: [/^.*\n/gm, /"\w+"\s*:[^,\n}]*/g, /\{[^{}]*\}/g],
    values: /(?<=:\s*)[^,\n}]+/g,
    special: {
      'an empty object': '{}',
      nothing: 'null',
      'models of text': '{"models": "cup.urdf"}',
      prototypes: '{"__proto__": {"models": []}, "models": [{"urdf": "cup.urdf", "__proto__": 1}]}',
      'a number beyond all': '{"models": [{"urdf": "cup.urdf", "position": [1e999, 0, 0]}]}',
      'brackets 100000 deep': `{"models": ${'['.repeat(100_000)}`,
    },
  },
];
