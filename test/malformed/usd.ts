/** USD layers, as text and as crates, to be damaged. */
import { readFileSync } from 'node:fs';
import type { Seed } from './mutate.js';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/usd/${name}`, import.meta.url));

const PARTS = Object.fromEntries(['parts/plate.usda', 'parts/weak.usda'].map((name) => [name, fixture(name)]));

const PIECES = [/^.*\n/gm, /\([^()]*\)/g, /\[[^\]]*\]/g, /\w+ [\w:]+ = .*/g, /\b(def|over|class) \w+ "\w+"[^{]*\{[^{}]*\}/g];
const VALUES = /(?<== )[^\n{]+/g;

const layer = (content: string) => `#usda 1.0\n${content}\n`;
const body = (content: string, schemas = '"PhysicsRigidBodyAPI", "PhysicsCollisionAPI"') =>
  layer(`def Cube "a" (\n apiSchemas = [${schemas}]\n)\n{\n${content}\n}`);
const mesh = (content: string) =>
  layer(`def Mesh "a" (\n apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]\n)\n{\n${content}\n}`);
const nested = (depth: number) => `${Array.from({ length: depth }, (_, i) => `def Xform "p${i}"\n{\n`).join('')}${'}\n'.repeat(depth)}`;

const SPECIAL = {
  empty: '',
  'a magic word alone': '#usda 1.0',
  'another version': '#usda 99.0\n',
  'a layer in itself': layer('(\n subLayers = [@scene.usda@]\n)'),
  'a prim that refers to itself': layer('def "a" (\n references = </a>\n)\n{\n}'),
  'a prim that refers to its file': layer('(\n defaultPrim = "a"\n)\ndef "a" (\n references = @scene.usda@\n)\n{\n def "b" {}\n}'),
  'prims that inherit each other': layer('class "a" (\n inherits = </b>\n)\n{\n}\nclass "b" (\n inherits = </a>\n)\n{\n}'),
  'a prim below what refers to it': layer('def "a"\n{\n def "b" (\n references = </a>\n )\n {\n }\n}'),
  'references that grow': layer(
    `def "p0" {\n def "x" {}\n}\n${Array.from({ length: 30 }, (_, i) => `def "p${i + 1}"\n{\n def "l" (references = </p${i}>) {}\n def "r" (references = </p${i}>) {}\n}`).join('\n')}`,
  ),
  'prims 400 deep': layer(nested(400)),
  'prims 100000 deep': layer(nested(100_000)),
  'brackets a million deep': layer(`def "a"\n{\n int[] b = ${'['.repeat(1_000_000)}`),
  'a text that never ends': layer(`def "${'a'.repeat(1_000_000)}`),
  'a comment that never ends': layer(`/*${'a'.repeat(1_000_000)}`),
  'a number of a million digits': body(`double size = ${'9'.repeat(1_000_000)}`),
  'a size of nothing': body('double size = 0'),
  'a size of nan': body('double size = nan'),
  'a size of text': body('double size = "big"'),
  'a scale of nothing': body('float3 xformOp:scale = (0, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:scale"]'),
  'a turn of no length': body('quatf xformOp:orient = (0, 0, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:orient"]'),
  'a matrix of nothing': body(
    'matrix4d xformOp:transform = ((0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0))\nuniform token[] xformOpOrder = ["xformOp:transform"]',
  ),
  'an operation that is not there': body('uniform token[] xformOpOrder = ["xformOp:translate:none"]'),
  'an operation that is none': body('double xformOp:fly = 1\nuniform token[] xformOpOrder = ["xformOp:fly"]'),
  'a million operations': body(
    `double3 xformOp:translate = (1, 0, 0)\nuniform token[] xformOpOrder = [${'"xformOp:translate",'.repeat(1_000_000)}]`,
  ),
  'a unit of nothing': layer('(\n metersPerUnit = 0\n)'),
  'a unit of minus one': layer('(\n metersPerUnit = -1\n)'),
  'an axis of its own': layer('(\n upAxis = "W"\n)'),
  'faces of no vertex': mesh('point3f[] points = [(0,0,0)]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 99]'),
  'faces of minus one': mesh(
    'point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [-3]\nint[] faceVertexIndices = [0, -1, 2]',
  ),
  'too few indices': mesh(
    'point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [2147483647]\nint[] faceVertexIndices = [0]',
  ),
  'points at one place': mesh(
    'point3f[] points = [(1,1,1),(1,1,1),(1,1,1)]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]',
  ),
  'points of nan': mesh(
    'point3f[] points = [(nan,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]',
  ),
  'no points': mesh(''),
  'a joint of nothing': layer('def PhysicsFixedJoint "j"\n{\n rel physics:body0 = </none>\n rel physics:body1 = </none>\n}'),
  'a joint of one body': body('def PhysicsFixedJoint "j"\n{\n rel physics:body0 = </a>\n rel physics:body1 = </a>\n}'),
  'an axis of no axis': body('def PhysicsRevoluteJoint "j"\n{\n uniform token physics:axis = "Q"\n rel physics:body1 = </a>\n}'),
  'a gravity of no length': layer('def PhysicsScene "s"\n{\n vector3f physics:gravityDirection = (0, 0, 0)\n}'),
  'a billion instances': layer(
    'def PointInstancer "i" (apiSchemas = ["PhysicsCollisionAPI"])\n{\n rel prototypes = [</i/p>]\n int[] protoIndices = [5, -1, 1000000000]\n point3f[] positions = [(0,0,0)]\n def Cube "p" {}\n}',
  ),
  'a crate by its name': 'PXR-USDC',
  'a zip by its name': 'PK\u0003\u0004',
};

/** `test/fixtures/usd/physics.usda` as OpenUSD exports it. */
const crate = readFileSync(new URL('./seeds/physics.usdc', import.meta.url));
const noNumbers = /(?!)/g;

export const USDA_SEEDS: readonly Seed[] = [
  { main: 'scene.usda', files: { 'scene.usda': fixture('physics.usda') }, pieces: PIECES, values: VALUES, special: SPECIAL },
  { main: 'scene.usda', files: { 'scene.usda': fixture('composition.usda'), ...PARTS }, pieces: PIECES, values: VALUES, special: {} },
];

export const CRATE_SEEDS: readonly Seed[] = [
  {
    main: 'scene.usdc',
    files: { 'scene.usdc': crate },
    pieces: [noNumbers],
    values: noNumbers,
    special: {
      'a magic word alone': 'PXR-USDC',
      'a table of contents beyond the end': Buffer.concat([crate.subarray(0, 16), Buffer.alloc(8, 0xff), crate.subarray(24)]),
      'a table of contents at the start': Buffer.concat([crate.subarray(0, 16), Buffer.alloc(8), crate.subarray(24)]),
      'another version': Buffer.concat([crate.subarray(0, 8), Buffer.of(99, 0, 0), crate.subarray(11)]),
      text: '#usda 1.0\n',
    },
  },
];
