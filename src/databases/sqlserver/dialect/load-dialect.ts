import { sqlserverCounters } from './counters.ts';
import { sqlserverDdl } from './ddl.ts';
import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';

/** Foreign keys are checked at the end of each statement and cannot be deferred. */
export const sqlserverLoading: LoadDialect = {
  rowsPerBatch: 5000,
  defersAllForeignKeys: false,
  checkKeysImmediately: () => [],
  counters: sqlserverCounters,
  advanceIdentity: () => undefined,
  rejectsUpdates: ({ autoIncrement }) => autoIncrement === true,
  savepoint: {
    set: 'SAVE TRANSACTION studio_load',
    release: undefined,
    undo: 'ROLLBACK TRANSACTION studio_load',
  },
  cycleSavepoint: {
    set: 'SAVE TRANSACTION studio_cycle',
    release: undefined,
    undo: 'ROLLBACK TRANSACTION studio_cycle',
  },
  deferForeignKey,
};

/** WITH CHECK verifies all rows when the constraint is enabled again; otherwise the server would not trust it. */
function deferForeignKey(table: Table, { name }: ForeignKey): ForeignKeyDeferral | undefined {
  if (name === undefined) return undefined;
  const alter = `ALTER TABLE ${sqlserverDdl.tableName(table)}`;
  const constraint = `CONSTRAINT ${sqlserverDdl.quoteName(name)}`;
  return {
    prepare: [],
    begin: [`${alter} NOCHECK ${constraint}`],
    check: [],
    end: [`${alter} WITH CHECK CHECK ${constraint}`],
    affectsAllKeys: false,
    verifies: true,
    isLightweight: false,
  };
}
