/** Opening layers: text, crate or zip archive by their content, each file once. */
import { type ErrorPlace, S4rError } from '../../../core/errors.js';
import type { Disk } from '../../files/disk.js';
import { unzip } from '../../files/npz.js';
import { directoryOf, join } from '../../files/paths.js';
import { isCrate, parseCrate } from './crate.js';
import type { Layer } from './layer.js';
import { parseUsda } from './usda.js';

/** `/a/b.usdz[c/d.usda]`: a file inside an archive. */
const INSIDE = /^(.*\.usdz)\[(.*)\]$/i;

export class LayerFiles {
  private readonly layers = new Map<string, Layer>();
  private readonly archives = new Map<string, Record<string, Uint8Array>>();
  /** Every file read so far, by path. */
  readonly contents = new Map<string, Uint8Array>();

  constructor(private readonly disk: Disk) {}

  /**
   * @param path absolute; of an archive its first layer is opened
   * @param place of the arc that leads here; none for the file the user named
   * @throws S4rError INVALID_INPUT
   */
  async open(path: string, place?: ErrorPlace): Promise<Layer> {
    // Only layers are kept, not errors: each has the place of the arc that asked.
    const layer = this.layers.get(path) ?? (await this.load(path, place));
    this.layers.set(path, layer);
    return layer;
  }

  private async load(path: string, place: ErrorPlace | undefined): Promise<Layer> {
    const [, archive, inner] = INSIDE.exec(path) ?? [];
    const where = place as { file: string } | undefined;
    if (/\.usdz$/i.test(path)) return await this.open(`${path}[${await this.firstLayer(path, where)}]`, place);
    const bytes = archive === undefined ? await this.read(path, where) : await this.unpacked(archive, inner as string, where);
    if (bytes.length === 0) throw new S4rError('INVALID_INPUT', 'the file is empty', { file: path });
    if (isCrate(bytes)) return parseCrate(bytes, path);
    if (/\.(usd[ac]?)\]?$/i.test(path) || bytes[0] === 0x23) return parseUsda(Buffer.from(bytes).toString('utf8'), path);
    throw new S4rError('INVALID_INPUT', `${path} is no USD file (.usd, .usda, .usdc, .usdz)`, place ?? { file: path });
  }

  private async read(path: string, place: { file: string } | undefined): Promise<Uint8Array> {
    const bytes = await this.disk.read(path, place);
    this.contents.set(path, bytes);
    return bytes;
  }

  private async firstLayer(path: string, place: { file: string } | undefined): Promise<string> {
    const first = Object.keys(await this.filesOf(path, place))[0];
    if (first !== undefined && /\.usd[ac]?$/i.test(first)) return first;
    throw new S4rError('INVALID_INPUT', `the first file of a USDZ archive is its layer, here it is ${first ?? 'missing'}`, { file: path });
  }

  private async unpacked(archive: string, inner: string, place: { file: string } | undefined): Promise<Uint8Array> {
    const bytes = (await this.filesOf(archive, place))[inner];
    if (bytes !== undefined) return bytes;
    throw new S4rError('INVALID_INPUT', `no such file in the archive: ${inner}`, place ?? { file: archive });
  }

  private async filesOf(archive: string, place: { file: string } | undefined): Promise<Record<string, Uint8Array>> {
    const files = this.archives.get(archive) ?? unzip(await this.read(archive, place), archive, () => true);
    this.archives.set(archive, files);
    return files;
  }
}

/**
 * Where an asset path of a layer leads: relative to the folder of the layer, also inside an archive.
 * @throws S4rError INVALID_INPUT for what only a running Omniverse, or the network, could find
 */
export function resolveAsset(layer: Layer, asset: string, place: ErrorPlace): string {
  const refuse = (message: string) => new S4rError('INVALID_INPUT', `@${asset}@ ${message}`, place);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(asset))
    throw refuse('is not on this disk; download it and refer to the copy, or flatten the stage (usdcat --flatten)');
  if (asset.includes('`')) throw refuse('is an expression, which is not supported; write the path out');
  const [, archive, inner] = INSIDE.exec(layer.file) ?? [];
  if (archive === undefined) return join(directoryOf(layer.file), asset);
  return `${archive}[${join(directoryOf(inner as string), asset)}]`;
}
