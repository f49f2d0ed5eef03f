/** The options of all formats, merged into one command line. */
import type { Command, Option } from 'commander';
import { S4rError } from '../../index.js';
import type { FileFormat, ReadFlags } from './format.js';
import { FORMATS } from './index.js';

/** An option, and the formats that have it. */
interface Merged {
  readonly option: Option;
  readonly formats: FileFormat[];
}

/** By attribute name; the first format's wording holds. */
function mergedOptions(writes: boolean): ReadonlyMap<string, Merged> {
  const merged = new Map<string, Merged>();
  for (const format of FORMATS) {
    for (const option of optionsOf(format, writes)) {
      const known = merged.get(option.attributeName());
      if (known === undefined) merged.set(option.attributeName(), { option, formats: [format] });
      else known.formats.push(format);
    }
  }
  return merged;
}

function optionsOf({ options, writeOptions = [] }: FileFormat, writes: boolean): readonly Option[] {
  return writes ? [...options, ...writeOptions] : options;
}

/** Adds them, under a heading per format. @param writes also those that say how files are written */
export function addFormatOptions(command: Command, writes = false): Command {
  for (const { option, formats } of mergedOptions(writes).values()) {
    command.addOption(option.helpGroup(`Options of ${formats.map(({ name }) => name).join(' and ')}:`));
  }
  return command;
}

/** Those that were given. */
export function givenFlags(command: Command): ReadFlags {
  const given = [...mergedOptions(true).keys()].filter((name) => !['default', undefined].includes(command.getOptionValueSource(name)));
  return Object.fromEntries(given.map((name) => [name, command.getOptionValue(name)]));
}

/** The flags that a format has. */
export function flagsOf(format: FileFormat, flags: ReadFlags): ReadFlags {
  const names = optionsOf(format, true).map((option) => option.attributeName());
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)));
}

/**
 * Every flag must be of use to one of the files at least.
 * @param files their names and formats, those without a format left out
 * @throws S4rError INVALID_OPTION
 */
export function assertFlagsFit(flags: ReadFlags, files: readonly { readonly name: string; readonly format: FileFormat }[]): void {
  const merged = mergedOptions(true);
  const [first] = files;
  if (first === undefined) return;
  for (const name of Object.keys(flags)) {
    const { option, formats } = merged.get(name) as Merged;
    if (files.some(({ format }) => formats.includes(format))) continue;
    const subject = files.length === 1 ? `${first.name} is ${first.format.name}` : 'none of the files is';
    const owners = formats.map((format) => format.name).join(' and ');
    throw new S4rError('INVALID_OPTION', `${option.long ?? option.flags} is an option of ${owners}, and ${subject}`);
  }
}
