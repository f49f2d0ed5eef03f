import { InvalidArgumentError, Option } from 'commander';
import { bodyPlaces, type NamedModel, type UrdfReadOptions, urdf } from '../../adapters/urdf/index.js';
import type { Vec3 } from '../../index.js';
import { assigned, parseNumber } from '../parse.js';
import type { FileFormat, ReadFlags } from './format.js';

interface UrdfFlags {
  readonly mesh?: 'hull' | 'exact';
  readonly package?: Readonly<Record<string, string>>;
  readonly base?: 'fixed' | 'free';
  readonly basePosition?: Vec3;
  readonly baseRpy?: Vec3;
  readonly joint?: Readonly<Record<string, number>>;
  readonly srdf?: string;
  readonly with?: readonly NamedModel[];
  readonly ground?: true;
  readonly writeOrigins?: true;
}

/** A URDF, or a scene file that lists several. */
export const URDF: FileFormat = {
  name: 'URDF',
  extensions: ['.urdf', '.xml', '.yaml', '.yml', '.json'],
  refusedExtensions: ['.xacro'],
  recognises(head) {
    const text = head.toString('latin1');
    return /<robot[\s/>]/.test(text) || (/^\s*["']?models["']?\s*:|["']models["']\s*:/m.test(text) && /["']?\burdf["']?\s*:/.test(text));
  },
  options: [
    new Option('--mesh <what>', 'meshes collide as their hull, or as exact triangles (default: hull)').choices(['hull', 'exact']),
    new Option('--package <name=dir>', 'where package://name is, repeatable').argParser(parsePackage),
    new Option('--base <how>', 'whether the model may move: free or fixed (default: free if it has no movable joints)').choices([
      'free',
      'fixed',
    ]),
    new Option('--base-position <x,y,z>', 'where its root link is [m] (default: 0,0,0)').argParser(parseVector),
    new Option('--base-rpy <r,p,y>', 'how its root link is turned: roll, pitch, yaw [rad] (default: 0,0,0)').argParser(parseVector),
    new Option('--joint <name=value>', 'position of a joint [rad or m], repeatable (default: 0)').argParser(parseJoint),
    new Option('--srdf <file>', 'SRDF whose disabled collisions count'),
    new Option('--with <urdf@x,y,z>', 'one more model and where it is; or urdf@x,y,z,roll,pitch,yaw; repeatable').argParser(parseModel),
    new Option('--ground', 'there is a floor at z = 0'),
  ],
  writeOptions: [
    new Option(
      '--write-origins',
      'what hangs on the root link may move, and the origins of its joints are written (default: a scene file)',
    ),
  ],
  async open(path, flags: ReadFlags) {
    const { package: packages, basePosition, baseRpy, joint, writeOrigins, ...same } = flags as UrdfFlags;
    const write = writeOrigins === true ? 'origins' : undefined;
    const options: UrdfReadOptions = { ...same, packages, position: basePosition, rpy: baseRpy, joints: joint, write };
    const { scene, source, notes } = await urdf.read(path, options);
    return {
      scene,
      notes,
      inputs: source.inputs,
      placeOf: bodyPlaces(source),
      write: async (result, target) => await urdf.write(source, result, target),
    };
  },
  // A URDF says nothing of where it stands: a scene file that does is made.
  outputExtension: (path, { writeOrigins }) => (/\.(ya?ml|json)$/i.test(path) || writeOrigins === true ? undefined : '.yaml'),
  leadsToInput: () => true,
};

function parsePackage(text: string, earlier: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  const [name, directory] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 0 || name === '' || directory === '') throw new InvalidArgumentError('Expected name=directory.');
  return { ...earlier, [name]: directory };
}

function parseJoint(text: string, earlier: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [name, value] = assigned(text, 'name=number');
  return { ...earlier, [name]: parseNumber(value) };
}

/** Numbers with commas between them. */
function parseNumbers(text: string): number[] {
  return text.split(',').map((part) => parseNumber(part.trim()));
}

function parseVector(text: string): Vec3 {
  const values = parseNumbers(text);
  if (values.length !== 3) throw new InvalidArgumentError('Expected three numbers with commas between them.');
  return values as unknown as Vec3;
}

function parseModel(text: string, earlier: readonly NamedModel[] = []): readonly NamedModel[] {
  const at = text.lastIndexOf('@');
  const file = at < 0 ? text : text.slice(0, at);
  const values = at < 0 ? [0, 0, 0] : parseNumbers(text.slice(at + 1));
  if (file === '' || (values.length !== 3 && values.length !== 6))
    throw new InvalidArgumentError('Expected file@x,y,z or file@x,y,z,roll,pitch,yaw.');
  const [position, rpy] = [values.slice(0, 3), values.slice(3)] as unknown as [Vec3, Vec3];
  return [...earlier, { urdf: file, position, ...(values.length === 6 && { rpy }) }];
}
