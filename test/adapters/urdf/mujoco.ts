/** MuJoCo's own URDF compiler, as the other opinion on a file. */

import { readFileSync } from 'node:fs';
import { applyEdits, type TextEdit } from '../../../src/adapters/files/edits.js';
import { attribute, encodeValue, endOf, type XmlElement } from '../../../src/adapters/files/xml.js';
import { SMALL_ARENA } from '../../../src/adapters/mjcf/compile.js';
import { compileFiles } from '../../../src/adapters/mjcf/engine.js';
import { buildScene } from '../../../src/adapters/mjcf/scene-builder.js';
import { stateAt } from '../../../src/adapters/mjcf/state.js';
import type { UrdfSource } from '../../../src/adapters/urdf/index.js';
import type { Scene } from '../../../src/core/scene.js';

const OPTIONS =
  '<mujoco><compiler fusestatic="false" discardvisual="true" strippath="false" balanceinertia="true" boundmass="0.1" boundinertia="0.1"/></mujoco>';

/** Any that MuJoCo takes: it is strict about inertias, and about colours, none of which matter here. */
const INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';

/** The scene that MuJoCo makes of the one URDF of a source. Throws what MuJoCo throws. */
export async function mujocoScene({ models, meshes }: UrdfSource): Promise<Scene> {
  const { document } = models[0]!.model;
  const edits: TextEdit[] = [];
  const what = { element: '', attribute: '' };
  edits.push({ ...what, start: document.root.contentStart, end: document.root.contentStart, text: OPTIONS });
  const paths = new Map(meshes.map(({ filename, path }) => [filename, path]));
  const visit = (element: XmlElement) => {
    const filename = element.name === 'mesh' ? attribute(element, 'filename') : undefined;
    const path = paths.get(filename?.value ?? '');
    if (filename !== undefined && path !== undefined) {
      edits.push({ ...what, start: filename.valueStart, end: filename.valueEnd, text: encodeValue(path) });
    }
    if (['inertial', 'visual', 'material'].includes(element.name))
      edits.push({ ...what, start: element.start, end: endOf(document.text, element), text: '' });
    else {
      if (element.name === 'link' && !element.selfClosing)
        edits.push({ ...what, start: element.contentStart, end: element.contentStart, text: INERTIAL });
      for (const child of element.children) visit(child);
    }
  };
  visit(document.root);
  const files = new Map<string, Uint8Array>([[document.path, Buffer.from(applyEdits(document.text, edits), 'latin1')]]);
  for (const path of paths.values()) files.set(path, readFileSync(path));
  const { mujoco, model } = await compileFiles({ files, main: document.path }, [undefined, SMALL_ARENA]);
  try {
    return buildScene(mujoco, model, stateAt(mujoco, model, -1, document.path), document.path).scene;
  } finally {
    model.delete();
  }
}
