/** Where bodies stand in the files. */
import type { ErrorPlace } from '../../core/errors.js';
import type { BodyId } from '../../core/scene.js';
import { placeOf } from '../files/document.js';
import type { UrdfSource } from './source.js';

/** File, line and element of the link that a body is; undefined for the ground. */
export function bodyPlaces({ bodies }: UrdfSource): (body: BodyId) => ErrorPlace | undefined {
  const places = new Map<BodyId, () => ErrorPlace>();
  for (const [{ model }, bodyOf] of bodies) {
    for (const [link, id] of bodyOf) {
      const element = model.links.get(link)?.element;
      if (element !== undefined) places.set(id, () => placeOf(model.document, element));
    }
  }
  return (body) => places.get(body)?.();
}
