/** The bundled build of quickhull3d: the package's entry point imports its parts without file extensions, which Node refuses. */
declare module 'quickhull3d/dist/quickhull3d.js' {
  /** Faces as vertex indices, counter-clockwise seen from outside; polygons if `skipTriangulation`. Throws for fewer than 4 points. */
  export default function quickHull(
    points: readonly (readonly [number, number, number])[],
    options?: { readonly skipTriangulation?: boolean },
  ): number[][];
}
