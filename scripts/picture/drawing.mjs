/** One state of a scene as SVG paths: floor, shadows and shaded solids, in parallel projection. */
import { convexHull, doubleArea, intersect, split } from './clip.mjs';
import { paintOrder } from './painter.mjs';
import { facesOf } from './polyhedra.mjs';
import { add, cross, dot, scale, transform, unit } from './vectors.mjs';

const RED = [0.87, 0.13, 0.13];
const TOWARDS = unit([0.3, -1, 0.66]);
const LIGHT = unit([-0.5, -0.45, 1.2]);
const RIGHT = unit(cross([0, 0, 1], TOWARDS));
const UP = cross(TOWARDS, RIGHT);

const camera = {
  towards: TOWARDS,
  toPage: (p) => [dot(p, RIGHT), dot(p, UP)],
  depth: (p) => -dot(p, TOWARDS),
  /** Depth at which the line of sight through a point of the page meets a plane. */
  depthOnPlane([x, y], { n, d }) {
    const foot = add(scale(RIGHT, x), scale(UP, y));
    return -(d - dot(n, foot)) / dot(n, TOWARDS);
  },
};

export class Drawing {
  /**
   * @param view { floor: [half x, half y], table: name of the geom whose top catches shadows }
   * @param place maps a point of the page, y up [m], to the picture, y down [px]
   */
  constructor(view, place) {
    this.view = view;
    this.place = (p) => place(camera.toPage(p));
  }

  /**
   * @param poses X_WB by body id
   * @param look of a geom: { color: [r, g, b] 0..1, alarmed: tinted red }
   */
  draw(scene, poses, look) {
    const [x, y] = this.view.floor;
    const floor = [
      [-x, -y, 0],
      [x, -y, 0],
      [x, y, 0],
      [-x, y, 0],
    ];
    const solids = scene.geoms.flatMap((geom) => {
      const faces = facesOf(geom.shape).map((face) => face.map((p) => transform(poses[geom.bodyId], transform(geom.X_BG, p))));
      const above = faces.map((face) => split(face, { n: [0, 0, 1], d: 0 }).front).filter((face) => face !== undefined);
      return above.length === 0 ? [] : [{ faces, geom }];
    });
    const table = solids.find(({ geom }) => geom.name === this.view.table);
    const paths = [`<path fill="#e4e6ea" d="${this.#path(floor)}"/>`, this.#shadows(solids, floor, 0)];
    for (const { polygon, plane, solid } of paintOrder(solids, camera)) {
      const visible = split(polygon, { n: [0, 0, 1], d: 0 }).front;
      if (visible === undefined) continue;
      paths.push({ fill: shade(look(solid.geom), plane.n), d: this.#path(visible) });
      if (solid === table && plane.n[2] > 0.99) {
        const height = polygon[0][2];
        const others = solids.filter((other) => other.geom.bodyId !== table.geom.bodyId);
        paths.push(this.#shadows(others, polygon, height));
      }
    }
    return joinPaths(paths);
  }

  /** What is above a horizontal polygon at `height` keeps the light from it. All outlines run one way round, so they unite. */
  #shadows(solids, polygon, height) {
    const cast = (p) => add(p, scale(LIGHT, -(p[2] - height) / LIGHT[2]));
    const ground = convexHull(polygon);
    const outlines = solids.flatMap(({ faces }) => {
      const above = faces.flatMap((face) => split(face, { n: [0, 0, 1], d: height }).front ?? []);
      if (above.length === 0) return [];
      const outline = intersect(convexHull(above.map(cast)), ground);
      return outline.length < 3 || doubleArea(outline) < 1e-7 ? [] : [outline.map(([x, y]) => [x, y, height])];
    });
    return `<path fill="#1b2433" fill-opacity=".2" d="${outlines.map((outline) => this.#path(outline)).join('')}"/>`;
  }

  /** Path data with a tenth of a pixel, relative to the first point. */
  #path(points) {
    const rounded = points.map(this.place).map(([x, y]) => [Math.round(10 * x), Math.round(10 * y)]);
    const number = (tenths) => String(tenths / 10).replace(/^(-?)0\./, '$1.');
    const pair = ([x, y]) => `${number(x)}${y < 0 ? '' : ' '}${number(y)}`;
    const steps = rounded.slice(1).map((p, i) => [p[0] - rounded[i][0], p[1] - rounded[i][1]]);
    const moved = steps.filter(([x, y]) => x !== 0 || y !== 0).map(pair);
    return `M${pair(rounded[0])}l${moved.join(' ').replace(/ -/g, '-')}z`;
  }
}

/** Lambert's law over a bright ambient light, in steps, so that neighbouring faces can share a path. */
export function shade({ color, alarmed }, normal) {
  const base = alarmed ? color.map((c, i) => 0.4 * c + 0.6 * RED[i]) : color;
  const light = Math.round(24 * (0.5 + 0.62 * Math.max(0, dot(normal, LIGHT)))) / 24;
  const channel = (c) => Math.round(255 * Math.min(1, c * light));
  return `#${base.map((c) => channel(c).toString(16).padStart(2, '0')).join('')}`;
}

/** Consecutive polygons of one colour become one path. The stroke closes the seams between neighbours. */
function joinPaths(items) {
  const lines = [];
  let fill;
  for (const item of items) {
    if (typeof item === 'string') {
      lines.push(item);
      fill = undefined;
    } else if (item.fill === fill) {
      lines[lines.length - 1] = lines.at(-1).replace('"/>', `${item.d}"/>`);
    } else {
      fill = item.fill;
      lines.push(`<path fill="${fill}" stroke="${fill}" d="${item.d}"/>`);
    }
  }
  return lines.join('\n');
}
