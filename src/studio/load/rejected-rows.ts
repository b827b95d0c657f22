/**
 * Rows of a circle that are left out: those whose references cannot be kept, and those that point
 * at them, and so on. They are removed together, since each may be pointed at by another.
 */
import { join, param, raw, sql } from '../../model/fragment.ts';
import { render } from '../../sql/render.ts';
import { nullableKeyColumns } from './plan-cycle.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { CyclePlan } from './plan-cycle.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

export interface RejectedRows {
  /** A row of the load, by a batch that has its key; its refusal is reported already. */
  add(batch: LoadBatch, row: Row): void;
  /** Removes them and all that point at them. */
  remove(): Promise<void>;
}

interface CycleTables extends CyclePlan {
  /** All keys within the circle. */
  readonly keys: readonly TableForeignKey[];
  readonly schema: Schema;
}

/** A row by the values of its primary key. */
interface KeyedRow {
  readonly table: Table;
  readonly key: Row;
}

/** To be called before the circle's rows are written: what is broken by then is not of the load. */
export async function trackRejectedRows(
  loading: LoadSession,
  circle: CycleTables,
): Promise<RejectedRows> {
  const isSkipping = loading.options.onError === 'skip';
  const isAddressable = circle.order.every(({ primaryKey }) => primaryKey !== undefined);
  const known = new Set<string>();
  const added: KeyedRow[] = [];
  const readAllDangling = async (): Promise<readonly KeyedRow[]> => {
    const found: KeyedRow[] = [];
    for (const key of circle.disabledKeys)
      found.push(...(await readDangling(loading, key, circle)));
    return found;
  };
  const isTracked = isSkipping && isAddressable && loading.options.onConflict !== 'update';
  if (isTracked) for (const each of await readAllDangling()) known.add(keyText(each));
  return {
    add: ({ table, columns }, row) => {
      const at = keyColumns(table).map(({ name }) =>
        columns.findIndex((column) => column.name === name),
      );
      added.push({ table, key: at.map((i) => row[i] ?? null) });
    },
    remove: async () => {
      const found = isTracked
        ? (await readAllDangling()).filter((each) => !known.has(keyText(each)))
        : [];
      const waves = await collectDependents(loading, circle, { added, found });
      if (waves.length > 0) await deleteAll(loading, circle, waves);
    },
  };
}

function keyColumns({ primaryKey, columns }: Table): readonly Column[] {
  return (primaryKey?.columns ?? []).flatMap(
    (name) => columns.find((column) => column.name === name) ?? [],
  );
}

function keyText({ table, key }: KeyedRow): string {
  const parts = key.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
  );
  return JSON.stringify([table.name, ...parts]);
}

/** Each wave points at the one before. */
async function collectDependents(
  loading: LoadSession,
  circle: CycleTables,
  { added, found }: { readonly added: readonly KeyedRow[]; readonly found: readonly KeyedRow[] },
): Promise<readonly (readonly KeyedRow[])[]> {
  const seen = new Set(added.map(keyText));
  const takeUnseen = (rows: readonly KeyedRow[]): readonly KeyedRow[] =>
    rows.filter((each) => {
      const sign = keyText(each);
      if (seen.has(sign)) return false;
      seen.add(sign);
      reportDependent(loading, each);
      return true;
    });
  const addressable = circle.keys.filter(({ table }) => table.primaryKey !== undefined);
  const waves: (readonly KeyedRow[])[] = [];
  let wave: readonly KeyedRow[] = [...added, ...takeUnseen(found)];
  while (wave.length > 0) {
    waves.push(wave);
    const next: KeyedRow[] = [];
    for (const key of addressable) next.push(...(await readReferencing(loading, key, wave)));
    wave = takeUnseen(next);
  }
  return waves;
}

function reportDependent({ options, tally }: LoadSession, { table, key }: KeyedRow): void {
  const names = keyColumns(table).map(({ name }, i) => `${name} ${String(key[i])}`);
  options.onRowError({
    code: 'foreign_key_violation',
    table: table.name,
    message: `The row with ${names.join(', ')} points at a row that is not there, or that is left out.`,
  });
  tally.rejected(table, { wasInserted: true });
}

async function readRows(loading: LoadSession, table: Table, query: Fragment): Promise<KeyedRow[]> {
  const { session, dialect } = loading;
  const { rows } = await session.run(render(dialect, query, keyColumns(table)));
  return rows.map((key) => ({ table, key }));
}

function selectedKey({ dialect }: LoadSession, table: Table): Fragment {
  return raw(
    keyColumns(table)
      .map((column) => dialect.selectExpression(`child.${dialect.quoteName(column.name)}`, column))
      .join(', '),
  );
}

/** Rows whose reference by a key points nowhere. */
function readDangling(
  loading: LoadSession,
  { table, key }: TableForeignKey,
  { schema }: CycleTables,
): Promise<KeyedRow[]> {
  const { dialect } = loading;
  const parent = schema.tables.find(({ name }) => name === key.table) ?? table;
  const own = key.columns.map((name) => `child.${dialect.quoteName(name)}`);
  const isGiven = own.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const query = sql`SELECT ${selectedKey(loading, table)} FROM ${dialect.tableName(table)} child WHERE ${raw(isGiven)} AND NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} parent WHERE ${raw(joinCondition(loading, key))})`;
  return readRows(loading, table, query);
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

function* batchesOf(rows: readonly KeyedRow[], table: Pick<Table, 'name'>) {
  const own = rows.filter((each) => each.table.name === table.name);
  for (let first = 0; first < own.length; first += rowsTogether)
    yield own.slice(first, first + rowsTogether);
}

function matchesAny({ dialect }: LoadSession, rows: readonly KeyedRow[], prefix: string): Fragment {
  const tests = rows.map(({ table, key }) => {
    const same = keyColumns(table).map(
      ({ name, type }, i) =>
        sql`${raw(prefix + dialect.quoteName(name))} = ${param(key[i] ?? null, type)}`,
    );
    return sql`(${join(same, ' AND ')})`;
  });
  return join(tests, ' OR ');
}

/** Rows that point at some rows by a key. */
async function readReferencing(
  loading: LoadSession,
  { table, key }: TableForeignKey,
  rows: readonly KeyedRow[],
): Promise<readonly KeyedRow[]> {
  const { dialect } = loading;
  const found: KeyedRow[] = [];
  for (const piece of batchesOf(rows, { name: key.table })) {
    const parent = piece[0]?.table ?? table;
    const query = sql`SELECT ${selectedKey(loading, table)} FROM ${dialect.tableName(table)} child INNER JOIN ${dialect.tableName(parent)} parent ON ${raw(joinCondition(loading, key))} WHERE ${matchesAny(loading, piece, 'parent.')}`;
    found.push(...(await readRows(loading, table, query)));
  }
  return found;
}

/** Without the references that may be NULL they can go in any order of tables. */
async function deleteAll(
  loading: LoadSession,
  circle: CycleTables,
  waves: readonly (readonly KeyedRow[])[],
): Promise<void> {
  const { session, dialect } = loading;
  const run = async (query: Fragment): Promise<void> =>
    void (await session.run(render(dialect, query)));
  for (const table of circle.order) {
    const late = circle.deferredKeys
      .filter((each) => each.table === table)
      .flatMap(nullableKeyColumns);
    const names = [...new Set(late.map(({ name }) => dialect.quoteName(name)))];
    if (names.length === 0) continue;
    const cleared = raw(names.map((name) => `${name} = NULL`).join(', '));
    for (const piece of batchesOf(waves.flat(), table))
      await run(
        sql`UPDATE ${dialect.tableName(table)} SET ${cleared} WHERE ${matchesAny(loading, piece, '')}`,
      );
  }
  const children = circle.order.toReversed();
  for (const table of children)
    for (const wave of waves.toReversed())
      for (const piece of batchesOf(wave, table))
        await run(
          sql`DELETE FROM ${dialect.tableName(table)} WHERE ${matchesAny(loading, piece, '')}`,
        );
}
