/** Broken files: whatever is done to them, they are read or refused, and nothing else. */
import { describe, expect, it } from '@jest/globals';
import { urdf } from '../../../src/adapters/urdf/index.js';
import { S4rError } from '../../../src/core/errors.js';
import { assertScene } from '../../../src/core/validate.js';
import { randomSource } from '../../scenes/random.js';
import { withFixtures } from './workspace.js';

const TOKENS = [
  '',
  '"',
  '<',
  '>',
  '&',
  'nan',
  '-1',
  '1e999',
  '0',
  '1e-320',
  'base',
  '\u0000',
  '[',
  '{',
  ': ',
  '- ',
  '\t',
  '*a',
  '&a ',
  'é',
];

function mutate(bytes: Buffer, next: () => number): Buffer {
  const at = Math.floor(next() * bytes.length);
  const span = Math.floor(next() * 12);
  const kind = next();
  if (kind < 0.25) return bytes.subarray(0, at);
  if (kind < 0.35) return Buffer.concat([bytes.subarray(0, at), Buffer.from([Math.floor(next() * 256)]), bytes.subarray(at + 1)]);
  if (kind < 0.5) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.floor(next() * bytes.length))]);
  const token = Buffer.from(TOKENS[Math.floor(next() * TOKENS.length)]!);
  return Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(at + span)]);
}

describe('mutated files', () => {
  it.each(['arm.urdf', 'meshes.urdf', 'kitchen.yaml', 'kitchen.json', 'parts/wedge.obj', 'meshes/wedge.stl', 'meshes/wedge.dae'])(
    'of %s are read or refused',
    async (name) => {
      const workspace = withFixtures();
      const bytes = workspace.bytes(name);
      const main = /\.(urdf|yaml|json)$/.test(name) ? name : 'meshes.urdf';
      const next = randomSource(11);
      const count = { read: 0, refused: 0 };
      for (let i = 0; i < 80; i++) {
        workspace.put(name, i === 0 ? bytes : mutate(bytes, next));
        const done = await urdf.read(workspace.path(main), { mesh: i % 2 === 0 ? 'hull' : 'exact' }).catch((error: unknown) => error);
        if (done instanceof Error) {
          if (!(done instanceof S4rError)) throw done;
          expect([done.code, done.place.file]).toEqual(['INVALID_INPUT', expect.stringContaining(workspace.root)]);
          count.refused++;
        } else {
          assertScene((done as Awaited<ReturnType<typeof urdf.read>>).scene);
          count.read++;
        }
      }
      expect(count.read).toBeGreaterThan(0);
      expect(count.refused).toBeGreaterThan(10);
    },
  );
});
