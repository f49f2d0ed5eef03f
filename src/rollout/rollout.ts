/** What a rollout reports, whatever engine ran it. Plain, readonly data; types only. SI units, world frame. */

/** What every rollout may be told. */
export interface RolloutOptions {
  /** Simulated time [s]. Default 1. */
  readonly seconds?: number | undefined;
  /** False switches gravity off. Default: the scene's own, or 9.81 m/s^2 against its `up`. */
  readonly gravity?: boolean | undefined;
  /** Time step [s]. Default: the scene's own, or the engine's. */
  readonly timestep?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the fraction of the steps done, 0..1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** The largest value a quantity took. */
export interface Peak {
  readonly value: number;
  /** Body it belongs to. */
  readonly body: string;
  /** Simulated time since the start [s]. */
  readonly time: number;
}

/** Extremes of motion over a set of bodies; a peak is null when the set is empty. */
export interface Motion {
  /** Bodies in the set. */
  readonly bodies: number;
  /** Speed of the body's centre of mass [m/s]: displacement over one step divided by the step, so no correction is hidden. */
  readonly speed: Peak | null;
  /** Angular speed [rad/s]. */
  readonly angularSpeed: Peak | null;
  /** Distance of the body's centre of mass from where it started [m]. */
  readonly displacement: Peak | null;
}

/** One contact as the engine sees it. A flex (a deformable body) has no geoms: `flex:NAME` stands for its geom and body. */
export interface EngineContact {
  readonly geomA: string;
  readonly geomB: string;
  readonly bodyA: string;
  readonly bodyB: string;
  /** Signed distance [m], negative when penetrating. Above 0 for contacts that exist because of a margin. */
  readonly dist: number;
  /** True when no free joint moves one of the two bodies relative to the other. */
  readonly constant: boolean;
  /** True when a flex takes part. s4r ignores flexes, so it neither sees nor cures such a contact. */
  readonly flex: boolean;
}

/** The contacts of one instant between geoms of bodies that can move apart. */
export interface ContactSummary {
  readonly count: number;
  /** Contacts with a negative distance. */
  readonly penetrating: number;
  /** The contact with the smallest distance; null without contacts. */
  readonly deepest: EngineContact | null;
  /** Contacts between geoms left out because no free joint moves their bodies apart. */
  readonly constant: number;
  /** Contacts left out because a flex takes part. */
  readonly flex: number;
}

/** A warning the engine raised, and how often. */
export interface EngineWarning {
  readonly name: string;
  readonly count: number;
  /** The engine's own words for the last one. */
  readonly text: string;
}

/** The first step that left the numbers the engine calls sane. The rollout ends there. */
export interface BadStep {
  /** 1 for the first step. */
  readonly step: number;
  /** Simulated time since the start [s]. */
  readonly time: number;
  /** What was NaN, infinite or huge: positions, velocities or accelerations. */
  readonly quantity: 'qpos' | 'qvel' | 'qacc';
  readonly body: string;
}

export interface Rollout {
  readonly engine: { readonly name: string; readonly version: string };
  /** Time step [s]. Peaks depend on it: compare only rollouts with the same one. */
  readonly timestep: number;
  /** Steps taken; fewer than asked for after a bad one. */
  readonly steps: number;
  /** Simulated time [s]. */
  readonly seconds: number;
  /** Gravity used [m/s^2]. */
  readonly gravity: readonly [number, number, number];
  /** Bodies that float on a free joint, their links included: what s4r may move. */
  readonly movable: Motion;
  /** Every body that is not welded to the world: robots on a fixed base, which move by themselves, too. */
  readonly all: Motion;
  readonly start: ContactSummary;
  /** Null after a bad step: the state means nothing then. */
  readonly end: ContactSummary | null;
  readonly warnings: readonly EngineWarning[];
  readonly badStep: BadStep | null;
  /** Wall time of the stepping alone [ms]. */
  readonly milliseconds: number;
}
