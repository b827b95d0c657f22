import type { Query, Result, RunOptions, Session } from '../../../model/database.ts';

/** One connection to a server. */
export interface Connection extends Session {
  run(query: Query, options?: RunOptions): Promise<CommandResult>;
  /** Runs a statement in a read-only transaction of its own, outside any other. */
  read(query: Query, options?: RunOptions): Promise<CommandResult>;
  /** Statements, of which the first begins or ends a transaction: they are never cancelled. */
  control(text: string, options?: RunOptions): Promise<CommandResult>;
  /** Runs `COPY … FROM STDIN` on a text; gives the rows that it wrote. */
  copyIn(statement: string, text: string, options?: RunOptions): Promise<number>;
  /** Whether it can serve the next one who needs a connection: alive, idle, outside any transaction. */
  isUsable(): boolean;
  /** Whether the connection is closed, by whomever. */
  isLost(): boolean;
  /** Closes the connection at once: what waits for the server fails. */
  destroy(): void;
  close(): Promise<void>;
}

export interface CommandResult extends Result {
  /** The first word of what the server says it did. */
  readonly command: string;
}
