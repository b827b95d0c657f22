/**
 * Foreign keys of a database whose own check only counts: a write that breaks one reference and
 * mends another, which dangled before, passes there. Each reference that a write could break is
 * looked up before the commit.
 */
import { StudioError } from '../model/errors.ts';
import { join, param, raw, sql } from '../model/fragment.ts';
import { render } from '../sql/render.ts';
import { keysAround } from './load-orphans.ts';
import type { Dialect, Session } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { ForeignKey, Schema, Table } from '../model/schema.ts';
import type { Value } from '../model/values.ts';
import type { TableKey } from './load-groups.ts';

/** A row's values of the columns that keys are made of, by column. */
type KeyRow = ReadonlyMap<string, Value>;

export interface ReferenceWatch {
  /** The row as it stands now. */
  read(where: Fragment): Promise<KeyRow>;
  /** A row that was written: without `before` it is new, without `after` it is gone. */
  note(before: KeyRow | undefined, after: KeyRow | undefined): void;
  /** Fails if a row that was written, or one that references it, references no row. */
  mustHold(): Promise<void>;
}

interface Suspect extends TableKey {
  readonly values: readonly Value[];
}

export interface WatchedTable {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly table: Table;
  readonly schema: Schema;
}

/** Undefined where the database's own check is enough. */
export function watchReferences(watched: WatchedTable): ReferenceWatch | undefined {
  const { session, dialect, table, schema } = watched;
  if (!dialect.writing.countsBrokenKeys) return undefined;
  const keys = keysAround(schema, [table]);
  if (keys.length === 0) return undefined;
  const outgoing = keys.filter((each) => each.table.name === table.name);
  const incoming = keys.filter(({ key }) => key.table === table.name);
  const columns = [
    ...new Set([
      ...outgoing.flatMap(({ key }) => key.columns),
      ...incoming.flatMap(({ key }) => key.referencedColumns),
    ]),
  ];
  const suspects: Suspect[] = [];
  return {
    read: async (where) => {
      const list = columns.map((name) => dialect.quoteName(name)).join(', ');
      const query = sql`SELECT ${list} FROM ${dialect.tableName(table)} WHERE ${where}`;
      const { rows } = await session.run(render(dialect, query));
      return new Map(columns.map((name, i) => [name, rows[0]?.[i] ?? null]));
    },
    note: (before, after) => {
      for (const each of outgoing) suspects.push(...changed(each, each.key.columns, [after, before])); // prettier-ignore
      for (const each of incoming) suspects.push(...changed(each, each.key.referencedColumns, [before, after])); // prettier-ignore
    },
    mustHold: async () => {
      for (const suspect of suspects)
        if (await dangles(suspect, watched)) throw pointsNowhere(suspect);
    },
  };
}

/** The values that one row has and the other has not. */
function changed(
  each: TableKey,
  columns: readonly string[],
  [row, other]: readonly [KeyRow | undefined, KeyRow | undefined],
): readonly Suspect[] {
  if (row === undefined) return [];
  const values = columns.map((name) => row.get(name) ?? null);
  const isSame = columns.every((name, i) => isSameValue(values[i] ?? null, other?.get(name)));
  return isSame || values.includes(null) ? [] : [{ ...each, values }];
}

function isSameValue(value: Value, other: Value | undefined): boolean {
  if (value instanceof Uint8Array && other instanceof Uint8Array)
    return Buffer.compare(value, other) === 0;
  return value === other;
}

async function dangles(
  { table, key, values }: Suspect,
  { session, dialect, schema }: WatchedTable,
): Promise<boolean> {
  const parent = schema.tables.find(({ name }) => name === key.table);
  const holds = (columns: ForeignKey['columns']): Fragment =>
    join(
      columns.map((name, i) => sql`${raw(dialect.quoteName(name))} = ${param(values[i] ?? null)}`),
      ' AND ',
    );
  const child = sql`EXISTS (SELECT 1 FROM ${dialect.tableName(table)} WHERE ${holds(key.columns)})`;
  const missing =
    parent === undefined
      ? raw('1 = 1')
      : sql`NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} WHERE ${holds(key.referencedColumns)})`;
  const { rows } = await session.run(render(dialect, sql`SELECT 1 WHERE ${child} AND ${missing}`));
  return rows.length > 0;
}

function pointsNowhere({ table, key }: Suspect): StudioError {
  const name = key.name ?? key.columns.join(', ');
  const message = `Foreign key "${name}" of table "${table.name}" would reference a row of "${key.table}" that does not exist.`;
  return new StudioError('foreign_key_violation', message, { table: table.name });
}

/** A row that was written: without `before` it is new, without `where` it is gone. */
export async function noteRow(
  references: ReferenceWatch | undefined,
  before: KeyRow | undefined,
  where: Fragment | undefined,
): Promise<void> {
  if (references === undefined) return;
  references.note(before, where === undefined ? undefined : await references.read(where));
}
