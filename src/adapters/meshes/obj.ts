/** Wavefront OBJ: its vertices and faces; objects and groups become one mesh, materials and normals are ignored. */
import { S4rError } from '../../core/errors.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { binaryText } from '../files/document.js';
import { MeshBuilder } from './triangles.js';

/** @throws S4rError INVALID_INPUT with the line of a number or an index that makes no sense */
export function readObj(path: string, bytes: Uint8Array): Mesh {
  const lines = binaryText(path, bytes).split('\n');
  const mesh = new MeshBuilder();
  const vertices: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = i + 1;
    let text = lines[i] as string;
    // A backslash at the end continues the line.
    while (/\\\s*$/.test(text) && i + 1 < lines.length) text = text.replace(/\\\s*$/, ` ${lines[++i]}`);
    const [keyword, ...words] = text.trim().split(/\s+/);
    const refuse = (message: string) => new S4rError('INVALID_INPUT', message, { file: path, line });
    if (keyword === 'v') {
      const position = words.slice(0, 3).map(Number);
      if (position.length < 3 || !position.every(Number.isFinite))
        throw refuse(`expected three numbers after 'v', got '${words.join(' ')}'`);
      vertices.push(mesh.vertex(position as unknown as Vec3));
    } else if (keyword === 'f') {
      const corners = words.map((word) => {
        const index = /^-?\d+(?=\/|$)/.exec(word)?.[0];
        const number = Number(index);
        const vertex = vertices[number > 0 ? number - 1 : vertices.length + number];
        if (index === undefined || number === 0 || vertex === undefined) {
          throw refuse(`the face asks for vertex '${word}', and there are ${vertices.length} so far`);
        }
        return vertex;
      });
      if (corners.length < 3) throw refuse(`a face needs three corners, got ${corners.length}`);
      mesh.polygon(corners);
    }
  }
  return mesh.build();
}
