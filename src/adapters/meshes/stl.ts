/** STL, binary and ASCII. */
import { S4rError } from '../../core/errors.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { binaryText } from '../files/document.js';
import { lineNumbers } from '../files/edits.js';
import { MeshBuilder } from './triangles.js';

/** Header, and the number of triangles after it; then 50 bytes for each: a normal, three corners, two spare bytes. */
const HEADER = 84;
const RECORD = 50;

/** @throws S4rError INVALID_INPUT if the file is cut short or holds something else */
export function readStl(path: string, bytes: Uint8Array): Mesh {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER ? view.getUint32(HEADER - 4, true) : undefined;
  const wanted = count === undefined ? undefined : HEADER + RECORD * count;
  // Binary headers may say `solid` too, so the length decides first.
  if (wanted === bytes.length) return readBinary(view, count as number);
  if (/^\s*solid\b/i.test(binaryText(path, bytes.subarray(0, 512)))) return readAscii(path, binaryText(path, bytes));
  if (wanted !== undefined && wanted < bytes.length) return readBinary(view, count as number);
  const found =
    wanted === undefined ? `${bytes.length} bytes` : `${count} triangles promised, ${wanted} bytes, and ${bytes.length} are there`;
  throw new S4rError('INVALID_INPUT', `no STL file, or one that is cut short: ${found}`, { file: path });
}

function readBinary(view: DataView, count: number): Mesh {
  const mesh = new MeshBuilder();
  for (let at = HEADER; at < HEADER + RECORD * count; at += RECORD) {
    const corner = (k: number): Vec3 => {
      const float = (i: number) => view.getFloat32(at + 12 * k + 4 * i, true);
      return [float(0), float(1), float(2)];
    };
    mesh.triangle(mesh.vertex(corner(1)), mesh.vertex(corner(2)), mesh.vertex(corner(3)));
  }
  return mesh.build();
}

function readAscii(path: string, text: string): Mesh {
  const lineOf = lineNumbers(text);
  const mesh = new MeshBuilder();
  const corners: number[] = [];
  let last = 0;
  for (const match of text.matchAll(/^[ \t]*vertex\s+(\S+)\s+(\S+)\s+(\S+)/gim)) {
    const position = match.slice(1, 4).map(Number) as [number, number, number];
    last = match.index;
    if (!position.every(Number.isFinite)) {
      throw new S4rError('INVALID_INPUT', `expected three numbers after 'vertex', got '${match[0].trim()}'`, {
        file: path,
        line: lineOf(match.index),
      });
    }
    corners.push(mesh.vertex(position));
  }
  const facets = text.match(/^[ \t]*facet\b/gim)?.length ?? 0;
  if (corners.length !== 3 * facets || !/endsolid/i.test(text)) {
    throw new S4rError('INVALID_INPUT', `cut short: ${facets} facets, ${corners.length} corners, no more after this line`, {
      file: path,
      line: lineOf(last),
    });
  }
  for (let i = 0; i < corners.length; i += 3) mesh.triangle(corners[i] as number, corners[i + 1] as number, corners[i + 2] as number);
  return mesh.build();
}
