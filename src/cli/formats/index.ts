/** All formats, and which of them a file is in. */
import type { FileFormat } from './format.js';
import { MJCF } from './mjcf.js';
import { URDF } from './urdf.js';

export type { FileFormat, OpenScene, ReadFlags } from './format.js';

export const FORMATS: readonly FileFormat[] = [MJCF, URDF];
