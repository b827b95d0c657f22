import { sqliteDdl } from '../dialect/ddl.ts';
import type { InsertBatch, KeyPart } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { Connection } from '../driver/driver.ts';

const { quoteName } = sqliteDdl;

/** The clause after INSERT and UPDATE. It also applies to the statements of triggers. */
export type OrAbort = '' | ' OR ABORT';

/**
 * OR ABORT if constraints of the table have ON CONFLICT clauses, because REPLACE would delete other rows.
 * Otherwise empty, so that INSERT OR IGNORE in a trigger still ignores.
 */
export function orAbortFor(connection: Connection, { localName }: Table): OrAbort {
  const conflictClauses = connection.statement(
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE AND sql LIKE '%conflict%'",
  );
  return conflictClauses.all([localName], false).length > 0 ? ' OR ABORT' : '';
}

export function insertStatement(
  { table, columns, conflict }: InsertBatch,
  rows: number,
  orAbort: OrAbort,
): string {
  const into = `INSERT${orAbort} INTO ${sqliteDdl.tableName(table)}`;
  const onConflict =
    conflict.kind === 'error' ? '' : ` ON CONFLICT (${keyList(conflict.key)}) DO NOTHING`;
  if (columns.length === 0) return `${into} DEFAULT VALUES`;
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const list = `(${columns.map(() => '?').join(', ')})`;
  return `${into} (${names}) VALUES ${Array.from({ length: rows }, () => list).join(', ')}${onConflict}`;
}

function keyList(key: readonly KeyPart[]): string {
  return key
    .map(({ column, collation }) => quoteName(column.name) + collateClause(collation))
    .join(', ');
}

function keyCondition({ column, collation }: KeyPart): string {
  return `${quoteName(column.name)} = ?${collateClause(collation)}`;
}

/** Whether a row with this conflict key exists, so that the conflict is not an error. */
export function hasKey(
  connection: Connection,
  { table, columns, conflict }: InsertBatch,
  values: readonly Value[],
): boolean {
  if (conflict.kind === 'error') return false;
  const at = conflict.key.map(({ column }) =>
    columns.findIndex(({ name }) => name === column.name),
  );
  if (at.includes(-1)) return false;
  const tests = conflict.key.map(keyCondition).join(' AND ');
  const text = `SELECT 1 FROM ${sqliteDdl.tableName(table)} WHERE ${tests}`;
  return (
    connection.statement(text).all(
      at.map((i) => values[i] ?? null),
      false,
    ).length > 0
  );
}

function collateClause(collation: string | undefined): string {
  return collation === undefined ? '' : ` COLLATE ${quoteName(collation)}`;
}

export interface UpdateStatement {
  readonly text: string;
  bindings(row: readonly Value[]): readonly Value[];
  /** The condition that selects the row, for a table alias `child`, and the values of its parameters. */
  readonly where: string;
  key(row: readonly Value[]): readonly Value[];
}

/** Updates the row with the same key; undefined if there is no other column to set. */
export function updateStatement(
  { table, columns, conflict }: InsertBatch,
  orAbort: OrAbort,
): UpdateStatement | undefined {
  if (conflict.kind !== 'update') return undefined;
  const indexes = columns.map((_, i) => i);
  const at = conflict.key.map(({ column }) =>
    columns.findIndex(({ name }) => name === column.name),
  );
  const set = indexes.filter((i) => !at.includes(i));
  if (set.length === 0 || at.includes(-1)) return undefined;
  const assignments = set.map((i) => `${quoteName(columns[i]?.name ?? '')} = ?`);
  const tests = conflict.key.map(keyCondition);
  const number = rowNumberName(table);
  const returning = number === undefined ? '1' : quoteName(number);
  return {
    text: `UPDATE${orAbort} ${sqliteDdl.tableName(table)} SET ${assignments.join(', ')} WHERE ${tests.join(' AND ')} RETURNING ${returning}`,
    bindings: (row) => [...set, ...at].map((i) => row[i] ?? null),
    where: tests.map((test) => `child.${test}`).join(' AND '),
    key: (row) => at.map((i) => row[i] ?? null),
  };
}

/** The name of the rowid; undefined if the table has none. */
export function rowNumberName(table: Table): string | undefined {
  return (
    table.rowIdColumn ?? table.columns.find(({ autoIncrement }) => autoIncrement === true)?.name
  );
}
