/** Where diagnostics go. The library is silent unless a caller passes a logger. */
export interface Logger {
  warn(message: string): void;
  info(message: string): void;
}

export const SILENT_LOGGER: Logger = { warn() {}, info() {} };
