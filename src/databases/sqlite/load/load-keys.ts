import { StudioError } from '../../../model/errors.ts';
import { createRowErrorList, rowErrorMembers } from '../../../model/row-errors.ts';
import { rejectedText } from '../../../model/values/rejected-value.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import { rowNumberName } from './load-statements.ts';
import type { RowError } from '../../../model/load.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';
import type { InsertBatch } from '../../../model/load-dialect.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Connection } from '../driver/driver.ts';
import type { RowOrigins } from './row-origins.ts';

const { quoteName } = sqliteDdl;

/** The rows that a load wrote to a table, to find dangling references among them. */
export interface LoadedTable {
  readonly table: Table;
  /** Which row of the file each rowid is; undefined if the table has no rowid. */
  readonly origins: RowOrigins | undefined;
  /** How often each dangling reference existed before the load, by `referenceKey`. */
  readonly preexisting: Map<string, number>;
}

/**
 * Rows without a rowid, or with one that is not a safe integer, cannot be distinguished from rows that
 * existed before the load. Their dangling references are therefore counted before.
 */
export function createLoadedTable(
  connection: Connection,
  table: Table,
  origins: RowOrigins | undefined,
): LoadedTable {
  const preexisting = new Map<string, number>();
  const indistinguishable =
    origins === undefined
      ? allDangling(connection, table)
      : danglingIn(connection, table, unsafeRowIds);
  for (const dangling of indistinguishable) addTo(preexisting, referenceKey(dangling));
  return { table, origins, preexisting };
}

/** The dangling references of a row before its update. */
export function danglingBeforeUpdate(
  connection: Connection,
  { table, origins }: LoadedTable,
  row: { readonly where: string; readonly values: readonly Value[] },
): readonly DanglingReference[] {
  if (origins === undefined) return [];
  const found = table.foreignKeys.flatMap((key) => {
    const text = `${danglingQuery(table, key)} AND ${row.where}`;
    return connection
      .statement(text)
      .all(row.values, false)
      .map((values) => danglingOf(key, values));
  });
  return found.filter(
    ({ rowId }) => Number.isSafeInteger(rowId) && origins.find(rowId) === undefined,
  );
}

export function addPreexisting(
  { preexisting }: LoadedTable,
  dangling: readonly DanglingReference[],
  rowId: number,
): void {
  for (const each of dangling) addTo(preexisting, referenceKey({ ...each, rowId }));
}

function addTo(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** An error with the loaded rows whose references are dangling; undefined if there are none. */
export function danglingReferenceError(
  connection: Connection,
  loadedTables: Iterable<LoadedTable>,
): StudioError | undefined {
  const list = createRowErrorList();
  for (const each of loadedTables) for (const error of errorsOf(connection, each)) list.add(error);
  const errors = list.all();
  const [first] = errors.first;
  if (first === undefined) return undefined;
  const details = { table: first.table, ...rowErrorMembers(errors) };
  return new StudioError('foreign_key_violation', first.message, details);
}

function* errorsOf(
  connection: Connection,
  { table, origins, preexisting }: LoadedTable,
): Generator<RowError> {
  const seenReferences = new Map<string, number>();
  const all =
    origins === undefined
      ? allDangling(connection, table)
      : danglingWritten(connection, table, origins);
  for (const dangling of all) {
    const referenceText = referenceKey(dangling);
    addTo(seenReferences, referenceText);
    if ((seenReferences.get(referenceText) ?? 0) <= (preexisting.get(referenceText) ?? 0)) continue;
    const origin = origins?.find(dangling.rowId);
    if (origins === undefined || origin !== undefined || !Number.isSafeInteger(dangling.rowId))
      yield { ...errorOf(table, dangling.key), ...origin, ...(origin && valueMember(dangling)) };
  }
}

/** With more ranges of rowids, one query over the whole range is faster. */
const maxRanges = 1000;

/** Rowids that a double may round. */
const unsafeRowIds: readonly RowIdBounds[] = [
  { first: -(2n ** 63n), last: -(2n ** 53n) },
  { first: 2n ** 53n, last: 2n ** 63n - 1n },
];

export interface RowIdBounds {
  readonly first: number | bigint;
  readonly last: number | bigint;
}

/** Dangling references of the load. If its rows are scattered over the table, those of other rows are included. */
function danglingWritten(
  connection: Connection,
  table: Table,
  origins: RowOrigins,
): Generator<DanglingReference> {
  return danglingIn(connection, table, writtenRanges(origins));
}

export function writtenRanges(origins: RowOrigins): readonly RowIdBounds[] {
  const runs = origins.runs();
  const ranges = runs.length <= maxRanges ? runs : [origins.bounds()];
  return origins.hasUnsafe() ? [...ranges, ...unsafeRowIds] : ranges;
}

/** Whether a row in one of the ranges has a dangling reference. */
export function hasDangling(
  connection: Connection,
  { table }: LoadedTable,
  ranges: readonly RowIdBounds[],
): boolean {
  const number = quoteName(rowNumberName(table) ?? '');
  return table.foreignKeys.some((key) => {
    const query = connection.statement(
      `${danglingQuery(table, key)} AND child.${number} BETWEEN ? AND ? LIMIT 1`,
    );
    return ranges.some(({ first, last }) => query.all([first, last], false).length > 0);
  });
}

/**
 * An error if a row that was just written has a dangling reference. SQLite itself checks keys that are
 * declared INITIALLY DEFERRED at the commit only, when it is too late to skip the row.
 */
export function rowReferenceError(
  connection: Connection,
  { table }: LoadedTable,
  rowId: number,
): StudioError | undefined {
  const number = quoteName(rowNumberName(table) ?? '');
  const key = table.foreignKeys.find(
    (each) =>
      each.deferrable === 'deferred' &&
      connection
        .statement(`${danglingQuery(table, each)} AND child.${number} = ?`)
        .all([rowId], false).length > 0,
  );
  if (key === undefined) return undefined;
  const { message, ...details } = errorOf(table, key);
  return new StudioError('foreign_key_violation', message, details);
}

/** An error with the foreign key that rejected a row; undefined if none of the row's references is dangling. */
export function missingReferenceError(
  connection: Connection,
  { table, columns }: Pick<InsertBatch, 'table' | 'columns'>,
  values: Row,
): StudioError | undefined {
  const valueOf = (name: string): Value =>
    values[columns.findIndex((column) => column.name === name)] ?? null;
  const dangling = table.foreignKeys.find((key) => {
    const reference = key.columns.map(valueOf);
    if (reference.includes(null)) return false;
    const isOwn =
      key.table === table.name &&
      key.referencedColumns.every((name, i) => valueOf(name) === reference[i]);
    if (isOwn) return false;
    const same = key.referencedColumns.map((name) => `${quoteName(name)} = ?`).join(' AND ');
    const text = `SELECT 1 FROM ${quoteName(key.table)} WHERE ${same} LIMIT 1`;
    return connection.statement(text).all(reference, false).length === 0;
  });
  if (dangling === undefined) return undefined;
  const { message, ...details } = errorOf(table, dangling);
  return new StudioError('foreign_key_violation', message, details);
}

/** Whether keys of the table are declared INITIALLY DEFERRED, and are now to be checked row by row. */
export function checksRowByRow(connection: Connection, { table, origins }: LoadedTable): boolean {
  return (
    origins !== undefined &&
    table.foreignKeys.some(({ deferrable }) => deferrable === 'deferred') &&
    Number(connection.statement('PRAGMA defer_foreign_keys').all([], false)[0]?.[0]) === 0
  );
}

function* danglingIn(
  connection: Connection,
  table: Table,
  ranges: readonly RowIdBounds[],
): Generator<DanglingReference> {
  const number = quoteName(rowNumberName(table) ?? '');
  for (const key of table.foreignKeys) {
    const query = connection.prepare(
      `${danglingQuery(table, key)} AND child.${number} BETWEEN ? AND ?`,
    );
    for (const { first, last } of ranges)
      for (const values of query.all([first, last], false)) yield danglingOf(key, values);
  }
}

function* allDangling(connection: Connection, table: Table): Generator<DanglingReference> {
  for (const key of table.foreignKeys) {
    for (const values of connection.prepare(danglingQuery(table, key)).iterate([], false))
      yield danglingOf(key, values);
  }
}

interface DanglingReference {
  readonly key: ForeignKey;
  readonly rowId: number;
  /** The values of the foreign key, after the primary key if the table has no rowid. */
  readonly reference: string;
}

function danglingOf(key: ForeignKey, [rowId, reference]: readonly Value[]): DanglingReference {
  return { key, rowId: Number(rowId), reference: String(reference) };
}

function referenceKey({ key, rowId, reference }: DanglingReference): string {
  return `${key.columns.join('\0')}\0${key.table}\0${rowId}\0${reference}`;
}

/** Foreign keys compare by the affinity and the collation of the referenced column; the unary plus removes those of the other one. */
function danglingQuery(table: Table, key: ForeignKey): string {
  const number = rowNumberName(table);
  const childColumns = key.columns.map((column) => `child.${quoteName(column)}`);
  const shownColumns = number === undefined ? [...(table.primaryKey?.columns ?? [])] : [];
  const parts = [...shownColumns.map((column) => `child.${quoteName(column)}`), ...childColumns];
  const same = key.referencedColumns.map(
    (column, i) => `parent.${quoteName(column)} = +${childColumns[i] ?? 'NULL'}`,
  );
  return (
    `SELECT ${number === undefined ? '0' : `child.${quoteName(number)}`}, ` +
    `${parts.map((part) => `quote(${part})`).join(" || ',' || ")} ` +
    `FROM ${sqliteDdl.tableName(table)} AS child ` +
    `WHERE ${childColumns.map((column) => `${column} IS NOT NULL`).join(' AND ')} ` +
    `AND NOT EXISTS (SELECT 1 FROM ${quoteName(key.table)} AS parent WHERE ${same.join(' AND ')})`
  );
}

/** The value of a key of one column, in a row of the file. */
function valueMember({ key, reference }: DanglingReference): Pick<RowError, 'value'> {
  if (key.columns.length > 1) return {};
  const isText = reference.startsWith("'");
  const text = isText ? reference.slice(1, -1).replaceAll("''", "'") : reference;
  return { value: rejectedText(text) };
}

function errorOf(table: Table, { columns, table: parent }: ForeignKey): RowError {
  const [column, another] = columns;
  const names = columns.map((name) => `"${name}"`).join(', ');
  return {
    code: 'foreign_key_violation',
    message: `${names} of table "${table.name}" would reference a row of "${parent}" that does not exist.`,
    table: table.name,
    ...(column === undefined || another !== undefined ? {} : { column }),
  };
}

/**
 * SQLite only counts violations, and miscounts if references were dangling before: it then rejects a
 * commit without new violations. After the studio's own checks, of the loaded rows and of those that
 * triggers and cascades wrote (`uncheckedIndirectlyWrittenTables`), this resets the count.
 */
export function resetViolationCount(connection: Connection): void {
  connection.execute('PRAGMA defer_foreign_keys = OFF');
}
