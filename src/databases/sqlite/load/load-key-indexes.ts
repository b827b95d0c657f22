import { catalogQuery, asNumber, asOptionalText, asText } from '../../catalog-query.ts';
import { readQueryPlan } from '../driver/explain.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import { hasDangling, writtenRanges } from './load-keys.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';
import type { RowIdBounds, LoadedTable } from './load-keys.ts';

const { quoteName } = sqliteDdl;

/**
 * Temporary indexes on foreign key columns that have none. While a reference of the transaction is
 * open, SQLite searches the referring tables for each row that is inserted, and it always does for
 * each row that is deleted. Without an index, each search reads the whole table.
 */
export interface KeyIndexes {
  beforeInsert(table: Table): void;
  /** Called for each written row of a table with foreign keys. */
  written(loaded: LoadedTable, rowId: number): void;
  /** Called before all rows of a table are deleted. */
  beforeDeletingAllRows(table: Table): void;
  /** Whether the transaction has, or had, an open reference. */
  isNeeded(): boolean;
  /** Called after indexes of the database were dropped. */
  refresh(): void;
  /** Drops the indexes, so that the structure is as before. */
  drop(): void;
}

/** A foreign key that refers to a table, and whose columns have no usable index. */
interface UnindexedKey {
  readonly child: string;
  readonly parent: Table;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
  /** The name of its temporary index; undefined while it has none. */
  index: string | undefined;
}

interface State {
  readonly connection: Connection;
  readonly loaded: ReadonlyMap<Table, LoadedTable>;
  readonly keys: Map<Table, readonly UnindexedKey[]>;
  /** Written rows whose references have not been examined; undefined before the first examination. */
  uncheckedRows: Map<LoadedTable, RowIdRange[]> | undefined;
  /** Whether the transaction has, or had, a reference whose row was not there. */
  hasOpenReferences: boolean;
  /** Tables whose indexes were needed only while their rows were deleted. */
  readonly emptied: Set<string>;
}

interface RowIdRange {
  readonly first: number;
  last: number;
}

/** Few enough that searching for each without an index takes little time. */
const rowsBetweenChecks = 50;

export function createKeyIndexes(
  connection: Connection,
  loadedTables: ReadonlyMap<Table, LoadedTable>,
): KeyIndexes {
  const state: State = {
    connection,
    loaded: loadedTables,
    keys: new Map(),
    uncheckedRows: undefined,
    hasOpenReferences: false,
    emptied: new Set(),
  };
  let rowsSinceCheck = 0;
  return {
    beforeInsert: (table) => {
      dropIndexesOfEmptied(state);
      rowsSinceCheck = 0;
      const keys = unindexedKeys(state, table);
      clearRolledBackIndexes(state, keys);
      examineReferences(state, keys);
    },
    written: (table, rowId) => {
      if (state.uncheckedRows === undefined || state.hasOpenReferences) return;
      addRowId(state.uncheckedRows, table, rowId);
      rowsSinceCheck++;
      if (rowsSinceCheck < rowsBetweenChecks) return;
      rowsSinceCheck = 0;
      examineReferences(state, unindexedKeys(state, table.table));
    },
    beforeDeletingAllRows: (table) => {
      dropIndexesOfEmptied(state);
      const keys = unindexedKeys(state, table);
      clearRolledBackIndexes(state, keys);
      if (hasRows(connection, table.localName))
        createIndexes(
          state,
          keys.filter(({ child }) => hasRows(connection, child)),
        );
      state.emptied.add(table.localName);
    },
    isNeeded: () => state.hasOpenReferences,
    refresh: () => {
      for (const [table, cachedKeys] of state.keys)
        state.keys.set(table, [
          ...cachedKeys.filter(hasIndex),
          ...findUnindexedKeys(connection, table),
        ]);
    },
    drop: () => {
      for (const key of [...state.keys.values()].flat()) dropIndex(connection, key);
    },
  };
}

function examineReferences(state: State, keys: readonly UnindexedKey[]): void {
  if (keys.length === 0) return;
  state.hasOpenReferences ||= hasOpenReference(state);
  if (state.hasOpenReferences) createIndexes(state, keys);
}

/** Examines all rows of the load the first time, and later only those written since. */
function hasOpenReference(state: State): boolean {
  const { connection, loaded, uncheckedRows } = state;
  state.uncheckedRows = new Map();
  return [...loaded.values()].some((each) => {
    const { origins } = each;
    // Rows without a rowid cannot be examined separately.
    if (origins === undefined) return true;
    const ranges: readonly RowIdBounds[] =
      uncheckedRows === undefined ? writtenRanges(origins) : (uncheckedRows.get(each) ?? []);
    return hasDangling(connection, each, ranges);
  });
}

function addRowId(
  uncheckedRows: Map<LoadedTable, RowIdRange[]>,
  table: LoadedTable,
  rowId: number,
): void {
  const runs = uncheckedRows.get(table) ?? [];
  uncheckedRows.set(table, runs);
  const last = runs.at(-1);
  if (last?.last === rowId - 1) last.last = rowId;
  else runs.push({ first: rowId, last: rowId });
}

// The keys that refer to a table

function unindexedKeys({ connection, keys }: State, table: Table): readonly UnindexedKey[] {
  const cachedKeys = keys.get(table);
  if (cachedKeys !== undefined) return cachedKeys;
  const found = findUnindexedKeys(connection, table);
  keys.set(table, found);
  return found;
}

function findUnindexedKeys(connection: Connection, table: Table): readonly UnindexedKey[] {
  return foreignKeysTo(connection, table).filter((key) => !isIndexed(connection, key));
}

function hasIndex({ index }: UnindexedKey): boolean {
  return index !== undefined;
}

const referringColumns = catalogQuery(
  {
    child: asText('t.name'),
    id: asNumber('k.id'),
    from: asText('k."from"'),
    to: asOptionalText('k."to"'),
  },
  (selectList) => `
SELECT ${selectList} FROM main.sqlite_schema t JOIN pragma_foreign_key_list(t.name) k
WHERE t.type = 'table' AND k."table" = ? COLLATE NOCASE ORDER BY t.name, k.id, k.seq`,
);

function foreignKeysTo(connection: Connection, table: Table): readonly UnindexedKey[] {
  const groups = new Map<string, { columns: string[]; referenced: string[]; child: string }>();
  const rows = connection.prepare(referringColumns.text).all([table.localName], false);
  for (const { child, id, from, to } of rows.map(referringColumns.decodeRow)) {
    const groupKey = `${id} ${child}`;
    const group = groups.get(groupKey) ?? { child, columns: [], referenced: [] };
    groups.set(groupKey, group);
    group.columns.push(from);
    if (to !== undefined) group.referenced.push(to);
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

/** Whether SQLite uses an index to find referring rows with the comparison of the foreign key. */
function isIndexed(
  connection: Connection,
  { child, parent, columns, referenced }: UnindexedKey,
): boolean {
  const same = columns.map(
    (column, i) => `parent.${quoteName(referenced[i] ?? '')} = child.${quoteName(column)}`,
  );
  const plan = readQueryPlan(
    connection,
    `SELECT 1 FROM ${sqliteDdl.tableName(parent)} AS parent ` +
      `CROSS JOIN main.${quoteName(child)} AS child WHERE ${same.join(' AND ')}`,
  );
  return plan.some((line) => /^SEARCH child USING (?!AUTOMATIC)/.test(line));
}

// Their indexes

function createIndexes({ connection }: State, keys: readonly UnindexedKey[]): void {
  for (const key of keys) {
    if (key.index !== undefined) continue;
    key.index = unusedName(connection);
    const parts = key.columns.map(
      (column, i) => quoteName(column) + collationClause(key.parent, key.referenced[i] ?? ''),
    );
    connection.execute(
      `CREATE INDEX main.${quoteName(key.index)} ON ${quoteName(key.child)} (${parts.join(', ')})`,
    );
  }
}

/** A foreign key compares by the collation of the referenced column. */
function collationClause({ columns }: Table, name: string): string {
  const column = columns.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return ` COLLATE ${quoteName(column?.collation ?? 'BINARY')}`;
}

function unusedName(connection: Connection): string {
  let number = 1;
  while (exists(connection, `studio_load_${number}`)) number++;
  return `studio_load_${number}`;
}

function exists(connection: Connection, name: string): boolean {
  const text = 'SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE';
  return connection.statement(text).all([name], false).length > 0;
}

/** A rollback to a savepoint drops the indexes that were created after it. */
function clearRolledBackIndexes({ connection }: State, keys: readonly UnindexedKey[]): void {
  for (const key of keys)
    if (key.index !== undefined && !exists(connection, key.index)) key.index = undefined;
}

function dropIndexesOfEmptied({ connection, keys, emptied }: State): void {
  if (emptied.size === 0) return;
  for (const key of [...keys.values()].flat())
    if (emptied.has(key.child)) dropIndex(connection, key);
  emptied.clear();
}

function dropIndex(connection: Connection, key: UnindexedKey): void {
  if (key.index === undefined) return;
  connection.execute(`DROP INDEX IF EXISTS main.${quoteName(key.index)}`);
  key.index = undefined;
}

function hasRows(connection: Connection, table: string): boolean {
  const text = `SELECT 1 FROM main.${quoteName(table)} LIMIT 1`;
  return connection.prepare(text).all([], false).length > 0;
}
