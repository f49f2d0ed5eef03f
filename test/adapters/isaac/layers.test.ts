/** Both encodings give the same layer; what is malformed is refused with its place; what is damaged never crashes or hangs. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { isaac } from '../../../src/adapters/isaac/index.js';
import { read } from '../../../src/adapters/isaac/read.js';
import { parseCrate } from '../../../src/adapters/isaac/usd/crate.js';
import type { Layer } from '../../../src/adapters/isaac/usd/layer.js';
import { parseUsda } from '../../../src/adapters/isaac/usd/usda.js';
import { S4rError } from '../../../src/core/errors.js';
import { assertScene } from '../../../src/core/validate.js';
import { describeShared, SHARED_DATA } from '../../shared-data.js';
import { Workspace } from '../mjcf/workspace.js';

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/usd/${name}`, import.meta.url));

/** A layer as plain data: maps sorted, floats to the digits of the text, no places. */
function plain({ metadata, subLayers, root }: Layer): unknown {
  const entries = (value: unknown) => (value instanceof Map ? [...value].sort(([a], [b]) => (a < b ? -1 : 1)) : value);
  const text = JSON.stringify({ metadata, subLayers, root }, (key, value: unknown) => {
    if (key === 'line') return undefined;
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'number' ? Number(value.toPrecision(6)) : entries(value);
  });
  return JSON.parse(text);
}

describe('a layer', () => {
  it('is the same in text and in a crate, whatever the types of its values', () => {
    const [text, crate] = [fixture('types.usda'), fixture('types.usdc')];
    expect(plain(parseCrate(readFileSync(crate), crate))).toEqual(plain(parseUsda(readFileSync(text, 'utf8'), text)));
  });

  it('is read from an archive, with what it refers to inside', async () => {
    const workspace = new Workspace();
    const file = (name: string) => readFileSync(fixture(name));
    const names = ['composition.usda', 'parts/cup.usda', 'parts/plate.usda', 'parts/overrides.usda', 'parts/weak.usda'];
    const path = workspace.put(
      'kit.usdz',
      zipSync(Object.fromEntries(names.map((name) => [name, Uint8Array.from(file(name))])), { level: 0 }),
    );
    const [archive, folder] = [await isaac.read(path), await isaac.read(fixture('composition.usda'))];
    expect(archive.scene).toEqual(folder.scene);
    expect(archive.source.files).toEqual([path]);
  });
});

/** Reads a stage of this text from memory. */
async function readText(text: string, name = '/stage.usda') {
  return await read(name, {}, new Map([[name, Buffer.from(text)]]));
}

describe('a malformed stage is refused', () => {
  it.each([
    ['no USD', 'hello', "/stage.usda:1: no USD text file: it does not start with '#usda 1.0'"],
    ['an empty file', '', '/stage.usda: the file is empty'],
    ['an open prim', '#usda 1.0\ndef Xform "a"\n{\n', "expected '}' of the prim 'a' that starts in line 2, the file ends"],
    ['an open string', '#usda 1.0\ndef Xform "a\n{}\n', '/stage.usda:2: USD syntax: a string without closing quote'],
    ['an open list', '#usda 1.0\ndef Cube "a" {\n    double[] b = [1, 2\n}\n', "/stage.usda:4: USD syntax: expected ',' or ']', found '}'"],
    ['no value', '#usda 1.0\ndef Cube "a" {\n    double size =\n}\n', "/stage.usda:4: USD syntax: expected a value, found '}'"],
    ['a name twice', '#usda 1.0\ndef Cube "a" {}\ndef Cube "a" {}\n', "/stage.usda:3: USD syntax: a second prim 'a' in one place"],
    ['a bad name', '#usda 1.0\ndef Cube "a/b" {}\n', "/stage.usda:2: USD syntax: 'a/b' is no name of a prim"],
    ['a bad character', '#usda 1.0\n$\n', "/stage.usda:2: USD syntax: unexpected character '$'"],
    [
      'a bad size',
      '#usda 1.0\ndef Cube "a" (apiSchemas = ["PhysicsCollisionAPI"]) { double size = -1 }\n',
      'size must be a positive number, got -1',
    ],
    ['a bad unit', '#usda 1.0\n(\n    metersPerUnit = 0\n)\n', 'metersPerUnit must be a positive number, got 0'],
    ['a bad axis', '#usda 1.0\n(\n    upAxis = "X"\n)\n', 'upAxis must be "Y" or "Z", got "X"'],
    ['a missing file', '#usda 1.0\n\ndef "a" (references = @no.usda@) {}\n', '/stage.usda:3: prim </a>: no such file /no.usda'],
    ['a missing sublayer', '#usda 1.0\n(\n    subLayers = [@no.usda@]\n)\n', '/stage.usda: subLayers: no such file /no.usda'],
    [
      'a file on a server',
      '#usda 1.0\ndef "a" (references = @omniverse://x/y.usd@) {}\n',
      '@omniverse://x/y.usd@ is not on this disk; download it',
    ],
    [
      'no default prim',
      '#usda 1.0\ndef "a" (references = @stage.usda@) {}\n',
      'the reference names no prim, and /stage.usda has no defaultPrim',
    ],
    ['no such prim', '#usda 1.0\ndef "a" (references = </b>) {}\n', '</b>, and there is no such prim in /stage.usda'],
    ['a reference to itself', '#usda 1.0\ndef "a" (references = </a>) {}\n', 'the reference of </a> leads in a circle'],
    ['a reference to its parent', '#usda 1.0\ndef "a" { def "b" (references = </a>) {} }\n', 'the reference of </a> leads in a circle'],
    ['two that refer to each other', '#usda 1.0\ndef "a" (references = </b>) {}\ndef "b" (references = </a>) {}\n', 'leads in a circle'],
    [
      'references that grow',
      `#usda 1.0\ndef "p0" {}\n${Array.from({ length: 30 }, (_, i) => `def "p${i + 1}" { def "l" (references = </p${i}>) {}\ndef "r" (references = </p${i}>) {} }\n`).join('')}`,
      'more than 16 references and the like inside one another',
    ],
    ['a sublayer of itself', '#usda 1.0\n(\n    subLayers = [@stage.usda@]\n)\n', 'the layer is a sublayer of itself'],
    [
      'a short vector',
      '#usda 1.0\ndef Xform "a" { double3 xformOp:translate = (1, 2)\nuniform token[] xformOpOrder = ["xformOp:translate"] }\n',
      'expected 3 finite numbers, got [1,2]',
    ],
    [
      'NaN',
      '#usda 1.0\ndef Xform "a" { double3 xformOp:translate = (1, 2, nan)\nuniform token[] xformOpOrder = ["xformOp:translate"] }\n',
      'expected 3 finite numbers',
    ],
    [
      'a strange operation',
      '#usda 1.0\ndef Xform "a" { double xformOp:bend = 1\nuniform token[] xformOpOrder = ["xformOp:bend"] }\n',
      "unknown kind of transform operation 'bend'",
    ],
    [
      'a bad mesh',
      '#usda 1.0\ndef Mesh "a" (apiSchemas = ["PhysicsCollisionAPI"]) { point3f[] points = [(0,0,0)]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 0, 7] }\n',
      'faceVertexIndices: 7 is no index of one of 1 points',
    ],
    [
      'a mesh at one place',
      '#usda 1.0\ndef Mesh "a" (apiSchemas = ["PhysicsCollisionAPI"]) { point3f[] points = [(1,1,1), (1,1,1), (1,1,1)]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2] }\n',
      '/stage.usda:2: prim </a>: the faces have no area',
    ],
  ])('%s', async (_, text, message) => {
    const error: unknown = await readText(text).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    // Transforms are looked at where there is physics.
    const physical =
      error ??
      (await readText(text.replace(/def Xform "a"/, 'def Cube "a" (apiSchemas = ["PhysicsCollisionAPI"])')).catch(
        (reason: unknown) => reason,
      ));
    expect(physical).toBeInstanceOf(S4rError);
    expect((physical as S4rError).code).toBe('INVALID_INPUT');
    expect((physical as S4rError).message).toContain(message);
  });

  it('if its references multiply without end', async () => {
    const level = (i: number) =>
      `def "a${i}" (references = [</a${i + 1}>, </b${i + 1}>]) {}\ndef "b${i}" (references = [</a${i + 1}>, </b${i + 1}>]) {}\n`;
    const text = `#usda 1.0\n${Array.from({ length: 15 }, (_, i) => level(i)).join('')}def "a15" {}\ndef "b15" {}\n`;
    await expect(readText(text)).rejects.toThrow('more than 2000 references and the like meet in one prim');
  });

  it('but for missing files, if they are to be left out', async () => {
    const overlay = new Map([['/stage.usda', Buffer.from('#usda 1.0\ndef Xform "a" (references = @no.usda@) {}\n')]]);
    const { notes } = await read('/stage.usda', { skipMissing: true }, overlay);
    expect(notes[0]).toBe('left out, as asked: /stage.usda:2: prim </a>: no such file /no.usda');
  });

  it('but for a missing file that several prims want, if it is to be left out', async () => {
    const text = '#usda 1.0\ndef Xform "a" (references = @no.usda@) {}\ndef Xform "b" (references = @no.usda@) {}\n';
    const { notes } = await read('/stage.usda', { skipMissing: true }, new Map([['/stage.usda', Buffer.from(text)]]));
    expect(notes.slice(0, 2)).toEqual([
      'left out, as asked: /stage.usda:2: prim </a>: no such file /no.usda',
      'left out, as asked: /stage.usda:3: prim </b>: no such file /no.usda',
    ]);
  });
});

/** Xorshift: the same mutants every time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The bytes cut, with noise, with a piece moved, or with a number made absurd. */
function mutant(bytes: Buffer, next: () => number): Buffer {
  const at = Math.floor(next() * bytes.length);
  const copy = Buffer.from(bytes);
  switch (Math.floor(next() * 5)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      for (let i = 0; i < 4; i++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256);
      return copy;
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.floor(next() * copy.length))]);
    case 3:
      return Buffer.from(
        copy.toString('latin1').replace(/\d+/g, (number) => (next() < 0.01 ? '-1e999' : number)),
        'latin1',
      );
    default:
      copy.fill(255, at, Math.min(at + 8, copy.length));
      return copy;
  }
}

/** Reads mutants: each is read, and is then a valid scene or is refused, or is refused at once. */
async function expectTame(path: string, count: number): Promise<void> {
  const bytes = readFileSync(path);
  const next = random(path.length);
  const outcomes = { read: 0, refused: 0 };
  for (let i = 0; i < count; i++) {
    try {
      const { scene } = await read(path, {}, new Map([[path, mutant(bytes, next)]]));
      assertScene(scene);
      outcomes.read++;
    } catch (error) {
      if (!(error instanceof S4rError) || !['INVALID_INPUT', 'INVALID_SCENE'].includes(error.code)) throw error;
      expect(error.message).not.toContain('\n');
      outcomes.refused++;
    }
  }
  expect(outcomes.read + outcomes.refused).toBe(count);
  expect(outcomes.refused).toBeGreaterThan(count / 10);
}

describe('damaged files neither crash nor hang (F22)', () => {
  it.each(['physics.usda', 'composition.usda', 'ops.usda', 'types.usdc'])('%s', async (name) => {
    await expectTame(fixture(name), 80);
  });
});

describeShared('damaged real files neither crash nor hang (F22)', () => {
  it.each(['newton/rj45_plug.usd', 'newton/cube_cylinder.usda', 'scene_synthesizer/cabinet_box_handles.usda'])('%s', async (name) => {
    await expectTame(`${SHARED_DATA}/usd/${name}`, 40);
  });
});
