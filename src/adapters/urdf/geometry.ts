/** `<geometry>` elements. */
import { attribute, type XmlElement } from '../files/xml.js';
import type { Fields } from './fields.js';
import type { UrdfGeometry } from './model.js';

/** @throws S4rError INVALID_INPUT */
export function readGeometry(element: XmlElement, fields: Fields): { geometry: UrdfGeometry; element: XmlElement } {
  const [shape, second] = element.children;
  if (shape === undefined) throw fields.refuse(element, 'it is empty; expected box, sphere, cylinder, capsule or mesh');
  if (second !== undefined) throw fields.refuse(second, 'a second shape in one <geometry>');
  // Drake's extensions, of the meaning their names have elsewhere.
  const type = shape.name.replace(/^drake:(?=capsule$|ellipsoid$)/, '');
  switch (type) {
    case 'box': {
      const size = fields.vector(shape, 'size');
      if (size.some((length) => !(length > 0))) throw fields.refuse(shape, `size must be positive, got '${size.join(' ')}'`);
      return { element: shape, geometry: { type, size } };
    }
    case 'sphere':
      return { element: shape, geometry: { type, radius: fields.positive(shape, 'radius') } };
    case 'cylinder':
    case 'capsule':
      return { element: shape, geometry: { type, radius: fields.positive(shape, 'radius'), length: fields.positive(shape, 'length') } };
    case 'ellipsoid':
      return {
        element: shape,
        geometry: { type, radii: [fields.positive(shape, 'a'), fields.positive(shape, 'b'), fields.positive(shape, 'c')] },
      };
    case 'mesh': {
      const scale = fields.vector(shape, 'scale', [1, 1, 1]);
      if (scale.includes(0)) throw fields.refuse(shape, `scale must not be zero, got '${attribute(shape, 'scale')?.value}'`);
      return { element: shape, geometry: { type, filename: fields.text(shape, 'filename'), scale } };
    }
    default:
      throw fields.refuse(shape, 'not a shape s4r knows; expected box, sphere, cylinder, capsule or mesh');
  }
}
