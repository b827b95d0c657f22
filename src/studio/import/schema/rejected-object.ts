/** Views, triggers, routines and extensions of a dump that the database rejects. */
import { StudioError } from '../../../model/errors.ts';
import type { Savepoint } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';

/** One of the three. */
export interface OptionalObject {
  readonly view?: Table;
  readonly program?: ScriptProgram;
  /** Its name. */
  readonly extension?: string;
}

export interface Rejection {
  readonly object: OptionalObject;
  readonly reason: string;
}

export interface OptionalObjects {
  /** Undefined where every statement commits: one that fails then has changed nothing. */
  readonly savepoint: Savepoint | undefined;
  readonly onRejected: (rejection: Rejection) => void;
}

/** The database rejects the object. An import can leave it out. */
export class RejectedObject extends StudioError implements Rejection {
  readonly object: OptionalObject;
  readonly reason: string;

  constructor({ code, message, details }: StudioError, { object, reason }: Rejection) {
    super(code, message, details);
    this.object = object;
    this.reason = reason;
  }
}
