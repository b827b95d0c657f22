import { StudioError } from '../../model/errors.ts';
import type { Table } from '../../model/schema.ts';
import type { Context } from '../core/context.ts';

/** What a request with several changes to a table says of it. */
export interface ChangeSet {
  readonly count: number;
  /** The client accepts that a failure leaves the changes before it written. */
  readonly partial: boolean;
}

/** Whether a failed transaction leaves a table as it was. */
export function canRollBack({ database: { dialect } }: Context, table: Table): boolean {
  return dialect.loading.objection(table) === undefined;
}

/** Refuses several changes to a table that could be left half written; a single one is one statement. */
export function mustBeUndoable(
  { database: { dialect } }: Context,
  table: Table,
  { count, partial }: ChangeSet,
): void {
  const reason = dialect.loading.objection(table) ?? table.lastingWrites;
  if (reason === undefined || count <= 1 || partial) return;
  throw new StudioError(
    'not_writable',
    `${reason}: of ${count} changes some could stay written when one fails. Nothing was written. ` +
      'Send them one by one, or with partial=true.',
    { table: table.name },
  );
}

/** With `partial`, a failure names how many changes before it are written and stay so. */
export function withWritten(error: unknown, written: number): unknown {
  if (!(error instanceof StudioError)) return error;
  const details = { ...error.details, written };
  return Object.assign(new StudioError(error.code, error.message, details), { cause: error.cause });
}
