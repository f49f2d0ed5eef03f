/** The `weights` option: factors on what moving a unit costs. */
import { matchingUnits } from '../patterns.js';
import type { Scene } from '../scene.js';

/**
 * The scene with the weight of every unit times the factor of the first pattern it matches; the same object without factors.
 * @throws S4rError INVALID_OPTION for a pattern that matches no free body
 */
export function weighUnits(scene: Scene, weights: Readonly<Record<string, number>> = {}): Scene {
  const factors = new Map<number, number>();
  for (const [pattern, factor] of Object.entries(weights)) {
    for (const root of matchingUnits(scene.bodies, 'weights', pattern)) if (!factors.has(root)) factors.set(root, factor);
  }
  if (factors.size === 0) return scene;
  return { ...scene, bodies: scene.bodies.map((body) => ({ ...body, weight: body.weight * (factors.get(body.movesWith) ?? 1) })) };
}
