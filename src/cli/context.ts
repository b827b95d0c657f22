import type { Logger } from 'pino';

import type { Environment } from './parse.ts';

/** The environment in which a command runs. */
export interface CommandContext {
  readonly env: Environment;
  readonly log: Logger;
  /** Prints a message to the user. */
  readonly note: (sentence: string) => void;
}
