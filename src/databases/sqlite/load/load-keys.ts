import { StudioError } from '../../../model/errors.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import { rowNumberName } from './load-statements.ts';
import type { RowError } from '../../../model/load.ts';
import type { ForeignKey, Table } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { Connection } from '../driver/driver.ts';
import type { RowPlaces } from './load-places.ts';

const { quoteName } = sqliteDdl;

/** What a load wrote to a table, to find the rows whose foreign keys point nowhere. */
export interface LoadedTable {
  readonly table: Table;
  /** Where each row comes from; undefined where rows have no number. */
  readonly places: RowPlaces | undefined;
  /** References that pointed nowhere before the load, as `signOf` writes them, and how often each was there. */
  readonly known: Map<string, number>;
}

/** Rows of the load without a row number, or with one that is no safe integer, cannot be distinguished from others: what of them is broken is read first. */
export function createLoadedTable(
  connection: Connection,
  table: Table,
  places: RowPlaces | undefined,
): LoadedTable {
  const known = new Map<string, number>();
  const indistinct =
    places === undefined ? allBroken(connection, table) : brokenIn(connection, table, unsafe);
  for (const broken of indistinct) addTo(known, signOf(broken));
  return { table, places, known };
}

/** Keeps in mind what a row that is about to be updated breaks already. */
export function knownBefore(
  connection: Connection,
  { table, places }: LoadedTable,
  row: { readonly where: string; readonly values: readonly Value[] },
): readonly BrokenKey[] {
  if (places === undefined) return [];
  const found = table.foreignKeys.flatMap((key) => {
    const text = `${brokenQuery(table, key)} AND ${row.where}`;
    return connection
      .statement(text)
      .all(row.values, false)
      .map((values) => brokenOf(key, values));
  });
  return found.filter(
    ({ rowId }) => Number.isSafeInteger(rowId) && places.find(rowId) === undefined,
  );
}

export function noteKnown(
  { known }: LoadedTable,
  broken: readonly BrokenKey[],
  rowId: number,
): void {
  for (const each of broken) addTo(known, signOf({ ...each, rowId }));
}

function addTo(counts: Map<string, number>, sign: string): void {
  counts.set(sign, (counts.get(sign) ?? 0) + 1);
}

const mostErrors = 100;

/** An error that names the loaded rows whose foreign keys point nowhere; undefined where there are none. */
export function brokenKeys(
  connection: Connection,
  loaded: Iterable<LoadedTable>,
): StudioError | undefined {
  const errors: RowError[] = [];
  for (const each of loaded) {
    for (const error of errorsOf(connection, each)) {
      errors.push(error);
      if (errors.length === mostErrors) break;
    }
  }
  const [first] = errors;
  if (first === undefined) return undefined;
  return new StudioError('foreign_key_violation', first.message, { table: first.table, errors });
}

function* errorsOf(
  connection: Connection,
  { table, places, known }: LoadedTable,
): Generator<RowError> {
  const seen = new Map<string, number>();
  const all =
    places === undefined ? allBroken(connection, table) : written(connection, table, places);
  for (const broken of all) {
    const sign = signOf(broken);
    addTo(seen, sign);
    if ((seen.get(sign) ?? 0) <= (known.get(sign) ?? 0)) continue;
    const place = places?.find(broken.rowId);
    if (places === undefined || place !== undefined || !Number.isSafeInteger(broken.rowId))
      yield { ...errorOf(table, broken.key), ...place };
  }
}

/** Row by row where the rows are few, else in one go. */
const mostRuns = 1000;

/** Row numbers that a double may round. */
const unsafe: readonly BoundRange[] = [
  { first: -(2n ** 63n), last: -(2n ** 53n) },
  { first: 2n ** 53n, last: 2n ** 63n - 1n },
];

export interface BoundRange {
  readonly first: number | bigint;
  readonly last: number | bigint;
}

/** Rows of the load, among others where they are all over the table. */
function written(connection: Connection, table: Table, places: RowPlaces): Generator<BrokenKey> {
  return brokenIn(connection, table, writtenRanges(places));
}

export function writtenRanges(places: RowPlaces): readonly BoundRange[] {
  const runs = places.runs();
  const ranges = runs.length <= mostRuns ? runs : [places.bounds()];
  return places.hasUnsafe() ? [...ranges, ...unsafe] : ranges;
}

/** Whether a row in one of the ranges has a foreign key that points nowhere. */
export function hasBroken(
  connection: Connection,
  { table }: LoadedTable,
  ranges: readonly BoundRange[],
): boolean {
  const number = quoteName(rowNumberName(table) ?? '');
  return table.foreignKeys.some((key) => {
    const query = connection.statement(
      `${brokenQuery(table, key)} AND child.${number} BETWEEN ? AND ? LIMIT 1`,
    );
    return ranges.some(({ first, last }) => query.all([first, last], false).length > 0);
  });
}

function* brokenIn(
  connection: Connection,
  table: Table,
  ranges: readonly BoundRange[],
): Generator<BrokenKey> {
  const number = quoteName(rowNumberName(table) ?? '');
  for (const key of table.foreignKeys) {
    const query = connection.prepare(
      `${brokenQuery(table, key)} AND child.${number} BETWEEN ? AND ?`,
    );
    for (const { first, last } of ranges)
      for (const values of query.all([first, last], false)) yield brokenOf(key, values);
  }
}

function* allBroken(connection: Connection, table: Table): Generator<BrokenKey> {
  for (const key of table.foreignKeys) {
    for (const values of connection.prepare(brokenQuery(table, key)).iterate([], false))
      yield brokenOf(key, values);
  }
}

interface BrokenKey {
  readonly key: ForeignKey;
  readonly rowId: number;
  /** What the row points at, and its primary key where it has no number. */
  readonly reference: string;
}

function brokenOf(key: ForeignKey, [rowId, reference]: readonly Value[]): BrokenKey {
  return { key, rowId: Number(rowId), reference: String(reference) };
}

function signOf({ key, rowId, reference }: BrokenKey): string {
  return `${key.columns.join('\0')}\0${key.table}\0${rowId}\0${reference}`;
}

/** As SQLite compares them: by the affinity and the collation of the column that is pointed at. */
function brokenQuery(table: Table, key: ForeignKey): string {
  const number = rowNumberName(table);
  const own = key.columns.map((column) => `child.${quoteName(column)}`);
  const shown = number === undefined ? [...(table.primaryKey?.columns ?? [])] : [];
  const parts = [...shown.map((column) => `child.${quoteName(column)}`), ...own];
  const same = key.referencedColumns.map(
    (column, i) => `parent.${quoteName(column)} = +${own[i] ?? 'NULL'}`,
  );
  return (
    `SELECT ${number === undefined ? '0' : `child.${quoteName(number)}`}, ` +
    `${parts.map((part) => `quote(${part})`).join(" || ',' || ")} ` +
    `FROM ${sqliteDdl.tableName(table)} AS child ` +
    `WHERE ${own.map((column) => `${column} IS NOT NULL`).join(' AND ')} ` +
    `AND NOT EXISTS (SELECT 1 FROM ${quoteName(key.table)} AS parent WHERE ${same.join(' AND ')})`
  );
}

function errorOf(table: Table, { columns, table: parent }: ForeignKey): RowError {
  const [column, another] = columns;
  const names = columns.map((name) => `"${name}"`).join(', ');
  return {
    code: 'foreign_key_violation',
    message: `${names} of table "${table.name}" would point at a row of "${parent}" that is not there.`,
    table: table.name,
    ...(column === undefined || another !== undefined ? {} : { column }),
  };
}

/**
 * SQLite only counts what is missing, and miscounts where rows broke a key before: it then refuses
 * a commit that breaks nothing. Rows that only a trigger or a cascade changes are left to its count.
 */
export function forgetMissing(
  connection: Connection,
  { hasUpdates }: { readonly hasUpdates: boolean },
): void {
  const mayHide = hasUpdates ? `${someTrigger} UNION ALL ${someCascade}` : someTrigger;
  if (connection.statement(mayHide).all([], false).length > 0) return;
  connection.execute('PRAGMA defer_foreign_keys = OFF');
}

const someTrigger = "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger'";
const someCascade = `SELECT 1 FROM main.sqlite_schema t JOIN pragma_foreign_key_list(t.name) k
WHERE t.type = 'table' AND k.on_update NOT IN ('NO ACTION', 'RESTRICT')`;
