/** COLLADA: the geometry of its scene, in metres, in the axes of the file. */
import { S4rError } from '../../core/errors.js';
import type { Mesh, Vec3 } from '../../core/scene.js';
import { parseDocument, placeOf, type XmlDocument } from '../files/document.js';
import { attribute, type XmlElement } from '../files/xml.js';
import { applyMatrix, determinantSign, type Matrix, multiply, rotation, scaling, translation } from './matrix.js';
import { MeshBuilder } from './triangles.js';

export interface DaeMesh {
  readonly mesh: Mesh;
  /** `Y_UP` unless the file says otherwise, as the standard has it. The mesh is not turned for it. */
  readonly upAxis: string;
  /** Metres per unit of the file, already applied. */
  readonly unit: number;
}

/** Bounds of what instances of instances may blow up to. */
const MAX_TRIANGLES = 2e7;
const MAX_NODES = 1e5;

/** @throws S4rError INVALID_INPUT with line and element for what is missing, malformed or not supported (skins, `<lookat>`, holes) */
export function readDae(path: string, bytes: Uint8Array): DaeMesh {
  return new DaeReader(parseDocument(path, bytes)).read();
}

class DaeReader {
  private readonly byId = new Map<string, XmlElement>();
  private readonly mesh = new MeshBuilder();
  private nodes = 0;

  constructor(private readonly document: XmlDocument) {}

  read(): DaeMesh {
    const { root } = this.document;
    if (root.name !== 'COLLADA') throw this.refuse(root, 'not a COLLADA file');
    this.collectIds(root);
    const asset = child(root, 'asset');
    const unitText = asset === undefined ? undefined : attribute(child(asset, 'unit') ?? asset, 'meter')?.value;
    const unit = unitText === undefined ? 1 : Number(unitText);
    if (!(unit > 0 && unit < Infinity)) throw this.refuse(asset ?? root, `meter must be a positive number, got '${unitText}'`);
    const scene = this.visualScene();
    const start = scaling([unit, unit, unit]);
    if (scene === undefined) for (const geometry of this.all('library_geometries', 'geometry')) this.addGeometry(geometry, start);
    else for (const node of children(scene, 'node')) this.addNode(node, start, []);
    const upAxis = asset === undefined ? undefined : child(asset, 'up_axis');
    return { mesh: this.mesh.build(), unit, upAxis: upAxis === undefined ? 'Y_UP' : this.content(upAxis).trim() };
  }

  private collectIds(element: XmlElement): void {
    const id = attribute(element, 'id')?.value;
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, element);
    for (const inner of element.children) this.collectIds(inner);
  }

  private visualScene(): XmlElement | undefined {
    const instance = this.all('scene', 'instance_visual_scene')[0];
    return instance === undefined ? this.all('library_visual_scenes', 'visual_scene')[0] : this.target(instance, 'url');
  }

  private addNode(node: XmlElement, outer: Matrix, chain: readonly XmlElement[]): void {
    if (chain.includes(node)) throw this.refuse(node, 'the node contains itself');
    if (++this.nodes > MAX_NODES) throw this.refuse(node, `more than ${MAX_NODES} instances of nodes`);
    let matrix = outer;
    for (const part of node.children) matrix = this.transformed(part, matrix);
    for (const part of node.children) {
      if (part.name === 'node') this.addNode(part, matrix, [...chain, node]);
      if (part.name === 'instance_node') this.addNode(this.target(part, 'url'), matrix, [...chain, node]);
      if (part.name === 'instance_geometry') this.addGeometry(this.target(part, 'url'), matrix);
      if (part.name === 'instance_controller') throw this.refuse(part, 'skinned meshes are not supported; export the mesh alone');
    }
  }

  /** `matrix` times what this child of a node says; COLLADA applies them in the order of the file. */
  private transformed(part: XmlElement, matrix: Matrix): Matrix {
    if (part.name === 'matrix') return multiply(matrix, this.numbers(part, 16));
    if (part.name === 'translate') return multiply(matrix, translation(this.numbers(part, 3)));
    if (part.name === 'scale') return multiply(matrix, scaling(this.numbers(part, 3) as unknown as Vec3));
    if (part.name === 'rotate') return multiply(matrix, rotation(this.numbers(part, 4)));
    if (part.name === 'lookat' || part.name === 'skew') throw this.refuse(part, `<${part.name}> is not supported`);
    return matrix;
  }

  private addGeometry(geometry: XmlElement, matrix: Matrix): void {
    const mesh = child(geometry, 'mesh');
    if (mesh === undefined) return; // splines
    const mirrored = determinantSign(matrix) < 0;
    for (const primitive of mesh.children) {
      for (const corners of this.polygons(primitive)) {
        const vertices = corners.map((position) => this.mesh.vertex(applyMatrix(matrix, position)));
        this.mesh.polygon(mirrored ? vertices.reverse() : vertices);
      }
      if (this.mesh.triangleCount > MAX_TRIANGLES) throw this.refuse(geometry, `more than ${MAX_TRIANGLES} triangles`);
    }
  }

  /** Corner positions of every polygon of a primitive; none for lines and for what is no primitive. */
  private *polygons(primitive: XmlElement): Generator<Vec3[]> {
    const kind = primitive.name;
    if (!['triangles', 'polylist', 'polygons', 'tristrips', 'trifans'].includes(kind)) return;
    if (child(primitive, 'ph') !== undefined) throw this.refuse(primitive, 'polygons with holes are not supported; triangulate the mesh');
    const inputs = children(primitive, 'input');
    const offset = (input: XmlElement) => Number(attribute(input, 'offset')?.value ?? 0);
    const vertexInput = inputs.find((input) => attribute(input, 'semantic')?.value === 'VERTEX');
    if (vertexInput === undefined) throw this.refuse(primitive, 'no input with semantic VERTEX');
    const stride = 1 + Math.max(...inputs.map(offset));
    if (!Number.isInteger(stride) || stride < 1 || stride > 64) throw this.refuse(primitive, 'an input has no sensible offset');
    const positions = this.positions(vertexInput);
    const vcount = child(primitive, 'vcount');
    const counts = vcount === undefined ? undefined : this.numbers(vcount);
    for (const list of children(primitive, 'p')) {
      const indices = this.numbers(list);
      const corners: Vec3[] = [];
      for (let i = offset(vertexInput); i < indices.length; i += stride) corners.push(this.position(list, positions, indices[i] as number));
      yield* this.cut(primitive, corners, counts);
    }
  }

  private *cut(primitive: XmlElement, corners: Vec3[], counts: readonly number[] | undefined): Generator<Vec3[]> {
    const { length } = corners;
    switch (primitive.name) {
      case 'triangles':
        if (length % 3 !== 0) throw this.refuse(primitive, `${length} corners make no triangles`);
        for (let i = 0; i < length; i += 3) yield corners.slice(i, i + 3);
        break;
      case 'tristrips':
        // Every other triangle of a strip is wound the other way.
        for (let i = 2; i < length; i++) {
          const strip = corners.slice(i - 2, i + 1);
          yield i % 2 === 0 ? strip : strip.reverse();
        }
        break;
      case 'polylist': {
        const total = (counts ?? []).reduce((sum, count) => sum + count, 0);
        if (total !== length || counts?.some((count) => !(Number.isInteger(count) && count > 0))) {
          throw this.refuse(primitive, `vcount asks for ${total} corners, <p> has ${length}`);
        }
        let at = 0;
        for (const count of counts ?? []) {
          yield corners.slice(at, at + count);
          at += count;
        }
        break;
      }
      default:
        yield corners; // a polygon or a fan
    }
  }

  /** The numbers of the positions, three each. */
  private positions(vertexInput: XmlElement): number[] {
    const vertices = this.target(vertexInput, 'source');
    const input = children(vertices, 'input').find((candidate) => attribute(candidate, 'semantic')?.value === 'POSITION');
    if (input === undefined) throw this.refuse(vertices, 'no input with semantic POSITION');
    const source = this.target(input, 'source');
    const array = child(source, 'float_array');
    if (array === undefined) throw this.refuse(source, 'no <float_array>');
    const technique = child(source, 'technique_common');
    const accessor = technique === undefined ? undefined : child(technique, 'accessor');
    const entry = (name: string, otherwise: number) => Number((accessor && attribute(accessor, name)?.value) ?? otherwise);
    const [stride, first] = [entry('stride', 3), entry('offset', 0)];
    if (!(Number.isInteger(stride) && stride >= 3 && Number.isInteger(first) && first >= 0)) {
      throw this.refuse(accessor ?? source, `expected a stride of 3 or more, got ${stride}`);
    }
    const numbers = this.numbers(array);
    const result: number[] = [];
    for (let i = first; i + 2 < numbers.length; i += stride) result.push(...numbers.slice(i, i + 3));
    return result;
  }

  private position(list: XmlElement, positions: readonly number[], index: number): Vec3 {
    const p = positions.slice(3 * index, 3 * index + 3);
    if (Number.isInteger(index) && index >= 0 && p.length === 3) return p as unknown as Vec3;
    throw this.refuse(list, `asks for vertex ${index}, and there are ${positions.length / 3}`);
  }

  private readonly parsed = new Map<XmlElement, number[]>();

  /** The numbers in an element. @param count how many there must be */
  private numbers(element: XmlElement, count?: number): number[] {
    const known = this.parsed.get(element);
    if (known !== undefined) return known;
    const text = this.content(element).trim();
    const numbers = text === '' ? [] : text.split(/\s+/).map(Number);
    const bad = numbers.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw this.refuse(element, `number ${bad + 1} is none`);
    if (count !== undefined && numbers.length !== count) throw this.refuse(element, `expected ${count} numbers, got ${numbers.length}`);
    this.parsed.set(element, numbers);
    return numbers;
  }

  private content(element: XmlElement): string {
    return this.document.text.slice(element.contentStart, element.contentEnd);
  }

  private all(library: string, name: string): XmlElement[] {
    return children(this.document.root, library).flatMap((found) => children(found, name));
  }

  /** The element that a reference such as `url="#id"` means. */
  private target(element: XmlElement, name: string): XmlElement {
    const reference = attribute(element, name)?.value ?? '';
    const found = reference.startsWith('#') ? this.byId.get(reference.slice(1)) : undefined;
    if (found === undefined) throw this.refuse(element, `${name}="${reference}" leads nowhere`);
    return found;
  }

  private refuse(element: XmlElement, message: string): S4rError {
    return new S4rError('INVALID_INPUT', message, placeOf(this.document, element));
  }
}

function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((candidate) => candidate.name === name);
}

function children(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((candidate) => candidate.name === name);
}
