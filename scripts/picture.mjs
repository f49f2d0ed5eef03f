/** Draws docs/before-after.svg: the bundled scene as it is and as s4r leaves it. Same input, same bytes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Drawing } from './picture/drawing.mjs';
import { setup } from './setup.mjs';
import { exitWith, ROOT } from './steps.mjs';

const SCENE = join(ROOT, 'examples', 'mujoco', 'cluttered_table.xml');
const PICTURE = join(ROOT, 'docs', 'before-after.svg');

const WIDTH = 1240;
const HEIGHT = 560;
/** Pixels per metre, and where the world's origin lies in a panel. */
const SCALE = 352;
const PANELS = [310, 930];
const ORIGIN_Y = 396;

/** Colours as in the file: the first rgba of each body, the furniture's for the table. */
function colorsIn(xml) {
  const rgba = (text) => /rgba="([^"]+)"/.exec(text)?.[1].split(' ').slice(0, 3).map(Number);
  const bodies = xml.split('<body ').slice(1);
  const colors = new Map(bodies.map((body) => [/name="([^"]+)"/.exec(body)[1], rgba(body)]));
  const furniture = rgba(/class="furniture">[\s\S]*?<\/default>/.exec(xml)[0]);
  return (name) => colors.get(name) ?? furniture;
}

const short = (value) => String(Number(value.toPrecision(2)));
const peakOf = ({ movable }) => `${short(movable.speed.value)} m/s`;

async function picture() {
  const { Solver } = await import('../dist/index.js');
  const { collectFiles, mjcf } = await import('../dist/adapters/mjcf/index.js');
  const { rolloutMujoco } = await import('../dist/rollout/mujoco.js');

  const { scene, source } = await mjcf.read(SCENE);
  const result = await (await Solver.create()).solve(scene);
  if (result.status !== 'solved') throw new Error(`the bundled scene ended as ${result.status}: ${result.reason}`);
  const out = join(ROOT, 'build', 'picture.xml');
  await mjcf.write(source, result, out);
  const peak = async (path) => peakOf(await rolloutMujoco(await collectFiles(path), { gravity: false }));
  const speeds = [await peak(SCENE), await peak(out)];

  const colorOf = colorsIn(readFileSync(SCENE, 'utf8'));
  const overlapping = new Set(result.before.overlaps.filter((pair) => !pair.constant).flatMap((pair) => [pair.bodyA, pair.bodyB]));
  const draw = (panel, poses, alarmed) => {
    const drawing = new Drawing({ floor: [0.7, 0.56], table: 'table_top' }, ([x, y]) => [PANELS[panel] + SCALE * x, ORIGIN_Y - SCALE * y]);
    return drawing.draw(scene, poses, ({ bodyId }) => {
      const body = scene.bodies[bodyId];
      return { color: colorOf(body.name), alarmed: alarmed.has(bodyId) && body.mobility === 'free' };
    });
  };
  const { before, after, moves } = result;
  const svg = layOut([
    {
      title: 'Before',
      facts: [
        `${before.repairable} overlaps (red), up to ${short(1000 * before.maxDepth)} mm deep`,
        `thrown apart at ${speeds[0]} (MuJoCo, 1 s without gravity)`,
      ],
      drawing: draw(
        0,
        scene.bodies.map((body) => body.X_WB),
        overlapping,
      ),
    },
    {
      title: 'After s4r fix',
      facts: [
        `${after.repairable} overlaps; ${moves.length} bodies moved ${moved(moves)}, the others not at all`,
        `peak speed ${speeds[1]}`,
      ],
      drawing: draw(1, result.poses, new Set()),
    },
  ]);
  writeFileSync(PICTURE, svg);
  console.log(`wrote ${PICTURE} (${Math.round(svg.length / 1024)} kB)`);
}

function moved(moves) {
  const millimetres = moves.map(({ distance }) => 1000 * distance);
  return `${Math.min(...millimetres).toFixed(0)} to ${Math.max(...millimetres).toFixed(0)} mm`;
}

/** A light card that brings its own background, for pages in either mode. */
function layOut(panels) {
  const text = (x, y, attributes, content) => `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Helvetica, Arial, sans-serif" stroke-width=".6" stroke-linejoin="round">
<title>A cluttered table before and after s4r fix</title>
<rect width="${WIDTH}" height="${HEIGHT}" rx="14" fill="#fafaf8"/>
<path stroke="#d9dbe0" stroke-width="1" d="M${WIDTH / 2} 28V${HEIGHT - 28}"/>
${panels
  .map(
    ({ title, facts, drawing }, i) => `<g>
${drawing}
${text(32 + (i * WIDTH) / 2, 46, 'font-size="22" font-weight="700" fill="#1b2433"', title)}
${facts.map((fact, k) => text(32 + (i * WIDTH) / 2, 72 + 21 * k, 'font-size="15" fill="#4a5361"', fact)).join('\n')}
</g>`,
  )
  .join('\n')}
</svg>
`;
}

try {
  setup();
  await picture();
} catch (error) {
  exitWith(error);
}
