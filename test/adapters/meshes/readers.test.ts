/** STL, OBJ and DAE readers: what they read, and that they read it as three's loaders do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { DOMParser } from 'linkedom';
import { Box3, type Group, Mesh as ThreeMesh } from 'three';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { globSync } from 'tinyglobby';
import { parseYamlDocument } from '../../../src/adapters/files/yaml.js';
import { readDae } from '../../../src/adapters/meshes/dae.js';
import { readObj } from '../../../src/adapters/meshes/obj.js';
import { readStl } from '../../../src/adapters/meshes/stl.js';
import { isClosed, signedVolume, surfaceArea } from '../../../src/adapters/meshes/triangles.js';
import type { Mesh, Vec3 } from '../../../src/core/scene.js';
import { describeShared, SHARED_DATA } from '../../shared-data.js';
import { fixture } from '../urdf/workspace.js';

/** A binary STL file with one triangle per three corners. */
function binaryStl(corners: readonly Vec3[], header = 'binary'): Buffer {
  const bytes = Buffer.alloc(84 + (50 * corners.length) / 3);
  bytes.write(header);
  bytes.writeUInt32LE(corners.length / 3, 80);
  corners.forEach((corner, i) => {
    corner.forEach((x, k) => {
      bytes.writeFloatLE(x, 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3) + 4 * k);
    });
  });
  return bytes;
}

const encode = (text: string) => new TextEncoder().encode(text);

describe('STL', () => {
  it('in ASCII and in binary is the same, vertices shared', () => {
    const ascii = readStl('/a.stl', readFileSync(fixture('meshes/wedge.stl')));
    expect([ascii.vertices.length / 3, ascii.triangles.length / 3, isClosed(ascii)]).toEqual([6, 8, true]);
    const corners = Array.from(
      ascii.triangles,
      (i): Vec3 => [ascii.vertices[3 * i]!, ascii.vertices[3 * i + 1]!, ascii.vertices[3 * i + 2]!],
    );
    expect(readStl('/a.stl', binaryStl(corners))).toEqual(ascii);
    // A binary header may begin with `solid`, and bytes may follow the last triangle.
    expect(readStl('/a.stl', binaryStl(corners, 'solid x'))).toEqual(ascii);
    expect(readStl('/a.stl', Buffer.concat([binaryStl(corners), Buffer.alloc(7)]))).toEqual(ascii);
  });

  it('leaves out triangles with two equal corners', () => {
    const mesh = readStl(
      '/a.stl',
      binaryStl([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [5, 5, 5],
        [5, 5, 5],
        [6, 6, 6],
      ]),
    );
    expect([mesh.vertices.length / 3, mesh.triangles.length / 3]).toEqual([3, 1]);
  });

  it('cut short is refused', () => {
    const bytes = binaryStl([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(() => readStl('/a.stl', bytes.subarray(0, 100))).toThrow(
      '/a.stl: no STL file, or one that is cut short: 1 triangles promised, 134 bytes, and 100 are there',
    );
  });
});

describe('OBJ', () => {
  it('knows slashes, negative indices, continued lines, polygons, colours and groups', () => {
    const text =
      '# c\no a\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ng x\nf 1/1/1 2//1 3/1 \\\n 4\nv 0 0 1\nusemtl m\nf -1 -5 -4\n';
    const mesh = readObj('/a.obj', encode(text));
    expect(Array.from(mesh.triangles)).toEqual([0, 1, 2, 0, 2, 3, 4, 0, 1]);
    expect(mesh.vertices.length / 3).toBe(5);
    expect(surfaceArea(mesh)).toBe(1.5);
  });
});

describe('DAE', () => {
  const dae = (rest: string, primitive: string, asset = '') =>
    encode(
      `<COLLADA><asset>${asset}</asset><library_geometries><geometry id="g"><mesh>
       <source id="p"><float_array>0 0 0 1 0 0 1 1 0 0 1 0 0.5 2 0</float_array></source>
       <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>${primitive}</mesh></geometry></library_geometries>${rest}</COLLADA>`,
    );
  const input = '<input semantic="VERTEX" source="#v" offset="0"/>';

  it.each([
    ['triangles', `<triangles>${input}<p>0 1 2 0 2 3</p></triangles>`, 1],
    ['polylist', `<polylist>${input}<vcount>4 3</vcount><p>0 1 2 3 3 2 4</p></polylist>`, 1.5],
    ['polygons', `<polygons>${input}<p>0 1 2 3</p><p>3 2 4</p></polygons>`, 1.5],
    ['tristrips', `<tristrips>${input}<p>0 1 3 2</p></tristrips>`, 1],
    ['trifans', `<trifans>${input}<p>0 1 2 3</p></trifans>`, 1],
    ['lines and triangles', `<lines>${input}<p>0 1</p></lines><triangles>${input}<p>0 1 2</p></triangles>`, 0.5],
  ])('reads %s, all wound the same way', (_, primitive, area) => {
    const { mesh, unit, upAxis } = readDae('/a.dae', dae('', primitive));
    expect([unit, upAxis]).toEqual([1, 'Y_UP']);
    expect(surfaceArea(mesh)).toBeCloseTo(area, 12);
    const { vertices: v, triangles } = mesh;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]!) as [number, number, number];
      expect((v[b]! - v[a]!) * (v[c + 1]! - v[a + 1]!) - (v[b + 1]! - v[a + 1]!) * (v[c]! - v[a]!)).toBeGreaterThan(0);
    }
  });

  it('applies unit, nested nodes and mirrors, and winds mirrored triangles back', () => {
    const wedge = readDae('/a.dae', readFileSync(fixture('meshes/wedge.dae')));
    expect([wedge.unit, wedge.upAxis, isClosed(wedge.mesh)]).toEqual([0.01, 'Z_UP', true]);
    expect(signedVolume(wedge.mesh)).toBeCloseTo(3, 12);
    const text = readFileSync(fixture('meshes/wedge.dae'), 'utf8').replace('<translate>50 0 0</translate>', '<scale>-1 2 1</scale>');
    expect(signedVolume(readDae('/a.dae', encode(text)).mesh)).toBeCloseTo(6, 12);
    const scene = `<library_nodes><node id="n"><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></library_nodes>
      <library_visual_scenes><visual_scene><node><instance_node url="#n"/><node><translate>0 0 1</translate><instance_node url="#n"/></node></node></visual_scene></library_visual_scenes>`;
    const { mesh } = readDae('/a.dae', dae(scene, `<triangles>${input}<p>0 1 2</p></triangles>`));
    expect(Array.from(mesh.vertices)).toEqual([5, 0, 0, 6, 0, 0, 6, 1, 0, 5, 0, 1, 6, 0, 1, 6, 1, 1]);
  });

  it.each([
    [`<triangles>${input}<p>0 1 9</p></triangles>`, '', '<p>: asks for vertex 9, and there are 5'],
    [`<triangles>${input}<p>0 1 x</p></triangles>`, '', '<p>: number 3 is none'],
    [`<triangles>${input}<p>0 1</p></triangles>`, '', '<triangles>: 2 corners make no triangles'],
    [`<triangles><p>0 1 2</p></triangles>`, '', '<triangles>: no input with semantic VERTEX'],
    [`<polylist>${input}<vcount>4</vcount><p>0 1 2</p></polylist>`, '', '<polylist>: vcount asks for 4 corners, <p> has 3'],
    [`<triangles>${input.replace('#v', '#w')}<p>0 1 2</p></triangles>`, '', '<input>: source="#w" leads nowhere'],
    ['', '<unit meter="0"/>', "<asset>: meter must be a positive number, got '0'"],
  ])('refuses %s %s', (primitive, asset, message) => {
    expect(() => readDae('/a.dae', dae('', primitive, asset))).toThrow(message);
  });

  it('refuses skins, and nodes that contain themselves', () => {
    const visual = (node: string) => dae(`<library_visual_scenes><visual_scene>${node}</visual_scene></library_visual_scenes>`, '');
    expect(() => readDae('/a.dae', visual('<node><instance_controller url="#g"/></node>'))).toThrow('skinned meshes are not supported');
    expect(() => readDae('/a.dae', visual('<node id="n"><instance_node url="#n"/></node>'))).toThrow('the node contains itself');
    const doubled = Array.from({ length: 30 }, (_, i) => `<node id="n${i}">${`<instance_node url="#n${i + 1}"/>`.repeat(2)}</node>`).join(
      '',
    );
    expect(() => readDae('/a.dae', visual(`${doubled}<node id="n30"/>`))).toThrow('more than 100000 instances of nodes');
    expect(() => readDae('/a.dae', visual('<node><skew>1</skew></node>'))).toThrow('<skew> is not supported');
  });
});

it('text that is too large for a string is refused', () => {
  const bytes = new Uint8Array(2 ** 29); // pages nobody touches
  bytes.set(encode('solid x'));
  for (const read of [readStl, readObj, readDae, parseYamlDocument])
    expect(() => read('/a', bytes)).toThrow('/a: the file is too large (537 MB)');
});

describeShared('real meshes', () => {
  const files = (extension: string) =>
    globSync(`urdf/**/*.${extension}`, { cwd: SHARED_DATA, caseSensitiveMatch: false })
      .sort()
      .filter((_, i) => extension === 'dae' || i % 4 === 0);
  const summary = (mesh: Mesh) => ({ area: surfaceArea(mesh), box: boxOf(mesh), count: mesh.triangles.length / 3 });
  const expectSame = (file: string, ours: Mesh, theirs: { area: number; box: number[] }) => {
    const { area, box } = summary(ours);
    const size = Math.max(...box.map(Math.abs));
    expect([
      file,
      Math.abs(area - theirs.area) < 1e-5 * theirs.area,
      box.every((x, i) => Math.abs(x - theirs.box[i]!) < 1e-5 * size),
    ]).toEqual([file, true, true]);
  };

  it('are read as three reads them: STL', () => {
    const found = files('stl');
    expect(found.length).toBeGreaterThan(30);
    for (const file of found) {
      const bytes = readFileSync(join(SHARED_DATA, file));
      const geometry = new STLLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
      expectSame(file, readStl(file, bytes), triangleSoup(new ThreeMesh(geometry)));
    }
  });

  it('are read as three reads them: OBJ', () => {
    const found = files('obj');
    expect(found.length).toBeGreaterThan(20);
    for (const file of found) {
      const bytes = readFileSync(join(SHARED_DATA, file));
      expectSame(file, readObj(file, bytes), triangleSoup(new OBJLoader().parse(bytes.toString('latin1'))));
    }
  });

  it('are read as three reads them: DAE', () => {
    // three remarks on versions, materials and axes.
    const muted = (['debug', 'warn'] as const).map((name) => jest.spyOn(console, name).mockImplementation(() => undefined));
    const found = files('dae');
    expect(found.length).toBeGreaterThan(10);
    const given = globalThis as unknown as Record<string, unknown>;
    given.DOMParser = DOMParser;
    try {
      for (const file of found) {
        const bytes = readFileSync(join(SHARED_DATA, file));
        const text = bytes
          .toString('utf8')
          // Textures would be loaded by means of a browser.
          .replace(/<(library_images|library_materials|library_effects|bind_material)>[\s\S]*?<\/\1>/g, '')
          // Of <polygons> three reads the last one only; all of these are triangles.
          .replaceAll('polygons', 'triangles')
          .replace(/<\/p>\s*<p>/g, ' ');
        const scene = new ColladaLoader().parse(text, '')!.scene as unknown as Group;
        scene.quaternion.identity(); // undoes the turn for the up axis
        expectSame(file, readDae(file, bytes).mesh, triangleSoup(scene));
      }
    } finally {
      delete given.DOMParser;
      for (const spy of muted) spy.mockRestore();
    }
  });
});

/** Area and box of everything below an object of three's. */
function triangleSoup(object: Group | ThreeMesh): { area: number; box: number[] } {
  object.updateMatrixWorld(true);
  let area = 0;
  object.traverse((child) => {
    if (!(child instanceof ThreeMesh)) return;
    const geometry = (child.geometry.index === null ? child.geometry : child.geometry.toNonIndexed()).clone();
    geometry.applyMatrix4(child.matrixWorld);
    const vertices = Float64Array.from(geometry.getAttribute('position').array);
    area += surfaceArea({ vertices, triangles: Int32Array.from({ length: vertices.length / 3 }, (_, i) => i) });
  });
  const { min, max } = new Box3().setFromObject(object, true);
  return { area, box: [...min.toArray(), ...max.toArray()] };
}

function boxOf({ vertices }: Mesh): number[] {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  vertices.forEach((x, i) => {
    low![i % 3] = Math.min(low![i % 3]!, x);
    high![i % 3] = Math.max(high![i % 3]!, x);
  });
  return [...low!, ...high!];
}
