/**
 * Checks foreign keys for a database that only counts violations (SQLite): there, a write that breaks
 * one reference and repairs another that dangled before would pass. Each reference that a write could
 * break is queried before the commit.
 */
import { StudioError } from '../../../model/errors.ts';
import { join, param, raw, sql } from '../../../model/fragment.ts';
import { render } from '../../../sql/render.ts';
import { foreignKeysOfAndTo } from '../../core/foreign-key-groups.ts';
import type { ErrorDetails } from '../../../model/errors.ts';
import type { Dialect, Session } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { ForeignKey, Schema, Table } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { TableForeignKey } from '../../core/foreign-key-groups.ts';

/** The values of a row in the columns of foreign keys and in the columns that they reference. */
type KeyRow = ReadonlyMap<string, Value>;

export interface ReferenceWatch {
  /** Reads the current values of the row. */
  read(where: Fragment): Promise<KeyRow>;
  /** Records a written row: inserted without `before`, deleted without `after`. */
  record(before: KeyRow | undefined, after: KeyRow | undefined): void;
  /** Names the item of the request that the next written rows belong to, for the error. */
  startItem(item: ErrorDetails): void;
  /** Fails when a written row, or a row that references it, now references a missing row. */
  rejectNewViolations(): Promise<void>;
}

interface Candidate extends TableForeignKey {
  readonly values: readonly Value[];
  /** Added to the error. */
  readonly details: ErrorDetails;
}

export interface WatchedTable {
  readonly session: Session;
  readonly dialect: Dialect<'write'>;
  readonly table: Table;
  readonly schema: Schema;
}

/** Undefined where the database's own check is enough. */
export function watchReferences(watched: WatchedTable): ReferenceWatch | undefined {
  const { session, dialect, table, schema } = watched;
  if (!dialect.write.onlyCountsKeyViolations) return undefined;
  const keys = foreignKeysOfAndTo(schema, [table]);
  if (keys.length === 0) return undefined;
  const outgoing = keys.filter((each) => each.table.name === table.name);
  const incoming = keys.filter(({ key }) => key.table === table.name);
  const columns = [
    ...new Set([
      ...outgoing.flatMap(({ key }) => key.columns),
      ...incoming.flatMap(({ key }) => key.referencedColumns),
    ]),
  ];
  const candidates: Candidate[] = [];
  let item: ErrorDetails = {};
  return {
    startItem: (next) => {
      item = next;
    },
    read: async (where) => {
      const list = columns.map((name) => dialect.quoteName(name)).join(', ');
      const query = sql`SELECT ${list} FROM ${dialect.tableName(table)} WHERE ${where}`;
      const { rows } = await session.run(render(dialect, query));
      return new Map(columns.map((name, i) => [name, rows[0]?.[i] ?? null]));
    },
    record: (before, after) => {
      for (const { table: from, key } of outgoing)
        for (const values of changed(key.columns, [after, before]))
          candidates.push({ table: from, key, values, details: { ...item, columns: key.columns } });
      for (const { table: from, key } of incoming)
        for (const values of changed(key.referencedColumns, [before, after]))
          candidates.push({ table: from, key, values, details: item });
    },
    rejectNewViolations: async () => {
      for (const candidate of candidates)
        if (await isDangling(candidate, watched)) throw danglingReference(candidate);
    },
  };
}

/** The key values of `row`, unless `other` has the same. */
function changed(
  columns: readonly string[],
  [row, other]: readonly [KeyRow | undefined, KeyRow | undefined],
): readonly (readonly Value[])[] {
  if (row === undefined) return [];
  const values = columns.map((name) => row.get(name) ?? null);
  const isSame = columns.every((name, i) => isSameValue(values[i] ?? null, other?.get(name)));
  return isSame || values.includes(null) ? [] : [values];
}

function isSameValue(value: Value, other: Value | undefined): boolean {
  if (value instanceof Uint8Array && other instanceof Uint8Array)
    return Buffer.compare(value, other) === 0;
  return value === other;
}

async function isDangling(
  { table, key, values }: Candidate,
  { session, dialect, schema }: WatchedTable,
): Promise<boolean> {
  const parent = schema.tables.find(({ name }) => name === key.table);
  const columnsEqual = (columns: ForeignKey['columns']): Fragment =>
    join(
      columns.map((name, i) => sql`${raw(dialect.quoteName(name))} = ${param(values[i] ?? null)}`),
      ' AND ',
    );
  const child = sql`EXISTS (SELECT 1 FROM ${dialect.tableName(table)} WHERE ${columnsEqual(key.columns)})`;
  const missing =
    parent === undefined
      ? raw('1 = 1')
      : sql`NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} WHERE ${columnsEqual(key.referencedColumns)})`;
  const { rows } = await session.run(render(dialect, sql`SELECT 1 WHERE ${child} AND ${missing}`));
  return rows.length > 0;
}

function danglingReference({ table, key, details }: Candidate): StudioError {
  const name = key.name ?? key.columns.join(', ');
  const message = `Foreign key "${name}" of table "${table.name}" would reference a row of "${key.table}" that does not exist.`;
  return new StudioError('foreign_key_violation', message, { table: table.name, ...details });
}

/** Records a written row: inserted without `before`, deleted without `where`. */
export async function recordRow(
  references: ReferenceWatch | undefined,
  before: KeyRow | undefined,
  where: Fragment | undefined,
): Promise<void> {
  if (references === undefined) return;
  references.record(before, where === undefined ? undefined : await references.read(where));
}
