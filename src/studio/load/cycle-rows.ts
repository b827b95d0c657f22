/** Finds rows of a cycle of foreign keys by their references. */
import { join, param, raw, sql } from '../../model/fragment.ts';
import { render } from '../../sql/render.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { InsertBatch } from '../../model/load-dialect.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { LoadSession } from './load-batch.ts';
import type { CyclePlan } from './plan-cycle.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

export interface CycleTables extends CyclePlan {
  /** All foreign keys within the cycle. */
  readonly keys: readonly TableForeignKey[];
  readonly schema: Schema;
}

/** A row, identified by the values of its primary key. */
export interface KeyedRow {
  readonly table: Table;
  readonly key: Row;
}

/** A row that violates a foreign key. */
export interface DanglingRow extends KeyedRow {
  readonly reference: TableForeignKey['key'];
  /** The row and the values of its foreign key, as text. */
  readonly text: string;
}

/** The keys of the tables that the database does not check while rows are inserted. */
function uncheckedKeys(
  { dialect }: LoadSession,
  { order, disabledKeys }: CycleTables,
): readonly TableForeignKey[] {
  const affectsAll = disabledKeys.some(
    ({ table, key }) => dialect.load.deferForeignKey(table, key)?.affectsAllKeys === true,
  );
  if (!affectsAll) return disabledKeys;
  return order.flatMap((table) => table.foreignKeys.map((key) => ({ table, key })));
}

export function keyColumns(table: Table): readonly Column[] {
  return columnsNamed(table, table.primaryKey?.columns ?? []);
}

function columnsNamed({ columns }: Table, names: readonly string[]): readonly Column[] {
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

export function keyText({ table, key }: KeyedRow): string {
  const parts = key.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
  );
  return JSON.stringify([table.name, ...parts]);
}

/** The first row of a batch, which must contain its key columns. */
export function keyedRowOf({ table, columns, rows: [row = []] }: InsertBatch): KeyedRow {
  const key = keyColumns(table).map(({ name }) => {
    const i = columns.findIndex((column) => column.name === name);
    return row[i] ?? null;
  });
  return { table, key };
}

async function readRows(
  loadSession: LoadSession,
  table: Table,
  query: Fragment,
): Promise<KeyedRow[]> {
  const { session, dialect } = loadSession;
  const { rows } = await session.run(render(dialect, query, keyColumns(table)));
  return rows.map((key) => ({ table, key }));
}

function selected({ dialect }: LoadSession, columns: readonly Column[]): Fragment {
  return raw(
    columns
      .map((column) => dialect.selectExpression(`child.${dialect.quoteName(column.name)}`, column))
      .join(', '),
  );
}

/** Reads the rows that violate foreign keys which the database does not check while rows are inserted. */
export async function readDangling(
  loadSession: LoadSession,
  cycle: CycleTables,
): Promise<readonly DanglingRow[]> {
  const found: DanglingRow[] = [];
  for (const each of uncheckedKeys(loadSession, cycle))
    if (each.table.primaryKey !== undefined)
      found.push(...(await readDanglingOf(loadSession, each, cycle)));
  return found;
}

async function readDanglingOf(
  loadSession: LoadSession,
  { table, key }: TableForeignKey,
  { schema }: CycleTables,
): Promise<readonly DanglingRow[]> {
  const { session, dialect } = loadSession;
  const parent = schema.tables.find(({ name }) => name === key.table) ?? table;
  const childColumns = key.columns.map((name) => `child.${dialect.quoteName(name)}`);
  const isSet = childColumns.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const shown = [...keyColumns(table), ...columnsNamed(table, key.columns)];
  const query = sql`SELECT ${selected(loadSession, shown)} FROM ${dialect.tableName(table)} child WHERE ${raw(isSet)} AND NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} parent WHERE ${raw(joinCondition(loadSession, key))})`;
  const { rows } = await session.run(render(dialect, query, shown));
  return rows.map((row) => ({
    table,
    key: row.slice(0, keyColumns(table).length),
    reference: key,
    text: JSON.stringify([key.columns, keyText({ table, key: row })]),
  }));
}

function joinCondition(
  { dialect }: LoadSession,
  { columns, referencedColumns }: TableForeignKey['key'],
) {
  return columns
    .map((name, i) => {
      const referenced = dialect.quoteName(referencedColumns[i] ?? '');
      return `parent.${referenced} = child.${dialect.quoteName(name)}`;
    })
    .join(' AND ');
}

const rowsTogether = 100;

export function* batchesOf(rows: readonly KeyedRow[], table: Pick<Table, 'name'>) {
  const rowsOfTable = rows.filter((each) => each.table.name === table.name);
  for (let first = 0; first < rowsOfTable.length; first += rowsTogether)
    yield rowsOfTable.slice(first, first + rowsTogether);
}

export function matchesAny(
  { dialect }: LoadSession,
  rows: readonly KeyedRow[],
  prefix: string,
): Fragment {
  const tests = rows.map(({ table, key }) => {
    const same = keyColumns(table).map(
      ({ name, type }, i) =>
        sql`${raw(prefix + dialect.quoteName(name))} = ${param(key[i] ?? null, type)}`,
    );
    return sql`(${join(same, ' AND ')})`;
  });
  return join(tests, ' OR ');
}

/** Reads the rows that reference some of these rows by a foreign key. */
async function readReferencing(
  loadSession: LoadSession,
  { table, key }: TableForeignKey,
  rows: readonly KeyedRow[],
): Promise<readonly KeyedRow[]> {
  const { dialect } = loadSession;
  const found: KeyedRow[] = [];
  for (const batch of batchesOf(rows, { name: key.table })) {
    const parent = batch[0]?.table ?? table;
    const query = sql`SELECT ${selected(loadSession, keyColumns(table))} FROM ${dialect.tableName(table)} child INNER JOIN ${dialect.tableName(parent)} parent ON ${raw(joinCondition(loadSession, key))} WHERE ${matchesAny(loadSession, batch, 'parent.')}`;
    found.push(...(await readRows(loadSession, table, query)));
  }
  return found;
}

interface Walk {
  readonly from: readonly KeyedRow[];
  /** Ends the walk once this many rows are found. */
  readonly maxRows?: number;
  readonly onFound?: (row: KeyedRow) => void;
}

/** The rows and those that depend on them. Each level references rows of the previous one. */
export async function collectDependents(
  loadSession: LoadSession,
  cycle: CycleTables,
  { from, maxRows = Infinity, onFound }: Walk,
): Promise<readonly (readonly KeyedRow[])[]> {
  const seenKeys = new Set<string>();
  const unseen = (rows: readonly KeyedRow[]): readonly KeyedRow[] =>
    rows.filter((each) => !seenKeys.has(keyText(each)) && seenKeys.add(keyText(each)));
  const addressable = cycle.keys.filter(({ table }) => table.primaryKey !== undefined);
  const levels: (readonly KeyedRow[])[] = [];
  let level = unseen(from);
  while (level.length > 0 && seenKeys.size < maxRows) {
    levels.push(level);
    const next: KeyedRow[] = [];
    for (const key of addressable) next.push(...(await readReferencing(loadSession, key, level)));
    level = unseen(next);
    for (const each of level) onFound?.(each);
  }
  return levels;
}

/** The texts of the keys of those rows that exist. */
export async function readExisting(
  loadSession: LoadSession,
  rows: readonly KeyedRow[],
): Promise<ReadonlySet<string>> {
  const { dialect } = loadSession;
  const found = new Set<string>();
  for (const table of new Set(rows.map((each) => each.table)))
    for (const batch of batchesOf(rows, table)) {
      const query = sql`SELECT ${selected(loadSession, keyColumns(table))} FROM ${dialect.tableName(table)} child WHERE ${matchesAny(loadSession, batch, 'child.')}`;
      for (const each of await readRows(loadSession, table, query)) found.add(keyText(each));
    }
  return found;
}
