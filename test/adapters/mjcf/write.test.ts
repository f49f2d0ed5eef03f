/** Writing: nothing changes but the numbers that must, and MuJoCo reads the intended poses. */
import { statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { diffOf, mjcf } from '../../../src/adapters/mjcf/index.js';
import { expectPoses, repair, replaced } from './repair.js';
import { QUARTER_X, resultOf, Workspace } from './workspace.js';

describe('bodies', () => {
  it('get new positions and nothing else', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('frames.xml');
    const written = await repair(workspace, {
      input: 'frames.xml',
      changes: {
        plain: { shift: [0.25, 0, 0] },
        'no pos': { shift: [0, 0, -0.5] },
        body_3: { shift: [1e-7, 2, 3] },
        euler: { shift: [0, 0.1, 0] },
        zaxis: { shift: [0, 0, 1 / 3] },
        'second section': { shift: [0, 0, 1] },
      },
    });
    expect(workspace.text('frames.xml')).toBe(
      replaced(before, [
        [`pos = "1 2.50 3e0"`, `pos = "1.25 2.50 3e0"`],
        ['<body name="no pos">', '<body name="no pos" pos="0 0 -0.5">'],
        ['<body><freejoint/><geom size=".1" />', '<body pos="1e-7 2 3"><freejoint/><geom size=".1" />'],
        ['pos="5 0 0"', 'pos="5 0.1 0"'],
        ['pos="8 0 0"', `pos="8 0 ${1 / 3}"`],
        ['pos="0 0 20"', 'pos="0 0 21"'],
      ]),
    );
    expect(written.output.notes).toEqual([]);
    expect(written.output.verified).toBeLessThan(1e-15);
    await expectPoses(workspace, 'frames.xml', written);
  });

  it('get a quaternion in place of whatever oriented them', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('frames.xml');
    const names = ['plain', 'no pos', 'body_3', 'quat', 'euler', 'axisangle', 'xyaxes', 'zaxis', 'second section'];
    const written = await repair(workspace, {
      input: 'frames.xml',
      changes: Object.fromEntries(names.map((name) => [name, { turn: QUARTER_X }])),
    });
    const after = workspace.text('frames.xml');
    const number = String.raw`[-+.e\d]+`;
    const quat = `quat=(["'])${number} ${number} ${number} ${number}\\1`;
    const s = Math.SQRT1_2;
    // Orientations are taken out of both texts; what remains must be the same.
    const bare = (text: string) =>
      text.replace(new RegExp(`\\s*${quat}`, 'g'), '').replace(/\s*(euler|axisangle|xyaxes|zaxis)=(["'])[^"']*\2/g, '');
    expect(bare(after)).toBe(bare(before));
    expect(after).toContain(`<body   name = 'plain'   pos = "1 2.50 3e0" quat="${s} ${s} 0 0"   >`);
    expect(after).toContain(`<body name="no pos" quat="${s} ${s} 0 0">`);
    expect(after).toContain(`<body quat="${s} ${s} 0 0"><freejoint/>`);
    expect(after).toContain(`<body pos="4 0 0" quat="${s} ${s} 0 0" name="quat">`);
    expect(after).toMatch(new RegExp(`<body name="euler" ${quat.replace('\\1', "'").replace(`(["'])`, "'")} pos="5 0 0">`));
    expect(after).toMatch(/pos="8 0 0"\n\t\t {6}quat="[^"]*"><freejoint/);
    await expectPoses(workspace, 'frames.xml', written);
  });

  it('inside nested frames land where they should', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('frames.xml');
    const shifted = await repair(workspace, {
      input: 'frames.xml',
      changes: { deep: { shift: [0.1, 0.2, 0.3] }, 'bare in frame': { shift: [0, 0, 1] } },
    });
    await expectPoses(workspace, 'frames.xml', shifted);
    const after = workspace.text('frames.xml');
    expect(after.replace(/name="deep" pos="[^"]*"/, 'name="deep" pos="1 1 1"').replace(/(name="bare in frame") pos="[^"]*"/, '$1')).toBe(
      before,
    );
    const turned = await repair(workspace, {
      input: 'frames.xml',
      changes: { deep: { shift: [1, 0, 0], turn: QUARTER_X }, 'in frame': { turn: QUARTER_X } },
    });
    await expectPoses(workspace, 'frames.xml', turned);
    expect(workspace.text('frames.xml')).toMatch(/name="deep" pos="[^"]*" quat="[^"]*"/);
  });

  it.each(['xyz', 'ZYX', 'xyx', 'zXy'])('are understood for eulerseq %s and any other orientation, in radians', async (sequence) => {
    const workspace = new Workspace();
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return ((seed / 2147483647) * 2 - 1).toFixed(3);
    };
    const numbers = (count: number) => Array.from({ length: count }, random).join(' ');
    const orientations = Object.entries({ quat: 4, axisangle: 4, euler: 3, xyaxes: 6, zaxis: 3 });
    const bodies = orientations.flatMap(([outer, outerCount]) =>
      orientations.map(
        ([inner, innerCount]) => `<frame pos="${numbers(3)}" ${outer}="${numbers(outerCount)}">
          <body name="${outer} ${inner}" pos="${numbers(3)}" ${inner}="${numbers(innerCount)}"><freejoint/><geom size="1"/></body></frame>`,
      ),
    );
    const compiler = `<compiler angle="radian" eulerseq="${sequence}"/>`;
    workspace.put('scene.xml', `<mujoco>${compiler}<worldbody>${bodies.join('\n')}</worldbody></mujoco>`);
    const names = orientations.flatMap(([outer]) => orientations.map(([inner]) => `${outer} ${inner}`));
    const changes = Object.fromEntries(
      names.map((name, i) => [name, { shift: [i, 0.1, -i] as const, ...(i % 2 ? { turn: QUARTER_X } : {}) }]),
    );
    const written = await repair(workspace, { input: 'scene.xml', changes });
    expect(written.output.files[0]!.edits.filter(({ attribute }) => attribute === 'quat').length).toBeGreaterThanOrEqual(12);
    await expectPoses(workspace, 'scene.xml', written);
  });

  it('keep components that a frame turns into rounding noise', async () => {
    const workspace = new Workspace();
    workspace.put(
      'scene.xml',
      `<mujoco><worldbody><frame euler="0 0 90"><body name="a" pos="0 0 .5"><freejoint/><geom size="1"/></body></frame></worldbody></mujoco>`,
    );
    const written = await repair(workspace, { input: 'scene.xml', changes: { a: { shift: [0, 0.25, 0] } } });
    expect(workspace.text('scene.xml')).toContain('pos="0.25 0 .5"');
    await expectPoses(workspace, 'scene.xml', written);
  });

  it('whose numbers are entities or left out, as MuJoCo allows, are written too', async () => {
    const workspace = new Workspace();
    const before = [
      '<mujoco><worldbody><frame pos="" euler=" ">',
      '<body name="entities" pos="0&#10;0&#x20;&#49;.5"><freejoint/><geom size=".1"/></body>',
      `<body name="blank" pos='' quat=" "><freejoint/><geom size=".1"/></body>`,
      '</frame></worldbody><keyframe><key name="k" qpos="0 0&#32;1.5&#10;1 0 0 0"/></keyframe></mujoco>',
    ].join('\n');
    workspace.put('scene.xml', before);
    const shifted = await repair(workspace, {
      input: 'scene.xml',
      output: 'shifted.xml',
      changes: { entities: { shift: [0, 2, 1] }, blank: { shift: [0, 0, -1] } },
    });
    await expectPoses(workspace, 'shifted.xml', shifted);
    expect(workspace.text('shifted.xml')).toBe(
      replaced(before, [
        ['0&#10;0&#x20;&#49;.5', '0&#10;2&#x20;2.5'],
        [`pos=''`, `pos='0 0 -1'`],
        ['0 0&#32;1.5&#10;1 0 0 0', '0 2&#32;2.5&#10;1 0 0 0 0 0 -1'],
      ]),
    );
    const changes = { entities: { turn: QUARTER_X }, blank: { turn: QUARTER_X } };
    await expectPoses(workspace, 'turned.xml', await repair(workspace, { input: 'scene.xml', output: 'turned.xml', changes }));
    expect(workspace.text('turned.xml')).toMatch(/name="blank" pos='' quat="0.7\d+ 0.7\d+ 0 0">/);
  });

  it('whose frame MuJoCo aligned with their inertia are moved all the same', async () => {
    for (const changes of [{ aligned: { shift: [1, 2, 3] } }, { aligned: { shift: [1, 0, 0], turn: QUARTER_X } }] as const) {
      const workspace = Workspace.withFixtures();
      const written = await repair(workspace, { input: 'align.xml', changes });
      expect(workspace.text('align.xml').includes('euler="10 0 0"')).toBe(!('turn' in changes.aligned));
      await expectPoses(workspace, 'align.xml', written);
    }
  });

  it('with links and joints move by their root', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('filters.xml');
    const written = await repair(workspace, { input: 'filters.xml', changes: { robot: { shift: [0, 0, 2], turn: QUARTER_X } } });
    const s = Math.SQRT1_2;
    expect(workspace.text('filters.xml')).toBe(
      replaced(before, [['<body name="robot" pos=".1 0 0">', `<body name="robot" pos=".1 0 2" quat="${s} ${s} 0 0">`]]),
    );
    await expectPoses(workspace, 'filters.xml', written);
  });

  it.each([
    ['CRLF', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['other languages', (text: string) => Buffer.from(text.replace('trailing', 'größer, 大きい, \u{1f600}'))],
    ['bytes that are not UTF-8', (text: string) => Buffer.from(text.replace('trailing', '\xe4\xff'), 'latin1')],
  ])('are edited in files with %s', async (_, encode) => {
    const workspace = Workspace.withFixtures();
    const before = encode(workspace.text('frames.xml'));
    workspace.put('scene.xml', before);
    const written = await repair(workspace, { input: 'scene.xml', changes: { quat: { shift: [0.5, 0, 0] } } });
    expect(workspace.bytes('scene.xml').toString('latin1')).toBe(replaced(before.toString('latin1'), [['pos="4 0 0"', 'pos="4.5 0 0"']]));
    await expectPoses(workspace, 'scene.xml', written);
  });
});

describe('an unmoved scene', () => {
  it('is not rewritten in place', async () => {
    const workspace = Workspace.withFixtures();
    const stamp = () => statSync(workspace.path('frames.xml'), { bigint: true }).mtimeNs;
    const before = [stamp(), workspace.snapshot()];
    const { output } = await repair(workspace, { input: 'frames.xml', changes: {} });
    expect(output).toEqual({ files: [], notes: [], newKey: undefined, verified: 0 });
    expect([stamp(), workspace.snapshot()]).toEqual(before);
  });

  it('is copied byte for byte elsewhere', async () => {
    const workspace = Workspace.withFixtures();
    const { output } = await repair(workspace, { input: 'include/scene.xml', output: 'include/copy.xml', changes: {} });
    expect(workspace.bytes('include/copy.xml')).toEqual(workspace.bytes('include/scene.xml'));
    expect(output.files).toEqual([
      { path: workspace.path('include/copy.xml'), original: workspace.path('include/scene.xml'), edits: [], diff: '' },
    ]);
  });
});

describe('keyframes', () => {
  it('that were read are edited, and nothing else', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('keys.xml');
    const written = await repair(workspace, {
      input: 'keys.xml',
      key: 'spread',
      changes: { a: { shift: [0, 0, 0.5] }, b: { shift: [1, 0, 0], turn: [0, 1, 0, 0] } },
    });
    expect(workspace.text('keys.xml')).toBe(
      replaced(before, [['qpos="0  1 1.50 0 1 0 0 0  2 2 0 3 0 0 4"', 'qpos="0  1 1.50 0.5 1 0 0 0  3 2 0 0 0.6 -0.8 0"']]),
    );
    await expectPoses(workspace, 'keys.xml', written, 'spread');
  });

  it('that are shorter than the state, or empty, get what they lack', async () => {
    const workspace = Workspace.withFixtures();
    const short = await repair(workspace, { input: 'keys.xml', key: 'short', changes: { b: { shift: [0, 3, 0] } } });
    expect(workspace.text('keys.xml')).toContain('<key name="short"  qpos="0  1 0 0 1 0 0 0 0 3"/>');
    await expectPoses(workspace, 'keys.xml', short, 'short');
    const empty = await repair(workspace, { input: 'keys.xml', key: '3', changes: { a: { shift: [0, 3, 0] } } });
    expect(workspace.text('keys.xml')).toContain('<key qpos="0 1 3 0 1 0 0 0 2 0 0 1 0 0 0" time="1"/>');
    await expectPoses(workspace, 'keys.xml', empty, '3');
  });

  it('called by the number of another are not confused', async () => {
    const workspace = new Workspace();
    const text = `<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body></worldbody>
      <keyframe><key name="1" qpos="1 2 3 1 0 0 0"/><key name="0" qpos="4 5 6 1 0 0 0"/></keyframe></mujoco>`;
    workspace.put('scene.xml', text);
    const written = await repair(workspace, { input: 'scene.xml', key: '0', changes: { a: { shift: [0, 0, 1] } } });
    expect(workspace.text('scene.xml')).toBe(replaced(text, [['4 5 6', '4 5 7']]));
    await expectPoses(workspace, 'scene.xml', written, '0');
  });

  it('that repeat the start pose follow it, others are left alone and named', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('keys.xml');
    const written = await repair(workspace, { input: 'keys.xml', changes: { a: { shift: [0, 0, 2] }, b: { shift: [0.5, 0, 0] } } });
    expect(workspace.text('keys.xml')).toBe(
      replaced(before, [
        ['<body name="a" pos="1 0 0">', '<body name="a" pos="1 0 2">'],
        ['<body name="b" pos="2 0 0">', '<body name="b" pos="2.5 0 0">'],
        ['1 0 0 1 0 0 0\n', '1 0 2 1 0 0 0\n'],
        ['2 0 0 1 0 0 0" ctrl', '2.5 0 0 1 0 0 0" ctrl'],
        ['qpos="0  1 0 0"', 'qpos="0  1 0 2"'],
      ]),
    );
    expect(written.output.notes).toEqual([
      `keyframe 'spread' holds poses of its own for 'a', 'b' and was left alone; repair it with the key option`,
      `keyframe 'short' holds poses of its own for 'b' and was left alone; repair it with the key option`,
    ]);
    await expectPoses(workspace, 'keys.xml', written);
    // The key without qpos is qpos0 and follows by itself.
    await expectPoses(workspace, 'keys.xml', written, '3');
  });
});

describe('generated bodies', () => {
  it('of attached models are placed by a new keyframe', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('attach/scene.xml');
    const written = await repair(workspace, {
      input: 'attach/scene.xml',
      output: 'attach/fixed.xml',
      changes: { right_cup: { shift: [0.5, 0, 0] }, own: { shift: [0, 0, 1] } },
    });
    const key = '  <keyframe>\n    <key name="s4r" qpos="0 0 2 1 0 0 0 1 0 0 1 0 0 0 1.6 0 0 1 0 0 0"/>\n  </keyframe>\n';
    expect(workspace.text('attach/fixed.xml')).toBe(replaced(before, [['</mujoco>', `${key}</mujoco>`]]));
    expect(written.output.notes).toEqual([`the repaired state is the new keyframe 's4r', since body 'right_cup' is made by <attach>`]);
    await expectPoses(workspace, 'attach/fixed.xml', written, 's4r');
  });

  it('of attached models leave the bodies beside them editable', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.text('attach/scene.xml');
    const written = await repair(workspace, { input: 'attach/scene.xml', changes: { own: { shift: [0, 0, 1] } } });
    expect(workspace.text('attach/scene.xml')).toBe(replaced(before, [['pos="0 0 1"', 'pos="0 0 2"']]));
    await expectPoses(workspace, 'attach/scene.xml', written);
  });

  it('keep the rest of an attached model’s keyframe', async () => {
    const workspace = Workspace.withFixtures();
    workspace.put(
      'attach/cup.xml',
      workspace
        .text('attach/cup.xml')
        .replace('</mujoco>', '<keyframe><key name="up" time="2" qpos="0 0 7 1 0 0 0" qvel="0 0 0 0 0 1"/></keyframe></mujoco>'),
    );
    const written = await repair(workspace, {
      input: 'attach/scene.xml',
      output: 'attach/fixed.xml',
      key: 'left_up',
      changes: { left_cup: { shift: [0, 1, 0] } },
    });
    expect(workspace.text('attach/fixed.xml')).toMatch(/<key name="s4r" qpos="0 0 1 [^"]*" time="2" qvel="[^"]*1[^"]*"\/>/);
    expect(written.output.notes[0]).toContain(`keyframe 'left_up' stands in no <key> of this file`);
    await expectPoses(workspace, 'attach/fixed.xml', written, 's4r');
  });

  it('of <replicate> are refused with the reason, and nothing is written', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    for (const output of ['replicate.xml', 'fixed.xml']) {
      await expect(repair(workspace, { input: 'replicate.xml', output, changes: { copy1: { shift: [0, 0, 1] } } })).rejects.toMatchObject({
        code: 'OUTPUT',
        message: expect.stringMatching(/replicate\.xml: body 'copy1' is made by <replicate>, so .* accepts no keyframe/),
      });
      expect(workspace.snapshot()).toEqual(before);
    }
    // A keyframe for a single copy is accepted, but under another name.
    const one = before['replicate.xml']!.replace(/count="\d+"/, 'count="1"');
    workspace.put('one.xml', one);
    await expect(repair(workspace, { input: 'one.xml', changes: { copy0: { shift: [0, 0, 1] } } })).rejects.toMatchObject({
      code: 'OUTPUT',
      message: expect.stringContaining('accepts no keyframe'),
    });
    expect(workspace.text('one.xml')).toBe(one);
    await repair(workspace, { input: 'replicate.xml', changes: { single: { shift: [0, 0, 1] } } });
    expect(workspace.text('replicate.xml')).toBe(replaced(before['replicate.xml']!, [['pos="0 0 1"', 'pos="0 0 2"']]));
  });
});

describe('the report', () => {
  it('of a dry run shows what would be written, and writes nothing', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    const result = resultOf(scene, { a: { shift: [0, 0, 2] } });
    const dry = await mjcf.write(source, result, { path: workspace.path('keys.xml'), inPlace: true, dryRun: true });
    expect(workspace.snapshot()).toEqual(before);
    expect(dry.files).toHaveLength(1);
    expect(dry.files[0]!.edits[0]).toEqual({ line: 4, element: 'body', attribute: 'pos', before: '0', after: '2' });
    expect(diffOf(dry)).toContain('\n-    <body name="a" pos="1 0 0">');
    expect(diffOf(dry)).toContain('\n+    <body name="a" pos="1 0 2">');
    const real = await mjcf.write(source, result, workspace.path('keys.xml'), { inPlace: true });
    expect(workspace.text('keys.xml')).toBe(dry.files[0]!.text);
    expect({ ...dry, files: dry.files.map(({ text, ...file }) => file) }).toEqual(real);
  });
});
