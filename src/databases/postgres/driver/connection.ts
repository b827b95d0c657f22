import type { HostSettings } from './connection-options.ts';
import type { Query, Result, RunOptions, Session } from '../../../model/database.ts';
import type { InsertOptions } from '../../../model/load-session.ts';

/** One connection to a server. */
export interface Connection extends Session {
  readonly host: HostSettings;
  run(query: Query, options?: RunOptions): Promise<CommandResult>;
  /** Runs a statement in a read-only transaction of its own, outside any other. */
  read(query: Query, options?: RunOptions): Promise<CommandResult>;
  /** Runs statements of which the first begins or ends a transaction. They are never canceled. */
  control(text: string, options?: RunOptions): Promise<CommandResult>;
  /** Begins a transaction by this statement. */
  begin(text: string, options?: RunOptions): Promise<CommandResult>;
  /** Runs `COPY … FROM STDIN`. Returns the number of inserted rows. */
  copyIn(statement: string, data: Buffer, options?: InsertOptions): Promise<number>;
  /** Runs statements in an open transaction, several in one round trip. */
  runAll(texts: readonly string[], options?: RunOptions): Promise<void>;
  /** Whether it can be reused: connected, idle, and outside any transaction. */
  isUsable(): boolean;
  /** Whether the connection is closed, by either side. */
  isLost(): boolean;
  /** The bytes that were sent and received. */
  transferredBytes(): number;
  /** Closes the connection at once: what waits for the server fails. */
  destroy(): void;
  close(): Promise<void>;
}

export interface CommandResult extends Result {
  /** The first word of the command tag. */
  readonly command: string;
}
