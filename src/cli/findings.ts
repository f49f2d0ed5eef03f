/** What a survey found, with what the user may do about it. */
import {
  type BodyId,
  type ErrorPlace,
  type Evaluation,
  jointChain,
  type OverlapClass,
  type Scene,
  type SurveyedOverlap,
} from '../index.js';
import { EXIT } from './exit-codes.js';
import type { OpenScene } from './formats/index.js';

/** What cures an overlap: a solve, an exclude in the file, a finer mesh than its hull, or nobody but the user. */
export type Advice = 'move' | 'exclude' | 'decompose mesh' | 'fix by hand';

export interface Finding extends SurveyedOverlap {
  /** Absent where nothing needs to be done. */
  readonly advice?: Advice;
  /** Of two parts of one robot: names of the joints between them, from the root on; absent if there are none. */
  readonly joints?: readonly string[];
  /** By `--baseline`. */
  readonly accepted?: true;
  /** Where body A or, if that has none, body B stands in the files. */
  readonly place?: ErrorPlace;
}

/** Classes that no engine pushes apart. */
const HARMLESS: ReadonlySet<OverlapClass> = new Set(['intra-body', 'neighbours', 'filtered', 'touching']);

/** Whether the engine pushes the two apart, accepted or not. */
export function isHarmful(finding: Finding): boolean {
  return !HARMLESS.has(finding.class);
}

export function isProblem(finding: Finding): boolean {
  return finding.accepted !== true && isHarmful(finding);
}

/** Depth of the deepest [m], 0 of none. There may be more of them than a call takes arguments. */
export function deepestOf(findings: readonly Finding[]): number {
  return findings.reduce((deepest, { depth }) => Math.max(deepest, depth), 0);
}

/** @param accepts whether the baseline has this overlap */
export function findingsOf(
  { scene, placeOf }: Pick<OpenScene, 'scene' | 'placeOf'>,
  overlaps: readonly SurveyedOverlap[],
  accepts: (overlap: SurveyedOverlap) => boolean,
): Finding[] {
  return overlaps.map((overlap) => {
    if (!isHarmful(overlap)) return overlap;
    const { bodyA, bodyB } = overlap;
    const chain = overlap.constant && isOneRobot(scene, bodyA, bodyB) ? jointChain(scene, bodyA, bodyB) : [];
    const joints = chain.flatMap((id) => scene.joints?.[id]?.name ?? []);
    const place = placeOf?.(bodyA) ?? placeOf?.(bodyB);
    return {
      ...overlap,
      advice: adviceOn(overlap, scene),
      ...(joints.length === 0 ? {} : { joints }),
      ...(accepts(overlap) ? { accepted: true } : {}),
      ...(place === undefined ? {} : { place }),
    };
  });
}

function adviceOn({ class: kind, bodyA, bodyB }: SurveyedOverlap, scene: Scene): Advice {
  if (kind === 'hull-only') return 'decompose mesh';
  if (kind !== 'constant') return 'move';
  return isOneRobot(scene, bodyA, bodyB) ? 'exclude' : 'fix by hand';
}

/** Parts of one floating unit, or of a tree on a fixed base: a joint moves both, or one is the base that the other's tree hangs on. */
function isOneRobot(scene: Scene, a: BodyId, b: BodyId): boolean {
  const { bodies, joints = [] } = scene;
  if (bodies[a]?.movesWith === bodies[b]?.movesWith || joints.some(({ moves }) => moves.includes(a) && moves.includes(b))) return true;
  return isBaseOf(scene, a, b) || isBaseOf(scene, b, a);
}

/** By the neighbours: engines that collide a base with its own links have none. */
function isBaseOf({ joints = [], filter: { neighbours = [] } }: Scene, base: BodyId, link: BodyId): boolean {
  const holding = joints.filter(({ moves }) => moves.includes(link) && !moves.includes(base));
  const hangsOnIt = (body: BodyId) => holding.some(({ moves }) => moves.includes(body));
  return neighbours.some(([x, y]) => (x === base && hangsOnIt(y)) || (y === base && hangsOnIt(x)));
}

/** The same for both orders of two ids. */
export function pairKey(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}

/** Whether hulls stand for meshes in the scene. */
export function hasSurfaces({ geoms }: Scene): boolean {
  return geoms.some(({ surface }) => surface !== undefined);
}

/** Whether anything in the scene could collide, if only something else were there. */
export function hasColliders({ geoms, filter }: Scene): boolean {
  if (filter.explicitPairs.length > 0) return true;
  const both = filter.maskRule === 'both';
  return geoms.some(({ category, mask }) => (both ? category !== 0 && mask !== 0 : category !== 0 || mask !== 0));
}

/** What the engine will push apart, and how bad that is. */
export function exitCodeOfFindings(findings: readonly Finding[]): number {
  const problems = findings.filter(isProblem);
  if (problems.length === 0) return EXIT.ok;
  return problems.every((finding) => finding.class === 'hull-only') ? EXIT.hullOnly : EXIT.overlaps;
}

/** Numbers for reports, in which the overlaps themselves stand beside. */
export function figuresOf({ overlaps: _, ...figures }: Evaluation): Omit<Evaluation, 'overlaps'> {
  return figures;
}
