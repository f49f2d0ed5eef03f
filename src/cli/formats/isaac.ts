import { InvalidArgumentError, Option } from 'commander';
import { bodyPlaces, isaac } from '../../adapters/isaac/index.js';
import type { Vec3 } from '../../index.js';
import type { FileFormat } from './format.js';

/** `x,y,z` */
function parsePoint(text: string): Vec3 {
  const [x, y, z, ...more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const point = [x, y, z].filter((value): value is number => Number.isFinite(value));
  if (point.length < 3 || more.length > 0) throw new InvalidArgumentError('Expected three numbers, such as 0,2.5,0.');
  return point as unknown as Vec3;
}

export const ISAAC: FileFormat = {
  name: 'USD',
  extensions: ['.usd', '.usda', '.usdc', '.usdz'],
  recognises: (head) => /^(\xef\xbb\xbf)?#usda |^PXR-USDC/.test(head.toString('latin1')),
  options: [new Option('--skip-missing', 'leave out references and payloads whose file is not there')],
  writeOptions: [
    new Option(
      '--env-origin <x,y,z>',
      'origin of the environment: positions in a table of poses (-o FILE.npz or .json) are relative to it',
    ).argParser(parsePoint),
  ],
  async open(path, { skipMissing, envOrigin }) {
    const { scene, source, notes } = await isaac.read(path, { skipMissing: skipMissing === true });
    const origin = envOrigin as Vec3 | undefined;
    return {
      scene,
      notes,
      inputs: source.files,
      placeOf: bodyPlaces(source),
      write: async (result, target) => await isaac.write(source, result, target, { origin }),
    };
  },
  // A layer over the stage, which stays as it is.
  outputExtension: () => '.usda',
  leadsToInput: (output) => !/\.(npz|json)$/i.test(output),
};
