/** A repair never takes a ball out of a cup silently. */
import type { CheckOptions, Result, Scene, Solver } from '../index.js';

/** One sentence for each two bodies that the repair moved apart though only their hulls overlapped. */
export async function hullWarnings(solver: Solver, scene: Scene, { moves }: Result, options: CheckOptions): Promise<string[]> {
  if (moves.length === 0 || scene.geoms.every(({ surface }) => surface === undefined)) return [];
  const moved = new Set(moves.map(({ bodyId }) => bodyId));
  const hasMoved = (body: number) => moved.has(scene.bodies[body]?.movesWith ?? body);
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
