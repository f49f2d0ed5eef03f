/** Scenes with joints: arms, hands and grippers, and random trees. */
import { carriedByJoints, type Displacements } from '../../src/core/joints.js';
import { releaseJoints } from '../../src/core/plan/free-joints.js';
import { cross, rotate, unitVector } from '../../src/core/pose-math.js';
import type { Joint, Scene, Vec3 } from '../../src/core/scene.js';
import { type BodySpec, box, buildScene, sphere, withPoses } from './build.js';
import { between, randomPoint, randomQuat, randomSource } from './random.js';

export type JointSpec = Pick<Joint, 'name' | 'axis' | 'moves'> & Partial<Omit<Joint, 'id'>>;

/** The scene with joints; a hinge at the world's origin, at 0 and without limits, unless it is said. */
export function withJoints(scene: Scene, joints: readonly JointSpec[]): Scene {
  return { ...scene, joints: joints.map((joint, id) => ({ id, type: 'hinge', anchor: [0, 0, 0], position: 0, ...joint })) };
}

/** A fixed-base arm of two links along x, each 0.3 m long, whose forearm reaches 45 mm into a pallet from above. */
export function armInPallet(): Scene {
  const scene = buildScene(
    [
      { name: 'base', fixed: true, geoms: [sphere(0.03)] },
      { name: 'upper', fixed: true, at: [0.15, 0, 0], geoms: [box(0.11, 0.03, 0.03)] },
      { name: 'fore', fixed: true, at: [0.45, 0, 0], geoms: [box(0.11, 0.03, 0.03)] },
      { name: 'pallet', fixed: true, at: [0.6, 0, -0.085], geoms: [box(0.2, 0.4, 0.1)] },
    ],
    {
      neighbours: [
        [0, 1],
        [1, 2],
      ],
    },
  );
  return withJoints(scene, [
    { name: 'shoulder', axis: [0, -1, 0], moves: [1, 2], limits: [-1, 1] },
    { name: 'elbow', axis: [0, -1, 0], anchor: [0.3, 0, 0], moves: [2], limits: [-2, 2] },
  ]);
}

/**
 * A palm with `fingers` fingers of two hinges each around a ball, every tip 4 mm deep in the ball, and the ball 2 mm in the palm.
 * Bodies: palm, then proximal and distal link of each finger, then the ball. Positive displacement opens a finger.
 */
export function hand(fingers: number, fixedPalm: boolean): Scene {
  const radius = 0.04;
  const bodies: BodySpec[] = [{ name: 'palm', fixed: fixedPalm, geoms: [{ type: 'cylinder', radius: 0.05, halfLength: 0.01 }] }];
  const joints: JointSpec[] = [];
  const neighbours: [number, number][] = [];
  for (let f = 0; f < fingers; f++) {
    const angle = (2 * Math.PI * f) / fingers;
    const out: Vec3 = [Math.cos(angle), Math.sin(angle), 0];
    const at = (r: number, z: number): Vec3 => [r * out[0], r * out[1], z];
    const turned = { quaternion: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] as const };
    const [near, far] = [bodies.length, bodies.length + 1];
    const unit = fixedPalm ? {} : { movesWith: 0 };
    bodies.push(
      { name: `proximal${f}`, fixed: fixedPalm, ...unit, ...turned, at: at(0.042, 0.03), geoms: [box(0.006, 0.008, 0.018)] },
      { name: `distal${f}`, fixed: fixedPalm, ...unit, ...turned, at: at(0.042, 0.07), geoms: [box(0.006, 0.008, 0.018)] },
    );
    neighbours.push([0, near], [near, far]);
    const axis = cross([0, 0, 1], out);
    joints.push(
      { name: `knuckle${f}`, axis, anchor: at(0.042, 0.01), moves: [near, far], position: 0.3, limits: [0, 0.8] },
      { name: `tip${f}`, axis, anchor: at(0.042, 0.05), moves: [far], position: 0.3, limits: [0, 0.8] },
    );
  }
  bodies.push({ name: 'ball', at: [0, 0, 0.01 + radius - 0.002], geoms: [sphere(radius)] });
  return withJoints(buildScene(bodies, { neighbours }), joints);
}

/** The scene with its joints, all free, displaced: the same robot in another state. */
export function displaced(given: Scene, displacements: Displacements): Scene {
  const scene = releaseJoints(given, ['*']);
  const joints = (given.joints as readonly Joint[]).map((joint): Joint => {
    const before = displacements.map((displacement, id) => (id < joint.id ? displacement : 0));
    const frame = carriedByJoints(scene, joint.moves[0] as number, { position: joint.anchor, quaternion: [1, 0, 0, 0] }, before);
    const position = joint.position + (displacements[joint.id] as number);
    return { ...joint, anchor: frame.position, axis: rotate(frame.quaternion, joint.axis), position };
  });
  return {
    ...withPoses(
      given,
      given.bodies.map(({ id, X_WB }) => carriedByJoints(scene, id, X_WB, displacements)),
    ),
    joints,
  };
}

/** A gripper whose second jaw mimics the first, closed 5 mm into each side of a box that is 4 mm off its middle. */
export function gripper(): Scene {
  const scene = buildScene(
    [
      { name: 'wrist', fixed: true, at: [0, 0, 0.1], geoms: [box(0.06, 0.02, 0.02)] },
      { name: 'left', fixed: true, at: [-0.035, 0, 0.04], geoms: [box(0.01, 0.015, 0.035)] },
      { name: 'right', fixed: true, at: [0.035, 0, 0.04], geoms: [box(0.01, 0.015, 0.035)] },
      { name: 'box', at: [0.004, 0, 0.02], geoms: [box(0.03)] },
    ],
    {
      neighbours: [
        [0, 1],
        [0, 2],
      ],
    },
  );
  return withJoints(scene, [
    { name: 'left_jaw', type: 'slide', axis: [-1, 0, 0], moves: [1], position: 0.01, limits: [0, 0.04] },
    { name: 'right_jaw', type: 'slide', axis: [-1, 0, 0], moves: [2], position: -0.01, follows: { joint: 0, ratio: -1 } },
  ]);
}

/** A tree of 3 to 6 links on a fixed or floating base, and some loose bodies among them. */
export function randomTree(seed: number): Scene {
  const random = randomSource(seed);
  const floating = random() < 0.5;
  const links = 3 + Math.floor(4 * random());
  const shapes = [box(0.05, 0.015, 0.02), sphere(0.03), { type: 'capsule', radius: 0.015, halfLength: 0.04 } as const, box(0.025)];
  const shape = () => shapes[Math.floor(shapes.length * random())] as (typeof shapes)[number];
  const bodies: BodySpec[] = [{ name: 'root', fixed: !floating, geoms: [box(0.04)] }];
  const parents = [-1];
  const centres: Vec3[] = [[0, 0, 0]];
  const neighbours: [number, number][] = [];
  for (let l = 1; l <= links; l++) {
    const parent = Math.floor(l * random() * random());
    const from = centres[parent] as Vec3;
    const way = unitVector(randomPoint(random, 1)) as Vec3;
    const at: Vec3 = [from[0] + 0.09 * way[0], from[1] + 0.09 * way[1], from[2] + 0.09 * way[2]];
    bodies.push({
      name: `link${l}`,
      fixed: !floating,
      ...(floating ? { movesWith: 0 } : {}),
      at,
      quaternion: randomQuat(random),
      geoms: [shape()],
    });
    parents.push(parent);
    centres.push(at);
    neighbours.push([parent, l]);
  }
  for (let k = 0; k < 4; k++)
    bodies.push({ name: `loose${k}`, at: randomPoint(random, 0.15), quaternion: randomQuat(random), geoms: [shape()] });
  const under = (root: number, l: number): boolean => l === root || (l > 0 && under(root, parents[l] as number));
  const joints = Array.from({ length: links }, (_, k): JointSpec => {
    const moves = Array.from({ length: links }, (_, l) => l + 1).filter((l) => under(k + 1, l));
    const axis = unitVector(randomPoint(random, 1)) as Vec3;
    const parent = centres[parents[k + 1] as number] as Vec3;
    const own = centres[k + 1] as Vec3;
    const anchor: Vec3 = [(parent[0] + own[0]) / 2, (parent[1] + own[1]) / 2, (parent[2] + own[2]) / 2];
    const slide = random() < 0.25;
    const reach = slide ? 0.06 : 1.2;
    const limits: readonly [number, number] = [between(random, -reach, 0), between(random, 0, reach)];
    const driven = k === links - 1 && random() < 0.3;
    return {
      name: `joint${k + 1}`,
      type: slide ? 'slide' : 'hinge',
      axis,
      anchor,
      moves,
      limits,
      ...(driven ? { follows: { joint: 0, ratio: between(random, -1, 1) } } : {}),
    };
  });
  return withJoints(buildScene(bodies, { neighbours }), joints);
}
