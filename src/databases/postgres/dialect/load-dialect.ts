import { postgresCounters } from './counters.ts';
import { advanceIdentity, postgresDdl } from './ddl.ts';
import { isDistributed } from './distributed-table.ts';
import type { LoadDialect, ForeignKeyDeferral } from '../../../model/load-dialect.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';

/** PostgreSQL checks foreign keys at the end of each statement. */
export const postgresLoading: LoadDialect = {
  rowsPerBatch: 5000,
  defersAllForeignKeys: false,
  checkKeysImmediately,
  partitionsQuery: `
    SELECT nullif(n.nspname, current_schema()), c.relname,
      concat(nullif(rn.nspname, current_schema()) || '.', r.relname),
      (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)::text
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_class r ON r.oid = pg_catalog.pg_partition_root(c.oid)
    JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
    WHERE c.relispartition AND c.relkind IN ('r', 'p', 'f')`,
  counters: postgresCounters,
  advanceIdentity,
  rejectsUpdates: ({ identityAlways }) => identityAlways === true,
  savepoint: {
    set: 'SAVEPOINT studio_load',
    release: 'RELEASE SAVEPOINT studio_load',
    undo: 'ROLLBACK TO SAVEPOINT studio_load',
  },
  cycleSavepoint: {
    set: 'SAVEPOINT studio_cycle',
    release: 'RELEASE SAVEPOINT studio_cycle',
    undo: 'ROLLBACK TO SAVEPOINT studio_cycle',
  },
  deferForeignKey,
  deferralObstacle: (table, key) =>
    isCheckedAtShards(table, key) ? 'Citus cannot defer the checks of foreign keys' : undefined,
};

/** Checks foreign keys only. Deferred triggers must still run at commit. */
function checkKeysImmediately(table: Table): readonly string[] {
  return table.foreignKeys.flatMap((key) =>
    key.name === undefined || key.deferrable !== 'deferred'
      ? []
      : [`SET CONSTRAINTS ${postgresDdl.tableName({ ...table, localName: key.name })} IMMEDIATE`],
  );
}

/** Citus supports no ALTER CONSTRAINT, and sends SET CONSTRAINTS to no other node. */
function isCheckedAtShards(table: Table, { deferrable }: ForeignKey): boolean {
  return isDistributed(table) && deferrable !== 'deferred';
}

/** Makes the key deferrable within the transaction. Setting session_replication_role would also disable triggers. */
function deferForeignKey(table: Table, key: ForeignKey): ForeignKeyDeferral | undefined {
  if (key.name === undefined || isCheckedAtShards(table, key)) return undefined;
  const constraint = postgresDdl.tableName({ ...table, localName: key.name });
  const defer = `SET CONSTRAINTS ${constraint} DEFERRED`;
  const check = `SET CONSTRAINTS ${constraint} IMMEDIATE`;
  if (key.deferrable !== undefined)
    return {
      prepare: [],
      begin: [defer],
      check: [check],
      end: [],
      affectsAllKeys: false,
      verifies: true,
      isLightweight: true,
    };
  const alter = `ALTER TABLE ${postgresDdl.tableName(table)} ALTER CONSTRAINT ${postgresDdl.quoteName(key.name)}`;
  return {
    // PostgreSQL alters no table while deferred triggers on it are pending.
    prepare: [`${alter} DEFERRABLE`],
    begin: [defer],
    check: [check],
    end: [`${alter} NOT DEFERRABLE`],
    affectsAllKeys: false,
    verifies: true,
    isLightweight: false,
  };
}
