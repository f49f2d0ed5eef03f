/** Whatever is wrong with a call: the right exit code, one line on stderr, nothing on stdout. */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLEAN, OVERLAPPING, s4r, temporaryFolder } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await folder.write('scene.xml', OVERLAPPING);
  await folder.write('unclosed.xml', '<mujoco>\n<worldbody>\n');
  await folder.write('robot.xml', '<robot name="r"/>');
  await folder.write('empty.xml', '');
  await folder.write('nan.xml', OVERLAPPING.replace('0.08 0 1', 'nan 0 1'));
  await mkdir(folder.at('folder'));
  await mkdir(folder.at('twin'));
  await folder.write('twin/scene.xml', CLEAN);
  await folder.write('notes.txt', 'nothing');
  const pair = { bodyA: 'a', bodyB: 'b', geomA: 'c', geomB: 'd' };
  await folder.write(
    'bad.json',
    JSON.stringify([
      { ...pair, depth: 0 },
      { ...pair, depth: -1 },
    ]),
  );
  await folder.write('including.xml', '<mujoco><include file="scene.xml"/></mujoco>');
  execFileSync('mkfifo', [folder.at('pipe')]);
  await mkdir(folder.at('pipes'));
  execFileSync('mkfifo', [folder.at('pipes/pipe.xml')]);
});

afterAll(async () => await folder.remove());

/** `@name` stands for a file in the folder. */
const CASES: readonly [string, RegExp][] = [
  ['check', /missing required argument 'files'/],
  ['rollout @scene.xml @scene.xml', /too many arguments/],
  ['chekc @scene.xml', /unknown command 'chekc' \(Did you mean check\?\)/],
  ['check @scene.xml --tolerence 1', /unknown option '--tolerence' \(Did you mean --tolerance\?\)/],
  ['check @scene.xml --tolerance 1mm', /'1mm' is invalid\. Expected a number/],
  ['check @scene.xml --tolerance NaN', /Expected a number/],
  ['check @scene.xml --tolerance -1', /--tolerance: .*>= 0.*-1/],
  ['check @scene.xml --threads 1.5', /Expected an integer/],
  ['check @missing.xml', /missing\.xml: no such file/],
  ['check @folder', /folder: no scene in this folder; there are MJCF \(\.xml, \.mjcf\)/],
  ['check @*.yml', /no file matches '.*\*\.yml'/],
  ['check @notes.txt', /notes\.txt: no scene of a known format by its extension; there are MJCF \(\.xml, \.mjcf\)/],
  ['check @missing.txt', /missing\.txt: no such file/],
  ['check @scene.xml -x scene.*', /--exclude leaves no scene/],
  ['check @scene.xml --jobs 0', /--jobs: expected a number from 1 to 256, got 0/],
  ['check @scene.xml --hover 0', /--hover: .*> 0 \[m\]/],
  ['check @scene.xml --baseline @missing.json', /missing\.json: no such baseline; --write-baseline makes one/],
  ['check @scene.xml --baseline @scene.xml', /scene\.xml: a baseline is a JSON list: /],
  ['check @scene.xml --baseline @bad.json', /bad\.json: entry 2: expected a depth >= 0 \[m\], got -1/],
  ['check @scene.xml --write-baseline @scene.xml', /report would overwrite the scene/],
  ['check @including.xml --write-baseline @scene.xml', /report would overwrite the scene/],
  ['check @scene.xml --suggest-excludes urdf', /Allowed choices are srdf, mjcf/],
  ['check @scene.xml --suggest-excludes srdf --format json', /goes with no other output/],
  ['check @unclosed.xml', /unclosed\.xml:\d+: /],
  ['check @robot.xml', /robot\.xml:1: .*a robot needs a <link>/],
  ['check @empty.xml', /empty\.xml: .*empty/],
  ['check @nan.xml', /nan\.xml/],
  ['check @pipes/pipe.xml', /pipe, which can be read only once; give its contents as standard input/],
  ['check @scene.xml --key home', /scene\.xml: no keyframe 'home'/],
  ['check @scene.xml --report @scene.xml', /report would overwrite the scene/],
  ['check @scene.xml --report @nowhere/report.json', /no such folder/],
  ['check @scene.xml --report @folder', /is a folder/],
  ['check @including.xml --report @scene.xml', /report would overwrite the scene/],
  ['rollout @including.xml --report @scene.xml', /report would overwrite the scene/],
  ['fix @including.xml --in-place --report @scene.xml', /report would overwrite the scene/],
  ['fix @including.xml -o @scene.xml', /it is a file of the scene/],
  ['fix @scene.xml -o -', /cannot go to standard output; --diff/],
  ['fix @scene.xml -o @notes.txt/', /notes\.txt\/: is no folder/],
  ['fix @scene.xml @including.xml -o @notes.txt', /notes\.txt: is no folder/],
  ['fix @scene.xml @including.xml', /say where to write: -o FOLDER\/, --in-place or --dry-run/],
  ['fix @scene.xml @folder/../twin/scene.xml -o @out/', /both .*scene\.xml and .*twin\/scene\.xml would be written there/],
  ['fix @twin/scene.xml -o @twin/', /overwrite the scene.*--in-place/],
  ['fix @scene.xml --diff --rollout', /goes with no --format, --json or --rollout/],
  ['fix @scene.xml -o @pipe', /it is no regular file/],
  ['fix @scene.xml', /-o FILE, --in-place or --dry-run/],
  ['fix @scene.xml -o @out.xml --in-place', /only one of/],
  ['fix @scene.xml -o @scene.xml', /overwrite the scene.*--in-place/],
  ['fix @scene.xml -o @folder/../scene.xml', /overwrite the scene/],
  ['fix @scene.xml -o @nowhere/out.xml', /no such folder/],
  ['fix @scene.xml -o @folder', /is a folder/],
  ['fix @scene.xml -o @out.xml --report @out.xml', /report would overwrite the scene/],
  ['fix @scene.xml --dry-run --movable left,,right', /Expected names separated by commas/],
  ['fix @scene.xml --dry-run --movable lft', /--movable: .*did you mean 'left'/],
  ['fix @scene.xml --dry-run --max-shift -0.1', /--max-shift: .*-0\.1/],
  ['fix @scene.xml --dry-run --max-turn 0', /--max-turn: .*> 0 \[rad\]/],
  ['fix @scene.xml --dry-run --axes left', /Expected a name and what it may do, such as 'cup\*=xy yaw'/],
  ['fix @scene.xml --dry-run --axes left=zz', /--axes: 'left': expected a displacement .*did you mean/],
  ['fix @scene.xml --dry-run --axes lft=z', /--axes: .*did you mean 'left'/],
  ['fix @scene.xml --dry-run --weight left=heavy', /Expected a number/],
  ['fix @scene.xml --dry-run --weight lft=2', /--weight: .*did you mean 'left'/],
  ['fix @scene.xml --dry-run --allow left', /Expected two names with a colon between them/],
  ['check @scene.xml --allow left:a:b', /Expected two names with a colon between them/],
  ['check @scene.xml --allow left:rigt', /--allow: .*did you mean 'right'/],
  ['fix @scene.xml --dry-run --upright', /--upright: nothing is below 'left' .* the scene has no level fixed face/],
  ['fix @scene.xml --dry-run --support table', /--support: no body or geom matches 'table'/],
  ['fix @scene.xml --dry-run --support left', /--support: 'left' can move/],
  ['fix @scene.xml --dry-run --plane low', /Expected a number/],
  ['fix @scene.xml --dry-run --stand up', /Expected 'balanced', 'stable', 'file' or an axis .*; an axis needs a name/],
  ['fix @scene.xml --dry-run --stand left=0,0', /Expected a number/],
  ['fix @scene.xml --dry-run --stand left=5', /'stable', 'file' or an axis/],
  ['fix @scene.xml --dry-run --plane 0 --stand lft=file', /--stand: no body matches 'lft'; did you mean 'left'/],
  ['fix @scene.xml --dry-run --container bin', /--container: no body or geom matches 'bin'/],
  ['fix @scene.xml --dry-run --container-box 0,0,0,1,1', /Expected six numbers/],
  ['fix @scene.xml --dry-run --container-box 0,0,0,1,1,1 --container bin', /give only one of --container and --container-box/],
  ['fix @scene.xml --dry-run --container-box 5,5,5,6,6,6', /--container: no body that may move has its centre in the container/],
  ['fix @scene.xml --dry-run --time-limit soon', /Expected a number/],
  ['fix @scene.xml --dry-run --profile magic', /--profile: .*'reference'.*'magic'/],
  ['rollout @missing.xml', /missing\.xml: no such file/],
  ['rollout @scene.xml --seconds 0', /--seconds: .*> 0/],
  ['rollout @scene.xml --timestep -1', /--timestep: .*> 0/],
  ['rollout @scene.xml --key home', /scene\.xml: no keyframe 'home'/],
];

describe.each(['', '--json'])('%s', (json) => {
  test.each(CASES)('s4r %s', async (line, message) => {
    const args = line.split(' ').map((word) => (word.startsWith('@') ? folder.at(word.slice(1)) : word));
    const { code, stdout, stderr } = await s4r(json === '' ? args : [...args, json]);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^s4r: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('help', () => {
  test.each([['--help'], ['help'], ['check --help'], ['fix --help'], ['rollout --help']])(
    's4r %s shows examples and exit codes',
    async (line) => {
      const { code, stdout, stderr } = await s4r(line.split(' '));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: s4r /);
      expect(stdout).toMatch(/Examples:\n {2}\$ s4r /);
      for (const exitCode of [0, 1, 2, 3, 4, 130]) expect(stdout).toMatch(new RegExp(`^ {2}${exitCode} +\\S`, 'm'));
    },
  );

  test('without arguments it shows the help as an error', async () => {
    const { code, stdout, stderr } = await s4r([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: s4r /);
  });

  test('--version', async () => {
    expect(await s4r(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });
});
