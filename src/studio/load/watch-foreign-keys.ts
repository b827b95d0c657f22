/** Finds dangling references that a load causes, as opposed to those that existed before. */
import { importError } from './load-batch.ts';
import type { StudioError } from '../../model/errors.ts';
import type { Dialect } from '../../model/database.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { LoadSession } from './load-batch.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

/** Remembers the dangling references at the beginning of a load. */
export interface ForeignKeyWatch {
  /** Fails if a row violates one of the keys and did not violate it before. */
  rejectNewViolations(): Promise<void>;
}

export interface WatchOptions {
  readonly schema: Schema;
  /** Tables that lose all their rows, so that all their rows are new in the end. */
  readonly emptied?: readonly Table[];
}

/** Compares rows and not only counts: a load that repairs one reference may break another. */
export async function watchForeignKeys(
  loadSession: LoadSession,
  keys: readonly TableForeignKey[],
  { schema, emptied = [] }: WatchOptions,
): Promise<ForeignKeyWatch> {
  const before = new Map<TableForeignKey, ReadonlyMap<string, number>>();
  for (const each of keys) {
    const isEmptied = emptied.some(({ name }) => name === each.table.name);
    if (!isEmptied) before.set(each, await readDanglingReferences(loadSession, each, schema));
  }
  return {
    rejectNewViolations: async () => {
      for (const each of keys) {
        const countsBefore = before.get(each);
        for (const [reference, count] of await readDanglingReferences(loadSession, each, schema))
          if (count > (countsBefore?.get(reference) ?? 0)) throw danglingReferenceError(each);
      }
    },
  };
}

function danglingReferenceError({ table, key }: TableForeignKey): StudioError {
  const [column, another] = key.columns;
  const name = key.name ?? key.columns.join(', ');
  return importError([
    {
      code: 'foreign_key_violation',
      table: table.name,
      message: `Foreign key "${name}" would reference a row of table "${key.table}" that does not exist.`,
      ...(column === undefined || another !== undefined ? {} : { column }),
    },
  ]);
}

/** The rows that violate a key, each as text of its primary key and its reference, and how often each occurs. */
async function readDanglingReferences(
  { session, dialect, options }: LoadSession,
  each: TableForeignKey,
  schema: Schema,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const parent = schema.tables.find(({ name }) => name === each.key.table);
  if (parent === undefined) return found;
  const query = { text: danglingReferencesQuery(dialect, each, parent), params: [] };
  const { signal } = options;
  const stream = await session.stream(query, signal === undefined ? {} : { signal });
  for await (const rows of stream.batches) {
    for (const row of rows) {
      const text = rowText(row);
      found.set(text, (found.get(text) ?? 0) + 1);
    }
  }
  return found;
}

function danglingReferencesQuery(
  dialect: Dialect<LoadCapability>,
  { table, key }: TableForeignKey,
  parent: Table,
): string {
  const name = dialect.quoteName;
  const columns = [...new Set([...(table.primaryKey?.columns ?? []), ...key.columns])];
  const childColumns = key.columns.map((column) => `child.${name(column)}`);
  const referencedColumns = key.referencedColumns.map((column) => `parent.${name(column)}`);
  const isComplete = childColumns.map((column) => `${column} IS NOT NULL`).join(' AND ');
  const same = childColumns.map((column, i) => `${referencedColumns[i]} = ${column}`).join(' AND ');
  return (
    `SELECT ${columns.map((column) => `child.${name(column)}`).join(', ')} ` +
    `FROM ${dialect.tableName(table)} child WHERE ${isComplete} ` +
    `AND NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} parent WHERE ${same})`
  );
}

function rowText(row: Row): string {
  return row.map(valueText).join('\0');
}

function valueText(value: Value): string {
  return value instanceof Uint8Array
    ? `x${Buffer.from(value).toString('hex')}`
    : `${typeof value}${String(value)}`;
}
