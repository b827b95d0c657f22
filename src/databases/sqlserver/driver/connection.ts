import type { RunOptions, Session } from '../../../model/database.ts';
import type { Row } from '../../../model/values.ts';

/** A connection to a server. */
export interface Connection extends Session {
  /** Runs a batch without parameters and returns its rows. Its changes of transaction and session persist. */
  command(text: string, options?: RunOptions): Promise<readonly Row[]>;
  /** Whether the pool may hand it out again: open, idle and outside any transaction. */
  isUsable(): boolean;
  /** Whether the connection is closed, by either side. */
  isLost(): boolean;
  /** The bytes that were sent and received. */
  transferredBytes(): number;
  /** Closes the connection immediately; pending statements fail. */
  destroy(): void;
  close(): Promise<void>;
}
