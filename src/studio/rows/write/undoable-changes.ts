import { copyError, StudioError } from '../../../model/errors.ts';
import { whyNotUndoable } from '../../core/why-not-undoable.ts';
import type { Table } from '../../../model/schema.ts';
import type { Context } from '../../core/context.ts';

/** The size of a request with several changes to a table, and whether it may be partially written. */
export interface ChangeSet {
  readonly count: number;
  /** The client accepts that a failure leaves the changes before it written. */
  readonly partial: boolean;
}

/** Whether a rollback restores the table. It does not for MySQL's nontransactional storage engines. */
export function canRollBack({ database: { dialect } }: Context<'write'>, table: Table): boolean {
  return dialect.write.noRollbackReason(table) === undefined;
}

/** Rejects several changes to a table that a rollback does not restore. A single change is one statement. */
export function mustBeUndoable(
  { database: { dialect } }: Context<'write'>,
  table: Table,
  { count, partial }: ChangeSet,
): void {
  const reason = whyNotUndoable(dialect, table);
  if (reason === undefined || count <= 1 || partial) return;
  throw new StudioError(
    'not_writable',
    `${reason}: if one of the ${count} changes fails, those before it would stay written. Nothing was written. ` +
      'Send them one by one, or with partial=true.',
    { table: table.name },
  );
}

/** Adds to the error of a partial write how many changes were written before. */
export function withWrittenCount(error: unknown, writtenCount: number): unknown {
  if (!(error instanceof StudioError)) return error;
  return copyError(error, { details: { ...error.details, written: writtenCount } });
}
