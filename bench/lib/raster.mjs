// Scenes of meshes and boxes seen in parallel projection, pixel by pixel: surfaces that cross hide each other as they are.
import { shade } from '../../scripts/picture/drawing.mjs';
import { facesOf } from '../../scripts/picture/polyhedra.mjs';
import { cross, dot, scale, sub, transform, unit } from '../../scripts/picture/vectors.mjs';
import { encodePng } from './png.mjs';

/** From where one looks: `towards` the viewer, with `up` to the top of the page. */
export function viewFrom(towards, up) {
  const back = unit(towards);
  const right = unit(cross(up, back));
  const over = cross(back, right);
  /** Right, up on the page and nearness [m]. */
  return { project: (p) => [dot(p, right), dot(p, over), dot(p, back)] };
}

/** Corners in the world, three a triangle, of every geom that has faces: [{bodyId, corners}]. */
export function placedTriangles({ geoms }, poses) {
  return geoms.map(({ bodyId, X_BG, shape }) => ({
    bodyId,
    corners: cornersOf(shape).map((p) => transform(poses[bodyId], transform(X_BG, p))),
  }));
}

function cornersOf(shape) {
  if (shape.type !== 'mesh') return facesOf(shape).flatMap((face) => face.slice(2).flatMap((p, k) => [face[0], face[k + 1], p]));
  const { vertices, triangles } = shape.mesh;
  return Array.from(triangles, (v) => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]);
}

/**
 * A PNG of `solids` ([{bodyId, corners}]) through `window` {left, top, width, height} [m on the page], `density` pixels a metre;
 * look(bodyId) gives {color: [r, g, b] 0..1, alarmed}.
 */
export function rasterise(solids, { project }, window, density, look, background) {
  const [width, height] = [Math.round(window.width * density), Math.round(window.height * density)];
  const colours = new Map([[background, 0]]);
  const indexOf = (colour) => {
    if (!colours.has(colour)) colours.set(colour, colours.size);
    return colours.get(colour);
  };
  const pixels = new Uint8Array(width * height);
  const nearest = new Float64Array(width * height).fill(-Infinity);
  const owners = new Int32Array(width * height).fill(-1);
  const toPixel = (p) => {
    const [x, y, near] = project(p);
    return [(x - window.left) * density, (window.top - y) * density, near];
  };
  for (const { bodyId, corners } of solids) {
    for (let t = 0; t < corners.length; t += 3) {
      const [a, b, c] = corners.slice(t, t + 3);
      const normal = cross(sub(b, a), sub(c, a));
      const length = Math.hypot(...normal);
      if (length === 0) continue;
      let index;
      covered([a, b, c].map(toPixel), width, height, (pixel, near) => {
        if (near <= nearest[pixel]) return;
        index ??= indexOf(shade(look(bodyId), scale(normal, 1 / length)));
        [pixels[pixel], nearest[pixel], owners[pixel]] = [index, near, bodyId];
      });
    }
  }
  outline(width, owners, (pixel, bodyId) => {
    const { color, alarmed } = look(bodyId);
    pixels[pixel] = indexOf(shade({ color: scale(color, 0.55), alarmed }, [0, 0, -1]));
  });
  return encodePng(width, height, pixels, [...colours.keys()]);
}

/** Pixels whose centre lies in a triangle that faces the viewer (clockwise, y down: negative area). */
function covered([a, b, c], width, height, visit) {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (area >= 0) return;
  const range = (k, size) => [
    Math.max(0, Math.ceil(Math.min(a[k], b[k], c[k]) - 0.5)),
    Math.min(size - 1, Math.floor(Math.max(a[k], b[k], c[k]) - 0.5)),
  ];
  const [[left, right], [top, bottom]] = [range(0, width), range(1, height)];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const u = ((b[0] - px) * (c[1] - py) - (b[1] - py) * (c[0] - px)) / area;
      const v = ((c[0] - px) * (a[1] - py) - (c[1] - py) * (a[0] - px)) / area;
      if (u < 0 || v < 0 || u + v > 1) continue;
      visit(y * width + x, u * a[2] + v * b[2] + (1 - u - v) * c[2]);
    }
  }
}

/** The first pixel of a body in its row or column. */
function outline(width, owners, visit) {
  for (let pixel = width; pixel < owners.length; pixel++) {
    const owner = owners[pixel];
    if (owner >= 0 && (owners[pixel - 1] !== owner || owners[pixel - width] !== owner)) visit(pixel, owner);
  }
}
