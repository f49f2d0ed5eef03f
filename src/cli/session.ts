/** What happens to one state of one scene file: it is opened, checked or repaired, and written. Ties formats and solver together. */
import { type Result, type Scene, Solver, type SurveyedOverlap } from '../index.js';
import { pairKey } from './findings.js';
import type { FileFormat, OpenScene, ReadFlags } from './formats/index.js';
import type { Io } from './io.js';
import { assertNotTaken } from './output-path.js';
import { OVERWRITES } from './report.js';

/** Collects what is to be said on the way, which must not be lost when the work fails. */
export class Session {
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  inputs: readonly string[] = [];

  /** @param reports files about to be written, which must be none of the scene's */
  constructor(
    readonly io: Io,
    private readonly reports: readonly string[],
  ) {}

  /** @throws S4rError INVALID_INPUT, INVALID_OPTION; OUTPUT if a report would overwrite a file of the scene */
  async open(format: FileFormat, path: string, flags: ReadFlags): Promise<OpenScene> {
    const open = await format.open(path, flags);
    this.inputs = open.inputs;
    this.note(open.notes);
    for (const report of this.reports) await assertNotTaken(report, open.inputs, OVERWRITES);
    return open;
  }

  async createSolver(): Promise<Solver> {
    return await Solver.create({ logger: { warn: (message) => this.warn([message]), info() {} } });
  }

  note(notes: readonly string[]): void {
    for (const note of notes) if (!this.notes.includes(note)) this.notes.push(note);
  }

  warn(warnings: readonly string[]): void {
    for (const warning of warnings) if (!this.warnings.includes(warning)) this.warnings.push(warning);
  }
}

/** The scene in the state that a solve returned. */
export function sceneAfter(scene: Scene, { poses }: Result): Scene {
  return { ...scene, bodies: scene.bodies.map((body) => ({ ...body, X_WB: poses[body.id] ?? body.X_WB })) };
}

/** The scene in which these pairs of geoms do not collide. */
export function withoutPairs(scene: Scene, overlaps: readonly Pick<SurveyedOverlap, 'geomA' | 'geomB'>[]): Scene {
  if (overlaps.length === 0) return scene;
  const { filter } = scene;
  const pairs = overlaps.map(({ geomA, geomB }) => [geomA, geomB] as const);
  const gone = new Set(pairs.map(([a, b]) => pairKey(a, b)));
  const explicitPairs = filter.explicitPairs.filter(({ geoms: [a, b] }) => !gone.has(pairKey(a, b)));
  return { ...scene, filter: { ...filter, explicitPairs, excludedGeoms: [...filter.excludedGeoms, ...pairs] } };
}
