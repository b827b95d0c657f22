import { sqlserverDdl } from './ddl.ts';
import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';

/** Keys are looked at when a statement ends. */
export const sqlserverLoading: LoadDialect = {
  rowsPerBatch: 5000,
  defersAllForeignKeys: false,
  checkKeysImmediately: () => [],
  savepoint: {
    set: 'SAVE TRANSACTION studio_load',
    release: undefined,
    undo: 'ROLLBACK TRANSACTION studio_load',
  },
  deferForeignKey,
  noRollbackReason: () => undefined,
};

/** Looked at again as a whole: a key that was only switched on would not be trusted. */
function deferForeignKey(table: Table, { name }: ForeignKey): ForeignKeyDeferral | undefined {
  if (name === undefined) return undefined;
  const alter = `ALTER TABLE ${sqlserverDdl.tableName(table)}`;
  const constraint = `CONSTRAINT ${sqlserverDdl.quoteName(name)}`;
  return {
    begin: [`${alter} NOCHECK ${constraint}`],
    check: [],
    end: [`${alter} WITH CHECK CHECK ${constraint}`],
    verifies: true,
    isLightweight: false,
  };
}
