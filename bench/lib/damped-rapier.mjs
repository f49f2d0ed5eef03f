// Damped stepping in Rapier: no gravity, no friction, velocities damped, until no two hulls touch or all is at rest.
// Its dynamic bodies need solids: each mesh becomes its convex hull (a moving triangle mesh has no inside), and bodies turn.
// Rapier computes in single precision; what it calls apart the evaluator may still find in contact.
import RAPIER from '@dimforge/rapier3d-compat';

/** The best of 1/60 to 1/500 s, damping 1 to 100 [1/s] and skins of 0.1 and 1 mm on scenes of 40 bodies. */
const TIMESTEP = 1 / 60;
const DAMPING = 10;

/** Distance [m] that the solver keeps between two hulls. */
const SKIN = 1e-3;

/** Speed below which the world has come to rest [m/s]. */
const REST = 1e-6;

const CHECK_EVERY = 5;

/** As `measureMethod` takes it. */
export function dampedRapier(timeLimit) {
  return async (scene) => {
    const end = performance.now() + 1000 * timeLimit;
    await RAPIER.init();
    const world = worldOf(scene);
    try {
      let steps = 0;
      let status;
      while (status === undefined) {
        for (let k = 0; k < CHECK_EVERY; k++) world.step();
        steps += CHECK_EVERY;
        if (!overlapping(world)) status = 'solved';
        else if (atRest(world)) status = 'stalled';
        else if (performance.now() > end) status = 'time limit';
      }
      return { poses: posesOf(scene, world), status, counts: { steps } };
    } finally {
      world.free();
    }
  };
}

function worldOf({ bodies, geoms }) {
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  world.timestep = TIMESTEP;
  world.lengthUnit = 0.1; // the size of the objects
  world.integrationParameters.normalizedAllowedLinearError = 0; // else overlaps up to it stay
  const handles = bodies.map(
    ({
      X_WB: {
        position: [x, y, z],
        quaternion,
      },
    }) => {
      const [w, i, j, k] = quaternion;
      const body = RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setRotation({ w, x: i, y: j, z: k });
      return world.createRigidBody(body.setLinearDamping(DAMPING).setAngularDamping(DAMPING).setCanSleep(false));
    },
  );
  for (const { bodyId, shape } of geoms) {
    const hull = RAPIER.ColliderDesc.convexHull(Float32Array.from(shape.mesh.vertices));
    world.createCollider(hull.setContactSkin(SKIN / 2).setFriction(0), handles[bodyId]);
  }
  return world;
}

/** Exact distances of the touching pairs: those kept in contact manifolds may be negative while the hulls are apart. */
function overlapping(world) {
  let found = false;
  world.forEachCollider((collider) => {
    if (found) return;
    world.contactPairsWith(collider, (other) => {
      if (found || other.handle < collider.handle) return;
      found = (collider.contactCollider(other, SKIN)?.distance ?? SKIN) < 0;
    });
  });
  return found;
}

function atRest(world) {
  let fastest = 0;
  world.forEachRigidBody((body) => {
    const { x, y, z } = body.linvel();
    fastest = Math.max(fastest, Math.hypot(x, y, z));
  });
  return fastest < REST;
}

function posesOf({ bodies }, world) {
  const placed = [];
  world.forEachRigidBody((body) => {
    const { x, y, z } = body.translation();
    const { w, x: i, y: j, z: k } = body.rotation();
    placed.push({ position: [x, y, z], quaternion: [w, i, j, k] });
  });
  return bodies.map((_, i) => placed[i]);
}
