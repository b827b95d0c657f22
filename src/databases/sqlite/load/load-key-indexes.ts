import { sqliteDdl } from '../dialect/ddl.ts';
import { hasBroken, writtenRanges } from './load-keys.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';
import type { BoundRange, LoadedTable } from './load-keys.ts';

const { quoteName } = sqliteDdl;

/**
 * Temporary indexes on foreign key columns that have none. While a reference of the transaction is
 * open, SQLite searches the referring tables for each row that is inserted, and it always does for
 * each row that is deleted. Without an index, each search reads the whole table.
 */
export interface KeyIndexes {
  beforeInsert(table: Table): void;
  /** Called for each row of a table with foreign keys. */
  written(loaded: LoadedTable, rowId: number): void;
  /** Called before all rows of a table are deleted. */
  beforeEmptying(table: Table): void;
  /** Whether a reference of the transaction is, or was, open. */
  isNeeded(): boolean;
  /** Called after indexes of the database were dropped. */
  refresh(): void;
  /** Drops the indexes, so that the structure is as before. */
  drop(): void;
}

/** A foreign key that refers to a table, and whose columns have no usable index. */
interface BareKey {
  readonly child: string;
  readonly parent: Table;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
  /** Undefined while there is none. */
  index: string | undefined;
}

interface State {
  readonly connection: Connection;
  readonly loaded: ReadonlyMap<Table, LoadedTable>;
  readonly keys: Map<Table, readonly BareKey[]>;
  /** Written rows whose references have not been examined; undefined before the first examination. */
  fresh: Map<LoadedTable, Run[]> | undefined;
  /** Whether the transaction has, or had, a reference whose row was not there. */
  isOpen: boolean;
  /** Tables whose indexes were needed only while their rows were deleted. */
  readonly emptied: Set<string>;
}

interface Run {
  readonly first: number;
  last: number;
}

/** So few that searching for them without an index takes little time. */
const rowsBetweenLooks = 50;

export function createKeyIndexes(
  connection: Connection,
  loaded: ReadonlyMap<Table, LoadedTable>,
): KeyIndexes {
  const state: State = {
    connection,
    loaded,
    keys: new Map(),
    fresh: undefined,
    isOpen: false,
    emptied: new Set(),
  };
  let unseen = 0;
  return {
    beforeInsert: (table) => {
      dropEmptied(state);
      unseen = 0;
      const keys = bareKeys(state, table);
      forgetUndone(state, keys);
      look(state, keys);
    },
    written: (table, rowId) => {
      if (state.fresh === undefined || state.isOpen) return;
      addFresh(state.fresh, table, rowId);
      unseen++;
      if (unseen < rowsBetweenLooks) return;
      unseen = 0;
      look(state, bareKeys(state, table.table));
    },
    beforeEmptying: (table) => {
      dropEmptied(state);
      const keys = bareKeys(state, table);
      forgetUndone(state, keys);
      if (hasRows(connection, table.localName))
        createIndexes(
          state,
          keys.filter(({ child }) => hasRows(connection, child)),
        );
      state.emptied.add(table.localName);
    },
    isNeeded: () => state.isOpen,
    refresh: () => {
      for (const [table, known] of state.keys)
        state.keys.set(table, [...known.filter(hasIndex), ...findBareKeys(connection, table)]);
    },
    drop: () => {
      for (const key of [...state.keys.values()].flat()) dropIndex(connection, key);
    },
  };
}

function look(state: State, keys: readonly BareKey[]): void {
  if (keys.length === 0) return;
  state.isOpen ||= hasOpen(state);
  if (state.isOpen) createIndexes(state, keys);
}

/** All rows of the load the first time, and then those that came since. */
function hasOpen(state: State): boolean {
  const { connection, loaded, fresh } = state;
  state.fresh = new Map();
  return [...loaded.values()].some((each) => {
    const { places } = each;
    // Rows without a number cannot be examined by themselves.
    if (places === undefined) return true;
    const ranges: readonly BoundRange[] =
      fresh === undefined ? writtenRanges(places) : (fresh.get(each) ?? []);
    return hasBroken(connection, each, ranges);
  });
}

function addFresh(fresh: Map<LoadedTable, Run[]>, table: LoadedTable, rowId: number): void {
  const runs = fresh.get(table) ?? [];
  fresh.set(table, runs);
  const last = runs.at(-1);
  if (last?.last === rowId - 1) last.last = rowId;
  else runs.push({ first: rowId, last: rowId });
}

// The keys that refer to a table

function bareKeys({ connection, keys }: State, table: Table): readonly BareKey[] {
  const known = keys.get(table);
  if (known !== undefined) return known;
  const found = findBareKeys(connection, table);
  keys.set(table, found);
  return found;
}

function findBareKeys(connection: Connection, table: Table): readonly BareKey[] {
  return keysTo(connection, table).filter((key) => !isIndexed(connection, key));
}

function hasIndex({ index }: BareKey): boolean {
  return index !== undefined;
}

const referringColumns = `
SELECT t.name, k.id, k."from", k."to" FROM main.sqlite_schema t JOIN pragma_foreign_key_list(t.name) k
WHERE t.type = 'table' AND k."table" = ? COLLATE NOCASE ORDER BY t.name, k.id, k.seq`;

function keysTo(connection: Connection, table: Table): readonly BareKey[] {
  const groups = new Map<string, { columns: string[]; referenced: string[]; child: string }>();
  for (const [child, id, from, to] of connection
    .prepare(referringColumns)
    .all([table.localName], false)) {
    const sign = `${String(id)} ${String(child)}`;
    const group = groups.get(sign) ?? { child: String(child), columns: [], referenced: [] };
    groups.set(sign, group);
    group.columns.push(String(from));
    if (to !== null) group.referenced.push(String(to));
  }
  return [...groups.values()]
    .map(({ child, columns, referenced }) => ({
      child,
      parent: table,
      columns,
      referenced: referenced.length > 0 ? referenced : (table.primaryKey?.columns ?? []),
      index: undefined,
    }))
    .filter(({ columns, referenced }) => columns.length === referenced.length);
}

/** Whether SQLite finds the referring rows by an index when it compares them as for the key. */
function isIndexed(
  connection: Connection,
  { child, parent, columns, referenced }: BareKey,
): boolean {
  const same = columns.map(
    (column, i) => `parent.${quoteName(referenced[i] ?? '')} = child.${quoteName(column)}`,
  );
  const plan = connection
    .prepare(
      `EXPLAIN QUERY PLAN SELECT 1 FROM ${sqliteDdl.tableName(parent)} AS parent ` +
        `CROSS JOIN main.${quoteName(child)} AS child WHERE ${same.join(' AND ')}`,
    )
    .all([], false);
  return plan.some((row) => /^SEARCH child USING (?!AUTOMATIC)/.test(String(row[3])));
}

// Their indexes

function createIndexes({ connection }: State, keys: readonly BareKey[]): void {
  for (const key of keys) {
    if (key.index !== undefined) continue;
    key.index = freeName(connection);
    const parts = key.columns.map(
      (column, i) => quoteName(column) + collationOf(key.parent, key.referenced[i] ?? ''),
    );
    connection.execute(
      `CREATE INDEX main.${quoteName(key.index)} ON ${quoteName(key.child)} (${parts.join(', ')})`,
    );
  }
}

/** SQLite compares by the collation of the referenced column. */
function collationOf({ columns }: Table, name: string): string {
  const column = columns.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return ` COLLATE ${quoteName(column?.collation ?? 'BINARY')}`;
}

function freeName(connection: Connection): string {
  let number = 1;
  while (exists(connection, `studio_load_${number}`)) number++;
  return `studio_load_${number}`;
}

function exists(connection: Connection, name: string): boolean {
  const text = 'SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE';
  return connection.statement(text).all([name], false).length > 0;
}

/** A savepoint that was rolled back takes the indexes of its part of the transaction with it. */
function forgetUndone({ connection }: State, keys: readonly BareKey[]): void {
  for (const key of keys)
    if (key.index !== undefined && !exists(connection, key.index)) key.index = undefined;
}

function dropEmptied({ connection, keys, emptied }: State): void {
  if (emptied.size === 0) return;
  for (const key of [...keys.values()].flat())
    if (emptied.has(key.child)) dropIndex(connection, key);
  emptied.clear();
}

function dropIndex(connection: Connection, key: BareKey): void {
  if (key.index === undefined) return;
  connection.execute(`DROP INDEX IF EXISTS main.${quoteName(key.index)}`);
  key.index = undefined;
}

function hasRows(connection: Connection, table: string): boolean {
  const text = `SELECT 1 FROM main.${quoteName(table)} LIMIT 1`;
  return connection.prepare(text).all([], false).length > 0;
}
