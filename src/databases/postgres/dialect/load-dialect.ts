import { postgresDdl } from './ddl.ts';
import type { LoadDialect, Suspension } from '../../../model/load-dialect.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';

/** A batch is one statement, whose foreign keys are looked at when it ends. */
export const postgresLoading: LoadDialect = {
  rowsTogether: 5000,
  defersKeys: false,
  checkAtOnce,
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE SAVEPOINT studio_load',
    undo: 'ROLLBACK TO SAVEPOINT studio_load',
  },
  suspension,
  objection: () => undefined,
};

/** Foreign keys alone: what else waits for the commit, such as a trigger that adds up rows, is to wait. */
function checkAtOnce(table: Table): readonly string[] {
  return table.foreignKeys.flatMap((key) =>
    key.name === undefined || key.deferrable !== 'deferred'
      ? []
      : [`SET CONSTRAINTS ${postgresDdl.tableName({ ...table, localName: key.name })} IMMEDIATE`],
  );
}

/** Suspending a key for all (session_replication_role) would silence triggers too: for the transaction it becomes one that waits. */
function suspension(table: Table, key: ForeignKey): Suspension | undefined {
  if (key.name === undefined) return undefined;
  const constraint = postgresDdl.tableName({ ...table, localName: key.name });
  const defer = `SET CONSTRAINTS ${constraint} DEFERRED`;
  const check = `SET CONSTRAINTS ${constraint} IMMEDIATE`;
  if (key.deferrable !== undefined)
    return { begin: [defer], check: [check], end: [], verifies: true, free: true };
  const alter = `ALTER TABLE ${postgresDdl.tableName(table)} ALTER CONSTRAINT ${postgresDdl.quoteName(key.name)}`;
  return {
    begin: [`${alter} DEFERRABLE`, defer],
    check: [check],
    end: [`${alter} NOT DEFERRABLE`],
    verifies: true,
    free: false,
  };
}
