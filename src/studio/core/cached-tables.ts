import { findReadError } from './check-reads.ts';
import { tablesByName } from './find-table.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { Context } from './context.ts';

/** The database compares the revision of each. For more tables, reading the whole structure may be faster. */
const maxHeldTables = 8;

/** Whether the database may be asked to hold these tables. The revision of a view does not cover the tables that it reads. */
export function canBeHeld(tables: readonly Table[]): boolean {
  return tables.length > 0 && tables.length <= maxHeldTables && tables.every(hasRevision);
}

function hasRevision({ kind, columns, revision, incomplete }: Table): boolean {
  return (
    kind === 'table' && columns.length > 0 && revision !== undefined && incomplete === undefined
  );
}

/**
 * The cached structure of these tables alone, for a job whose database holds them instead of reading the
 * whole structure. Undefined if the job must read it, also in order to report why it rejects a table.
 */
export async function findCachedTables(
  { database, schemas }: Pick<Context, 'database' | 'schemas'>,
  names: readonly string[],
): Promise<Schema | undefined> {
  if (database.holdTables === undefined || names.length === 0) return undefined;
  const { schema } = await schemas.current();
  const known = names.map((name) => tablesByName(schema).get(name));
  const tables = [...new Set(known)].filter((table) => table !== undefined);
  if (known.includes(undefined) || !canBeHeld(tables)) return undefined;
  for (const table of tables)
    if ((await findReadError({ database }, table)) !== undefined) return undefined;
  const { database: databaseName, serverVersion } = schema;
  return { database: databaseName, serverVersion, tables, views: [], enums: [] };
}
