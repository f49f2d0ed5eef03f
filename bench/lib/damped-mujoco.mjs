// Damped stepping in MuJoCo, what users of it do today: no gravity, no friction, step and slow down until no contact is left.
// MuJoCo collides the convex hulls of the meshes, so its bodies part as far as their hulls need; and they turn.
import { Simulation } from '../../dist/rollout/mujoco-simulation.js';

/** MuJoCo's own step [s], and the share of its speed that a body keeps: of 0 to 1 the largest that does not throw bodies far. */
const TIMESTEP = 0.002;
const KEPT_SPEED = 0.9;

/** Distance [m] that contacts open to; without it they would approach touching and never be there. Margins of a pair add up. */
const MARGIN = 1e-3;

const CHECK_EVERY = 5;

/** As `measureMethod` takes it. */
export function dampedMujoco(timeLimit) {
  return async (scene) => {
    const end = performance.now() + 1000 * timeLimit;
    const simulation = await Simulation.create({ files: new Map([['scene.xml', Buffer.from(mjcfOf(scene))]]), main: 'scene.xml' });
    try {
      let steps = 0;
      while (overlapping(simulation)) {
        if (performance.now() > end) return { poses: posesOf(scene, simulation.data.qpos), status: 'time limit', counts: { steps } };
        for (let k = 0; k < CHECK_EVERY; k++) step(simulation);
        steps += CHECK_EVERY;
      }
      return { poses: posesOf(scene, simulation.data.qpos), status: 'solved', counts: { steps } };
    } finally {
      simulation.free();
    }
  };
}

function mjcfOf({ bodies, geoms }) {
  const meshes = [...new Set(geoms.map(({ shape }) => shape.mesh))];
  const assets = meshes.map(({ vertices }, i) => `<mesh name="${i}" vertex="${vertices.join(' ')}"/>`);
  const placed = geoms.map(({ bodyId, shape }) => {
    const { position, quaternion } = bodies[bodyId].X_WB;
    const geom = `<geom type="mesh" mesh="${meshes.indexOf(shape.mesh)}" condim="1" margin="${MARGIN / 2}"/>`;
    return `<body pos="${position.join(' ')}" quat="${quaternion.join(' ')}"><freejoint/>${geom}</body>`;
  });
  return `<mujoco>
    <option gravity="0 0 0" timestep="${TIMESTEP}"/>
    <asset>${assets.join('\n')}</asset>
    <worldbody>${placed.join('\n')}</worldbody>
  </mujoco>`;
}

function step({ mujoco, model, data }) {
  mujoco.mj_step(model, data);
  const speeds = data.qvel;
  for (let i = 0; i < speeds.length; i++) speeds[i] *= KEPT_SPEED;
}

/** Whether some contact of the last step is deeper than touching. */
function overlapping({ data }) {
  const contacts = data.contact;
  let found = false;
  for (let i = 0; i < data.ncon && !found; i++) {
    const contact = contacts.get(i);
    found = contact.dist < 0;
    contact.delete();
  }
  contacts.delete();
  return found;
}

/** Free joints stand in the order of the bodies: seven numbers each, the quaternion w first. */
function posesOf({ bodies }, qpos) {
  return bodies.map((_, i) => ({ position: [...qpos.subarray(7 * i, 7 * i + 3)], quaternion: [...qpos.subarray(7 * i + 3, 7 * i + 7)] }));
}
