/** --format: what each document holds, and that nothing else is on stdout. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { attribute, parseXml, type XmlElement } from '../../src/adapters/files/xml.js';
import { CLEAN, CONSTANT, OVERLAPPING, s4r, temporaryFolder, WEDGED } from './terminal.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** Names with everything that XML, JSON and Markdown give a meaning. */
const ODD = OVERLAPPING.replaceAll('name="left"', `name="a&lt;b&amp;'|*&quot;"`);

beforeAll(async () => {
  folder = await temporaryFolder();
  await folder.write('bad.xml', '<mujoco>\n<worldbody>\n');
  await folder.write('clean.xml', CLEAN);
  await folder.write('constant.xml', CONSTANT);
  await folder.write('odd.xml', ODD);
});

afterAll(async () => await folder.remove());

const run = async (format: string, ...args: string[]) => await s4r(['check', folder.path, '--format', format, ...args]);

describe('junit', () => {
  const attributes = (element: XmlElement) => Object.fromEntries(element.attributes.map(({ name, value }) => [name, value]));
  const parse = (xml: string) => parseXml(Buffer.from(xml, 'utf8').toString('latin1')) as XmlElement;

  test('a suite per file, a case per pair of bodies', async () => {
    const { code, stdout } = await run('junit');
    expect(code).toBe(2);
    const root = parse(stdout);
    expect(root.name).toBe('testsuites');
    expect(attributes(root)).toEqual({ name: 's4r check', tests: '4', failures: '2', errors: '1', skipped: '0' });
    expect(root.children.map((suite) => [suite.name, attribute(suite, 'name')?.value.split('/').at(-1)])).toEqual(
      ['bad.xml', 'clean.xml', 'constant.xml', 'odd.xml'].map((name) => ['testsuite', name]),
    );
    const cases = root.children.map((suite) => suite.children[0] as XmlElement);
    expect(cases.map((one) => attribute(one, 'name')?.value)).toEqual(['is read', 'starts clean', 'arm_a - arm_b', `a<b&'|*" - right`]);
    expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([['error'], [], ['failure'], ['failure']]);
    expect(attributes(cases[3]?.children[0] as XmlElement)).toEqual({ type: 'real', message: '1 overlap, deepest 20 mm: real; move' });
  });

  test('of a repair: what is left', async () => {
    const others = await temporaryFolder();
    const wedged = await others.write('wedged.xml', WEDGED);
    const root = parse((await s4r(['fix', wedged, '--dry-run', '--format', 'junit'])).stdout);
    expect(Number(attribute(root, 'failures')?.value)).toBeGreaterThan(0);
    const narrow = ['--dry-run', '--format', 'junit', '--container-box', '0 0 0 0.01 0.01 2'];
    const infeasible = await s4r(['fix', folder.at('odd.xml'), ...narrow]);
    expect(infeasible.code).toBe(1);
    const clean = await s4r(['fix', folder.at('odd.xml'), '--dry-run', '--format', 'junit']);
    expect(clean.code).toBe(0);
    expect(parse(clean.stdout).children[0]?.children.map((one) => attribute(one, 'name')?.value)).toEqual(['starts clean']);
    await others.remove();
  });
});

describe('sarif', () => {
  test('2.1.0, with a rule, a place and a message for every result', async () => {
    const { code, stdout } = await run('sarif');
    expect(code).toBe(2);
    const { $schema, version, runs } = JSON.parse(stdout);
    expect(version).toBe('2.1.0');
    expect($schema).toMatch(/sarif-2\.1\.0/);
    expect(runs).toHaveLength(1);
    const [{ tool, invocations, results }] = runs;
    expect(tool.driver.name).toBe('s4r');
    expect(invocations).toEqual([expect.objectContaining({ executionSuccessful: false, exitCode: 2 })]);
    expect(invocations[0].toolExecutionNotifications).toEqual([
      {
        descriptor: { id: 'INVALID_INPUT' },
        level: 'error',
        message: { text: expect.stringMatching(/bad\.xml:2: /) },
        locations: [
          { physicalLocation: { artifactLocation: { uri: expect.stringMatching(/^file:.*\/bad\.xml$/) }, region: { startLine: 2 } } },
        ],
      },
    ]);
    expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['constant', 'real']);
    for (const { ruleId, ruleIndex, level, message, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(['error', 'warning', 'note', 'none']).toContain(level);
      expect(message.text).not.toBe('');
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^file:\/\/\/.*\.xml$/);
      expect(locations[0].physicalLocation.region.startLine).toBe(3);
    }
  });

  test('files below the current directory have relative addresses', async () => {
    const { stdout } = await s4r(['check', 'examples/mujoco/cluttered_table.xml', '--format', 'sarif']);
    const [first] = JSON.parse(stdout).runs[0].results;
    expect(first.locations[0].physicalLocation.artifactLocation.uri).toBe('examples/mujoco/cluttered_table.xml');
  });

  test('accepted overlaps are suppressed', async () => {
    const baseline = folder.at('accepted.json');
    expect((await s4r(['check', folder.at('odd.xml'), '--write-baseline', baseline])).code).toBe(0);
    const { code, stdout } = await s4r(['check', folder.at('odd.xml'), '--baseline', baseline, '--format', 'sarif']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).runs[0].results).toEqual([expect.objectContaining({ ruleId: 'real', suppressions: [expect.anything()] })]);
  });
});

test('md: tables whose cells no name can break', async () => {
  const { code, stdout } = await run('md');
  expect(code).toBe(2);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('### s4r check: 4 scenes: 1 failed, 1 clean, 1 constant, 1 overlapping');
  expect(lines).toContain('| --- | --- | --- | --- |');
  expect(stdout).toContain(`| 20 mm | real | a\\<b&'\\|\\*" | right | left\\_geom | right\\_geom | move |`);
});

test('json: one document per run; --report gets the same whatever is printed', async () => {
  const report = folder.at('report.json');
  const { stdout } = await run('json', '--report', report);
  const { readFile } = await import('node:fs/promises');
  expect(await readFile(report, 'utf8')).toBe(stdout);
  expect((await run('text', '--report', report)).stdout.endsWith('1 overlapping\n')).toBe(true);
  expect(await readFile(report, 'utf8')).toBe(stdout);
  expect(JSON.parse(stdout).files[3].overlaps[0]).toMatchObject({ class: 'real', advice: 'move', names: { bodyA: `a<b&'|*"` } });
});

test.each(['junit', 'sarif', 'md'])('%s of one file that cannot be read holds the reason', async (format) => {
  const { code, stdout, stderr } = await s4r(['check', folder.at('bad.xml'), '--format', format]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^s4r: .*bad\.xml:2: .*\n$/);
  expect(stdout).toMatch(/the file ends before/);
});

test('--json is --format json', async () => {
  const args = ['check', folder.at('clean.xml'), '--json', '--format'];
  expect((await s4r([...args, 'json'])).code).toBe(0);
  expect(await s4r([...args, 'md'])).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/give only one of --json and --format md/),
  });
  expect((await s4r([...args, 'xml'])).stderr).toMatch(/Allowed choices are text, json, junit, sarif, md/);
});
