/** `s4r fix`. */
import { chmod, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CLEAN, OVERLAPPING, row, s4r, temporaryFolder, WEDGED } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scene: string;
let out: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  scene = await folder.write('scene.xml', OVERLAPPING);
  out = folder.at('fixed.xml');
});

afterEach(async () => await folder.remove());

describe('where it writes', () => {
  test('-o writes a repaired copy and tells what moved', async () => {
    const { code, stdout, stderr } = await s4r(['fix', scene, '-o', out]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain(`${scene}: 1 overlap between 1 body pair, deepest 20 mm\n`);
    expect(stdout).toMatch(/^ *moved mm +dx +dy +dz +body$/m);
    expect(stdout).toMatch(/^ +\d+\.\d\d +-\d+\.\d\d +0\.00 +0\.00 +left$/m);
    expect(stdout).toMatch(/^solved: 1 -> 0 overlaps; 2 bodies moved, at most [\d.]+ mm; \d+ ms$/m);
    expect(stdout.endsWith(`wrote ${out}\n`)).toBe(true);
    expect(await readFile(scene, 'utf8')).toBe(OVERLAPPING);
    expect((await s4r(['check', out])).code).toBe(0);
    // Nothing but two poses is different.
    const lines = (await readFile(out, 'utf8')).split('\n');
    const changed = OVERLAPPING.split('\n').filter((line, i) => line !== lines[i]);
    expect(changed).toEqual(['    <body name="left" pos="0 0 1">', '    <body name="right" pos="0.08 0 1">']);
  });

  test('--in-place edits the scene', async () => {
    const { code, stdout } = await s4r(['fix', scene, '--in-place']);
    expect(code).toBe(0);
    expect(stdout).toContain(`wrote ${scene}\n`);
    expect(await readFile(scene, 'utf8')).not.toBe(OVERLAPPING);
    expect((await s4r(['check', scene])).code).toBe(0);
  });

  test('--dry-run writes nothing', async () => {
    const { code, stdout } = await s4r(['fix', scene, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain(`would write ${scene}\n`);
    expect(await readFile(scene, 'utf8')).toBe(OVERLAPPING);
    expect(await readdir(folder.path)).toEqual(['scene.xml']);
  });

  test('a clean scene is not rewritten in place, and copied with -o', async () => {
    const clean = await folder.write('clean.xml', CLEAN);
    const { mtimeMs } = await stat(clean);
    const inPlace = await s4r(['fix', clean, '--in-place']);
    expect(inPlace).toEqual({ code: 0, stdout: `${clean}: no overlaps\n\nclean: nothing to do\nnothing written\n`, stderr: '' });
    expect((await stat(clean)).mtimeMs).toBe(mtimeMs);
    expect((await s4r(['fix', clean, '-o', out])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(CLEAN);
  });
});

describe('links', () => {
  test('to the scene and to the report stay links; what they lead to keeps its permissions', async () => {
    const report = await folder.write('report.json', 'old');
    await chmod(scene, 0o640);
    await chmod(report, 0o600);
    await symlink('scene.xml', folder.at('link.xml'));
    await symlink('report.json', folder.at('link.json'));
    const { code, stdout } = await s4r(['fix', folder.at('link.xml'), '--in-place', '--json', '--report', folder.at('link.json')]);
    expect(code).toBe(0);
    expect((await readlink(folder.at('link.xml'))) + (await readlink(folder.at('link.json')))).toBe('scene.xmlreport.json');
    expect(await readFile(scene, 'utf8')).not.toBe(OVERLAPPING);
    expect(await readFile(report, 'utf8')).toBe(stdout);
    expect([(await stat(scene)).mode & 0o777, (await stat(report)).mode & 0o777]).toEqual([0o640, 0o600]);
  });
});

describe('statuses that are not solved', () => {
  test('pairs that cannot move apart are mentioned, even if they are all there is', async () => {
    const { code, stdout } = await s4r(['fix', scene, '--dry-run', '--frozen', '*']);
    expect(code).toBe(1);
    expect(stdout).toContain(`${scene}: no overlaps that can be cured\n\nleft: 1 overlap between 1 body pair, deepest 20 mm\n`);
    expect(stdout).toMatch(/^ +20\.00 +constant +left .*fix by hand$/m);
    expect(stdout).toContain('\nclean: nothing that can move overlaps; 1 overlap that no allowed motion cures\nnothing written\n');
    expect((await s4r(['fix', scene, '--dry-run', '--frozen', '*', '--allow', 'left:right'])).code).toBe(0);
  });

  test('a scene that cannot be improved is not written', async () => {
    const wedged = await folder.write('wedged.xml', WEDGED);
    const { code, stdout } = await s4r(['fix', wedged, '-o', out]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^(infeasible|stalled): /m);
    expect(stdout).toContain('nothing written\n');
    expect(await readdir(folder.path)).not.toContain('fixed.xml');
  });

  test('an improved scene is written, with exit code 1 and what is left', async () => {
    const { code, stdout } = await s4r(['fix', 'examples/mujoco/cluttered_table.xml', '-o', out, '--max-shift', '0.01']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^left: \d+ overlaps? between/m);
    expect(stdout).toMatch(/^improved: /m);
    expect(stdout).toContain(`wrote ${out}\n`);
  });

  test('no time: exit code 1, nothing written, no claim about what was not checked', async () => {
    const { code, stdout } = await s4r(['fix', scene, '-o', out, '--time-limit', '1e-9']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/: not checked to the end\n/);
    expect(stdout).toMatch(/^timeLimit: /m);
    expect(await readdir(folder.path)).toEqual(['scene.xml']);
  });

  test('Ctrl-C: exit code 130, nothing written', async () => {
    const { code, stdout } = await s4r(['fix', scene, '-o', out], { signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect(stdout).toMatch(/^cancelled: /m);
    expect(await readdir(folder.path)).toEqual(['scene.xml']);
  });
});

describe('options', () => {
  test('--frozen and --movable choose who moves', async () => {
    const moved = async (...args: string[]) => {
      const { stdout } = await s4r(['fix', scene, '--dry-run', '--json', ...args]);
      return JSON.parse(stdout).moves.map(({ name }: { name: string }) => name);
    };
    expect(await moved('--frozen', 'left')).toEqual(['right']);
    expect(await moved('--frozen', 'far', '--frozen', 'ri*')).toEqual(['left']);
    expect(await moved('--movable', 'far,right')).toEqual(['right']);
  });

  test('--max-shift bounds every move', async () => {
    const { code, stdout } = await s4r(['fix', scene, '--dry-run', '--json', '--max-shift', '0.015']);
    const { moves } = JSON.parse(stdout);
    for (const { distance } of moves) expect(distance).toBeLessThanOrEqual(0.015 + 1e-12);
    expect(code).toBe(0);
  });

  test('--axes, --weight and --allow speak of bodies by name', async () => {
    const movesOf = async (...flags: string[]) => {
      const { moves, status } = JSON.parse((await s4r(['fix', scene, '--dry-run', '--json', ...flags])).stdout);
      return { status, moves: Object.fromEntries(moves.map(({ name, distance }: { name: string; distance: number }) => [name, distance])) };
    };
    const heavy = await movesOf('--weight', 'left=3', '--weight', '*=1');
    expect(heavy.moves.right).toBeCloseTo(3 * heavy.moves.left, 4);
    const bound = await movesOf('--axes', 'left=none', '--axes', '*=x');
    expect(Object.keys(bound.moves)).toEqual(['right']);
    expect(await movesOf('--allow', 'far:right', '--allow', 'le*:right')).toEqual({ status: 'clean', moves: {} });
  });

  test('--upright, --plane, --support and --stand make bodies stand', async () => {
    const floor = '<geom name="floor" type="plane" size="1 1 1" pos="0 0 0.95"/>';
    const standing = await folder.write('standing.xml', CLEAN.replace('<worldbody>', `<worldbody>${floor}`));
    const fix = async (...flags: string[]) => await s4r(['fix', standing, '--dry-run', ...flags]);
    for (const flags of [['--upright'], ['--support', 'fl*'], ['--stand', 'left=0 0 1', '--stand', 'file'], ['--plane', '0.95']]) {
      const { code, stdout } = await fix(...flags, '--json');
      expect(code).toBe(0);
      const { status, standing: how } = JSON.parse(stdout);
      expect(status).toBe('clean');
      const support = flags.includes('--plane') ? 'the plane' : 'floor';
      expect(how).toMatchObject(['left', 'right'].map((name) => ({ name, support, tiltBefore: 0, offSupport: false })));
      expect(Math.abs(how[0].heightAfter)).toBeLessThan(1e-12);
    }
    // A mode for all is for whom no name is given, whatever comes first.
    for (const flags of [
      ['--stand', 'left=1 0 0', '--stand', '*=file'],
      ['--stand', '*=file', '--stand', 'left=1 0 0'],
    ]) {
      const { standing: how } = JSON.parse((await fix(...flags, '--json')).stdout);
      expect(how.map(({ tiltBefore }: { tiltBefore: number }) => tiltBefore)).toEqual([expect.closeTo(Math.PI / 2, 9), 0]);
    }
    const { code, stdout } = await fix('--stand', 'left=1 0 0', '--max-turn', '1');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ +90\.00 +90\.00 +.* left +floor$/m);
    expect(stdout).toMatch(/^infeasible: to stand, 'left' has to turn by 1\.57 rad, more than maxTurn = 1 rad/m);
  });

  // At gaps around a nanometre MuJoCo finds a cylinder deep in the box it stands on, and throws it.
  test('--upright leaves a scene that MuJoCo keeps still', async () => {
    const cylinder = (name: string, x: number, turn: number) =>
      `<body name="${name}" pos="${x} 0 0.85" euler="8 5 ${turn}"><freejoint/><geom type="cylinder" size="0.04 0.05"/></body>`;
    const table = '<geom name="table" type="box" size="0.5 0.5 0.05" pos="0 0 0.75"/>';
    const xml = `<mujoco><worldbody>${table}${cylinder('a', 0, 20)}${cylinder('b', 0.06, 0)}${cylinder('c', 0.3, 70)}</worldbody></mujoco>`;
    const { code, stdout } = await s4r(['fix', await folder.write('cups.xml', xml), '--dry-run', '--upright', '--rollout', '--json']);
    expect(code).toBe(0);
    const [still, settled] = JSON.parse(stdout).rollouts;
    expect(still).toMatchObject({ gravity: false });
    expect(still.after.movable.speed.value).toBeLessThan(1e-3);
    expect(settled.after.movable.speed.value).toBeLessThan(0.05);
  });

  test('--container-box keeps bodies in, --container says when there is no room', async () => {
    const boxed = await s4r(['fix', scene, '--dry-run', '--json', '--container-box', '-0.06 -1 0 0.5 1 2']);
    expect(boxed.code).toBe(0);
    const { moves, poses } = JSON.parse(boxed.stdout);
    expect(moves.map(({ name }: { name: string }) => name).sort()).toEqual(['left', 'right']);
    expect(poses).toHaveLength(3);
    expect(poses[0].position[0]).toBeGreaterThanOrEqual(-0.01);
    const shell =
      '<geom name="crate" type="box" size="0.06 0.06 0.02" pos="0.04 0 0.93"/><geom name="lid" type="box" size="0.06 0.06 0.02" pos="0.04 0 1.07"/>';
    const crate = await folder.write('crate.xml', OVERLAPPING.replace('<worldbody>', `<worldbody><body name="box">${shell}</body>`));
    const { code, stdout } = await s4r(['fix', crate, '--dry-run', '--container', 'box']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^infeasible: the container 'box' holds 1\.4 l, the 2 bodies in it need at least 2 l/m);
  });

  test('the result does not depend on --threads', async () => {
    const file = await folder.write('row.xml', row(30));
    const poses = async (threads: string) =>
      JSON.parse((await s4r(['fix', file, '--dry-run', '--json', '--threads', threads])).stdout).poses;
    expect(await poses('2')).toEqual(await poses('1'));
  });
});

describe('report', () => {
  test('--json has names, poses with the order of their quaternions, and what was written', async () => {
    const target = folder.at('report.json');
    const { code, stdout, stderr } = await s4r(['fix', scene, '-o', out, '--json', '--report', target]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ command: 'fix', status: 'solved', dryRun: false, written: [out], rollouts: [] });
    expect(report.before.repairable).toBe(1);
    expect(report.after.repairable).toBe(0);
    expect(report.poses.find(({ body }: { body: string }) => body === 'far')).toEqual({
      body: 'far',
      position: [1, 0, 1],
      quaternion_wxyz: [1, 0, 0, 0],
    });
    expect(await readFile(target, 'utf8')).toBe(stdout);
  });

  test.each([
    ['of what was written', []],
    ['of what would be written', ['dry']],
  ])('--rollout compares peak speeds %s', async (_, dry) => {
    const { code, stdout } = await s4r(['fix', scene, ...(dry.length > 0 ? ['--dry-run'] : ['-o', out]), '--rollout', '--json']);
    expect(code).toBe(0);
    const [still, falling] = JSON.parse(stdout).rollouts;
    expect(still.gravity).toBe(false);
    expect(still.before.movable.speed.value).toBeGreaterThan(0.1);
    expect(still.after.movable.speed.value).toBe(0);
    expect(falling.gravity).toBe(true);
    expect(falling.after.movable.speed.value).toBeCloseTo(9.81, 2);
  });

  test('--rollout starts from the new keyframe where that holds the repaired state', async () => {
    await folder.write('part.xml', OVERLAPPING.replace('<mujoco>', '<mujoco model="part">'));
    const both = ['left', 'right'].map((name) => `<attach model="part" body="${name}" prefix="x_"/>`).join('');
    const attaching = await folder.write(
      'attaching.xml',
      `<mujoco><asset><model name="part" file="part.xml"/></asset><worldbody>${both}</worldbody></mujoco>`,
    );
    const { code, stdout, stderr } = await s4r(['fix', attaching, '-o', out, '--rollout', '--json']);
    expect(stderr).toContain(`note: the repaired state is the new keyframe 's4r'`);
    expect(code).toBe(0);
    const [still] = JSON.parse(stdout).rollouts;
    expect(still.before.movable.speed.value).toBeGreaterThan(0.1);
    expect(still.after.movable.speed.value).toBe(0);
  });

  test('--rollout as a table', async () => {
    const { stdout } = await s4r(['fix', scene, '--dry-run', '--rollout']);
    expect(stdout).toMatch(/rolled out for 1 s in MuJoCo [\d.]+, time step 2 ms/);
    expect(stdout).toMatch(/^ +without gravity +0\.\d+ m\/s +0 m\/s$/m);
    expect(stdout).toMatch(/^ +with gravity +9\.8\d? m\/s +9\.8\d? m\/s$/m);
  });
});

test('the progress bar is on stderr, only on a terminal, and gone in the end', async () => {
  const { stdout, stderr } = await s4r(['fix', scene, '--dry-run'], { tty: true });
  expect(stderr).toMatch(/\[[#-]{24}\]/);
  expect(stderr.endsWith('\r\x1b[K')).toBe(true);
  expect(stdout).not.toContain('\x1b');
});

describe('placing', () => {
  const cube = (name: string, pos: string) =>
    `<body name="${name}" pos="${pos}"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>`;
  const onFloor = (bodies: string) => `<mujoco><worldbody><geom name="floor" type="plane" size="2 2 0.1"/>${bodies}</worldbody></mujoco>`;
  // Sunk 0.3 mm into each other, as MuJoCo leaves them.
  const stack = onFloor(cube('low', '0 0 0.0497') + cube('high', '0 0 0.1494') + cube('pusher', '0.07 0 0.0497'));

  test('--keep-support: what rests stays where it rests, and is counted', async () => {
    const file = await folder.write('stack.xml', stack);
    const { code, stdout } = await s4r(['fix', file, '-o', out, '--keep-support']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^supports: 4 kept, 0 lost$/m);
    const { stdout: json } = await s4r(['fix', file, '--dry-run', '--keep-support', '--rest-tolerance', '0.0001', '--json']);
    expect(JSON.parse(json)).toMatchObject({ status: 'solved', supports: { kept: [], lost: [] } });
  });

  test('a support that is lost is named', async () => {
    const walls = [-0.12, 0.12].map((x, k) => `<geom name="wall${k}" type="box" size="0.06 1 1" pos="${x} 0 1"/>`).join('');
    const stops = [-0.12, 0.12].map((y, k) => `<geom name="stop${k}" type="box" size="0.2 0.06 1" pos="0 ${y} 1"/>`).join('');
    const file = await folder.write('shaft.xml', onFloor(cube('first', '0 0 0.0501') + cube('second', '0 0 0.0502') + walls + stops));
    const { code, stdout } = await s4r(['fix', file, '--dry-run', '--keep-support']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^supports: 1 kept, 1 lost \((first|second) off floor\)$/m);
  });

  test('--overflow lift: what has no room is raised and named', async () => {
    const file = await folder.write('wedged.xml', WEDGED);
    const { code, stdout } = await s4r(['fix', file, '--dry-run', '--overflow', 'lift']);
    expect(stdout).toMatch(/^lifted: 1 body \(stuck by [\d.]+ mm\)$/m);
    expect(stdout).toMatch(/^solved: 1 body was lifted, as there is no room among the others; 1 body moved/m);
    expect(code).toBe(0);
  });

  test('impossible values are refused in the words of the command line', async () => {
    expect((await s4r(['fix', scene, '--dry-run', '--overflow', 'up'])).stderr).toBe(
      "s4r: --overflow: expected 'fail' or 'lift', got 'up'\n",
    );
    expect((await s4r(['fix', scene, '--dry-run', '--rest-tolerance', '0'])).stderr).toMatch(
      /^s4r: --rest-tolerance: expected a finite number > 0 \[m\]/,
    );
  });
});
