/** All formats. */
import type { FileFormat } from './format.js';
import { ISAAC } from './isaac.js';
import { MJCF } from './mjcf.js';
import { RAPIER } from './rapier.js';
import { URDF } from './urdf.js';

export type { FileFormat, NamedState, OpenScene, ReadFlags, RolloutOptions } from './format.js';

export const FORMATS: readonly FileFormat[] = [MJCF, URDF, ISAAC, RAPIER];
