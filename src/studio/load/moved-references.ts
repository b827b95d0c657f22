/**
 * Finds rows that reference a value which an earlier row of the file changes. If the earlier row is
 * deferred because it references later rows itself, its update would also change the reference.
 */
import { StudioError } from '../../model/errors.ts';
import { join, param, sql } from '../../model/fragment.ts';
import { sliceChunk } from '../../model/row-chunk.ts';
import { render } from '../../sql/render.ts';
import { failWith } from './load-batch.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { ForeignKey, Schema, Table } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';

export interface MovedReferences {
  /** Remembers the rows of a deferred batch that will change values which other tables reference. */
  remember(this: void, loadSession: LoadSession, deferred: LoadBatch): Promise<void>;
  /** Fails if a row that is written now references a value that a deferred row will change. */
  mustNotReference(this: void, loadSession: LoadSession, batch: LoadBatch): Promise<void>;
}

export function createMovedReferences(schema: Schema): MovedReferences {
  /** By table: the primary keys of its rows that change a referenced value, as text. */
  const movedKeys = new Map<string, Set<string>>();
  return {
    remember: async (loadSession, deferred) => {
      const { table, conflict } = deferred;
      const names = conflict.kind === 'update' ? movableColumns(schema, deferred) : [];
      if (names.length === 0 || table.primaryKey === undefined) return;
      const keys = movedKeys.get(table.name) ?? new Set();
      movedKeys.set(table.name, keys);
      await query(loadSession, deferred, {
        table,
        condition: (row) => changeCondition(loadSession, deferred, { row, names }),
        onFound: (_, key) => keys.add(key),
      });
    },
    mustNotReference: async (loadSession, batch) => {
      for (const key of batch.table.foreignKeys) {
        const keys = movedKeys.get(key.table);
        const table = schema.tables.find(({ name }) => name === key.table);
        if (keys === undefined || keys.size === 0 || table === undefined) continue;
        await query(loadSession, batch, {
          table,
          condition: (row) => referenceCondition(loadSession, batch, { row, key }),
          onFound: (i, text) => {
            if (keys.has(text))
              throw movedReferenceError(loadSession, sliceChunk(batch, i, i + 1), key);
          },
        });
      }
    },
  };
}

/** Columns that the batch may change in existing rows, and whose foreign keys follow the change. */
function movableColumns(
  schema: Schema,
  { table, columns, conflict }: LoadBatch,
): readonly string[] {
  const fixed = conflict.kind === 'error' ? [] : conflict.key.map(({ column }) => column.name);
  const names = schema.tables.flatMap(({ foreignKeys }) =>
    foreignKeys.flatMap((key) =>
      key.table === table.name && /^(?:cascade|set)/.test(key.onUpdate)
        ? key.referencedColumns
        : [],
    ),
  );
  return [...new Set(names)].filter(
    (name) => !fixed.includes(name) && columns.some((column) => column.name === name),
  );
}

interface RowQuery {
  readonly table: Table;
  /** Undefined for rows that need no query. */
  readonly condition: (row: Row) => Fragment | undefined;
  /** Gets the index of the row and the primary key of a row of the table that meets its condition. */
  readonly onFound: (index: number, key: string) => void;
}

const maxConditions = 100;

async function query(
  { session, dialect, options }: LoadSession,
  { rows }: LoadBatch,
  { table, condition, onFound }: RowQuery,
): Promise<void> {
  const key = (table.primaryKey?.columns ?? []).map((name) => sql`, ${dialect.quoteName(name)}`);
  const queries = rows.flatMap((row, i) => {
    const where = condition(row);
    if (where === undefined) return [];
    return [
      sql`SELECT ${String(i)} AS n${join(key, '')} FROM ${dialect.tableName(table)} WHERE ${where}`,
    ];
  });
  for (let first = 0; first < queries.length; first += maxConditions) {
    options.signal?.throwIfAborted();
    const batch = queries.slice(first, first + maxConditions);
    const result = await session.run(render(dialect, join(batch, ' UNION ALL ')));
    for (const [index, ...values] of result.rows)
      onFound(Number(index), values.map(String).join('\0'));
  }
}

/** The existing row has other values in the columns. */
function changeCondition(
  loadSession: LoadSession,
  batch: LoadBatch,
  { row, names }: { readonly row: Row; readonly names: readonly string[] },
): Fragment | undefined {
  const { conflict } = batch;
  if (conflict.kind === 'error') return undefined;
  const keyConditions = conflict.key.map(({ column }) =>
    equals(loadSession, batch, { row, name: column.name }),
  );
  const unchanged = names.map((name) => equals(loadSession, batch, { row, name }));
  return keyConditions.includes(undefined)
    ? undefined
    : sql`${join(keyConditions.filter(isPresent), ' AND ')} AND NOT (${join(unchanged.filter(isPresent), ' AND ')})`;
}

function referenceCondition(
  loadSession: LoadSession,
  batch: LoadBatch,
  { row, key }: { readonly row: Row; readonly key: ForeignKey },
): Fragment | undefined {
  const tests = key.columns.map((name, i) =>
    equals(loadSession, batch, { row, name, as: key.referencedColumns[i] }),
  );
  return tests.includes(undefined) ? undefined : join(tests.filter(isPresent), ' AND ');
}

interface Comparison {
  readonly row: Row;
  /** The column of the batch. */
  readonly name: string;
  /** The column that it is compared with, if its name differs. */
  readonly as?: string | undefined;
}

/** Undefined if the batch has no value for the column. */
function equals(
  { dialect }: LoadSession,
  { columns }: LoadBatch,
  { row, name, as = name }: Comparison,
): Fragment | undefined {
  const i = columns.findIndex((column) => column.name === name);
  const value: Value | undefined = row[i];
  if (value === undefined || value === null) return undefined;
  return sql`${dialect.quoteName(as)} = ${param(value, columns[i]?.type)}`;
}

function isPresent(test: Fragment | undefined): test is Fragment {
  return test !== undefined;
}

function movedReferenceError(
  loadSession: LoadSession,
  batch: LoadBatch,
  { columns, table, referencedColumns }: ForeignKey,
): never {
  const message =
    `It references a row of table "${table}" by ${referencedColumns.join(', ')}, whose value an earlier row of the file changes. ` +
    'That row waits for rows that it references itself: put it after them, or import it in a file of its own first.';
  const error = new StudioError('foreign_key_violation', message, { columns });
  return failWith(loadSession, batch, { error, first: 0, count: 1 });
}
