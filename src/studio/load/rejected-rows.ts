/**
 * Removes rejected rows of tables whose foreign keys form a cycle: rows with dangling references, and
 * all rows that depend on them. They are removed together, because they may reference each other.
 */
import { join, param, raw, sql } from '../../model/fragment.ts';
import { render } from '../../sql/render.ts';
import { importError } from './load-batch.ts';
import { nullableKeyColumns } from './plan-cycle.ts';
import type { StudioError } from '../../model/errors.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { LoadBatch, LoadSession } from './load-batch.ts';
import type { CyclePlan } from './plan-cycle.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';

export interface RejectedRows {
  /** Adds a row whose error is already reported. The batch must contain its key columns. */
  add(batch: LoadBatch, row: Row): void;
  /** Removes the rejected rows and all rows that depend on them. */
  remove(): Promise<void>;
}

interface CycleTables extends CyclePlan {
  /** All foreign keys within the cycle. */
  readonly keys: readonly TableForeignKey[];
  readonly schema: Schema;
}

/** A row, identified by the values of its primary key. */
interface KeyedRow {
  readonly table: Table;
  readonly key: Row;
}

/** Must be called before the rows of the cycle are written: references that dangle before are not errors of the load. */
export async function trackRejectedRows(
  loadSession: LoadSession,
  cycle: CycleTables,
): Promise<RejectedRows> {
  const isSkipping = loadSession.options.onError === 'skip';
  const knownKeys = new Set<string>();
  const addedRows: KeyedRow[] = [];
  const unchecked = uncheckedKeys(loadSession, cycle).filter(
    ({ table }) => table.primaryKey !== undefined,
  );
  const readAllDangling = async (): Promise<readonly KeyedRow[]> => {
    const found: KeyedRow[] = [];
    for (const key of unchecked) found.push(...(await readDangling(loadSession, key, cycle)));
    return found;
  };
  const isTracked = isSkipping && loadSession.options.onConflict !== 'update';
  if (isTracked) for (const each of await readAllDangling()) knownKeys.add(keyText(each));
  return {
    add: ({ table, columns }, row) => {
      const at = keyColumns(table).map(({ name }) =>
        columns.findIndex((column) => column.name === name),
      );
      addedRows.push({ table, key: at.map((i) => row[i] ?? null) });
    },
    remove: async () => {
      const found = isTracked
        ? (await readAllDangling()).filter((each) => !knownKeys.has(keyText(each)))
        : [];
      const [first] = [...found, ...addedRows];
      if (first === undefined) return;
      for (const table of cycle.order)
        if (await loadSession.session.runsTriggers(table, ['insert', 'delete']))
          throw triggersRanError(first);
      const levels = await collectDependents(loadSession, cycle, { added: addedRows, found });
      await deleteAll(loadSession, cycle, levels);
    },
  };
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

/** Each level references rows of the previous one. */
async function collectDependents(
  loadSession: LoadSession,
  cycle: CycleTables,
  { added, found }: { readonly added: readonly KeyedRow[]; readonly found: readonly KeyedRow[] },
): Promise<readonly (readonly KeyedRow[])[]> {
  const seenKeys = new Set(added.map(keyText));
  const addUnseen = (rows: readonly KeyedRow[]): readonly KeyedRow[] =>
    rows.filter((each) => {
      const keyOfRow = keyText(each);
      if (seenKeys.has(keyOfRow)) return false;
      seenKeys.add(keyOfRow);
      reportDependent(loadSession, each);
      return true;
    });
  const addressable = cycle.keys.filter(({ table }) => table.primaryKey !== undefined);
  const levels: (readonly KeyedRow[])[] = [];
  let level: readonly KeyedRow[] = [...added, ...addUnseen(found)];
  while (level.length > 0) {
    levels.push(level);
    const next: KeyedRow[] = [];
    for (const key of addressable) next.push(...(await readReferencing(loadSession, key, level)));
    level = addUnseen(next);
  }
  return levels;
}

function reportDependent({ tally, options }: LoadSession, { table, key }: KeyedRow): void {
  const names = keyColumns(table).map(({ name }, i) => `${name} ${String(key[i])}`);
  const error = {
    code: 'foreign_key_violation',
    table: table.name,
    message: `The row with ${names.join(', ')} references a row that does not exist or was skipped.`,
  };
  options.onRejected?.(error);
  tally.rejected(table, { errors: [error], wasInserted: true });
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

function selectedKey({ dialect }: LoadSession, table: Table): Fragment {
  return raw(
    keyColumns(table)
      .map((column) => dialect.selectExpression(`child.${dialect.quoteName(column.name)}`, column))
      .join(', '),
  );
}

/** Reads the rows that violate a foreign key. */
function readDangling(
  loadSession: LoadSession,
  { table, key }: TableForeignKey,
  { schema }: CycleTables,
): Promise<KeyedRow[]> {
  const { dialect } = loadSession;
  const parent = schema.tables.find(({ name }) => name === key.table) ?? table;
  const childColumns = key.columns.map((name) => `child.${dialect.quoteName(name)}`);
  const isSet = childColumns.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const query = sql`SELECT ${selectedKey(loadSession, table)} FROM ${dialect.tableName(table)} child WHERE ${raw(isSet)} AND NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} parent WHERE ${raw(joinCondition(loadSession, key))})`;
  return readRows(loadSession, table, query);
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

/** Deleting a row does not undo what its triggers wrote. */
function triggersRanError({ table, key }: KeyedRow): StudioError {
  const names = keyColumns(table).map(({ name }, i) => `${name} ${String(key[i])}`);
  const message =
    `the row with ${names.join(', ')} references a row that does not exist or was skipped. ` +
    'It cannot be skipped, because rows in a cycle are all inserted before their references are checked, and triggers have run for it. ' +
    'Remove it from the file.';
  return importError([{ code: 'foreign_key_violation', message, table: table.name }]);
}

const rowsTogether = 100;

function* batchesOf(rows: readonly KeyedRow[], table: Pick<Table, 'name'>) {
  const rowsOfTable = rows.filter((each) => each.table.name === table.name);
  for (let first = 0; first < rowsOfTable.length; first += rowsTogether)
    yield rowsOfTable.slice(first, first + rowsTogether);
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
    const query = sql`SELECT ${selectedKey(loadSession, table)} FROM ${dialect.tableName(table)} child INNER JOIN ${dialect.tableName(parent)} parent ON ${raw(joinCondition(loadSession, key))} WHERE ${matchesAny(loadSession, batch, 'parent.')}`;
    found.push(...(await readRows(loadSession, table, query)));
  }
  return found;
}

/** Sets nullable references to NULL first. The rows can then be deleted table by table. */
async function deleteAll(
  loadSession: LoadSession,
  cycle: CycleTables,
  levels: readonly (readonly KeyedRow[])[],
): Promise<void> {
  const { session, dialect } = loadSession;
  const run = async (query: Fragment): Promise<void> =>
    void (await session.run(render(dialect, query)));
  for (const table of cycle.order) {
    const deferredColumns = cycle.deferredKeys
      .filter((each) => each.table === table)
      .flatMap(nullableKeyColumns);
    const names = [...new Set(deferredColumns.map(({ name }) => dialect.quoteName(name)))];
    if (names.length === 0) continue;
    const assignments = raw(names.map((name) => `${name} = NULL`).join(', '));
    for (const batch of batchesOf(levels.flat(), table))
      await run(
        sql`UPDATE ${dialect.tableName(table)} SET ${assignments} WHERE ${matchesAny(loadSession, batch, '')}`,
      );
  }
  const children = cycle.order.toReversed();
  for (const table of children)
    for (const level of levels.toReversed())
      for (const batch of batchesOf(level, table))
        await run(
          sql`DELETE FROM ${dialect.tableName(table)} WHERE ${matchesAny(loadSession, batch, '')}`,
        );
}
