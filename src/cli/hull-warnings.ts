/** A repair never takes a ball out of a cup silently. */
import { samePose } from '../adapters/poses.js';
import type { Body, BodyId, CheckOptions, Pose, Result, Scene, Solver } from '../index.js';
import { hasSurfaces } from './findings.js';

/** One sentence for each two bodies that the repair moved apart though only their hulls overlapped. */
export async function hullWarnings(solver: Solver, scene: Scene, { poses }: Result, options: CheckOptions): Promise<string[]> {
  const hasMoved = (body: BodyId) => !samePose((scene.bodies[body] as Body).X_WB, poses[body] as Pose);
  if (!hasSurfaces(scene) || !scene.bodies.some(({ id }) => hasMoved(id))) return [];
  const { overlaps } = await solver.survey(scene, options);
  const separated = overlaps.filter((one) => one.class === 'hull-only' && (hasMoved(one.bodyA) || hasMoved(one.bodyB)));
  return [...new Set(separated.map(({ names }) => warningOf(names.bodyA, names.bodyB)))];
}

function warningOf(a: string, b: string): string {
  const allowed = `${a.replaceAll(':', '*')}:${b.replaceAll(':', '*')}`;
  return (
    `'${a}' and '${b}' overlapped with their hulls only; they were moved apart, as the engine would do: ` +
    `decompose the mesh, or leave them with --allow '${allowed}'`
  );
}
