/** What the solver may do with a unit: how it may be displaced and turned. Directions are unit vectors in W. */
import type { Vec3 } from './scene.js';

/** normal . x <= offset [m]. */
export interface Edge {
  readonly normal: Vec3;
  readonly offset: number;
}

export interface Motion {
  readonly translate: 'all' | 'none' | { readonly along: Vec3 } | { readonly across: Vec3 };
  readonly turn: 'all' | 'none' | { readonly about: Vec3 };
  /**
   * It has to stand upright on the plane up . x = `height` [m]: its orientation is exp(`tilt`) times the upright one, the tilt a
   * horizontal rotation vector [rad]. Goes with a translation across `up` and at most a turn about it.
   */
  readonly stand?: {
    readonly tilt: Vec3;
    readonly height: number;
    /** The point that has to stay over the support, in W in the input [m], and the edges of that: none if it has no end. */
    readonly carried?: Vec3;
    readonly edges?: readonly Edge[];
  };
}

/** Displaced in any direction, never turned. */
export const TRANSLATION: Motion = { translate: 'all', turn: 'none' };

/** Displaced and turned in any way. */
export const RIGID: Motion = { translate: 'all', turn: 'all' };

const TRANSLATE_CODES = { none: 0, along: 1, across: 2, all: 3 } as const;
const TURN_CODES = { none: 0, about: 1, all: 2 } as const;

/** The motions of B bodies as the native core reads them. */
export interface PackedMotions {
  /** B: none, along the axis, across it, all; 3B axes */
  readonly motionTranslate: Uint8Array;
  readonly motionTranslateAxis: Float64Array;
  /** B: none, about the axis, all; 3B axes */
  readonly motionTurn: Uint8Array;
  readonly motionTurnAxis: Float64Array;
  /** B: 1 if it has to stand; 3B tilts [rad]; B heights [m] */
  readonly motionStands: Uint8Array;
  readonly motionTilt: Float64Array;
  readonly motionHeight: Float64Array;
  /** 3B points carried [m]; B+1 offsets in edges, then normal and offset [m] of each */
  readonly motionCarried: Float64Array;
  readonly motionEdgeStart: Int32Array;
  readonly motionEdges: Float64Array;
}

export function packMotions(motions: readonly Motion[]): PackedMotions {
  const none: Vec3 = [0, 0, 0];
  const translateAxis = ({ translate }: Motion) =>
    typeof translate === 'string' ? none : 'along' in translate ? translate.along : translate.across;
  const translateCode = ({ translate }: Motion) =>
    typeof translate === 'string' ? TRANSLATE_CODES[translate] : 'along' in translate ? TRANSLATE_CODES.along : TRANSLATE_CODES.across;
  return {
    motionTranslate: Uint8Array.from(motions, translateCode),
    motionTranslateAxis: Float64Array.from(motions.flatMap(translateAxis)),
    motionTurn: Uint8Array.from(motions, ({ turn }) => (typeof turn === 'string' ? TURN_CODES[turn] : TURN_CODES.about)),
    motionTurnAxis: Float64Array.from(motions.flatMap(({ turn }) => (typeof turn === 'string' ? none : turn.about))),
    motionStands: Uint8Array.from(motions, ({ stand }) => (stand === undefined ? 0 : 1)),
    motionTilt: Float64Array.from(motions.flatMap(({ stand }) => stand?.tilt ?? none)),
    motionHeight: Float64Array.from(motions, ({ stand }) => stand?.height ?? 0),
    motionCarried: Float64Array.from(motions.flatMap(({ stand }) => stand?.carried ?? none)),
    motionEdgeStart: edgeStarts(motions),
    motionEdges: Float64Array.from(
      motions.flatMap(({ stand }) => (stand?.edges ?? []).flatMap(({ normal, offset }) => [...normal, offset])),
    ),
  };
}

function edgeStarts(motions: readonly Motion[]): Int32Array {
  const starts = new Int32Array(motions.length + 1);
  motions.forEach(({ stand }, i) => {
    starts[i + 1] = (starts[i] as number) + (stand?.edges?.length ?? 0);
  });
  return starts;
}
