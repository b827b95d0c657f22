import type { Logger } from 'pino';

import type { Environment } from './parse.ts';

/** What a command is given besides its options. */
export interface CommandContext {
  readonly env: Environment;
  readonly log: Logger;
  /** A sentence for whoever started the command. */
  readonly note: (sentence: string) => void;
}
