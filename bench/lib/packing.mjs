// How full a container is.
import { volumeOf } from './mesh.mjs';

/** Volume of the meshes of a `walls` scene over that of the cube that its half-spaces leave free. */
export function packingFraction({ geoms }) {
  const meshes = geoms.filter(({ shape }) => shape.type === 'mesh');
  const walls = geoms.filter(({ shape }) => shape.type === 'halfspace');
  const half = Math.max(...walls.flatMap(({ X_BG }) => X_BG.position));
  return meshes.reduce((sum, { shape }) => sum + volumeOf(shape.mesh), 0) / (2 * half) ** 3;
}
