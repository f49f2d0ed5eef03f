/** A cup as a closed surface, as its hull and as convex pieces; its axis is z, its bottom at z = 0. Lengths [m]. */
import type { Mesh, Shape, Vec3 } from '../../src/core/scene.js';

export const CUP = { sides: 27, outer: 0.05, inner: 0.04, height: 0.1, floor: 0.01 } as const;

type Face = readonly [number, number, number];

const meshOf = (vertices: readonly Vec3[], faces: readonly Face[]): Mesh => ({
  vertices: Float64Array.from(vertices.flat()),
  triangles: Int32Array.from(faces.flat()),
});

function ring(radius: number, z: number): Vec3[] {
  return Array.from({ length: CUP.sides }, (_, i): Vec3 => {
    const angle = (2 * Math.PI * i) / CUP.sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z];
  });
}

/** Surface through rings of points, counter-clockwise as seen from above, closed with a fan over the first and the last. */
function throughRings(rings: readonly (readonly Vec3[])[]): Mesh {
  const n = CUP.sides;
  const fan = (start: number): Face[] => Array.from({ length: n - 2 }, (_, i): Face => [start, start + i + 1, start + i + 2]);
  const band = (start: number): Face[] =>
    Array.from({ length: n }, (_, i) => {
      const [a, b] = [start + i, start + ((i + 1) % n)];
      return [
        [a, b, b + n],
        [a, b + n, a + n],
      ] as Face[];
    }).flat();
  const bottom = fan(0).map(([a, b, c]): Face => [a, c, b]);
  return meshOf(rings.flat(), [...bottom, ...rings.slice(1).flatMap((_, k) => band(k * n)), ...fan((rings.length - 1) * n)]);
}

/** The cup itself: closed, not convex. */
export function cupSurface(): Mesh {
  const { outer, inner, height, floor } = CUP;
  return throughRings([ring(outer, 0), ring(outer, height), ring(inner, height), ring(inner, floor)]);
}

/** What an engine makes of it: filled. */
export function cupHull(): Shape {
  return { type: 'convex', mesh: throughRings([ring(CUP.outer, 0), ring(CUP.outer, CUP.height)]) };
}

/** 28 convex pieces: the floor and 27 of the wall, which touch their neighbours. */
export function cupPieces(): Shape[] {
  const { sides, outer, inner, height, floor } = CUP;
  const bottom: Shape = { type: 'convex', mesh: throughRings([ring(outer, 0), ring(outer, floor)]) };
  const wall = Array.from({ length: sides }, (_, i): Shape => {
    const j = (i + 1) % sides;
    const corners = [floor, height].flatMap((z) => {
      const [far, near] = [ring(outer, z), ring(inner, z)];
      return [far[i], far[j], near[j], near[i]] as Vec3[];
    });
    const around = [0, 1, 2, 3].flatMap((a): Face[] => {
      const b = (a + 1) % 4;
      return [
        [a, b, b + 4],
        [a, b + 4, a + 4],
      ];
    });
    return { type: 'convex', mesh: meshOf(corners, [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], ...around]) };
  });
  return [bottom, ...wall];
}
