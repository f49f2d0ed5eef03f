/** Writing: nothing changes but the numbers that must, and MuJoCo reads the intended poses. */
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { angleBetween } from '../../../src/adapters/conventions.js';
import { diffOf, type MjcfWriteResult, mjcf } from '../../../src/adapters/mjcf/index.js';
import type { Result } from '../../../src/core/result.js';
import type { Scene } from '../../../src/core/scene.js';
import { simulate } from './engine.js';
import { type Change, QUARTER_X, resultOf, Workspace } from './workspace.js';

interface Written {
  readonly scene: Scene;
  readonly result: Result;
  readonly output: MjcfWriteResult;
}

interface Job {
  readonly input: string;
  readonly output?: string;
  readonly key?: string;
  readonly changes: Readonly<Record<string, Change>>;
}

async function repair(workspace: Workspace, { input, output = input, key, changes }: Job): Promise<Written> {
  const { scene, source } = await mjcf.read(workspace.path(input), { key });
  const result = resultOf(scene, changes);
  const options = { inPlace: output === input };
  return { scene, result, output: await mjcf.write(source, result, workspace.path(output), options) };
}

/** Read the file again, and compare every body with the result. */
async function expectPoses(workspace: Workspace, file: string, { scene, result }: Written, key?: string): Promise<void> {
  const again = await mjcf.read(workspace.path(file), { key });
  expect(again.scene.bodies.map((body) => body.name)).toEqual(scene.bodies.map((body) => body.name));
  again.scene.bodies.forEach(({ name, X_WB }, i) => {
    const wanted = result.poses[i]!;
    const distance = Math.hypot(...X_WB.position.map((x, k) => x - wanted.position[k]!));
    expect([name, distance < 1e-12, angleBetween(X_WB.quaternion, wanted.quaternion) < 1e-12]).toEqual([name, true, true]);
  });
}

/** The text with these replacements, each of which must apply exactly once. */
function replaced(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((before, [from, to]) => {
    expect([from, before.split(from).length - 1]).toEqual([from, 1]);
    return before.replace(from, () => to);
  }, text);
}

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
    expect(output).toEqual({ files: [], notes: [], verified: 0 });
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
        message: expect.stringMatching(/replicate\.xml: body 'copy1' is made by <replicate>, so .* MuJoCo accepts no keyframe/),
      });
      expect(workspace.snapshot()).toEqual(before);
    }
    await repair(workspace, { input: 'replicate.xml', changes: { single: { shift: [0, 0, 1] } } });
    expect(workspace.text('replicate.xml')).toBe(replaced(before['replicate.xml']!, [['pos="0 0 1"', 'pos="0 0 2"']]));
  });
});

describe('included files', () => {
  const changes = { nested: { shift: [0, 0, 0.5] }, own: { shift: [0.1, 0, 0] } } as const;

  it('are edited where they stand when in place', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const written = await repair(workspace, { input: 'include/scene.xml', changes });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'include/scene.xml': replaced(before['include/scene.xml']!, [['pos="0 0 1"', 'pos="0.1 0 1"']]),
      'include/parts/nested.xml': replaced(before['include/parts/nested.xml']!, [['pos="0 1 0"', 'pos="0 1 0.5"']]),
    });
    const nested = workspace.path('include/parts/nested.xml');
    expect(written.output.notes).toEqual([`${nested} is an included file; it changes for every scene that includes it`]);
    await expectPoses(workspace, 'include/scene.xml', written);
  });

  it('that must change are copied beside the output, with those that include them', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const written = await repair(workspace, { input: 'include/scene.xml', output: 'include/fixed.xml', changes });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'include/fixed.xml': replaced(before['include/scene.xml']!, [
        ['pos="0 0 1"', 'pos="0.1 0 1"'],
        ['file="parts/objects.xml"', 'file="fixed.objects.xml"'],
      ]),
      'include/fixed.objects.xml': replaced(before['include/parts/objects.xml']!, [
        // Found beside the included file, which is elsewhere now.
        ['file="wedge.obj"', 'file="../include/parts/wedge.obj"'],
        ['file="nested.xml"', 'file="fixed.nested.xml"'],
      ]),
      'include/fixed.nested.xml': replaced(before['include/parts/nested.xml']!, [['pos="0 1 0"', 'pos="0 1 0.5"']]),
    });
    expect(written.output.files.map((file) => file.path.slice(workspace.root.length))).toEqual([
      '/include/fixed.nested.xml',
      '/include/fixed.objects.xml',
      '/include/fixed.xml',
    ]);
    await expectPoses(workspace, 'include/fixed.xml', written);
    await expectSameGeoms(workspace, 'include/scene.xml', 'include/fixed.xml');
  });

  it('and assets are still found from another folder', async () => {
    const workspace = Workspace.withFixtures();
    mkdirSync(workspace.path('elsewhere/deep'), { recursive: true });
    const before = workspace.snapshot();
    const written = await repair(workspace, {
      input: 'include/scene.xml',
      output: 'elsewhere/deep/fixed.xml',
      changes: { own: { shift: [0, 0, 0.5] } },
    });
    expect(workspace.snapshot()).toEqual({
      ...before,
      'elsewhere/deep/fixed.xml': replaced(before['include/scene.xml']!, [
        ['meshdir="../assets"', 'meshdir="../../assets"'],
        ['file="parts/defaults.xml"', 'file="../../include/parts/defaults.xml"'],
        ['file="parts/objects.xml"', 'file="../../include/parts/objects.xml"'],
        ['pos="0 0 1"', 'pos="0 0 1.5"'],
      ]),
    });
    await expectPoses(workspace, 'elsewhere/deep/fixed.xml', written);
    await expectSameGeoms(workspace, 'include/scene.xml', 'elsewhere/deep/fixed.xml');
  });

  it('of every kind are found from another folder', async () => {
    const workspace = Workspace.withFixtures();
    mkdirSync(workspace.path('out'));
    for (const [input, key] of [
      ['shapes.xml', undefined],
      ['attach/scene.xml', undefined],
    ] as const) {
      const { scene, source } = await mjcf.read(workspace.path(input), { key });
      const name = scene.bodies.find((body) => body.mobility === 'free')!.name;
      const result = resultOf(scene, { [name]: { shift: [0, 0, 1] } });
      await mjcf.write(source, result, workspace.path('out/fixed.xml'));
      await expectPoses(workspace, 'out/fixed.xml', { scene, result, output: { files: [], notes: [], verified: 0 } });
    }
    expect(workspace.text('out/fixed.xml')).toContain('file="../attach/cup.xml"');
  });

  it('keep the asset folder they had by default', async () => {
    const workspace = Workspace.withFixtures();
    mkdirSync(workspace.path('out'));
    const mesh = '<asset><mesh name="ell" file="assets/l-shape.obj"/></asset>';
    const body = '<worldbody><body name="a"><freejoint/><geom type="mesh" mesh="ell"/></body></worldbody>';
    for (const [compiler, wanted] of [
      ['', '<mujoco><compiler assetdir=".."/>'],
      ['<compiler angle="radian"/>', '<compiler assetdir=".." angle="radian"/>'],
      ['<compiler texturedir="x"/>', '<compiler assetdir=".." texturedir="../x"/>'],
    ] as const) {
      workspace.put('scene.xml', `<mujoco>${compiler}${mesh}${body}</mujoco>`);
      const written = await repair(workspace, { input: 'scene.xml', output: 'out/fixed.xml', changes: { a: { shift: [1, 0, 0] } } });
      expect(workspace.text('out/fixed.xml')).toContain(wanted);
      await expectPoses(workspace, 'out/fixed.xml', written);
    }
  });

  async function expectSameGeoms(workspace: Workspace, a: string, b: string): Promise<void> {
    const [before, after] = [await mjcf.read(workspace.path(a)), await mjcf.read(workspace.path(b))];
    expect(after.scene.geoms).toEqual(before.scene.geoms);
    // As MuJoCo itself finds it, without our help.
    expect(await simulate(workspace.path(b), -1, ({ model }) => model.nmeshvert)).toBe(
      await simulate(workspace.path(a), -1, ({ model }) => model.nmeshvert),
    );
  }
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

describe('targets', () => {
  const changes = { a: { shift: [0, 0, 2] } } as const;

  it('may exist, and keep their permissions', async () => {
    const workspace = Workspace.withFixtures();
    workspace.put('out.xml', 'old');
    chmodSync(workspace.path('out.xml'), 0o640);
    await repair(workspace, { input: 'keys.xml', output: 'out.xml', changes });
    expect(workspace.text('out.xml')).toContain('pos="1 0 2"');
    expect(statSync(workspace.path('out.xml')).mode & 0o777).toBe(0o640);
  });

  it('that are links are written through', async () => {
    const workspace = Workspace.withFixtures();
    symlinkSync(workspace.path('keys.xml'), workspace.path('link.xml'));
    await repair(workspace, { input: 'link.xml', changes });
    expect(workspace.text('keys.xml')).toContain('pos="1 0 2"');
    expect(
      readdirSync(workspace.root, { withFileTypes: true })
        .find((entry) => entry.name === 'link.xml')!
        .isSymbolicLink(),
    ).toBe(true);
  });

  it.each([
    ['the scene itself', 'keys.xml', /keys\.xml: it is a file of the scene/],
    ['a link to the scene', 'link.xml', /link\.xml: it is a file of the scene/],
    ['a folder', 'attach', /attach: it is a directory/],
    ['a missing folder', 'no/out.xml', /no such directory/],
  ])('must not be %s', async (_, output, message) => {
    const workspace = Workspace.withFixtures();
    symlinkSync(workspace.path('keys.xml'), workspace.path('link.xml'));
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    const attempt = mjcf.write(source, resultOf(scene, changes), workspace.path(output));
    await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringMatching(message) });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('must not be an asset or an included file of the scene', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('include/scene.xml'));
    for (const output of ['assets/l-shape.obj', 'include/parts/nested.xml']) {
      const attempt = mjcf.write(source, resultOf(scene, { own: { shift: [1, 0, 0] } }), workspace.path(output));
      await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT' });
    }
    const elsewhere = mjcf.write(source, resultOf(scene, {}), workspace.path('keys.xml'), { inPlace: true });
    await expect(elsewhere).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringContaining('in place means') });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('must not have changed since they were read', async () => {
    const workspace = Workspace.withFixtures();
    const { scene, source } = await mjcf.read(workspace.path('keys.xml'));
    workspace.put('keys.xml', workspace.text('keys.xml').replace('<mujoco>', '<mujoco> '));
    const before = workspace.snapshot();
    const attempt = mjcf.write(source, resultOf(scene, changes), workspace.path('keys.xml'), { inPlace: true });
    await expect(attempt).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringContaining('changed since it was read') });
    expect(workspace.snapshot()).toEqual(before);
  });

  it('are not touched for a result that does not fit the scene', async () => {
    const workspace = Workspace.withFixtures();
    const before = workspace.snapshot();
    const { scene, source } = await mjcf.read(workspace.path('filters.xml'));
    const pose = { position: [9, 9, 9], quaternion: [1, 0, 0, 0] } as const;
    const withPose = (name: string, value: unknown) => {
      const { poses } = resultOf(scene, {});
      return { poses: poses.map((old, i) => (scene.bodies[i]!.name === name ? value : old)) } as unknown as Result;
    };
    for (const [result, message] of [
      [{ poses: [] } as unknown as Result, /0 poses, the scene \d+ bodies/],
      [withPose('shelf', pose), /moves body 'shelf' on its own, but no free joint/],
      [withPose('robot leg', pose), /moves body 'robot leg' on its own, but it hangs on 'robot'/],
      [withPose('mug', { ...pose, position: [NaN, 0, 0] }), /body 'mug' at a pose that is not finite/],
    ] as const) {
      const attempt = mjcf.write(source, result, workspace.path('out.xml'));
      await expect(attempt).rejects.toMatchObject({ code: 'INVALID_SCENE', message: expect.stringMatching(message) });
    }
    expect(workspace.snapshot()).toEqual(before);
  });
});
