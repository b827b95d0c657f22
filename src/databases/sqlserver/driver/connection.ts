import type { RunOptions, Session } from '../../../model/database.ts';
import type { Row } from '../../../model/values.ts';

/** One connection to a server. */
export interface Connection extends Session {
  /** A batch without parameters: what it sets of transaction and session stays; gives its rows. */
  command(text: string, options?: RunOptions): Promise<readonly Row[]>;
  /** Whether it can serve the next one who needs a connection: alive, idle, outside any transaction. */
  isUsable(): boolean;
  /** Whether the connection is closed, by whomever. */
  isLost(): boolean;
  /** Closes the connection at once: what waits for the server fails. */
  destroy(): void;
  close(): Promise<void>;
}
