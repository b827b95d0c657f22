import type { Dialect } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';

/** Why a rollback does not undo writes to a table and those of its triggers; undefined if it does. */
export function whyNotUndoable({ write }: Dialect, table: Table): string | undefined {
  return write?.noRollbackReason(table) ?? table.incompleteRollback;
}
