/** What MuJoCo's WebAssembly build cannot hold is refused before it is compiled, and spoils nothing that is read later. */
import { describe, expect, it } from '@jest/globals';
import { mjcf } from '../../../src/adapters/mjcf/index.js';
import { Workspace } from './workspace.js';

const world = (content: string) => `<mujoco>\n<worldbody>\n${content}\n</worldbody></mujoco>`;
const nested = (depth: number, open: string, close: string, inside = '') => `${open.repeat(depth)}${inside}${close.repeat(depth)}`;
const GEOM = '<geom size="1"/>';

async function readOf(files: Readonly<Record<string, string>>) {
  const workspace = new Workspace();
  for (const [name, text] of Object.entries(files)) workspace.put(name, text);
  return await mjcf.read(workspace.path('scene.xml'));
}

/** The error's file, line and message without paths. */
async function refusal(files: Readonly<Record<string, string>>): Promise<string> {
  return await readOf(files).then(
    () => 'read',
    (error: Error) => error.message.replace(/(?<=^|\s)\S* ?&mjcf [^/]*\//g, ''),
  );
}

const ATTACH = '<asset><model name="m" file="m.xml"/></asset><worldbody>';
const attached = (content: string) => `<mujoco>\n${ATTACH}\n${content}</worldbody></mujoco>`;
const ATTACHED = '<attach model="m" body="b" prefix="p"/>';
const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`${i}.xml`, `<mujoco>\n<include file="${i + 1}.xml"/></mujoco>`]));

describe('nesting', () => {
  it.each<[string, Record<string, string>]>([
    ['100 bodies', { 'scene.xml': world(nested(100, '<body>', '</body>', GEOM)) }],
    [
      '100 bodies below each other in an included file',
      { 'scene.xml': '<mujoco><include file="a.xml"/></mujoco>', 'a.xml': world(nested(100, '<body>', '</body>', GEOM)) },
    ],
    [
      'a cable below 69 bodies',
      {
        'scene.xml': world(
          nested(
            69,
            '<body>',
            '</body>',
            '<composite prefix="c" type="cable" curve="s" count="9 1 1" size="1"><joint kind="main"/><geom type="capsule" size=".01"/></composite>',
          ),
        ),
      },
    ],
    [
      'an include below 18 bodies',
      { 'scene.xml': world(nested(18, '<body>', '</body>', '<include file="a.xml"/>')), 'a.xml': `<mujoco>${GEOM}</mujoco>` },
    ],
  ])('%s are read, and leave MuJoCo as it was', async (_, files) => {
    expect((await readOf(files)).scene.geoms.length).toBeGreaterThan(0);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'bodies',
      { 'scene.xml': world(nested(101, '\n<body>', '</body>', GEOM)) },
      "scene.xml:104: <body>: 101 bodies, frames and so on inside one another; at most 100 fit on the stack of MuJoCo's WebAssembly build",
    ],
    ['bodies 400 deep', { 'scene.xml': world(nested(400, '\n<body>', '</body>', GEOM)) }, 'scene.xml:104: <body>: 101 bodies'],
    ['frames', { 'scene.xml': world(nested(200, '\n<frame>', '</frame>', GEOM)) }, 'scene.xml:104: <frame>: 101 bodies'],
    [
      'replicates and bodies',
      { 'scene.xml': world(nested(51, '\n<replicate count="1"><body>', '</body></replicate>', GEOM)) },
      'scene.xml:54: <replicate>: 101 bodies',
    ],
    ['defaults', { 'scene.xml': `<mujoco>${nested(460, '<default>', '</default>')}</mujoco>` }, 'scene.xml:1: <default>: 101 bodies'],
    [
      'through an include',
      {
        'scene.xml': world(nested(10, '<body>', '</body>', '<include file="a.xml"/>')),
        'a.xml': `<mujoco>${nested(91, '\n<body>', '</body>')}</mujoco>`,
      },
      'a.xml:92: <body>: 101 bodies',
    ],
    [
      'in an attached model',
      {
        'scene.xml': attached(nested(60, '<body>', '</body>', ATTACHED)),
        'm.xml': world(nested(50, '<body name="b">', '</body>').replace(/ name="b"(?=.* name="b")/g, '')),
      },
      'scene.xml:3: <attach>: 110 bodies, frames and so on inside one another, with those of the attached model; at most 91 fit',
    ],
    [
      'a cable',
      { 'scene.xml': world(nested(70, '<body>', '</body>', '<composite prefix="c" type="cable" curve="s" count="9 1 1" size="1"/>')) },
      'scene.xml:3: <composite>: 70 bodies, frames and so on around <composite>; at most 69 fit',
    ],
    [
      'includes',
      { 'scene.xml': '<mujoco><include file="0.xml"/></mujoco>', ...chain(40), '40.xml': '<mujoco/>' },
      '19.xml:2: <include file="20.xml">: 21 elements and includes inside one another; at most 20 fit',
    ],
    [
      'an include below bodies',
      { 'scene.xml': world(nested(22, '\n<body>', '</body>', '<include file="a.xml"/>')), 'a.xml': `<mujoco>${GEOM}</mujoco>` },
      'scene.xml:25: <include file="a.xml">: 24 elements and includes inside one another; at most 20 fit',
    ],
    [
      'models in models',
      Object.fromEntries(
        Array.from({ length: 13 }, (_, i) => [
          i === 0 ? 'scene.xml' : `${i}.xml`,
          i === 12 ? world('<body name="b"/>') : attached(ATTACHED).replace('m.xml', `${i + 1}.xml`),
        ]),
      ),
      "scene.xml:1: <mujoco>: 12 models attached in one another; at most 11 fit on MuJoCo's stack",
    ],
  ])('too deep: %s', async (_, files, message) => {
    expect(await refusal(files)).toContain(message);
    // Once MuJoCo's stack overflowed, its errors were of other files.
    expect((await readOf({ 'scene.xml': world('<body><freejoint/><geom size="1"/></body>') })).scene.bodies).toHaveLength(1);
  });
});

describe('copies', () => {
  const FREE = '<body><freejoint/><geom size="1"/></body>';
  const cable = (count: string) => world(`<composite type="cable" curve="s" count="${count}" size="1"/>`);

  it.each<[string, Record<string, string>, string]>([
    [
      'a billion',
      { 'scene.xml': world(`<replicate count="1000000000">${FREE}</replicate>`) },
      'scene.xml:3: <body>: copies make 999999999 elements besides those written down; at most 10000 can be read',
    ],
    [
      'a million geoms',
      { 'scene.xml': world(`<replicate count="1000000">${GEOM}</replicate>`) },
      'scene.xml:3: <geom>: copies make 999999 ',
    ],
    [
      'copies of copies',
      { 'scene.xml': world(nested(9, '<replicate count="30">', '</replicate>', GEOM)) },
      'scene.xml:3: <replicate>: copies make ',
    ],
    [
      'copies of a model',
      {
        'scene.xml': attached(`<replicate count="200">${ATTACHED}</replicate>`),
        'm.xml': world(`<body name="b">${GEOM.repeat(200)}</body>`),
      },
      'scene.xml:3: <attach>: copies make ',
    ],
    [
      'a cable',
      { 'scene.xml': cable('1000000000 1 1') },
      'scene.xml:3: <composite>: a composite of 1000000000 parts; at most 400 can be read',
    ],
    [
      'cables',
      { 'scene.xml': world(`<replicate count="50">${cable('300 1 1').replace(/<\/?(mujoco|worldbody)>/g, '')}</replicate>`) },
      'scene.xml:5: <composite>: copies make ',
    ],
    [
      'includes of includes',
      {
        'scene.xml': '<mujoco><include file="0.xml"/></mujoco>',
        ...Object.fromEntries(
          Array.from({ length: 17 }, (_, i) => [`${i}.xml`, `<mujoco>${`<include file="${i + 1}.xml"/>`.repeat(9)}</mujoco>`]),
        ),
        '17.xml': '<mujoco/>',
      },
      'copies make ',
    ],
  ])('too many: %s', async (_, files, message) => {
    expect(await refusal(files)).toContain(message);
  });

  it('that MuJoCo can make are made, and much may be written down', async () => {
    expect((await readOf({ 'scene.xml': world(`<replicate count="300">${GEOM}</replicate>`) })).scene.geoms).toHaveLength(300);
    const sites = '<site/>'.repeat(40_000);
    expect(await refusal({ 'scene.xml': world(`${sites}<nobody/>`) })).toContain('MuJoCo: Schema violation: unrecognized element');
  });
});
