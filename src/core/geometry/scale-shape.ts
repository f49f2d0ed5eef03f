/** Shapes made smaller. */
import type { Mesh, Shape, Vec3 } from '../scene.js';

/** Scales shapes about the origin of their geom; what was shared stays shared. Half-spaces and height fields do not move, nor shrink. */
export class ShapeScaler {
  private readonly shapes = new Map<Shape, Shape>();
  private readonly meshes = new Map<Mesh, Mesh>();

  constructor(private readonly scale: number) {}

  scaled(shape: Shape): Shape {
    let small = this.shapes.get(shape);
    if (small === undefined) {
      small = this.make(shape);
      this.shapes.set(shape, small);
    }
    return small;
  }

  private make(shape: Shape): Shape {
    const times = (value: number) => value * this.scale;
    switch (shape.type) {
      case 'sphere':
        return { ...shape, radius: times(shape.radius) };
      case 'box':
        return { ...shape, halfExtents: shape.halfExtents.map(times) as unknown as Vec3 };
      case 'capsule':
      case 'cylinder':
      case 'cone':
        return { ...shape, radius: times(shape.radius), halfLength: times(shape.halfLength) };
      case 'ellipsoid':
        return { ...shape, radii: shape.radii.map(times) as unknown as Vec3 };
      case 'convex':
      case 'mesh':
        return { ...shape, mesh: this.scaledMesh(shape.mesh) };
      case 'halfspace':
      case 'heightfield':
        return shape;
    }
  }

  private scaledMesh(mesh: Mesh): Mesh {
    const known = this.meshes.get(mesh);
    if (known !== undefined) return known;
    const small = { vertices: mesh.vertices.map((value) => value * this.scale), triangles: mesh.triangles };
    this.meshes.set(mesh, small);
    return small;
  }
}
