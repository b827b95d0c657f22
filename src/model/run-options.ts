import type { StatementTimer } from './statement-timer.ts';
import type { Traceparent } from './traceparent.ts';

/** How a statement runs. */
export interface RunOptions {
  /** Ends the statement in the database. */
  readonly signal?: AbortSignal;
  /** Ends the statement in the database with `statement_timeout`. */
  readonly limitMs?: number;
  /** Becomes a comment of the statement. Databases without a server ignore it. */
  readonly traceparent?: Traceparent;
  readonly timer?: StatementTimer;
}
