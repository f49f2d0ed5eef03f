/** What needs no MuJoCo: the XML reader, edits, diffs and paths. */
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyEdits, type TextEdit, unifiedDiff } from '../../../src/adapters/files/edits.js';
import { join, relativePath } from '../../../src/adapters/files/paths.js';
import { attribute, encodeValue, parseXml, type XmlElement, XmlSyntaxError } from '../../../src/adapters/files/xml.js';
import { Workspace } from '../mjcf/workspace.js';

const outline = (element: XmlElement | undefined): unknown => element && [element.name, ...element.children.map(outline)];

describe('parseXml', () => {
  it('reads whatever MuJoCo reads', () => {
    const text = [
      '\xef\xbb\xbf<?xml version="0.0" ?>',
      '<!DOCTYPE mujoco>',
      `<!-- a -- b <body> -->`,
      `<mujoco model='a < b & "c"'>`,
      '  text <![CDATA[ <body/> ]]>',
      '  <body pos = "1 2 3"/><x:y-z.1 _a:b="" />',
      '</mujoco  >',
      'rest <other/>',
      '</stray><ignored x=1>',
    ].join('\r\n');
    const root = parseXml(text);
    expect(outline(root)).toEqual(['mujoco', ['body'], ['x:y-z.1']]);
    expect(attribute(root!, 'model')?.value).toBe('a < b & "c"');
    expect(attribute(root!.children[1]!, '_a:b')?.value).toBe('');
  });

  it('tells where everything stands', () => {
    const text = `<a><body pos = '1 2' name="x">in</body></a>`;
    const body = parseXml(text)!.children[0]!;
    const pos = attribute(body, 'pos')!;
    expect(text.slice(pos.start, pos.end)).toBe(`pos = '1 2'`);
    expect(text.slice(pos.valueStart, pos.valueEnd)).toBe('1 2');
    expect(text.slice(body.start, body.nameEnd)).toBe('<body');
    expect(text.slice(body.contentStart, body.contentEnd)).toBe('in');
  });

  it('decodes entities and UTF-8 in values, and back', () => {
    const file = `m\u00f6bel & <"x">'\u{1f600}`;
    const root = parseXml(`<a file="${encodeValue(file)}" n="&#65;&#x42;&unknown;"/>`)!;
    expect(attribute(root, 'file')?.value).toBe(file);
    expect(attribute(root, 'n')?.value).toBe('AB&unknown;');
  });

  it.each([
    ['<a><b></a>', 'closed by', 3],
    ['<a>\n<b x=1/></a>', 'quoted', 7],
    ['<a b="1" b="2"/>', 'twice', 9],
    ['<a b></a>', 'no value', 3],
    ['<a b="1></a>', 'closing quote', 3],
    ['<a><!-- x', 'comment without end', 3],
    ['<a>', 'ends before </a>', 0],
    ['</a>', 'closes nothing', 0],
    ['<a', 'without end', 2],
    ['< a/>', 'element name', 0],
  ])('refuses %j', (text, message, offset) => {
    let error: unknown;
    try {
      parseXml(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(XmlSyntaxError);
    expect((error as XmlSyntaxError).message).toContain(message);
    expect((error as XmlSyntaxError).offset).toBe(offset);
  });

  it('refuses what is nested too deep, as MuJoCo does', () => {
    const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
    expect(() => parseXml(nested(500))).not.toThrow();
    expect(() => parseXml(nested(100_000))).toThrow('more than 500 elements inside one another');
  });

  it('finds no element in plain text', () => {
    expect(parseXml('plain text')).toBeUndefined();
  });
});

const edit = (start: number, end: number, text: string): TextEdit => ({ start, end, text, element: 'e', attribute: 'a' });

describe('edits', () => {
  it('apply in any order, and insertions keep theirs', () => {
    expect(applyEdits('abcdef', [edit(4, 5, 'E'), edit(1, 1, 'x'), edit(1, 1, 'y'), edit(0, 1, '')])).toBe('xybcdEf');
    expect(() => applyEdits('abc', [edit(0, 2, ''), edit(1, 3, '')])).toThrow('overlap');
  });

  const itWithPatch = spawnSync('patch', ['--version']).status === 0 ? it : it.skip;
  itWithPatch('make a diff that patch applies', () => {
    const workspace = new Workspace();
    const lines = fc.array(fc.constantFrom('one\n', 'two\r\n', '\n', 'three'), { minLength: 1, maxLength: 40 });
    const cuts = fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', 'new', 'a\nb', 'x\n')), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lines, cuts, (parts, raw) => {
        const text = parts.join('');
        let at = 0;
        const edits = raw
          .map(([start, length, replacement]) => ({ start: start % (text.length + 1), length, replacement }))
          .sort((a, b) => a.start - b.start)
          .flatMap(({ start, length, replacement }) => {
            if (start < at) return [];
            at = Math.min(text.length, start + length) + 1;
            return [edit(start, Math.min(text.length, start + length), replacement)];
          });
        const wanted = applyEdits(text, edits);
        const diff = unifiedDiff('file', 'file', text, edits);
        if (wanted === text) return;
        workspace.put('file', text);
        execFileSync('patch', ['--binary', '-s', 'file'], { cwd: workspace.root, input: diff });
        expect(workspace.text('file')).toBe(wanted);
      }),
      { numRuns: 60 },
    );
  });

  it('show three lines around a change', () => {
    const text = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(unifiedDiff('old', 'new', text, [edit(8, 9, 'E')])).toBe('--- old\n+++ new\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n');
    expect(unifiedDiff('old', 'new', text, [])).toBe('');
    const binary = Buffer.from('è\n').toString('latin1');
    expect(unifiedDiff('ü', 'ł', binary, [edit(0, 2, 'e')])).toBe('--- ü\n+++ ł\n@@ -1,1 +1,1 @@\n-è\n+e\n');
  });
});

describe('paths', () => {
  it('are joined as MuJoCo joins them', () => {
    expect(join('/a/b', '../c\\d.obj')).toBe('/a/c/d.obj');
    expect(join('/a/b', '/x/./y')).toBe('/x/y');
    expect(join('/a/b', '')).toBe('/a/b');
    expect(join('C:/a', 'D:\\b\\c')).toBe('D:/b/c');
  });

  it('are relative unless they are on another drive', () => {
    expect(relativePath('/a/b', '/a/c/d')).toBe('../c/d');
    expect(relativePath('C:/a', 'D:/b')).toBe('D:/b');
  });
});
