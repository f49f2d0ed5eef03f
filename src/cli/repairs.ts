/** The repairs of the states of one file, one after the other: each builds on what the last one wrote. */
import type { FileWriteResult } from '../adapters/adapter.js';
import { S4rError } from '../index.js';
import type { Judged } from './check-state.js';
import { outputOf, outputOfState } from './destination.js';
import { fixedState, hasMoved, isWorthWriting, type Repair, repairState } from './fix-state.js';
import type { FileFormat, NamedState, OpenScene } from './formats/index.js';
import type { Input } from './inputs.js';
import { realPath } from './output-path.js';
import type { ProgressBar } from './progress.js';
import type { Task, Turn } from './run-file.js';
import type { Session } from './session.js';
import { STDIN } from './stdin.js';

export class Repairs {
  /** What the earlier states wrote to the output, itself last. */
  private readonly written: string[] = [];

  constructor(
    private readonly bar: ProgressBar,
    private readonly input: Input,
    private readonly settings: NonNullable<Task['fix']>,
    private readonly turn: Turn,
  ) {}

  /**
   * Repairs the next state and writes it.
   * @param last whether no other comes after it
   * @throws S4rError; the signal's reason when aborted
   */
  async next(session: Session, format: FileFormat, { label, flags }: NamedState, last: boolean): Promise<Judged> {
    const state = label === '' ? undefined : label;
    const { destination, diff, rollout } = this.settings;
    const { dryRun } = destination;
    const path = this.written.at(-1) ?? this.input.path;
    const extension = format.outputExtension?.(path, flags);
    this.assertLasts(format, extension);
    const repaired = async (): Promise<[OpenScene, Repair]> => {
      const open = await session.open(format, path, flags);
      return [open, await repairState(session, this.bar, open, this.input.name, state, this.settings)];
    };
    let [open, repair] = await repaired();
    // Another file of this run has changed what was read: again, from how it is now.
    if (destination.kind === 'in-place' && !dryRun && (await this.turn(open.inputs))) [open, repair] = await repaired();
    const written = !isWorthWriting(repair)
      ? undefined
      : extension === undefined
        ? await this.write(open, repair, path, last)
        : await this.writeState(open, repair, state, extension);
    return await fixedState(session, this.bar, open, repair, written, { rollout, dryRun, diff });
  }

  /** Standard input is gone when the output is read. */
  private assertLasts({ leadsToInput }: FileFormat, extension: string | undefined): void {
    const { destination, diff } = this.settings;
    const output = outputOf(destination, this.input, extension);
    if (this.input.name !== STDIN || extension === undefined || output === undefined) return;
    if ((destination.dryRun && !diff) || leadsToInput?.(output) !== true) return;
    const message = 'the output would lead to the scene by its name, and standard input has none; give the file itself';
    throw new S4rError('INVALID_OPTION', message);
  }

  private async write(open: OpenScene, { result }: Repair, path: string, last: boolean): Promise<FileWriteResult | undefined> {
    const { destination } = this.settings;
    const { dryRun } = destination;
    const output = outputOf(destination, this.input);
    if (output === undefined) return await open.write(result, { path, inPlace: true, dryRun });
    if (dryRun || this.written.length === 0) {
      // A copy would share files with the input that a later state may have to change.
      if (!dryRun && !last && !hasMoved(result)) return undefined;
      const written = await open.write(result, { path: output, dryRun });
      if (!dryRun) this.written.push(...written.files.map((file) => file.path));
      return written;
    }
    await this.assertOwn(await open.write(result, { path, inPlace: true, dryRun: true }));
    return await open.write(result, { path, inPlace: true });
  }

  /** What is written is no scene that the next state could be read from: each has a file of its own. */
  private async writeState(open: OpenScene, { result }: Repair, state: string | undefined, extension: string): Promise<FileWriteResult> {
    const { destination } = this.settings;
    const output = outputOf(destination, this.input, extension);
    const target = output === undefined ? { path: this.input.path, inPlace: true } : { path: outputOfState(output, state) };
    return await open.write(result, { ...target, dryRun: destination.dryRun });
  }

  /** What an earlier state wrote is edited in place; it may share files with the input, which are not. */
  private async assertOwn({ files }: FileWriteResult): Promise<void> {
    const own = await Promise.all(this.written.map(realPath));
    for (const { path } of files) {
      if (own.includes(await realPath(path))) continue;
      const message = `this state cannot be repaired in ${this.written.at(-1)}, which shares the file with the scene; use --in-place`;
      throw new S4rError('OUTPUT', message, { file: path });
    }
  }
}
