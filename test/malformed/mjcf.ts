/** MJCF to be damaged. */
import { type Seed, XML_PIECES, XML_VALUES } from './mutate.js';

const bytes = (text: string) => Buffer.from(text);

const WEDGE = `v 0 0 0\nv .2 0 0\nv 0 .2 0\nv 0 0 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;

const SCENE = `<?xml version="1.0"?>
<mujoco model="to be damaged">
  <!-- a bit of everything -->
  <compiler angle="degree" eulerseq="xyz" meshdir="assets"/>
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <size memory="1M"/>
  <default>
    <geom density="1000" contype="1" conaffinity="1"/>
    <default class="small"><geom size="0.05 0.05 0.05" margin="0.001"/></default>
  </default>
  <asset>
    <mesh name="wedge" file="wedge.obj" scale="1 1 1"/>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3"/>
    <hfield name="hills" nrow="3" ncol="2" size="2 1 0.5 0.25" elevation="0 1 0 2 3 0"/>
  </asset>
  <include file="parts.xml"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1" pos="0 0 -1"/>
    <geom name="hills" type="hfield" hfield="hills" pos="5 0 -1"/>
    <frame pos="0 0 1" euler="0 30 0">
      <body name="cup" pos="0.1 0.2 0.3" quat="0.6 0 0.8 0" childclass="small">
        <freejoint name="cup"/>
        <geom name="cup" type="box"/>
        <geom type="mesh" mesh="wedge" pos="0.1 0 0" axisangle="0 0 1 45"/>
      </body>
    </frame>
    <body name="arm" pos="1 0 0.5">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-90 90"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
      <body name="hand" pos="0.3 0 0"><joint name="wrist" axis="1 0 0"/><geom type="ellipsoid" size="0.05 0.04 0.03"/></body>
    </body>
    <replicate count="3" offset="0.3 0 0" euler="0 0 10">
      <body name="can" pos="0 2 0.5"><freejoint/><geom type="cylinder" size="0.05 0.1"/></body>
    </replicate>
  </worldbody>
  <contact><exclude body1="arm" body2="cup"/><pair geom1="floor" geom2="cup" margin="0.01"/></contact>
  <equality><connect body1="arm" body2="hand" anchor="0 0 0"/></equality>
</mujoco>
`;

const KEYS = `<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
    <body name="b" pos="0 0 1.05"><freejoint/><geom type="mesh" mesh="m"/></body>
    <body name="hand" mocap="true" pos="1 0 0"><geom size="0.1"/></body>
  </worldbody>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0  0 0 2 1 0 0 0" mpos="1 1 1"/></keyframe>
</mujoco>
`;

const nested = (depth: number, open: string, close: string, inside = '') => open.repeat(depth) + inside + close.repeat(depth);
const world = (content: string) => `<mujoco><worldbody>${content}</worldbody></mujoco>`;
const body = (content: string) => world(`<body>${content}</body>`);

const SPECIAL = {
  empty: '',
  'blanks alone': ' \n\t\n',
  'a comment alone': '<!-- nothing -->',
  'no world': '<mujoco/>',
  'includes itself': '<mujoco><include file="scene.xml"/></mujoco>',
  'includes a file that includes it': '<mujoco><include file="loop.xml"/></mujoco>',
  'includes a folder': '<mujoco><include file="assets"/></mujoco>',
  'includes a mesh': '<mujoco><include file="assets/wedge.obj"/></mujoco>',
  'model that holds itself':
    '<mujoco><asset><model name="m" file="scene.xml"/></asset><worldbody><attach model="m" prefix="a"/></worldbody></mujoco>',
  'class that is its own parent': '<mujoco><default><default class="a"><default class="a"/></default></default></mujoco>',
  'elements 400 deep': `<mujoco>${nested(400, '<worldbody>', '</worldbody>')}</mujoco>`,
  'elements a million deep': '<a>'.repeat(1_000_000),
  'bodies 100 deep': world(nested(100, '<body>', '</body>')),
  'bodies 400 deep': world(nested(400, '<body>', '</body>')),
  'frames 5000 deep': world(nested(5000, '<frame>', '</frame>', '<geom size="1"/>')),
  'a billion copies': world('<replicate count="1000000000"><body><freejoint/><geom size="1"/></body></replicate>'),
  'a million copies': world('<replicate count="1000000"><geom size="1"/></replicate>'),
  'copies of copies': world(nested(9, '<replicate count="30">', '</replicate>', '<geom size="1"/>')),
  'minus one copies': world('<replicate count="-1"><geom size="1"/></replicate>'),
  'a field of 10^10 points': '<mujoco><asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/></asset></mujoco>',
  'a field of 10^9 points': '<mujoco><asset><hfield name="h" nrow="31623" ncol="31623" size="1 1 1 1"/></asset></mujoco>',
  'a field of no points':
    '<mujoco><asset><hfield name="h" nrow="0" ncol="0" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>',
  'a field of minus one points': '<mujoco><asset><hfield name="h" nrow="-1" ncol="2" size="1 1 1 1"/></asset></mujoco>',
  'a grid of 10^9 bodies': world('<composite type="grid" count="1000 1000 1000" spacing="1"><geom size=".1"/></composite>'),
  'a cable of 10^9 bodies': world(
    '<composite type="cable" curve="s" count="1000000000 1 1" size="1"><geom type="capsule" size=".1"/></composite>',
  ),
  'a flex of 10^9 points': world('<flexcomp name="f" type="grid" count="1000 1000 1000" spacing=".1 .1 .1"/>'),
  'an arena of 10^18 bytes': '<mujoco><size memory="999999999999999999"/></mujoco>',
  'an arena of minus one bytes': '<mujoco><size memory="-1"/></mujoco>',
  'ten million names': `<mujoco><size nuserdata="2000000000"/></mujoco>`,
  'a number of a million digits': body(`<freejoint/><geom size="${'9'.repeat(1_000_000)}"/>`),
  'a million numbers': body(`<freejoint/><geom size="${'1 '.repeat(1_000_000)}"/>`),
  'a name of a million letters': world(`<body name="${'a'.repeat(1_000_000)}"/>`),
  'a thousand attributes': body(`<geom ${Array.from({ length: 1000 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
  'a mesh of one point':
    '<mujoco><asset><mesh name="m" vertex="0 0 0"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>',
  'a mesh of equal points':
    '<mujoco><asset><mesh name="m" vertex="1 1 1 1 1 1 1 1 1 1 1 1"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>',
  'a mesh with no such vertex': '<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 99"/></asset></mujoco>',
  'a mesh that is a folder': '<mujoco><asset><mesh name="m" file="../assets"/></asset></mujoco>',
  'a tendon around nothing': '<mujoco><tendon><spatial><site site="none"/></spatial></tendon></mujoco>',
  'a plugin nobody has': '<mujoco><extension><plugin plugin="no.such"/></extension></mujoco>',
  'an actuator of nothing': '<mujoco><actuator><motor joint="none"/></actuator></mujoco>',
  'entities that grow': `<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><mujoco model="&b;"/>`,
  'character of no number': '<mujoco model="&#x110000;&#xFFFFFFFFFF;&#-1;"/>',
};

export const MJCF_SEEDS: readonly Seed[] = [
  {
    main: 'scene.xml',
    files: {
      'scene.xml': bytes(SCENE),
      'parts.xml': bytes('<mujoco><worldbody><body name="lid" pos="0 0 3"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>\n'),
      'loop.xml': bytes('<mujoco><include file="scene.xml"/></mujoco>\n'),
      'assets/wedge.obj': bytes(WEDGE),
    },
    pieces: XML_PIECES,
    values: XML_VALUES,
    special: SPECIAL,
  },
  {
    main: 'scene.xml',
    files: { 'scene.xml': bytes(KEYS) },
    pieces: XML_PIECES,
    values: XML_VALUES,
    special: {},
  },
];
