/** Errors for misuse and broken environments. A finished solve never throws: see `Result.status`. */

export type ErrorCode =
  /** unreadable, malformed or unsupported input file */
  | 'INVALID_INPUT'
  /** a Scene that breaks its contract */
  | 'INVALID_SCENE'
  /** an option that is unknown or out of range */
  | 'INVALID_OPTION'
  /** the output cannot be written, or must not be */
  | 'OUTPUT'
  /** the native core or an engine cannot be loaded */
  | 'ENVIRONMENT'
  /** a defect of s4r itself */
  | 'INTERNAL';

/** Where in the user's files the fault lies, as far as known. */
export interface ErrorPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly element?: string | undefined;
}

/** Every error s4r throws on purpose. `message` is one line that already contains the place. */
export class S4rError extends Error {
  override readonly name = 'S4rError';
  readonly code: ErrorCode;
  readonly place: ErrorPlace;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}, options?: ErrorOptions) {
    const file = place.file === undefined ? '' : place.line === undefined ? `${place.file}: ` : `${place.file}:${place.line}: `;
    const element = place.element === undefined ? '' : `${place.element}: `;
    super(`${file}${element}${message}`.replace(/\s*\n\s*/g, ' '), options);
    this.code = code;
    this.place = place;
  }
}
