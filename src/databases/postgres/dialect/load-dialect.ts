import { postgresDdl } from './ddl.ts';
import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';

/** PostgreSQL checks foreign keys at the end of each statement. */
export const postgresLoading: LoadDialect = {
  rowsPerBatch: 5000,
  defersAllForeignKeys: false,
  checkKeysImmediately,
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE SAVEPOINT studio_load',
    undo: 'ROLLBACK TO SAVEPOINT studio_load',
  },
  deferForeignKey,
  noRollbackReason: () => undefined,
};

/** Checks foreign keys only. Deferred triggers must still run at commit. */
function checkKeysImmediately(table: Table): readonly string[] {
  return table.foreignKeys.flatMap((key) =>
    key.name === undefined || key.deferrable !== 'deferred'
      ? []
      : [`SET CONSTRAINTS ${postgresDdl.tableName({ ...table, localName: key.name })} IMMEDIATE`],
  );
}

/** Makes the key deferrable within the transaction. Setting session_replication_role would also disable triggers. */
function deferForeignKey(table: Table, key: ForeignKey): ForeignKeyDeferral | undefined {
  if (key.name === undefined) return undefined;
  const constraint = postgresDdl.tableName({ ...table, localName: key.name });
  const defer = `SET CONSTRAINTS ${constraint} DEFERRED`;
  const check = `SET CONSTRAINTS ${constraint} IMMEDIATE`;
  if (key.deferrable !== undefined)
    return { begin: [defer], check: [check], end: [], verifies: true, isLightweight: true };
  const alter = `ALTER TABLE ${postgresDdl.tableName(table)} ALTER CONSTRAINT ${postgresDdl.quoteName(key.name)}`;
  return {
    begin: [`${alter} DEFERRABLE`, defer],
    check: [check],
    end: [`${alter} NOT DEFERRABLE`],
    verifies: true,
    isLightweight: false,
  };
}
