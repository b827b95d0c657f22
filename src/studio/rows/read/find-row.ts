import { StudioError } from '../../../model/errors.ts';
import { join, param, raw, sql } from '../../../model/fragment.ts';
import { identityOf, parseId } from '../../../model/row-id.ts';
import { changeFinder } from '../../../model/values/stored-value.ts';
import { isEqualTo, isOneOf } from '../../../sql/compare-column.ts';
import { notDeletedCondition } from '../../../sql/conditions.ts';
import { comparable } from '../../../sql/select.ts';
import { keyColumnsOf } from './page-plan.ts';
import { readRows } from './read-rows.ts';
import { rowNumberColumn, selectAll } from './selection.ts';
import type { Dialect, Session } from '../../../model/database.ts';
import type { RowLock } from '../../../model/write-dialect.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';
import type { EncodedRow } from './row-etag.ts';
import type { Selection } from './selection.ts';

/** Addresses a row by the raw path segment of its id. */
export interface RowAddress {
  readonly table: Table;
  readonly id: string;
  readonly showDeleted: boolean;
}

/** The columns to read of the row. `lock` locks it until the end of the transaction. */
export interface RowSelection extends Pick<Selection, 'expressions' | 'columns'> {
  readonly lock?: RowLock;
}

/** Reads the row with this address. Fails if there is none or more than one. */
export async function findRow(
  context: Context,
  session: Session,
  { address, selection }: { readonly address: RowAddress; readonly selection: RowSelection },
): Promise<Row> {
  const { table, id, showDeleted } = address;
  const where = [
    addressCondition(context, table, id),
    ...(showDeleted ? [] : notDeletedCondition(context.database.dialect, table)),
  ];
  const rows = await readRows(context, session, {
    table,
    expressions: selection.expressions,
    columns: selection.columns,
    where,
    order: [],
    limit: 2,
    offset: 0,
    ...(selection.lock === undefined ? {} : { lock: selection.lock }),
  });
  if (rows.length === 0) mustMatchKeyTypes(context, address);
  return singleRow(address, rows);
}

/** Fails if a part of the id is not valid for its column's type. Called only when no row has the id. */
function mustMatchKeyTypes({ database: { dialect } }: Context, { table, id }: RowAddress): void {
  const columns = addressColumns(table);
  const number = parseRowNumber(table, id);
  if (number !== undefined && (columns.length > 1 || number.kind !== 'bare')) return;
  const parts = parseId(
    id,
    columns.map((column) => column.name),
  );
  columns.forEach((column, i) => {
    const part = parts[i] ?? '';
    if (dialect.readParameter(part, column).length === 0) throw invalidKeyValue(column, part);
  });
}

function invalidKeyValue(column: Column, part: string): StudioError {
  return new StudioError(
    'invalid_id',
    `${JSON.stringify(part)} is not a valid value of key column "${column.name}" (${column.nativeType}).`,
    { column: column.name },
  );
}

/** `_rowid_=5` (explicit), the same percent-encoded, or `5` (bare). Only the first cannot also be a key value. */
interface RowNumber {
  readonly text: string;
  readonly kind: 'explicit' | 'encoded' | 'bare';
}

/** Parses an id that is a row number, for tables whose key may contain NULL. */
function parseRowNumber(table: Table, id: string): RowNumber | undefined {
  if (table.nullableKey !== true || table.rowIdColumn === undefined) return undefined;
  const [, separator, text] = /^(?:_rowid_(=|%3D))?(-?\d+)$/i.exec(id) ?? [];
  if (text === undefined) return undefined;
  if (separator === undefined) return { text, kind: 'bare' };
  return { text, kind: separator === '=' ? 'explicit' : 'encoded' };
}

function singleRow({ table, id }: RowAddress, rows: readonly Row[]): Row {
  const [row, another] = rows;
  if (row === undefined)
    throw new StudioError('row_not_found', `Table "${table.name}" has no row with the id "${id}".`);
  if (another === undefined) return row;
  throw new StudioError(
    'no_row_identity',
    `More than one row of table "${table.name}" has the id "${id}".`,
  );
}

/** The condition that is true for the rows with this id. */
function addressCondition(context: Context, table: Table, id: string): Fragment {
  const columns = addressColumns(table);
  const number = parseRowNumber(table, id);
  if (number !== undefined && (columns.length > 1 || number.kind === 'explicit'))
    return numberCondition(context, table, number);
  const parts = parseId(
    id,
    columns.map((column) => column.name),
  );
  const byKey = join(
    columns.map((column, i) => partCondition(context, column, parts[i] ?? '')),
    ' AND ',
  );
  if (number === undefined) return byKey;
  const byNumber = numberCondition(context, table, number);
  if (number.kind === 'encoded') return sql`(${byKey} OR ${byNumber})`;
  // Prefer a row with this key: clients form the ids of keys themselves.
  const rowsByKey = sql`SELECT 1 FROM ${context.database.dialect.tableName(table)} WHERE ${byKey}`;
  return sql`(${byKey} OR (${byNumber} AND NOT EXISTS (${rowsByKey})))`;
}

function numberCondition(context: Context, table: Table, { text }: RowNumber): Fragment {
  const { dialect } = context.database;
  const key = addressColumns(table).map((column) => `${dialect.quoteName(column.name)} IS NULL`);
  const number = rowNumberColumn(table)!;
  return sql`(${partCondition(context, number, text)} AND (${key.join(' OR ')}))`;
}

/** The columns whose values make up the ids of the table's rows. */
export function addressColumns(table: Table): readonly Column[] {
  const identity = identityOf(table);
  if (identity.kind === 'none') throw new StudioError('no_row_identity', identity.reason);
  const number = rowNumberColumn(table);
  if (identity.kind === 'rowid') return number === undefined ? [] : [number];
  return keyColumnsOf(table, identity);
}

/** The values that a part of an id may stand for. None if the type would round or truncate the text. */
function keyValues(dialect: Dialect, column: Column, part: string): readonly Value[] {
  const isChanged = column.dynamic !== true && changeFinder(column.type)?.(part) !== undefined;
  return isChanged ? [] : dialect.readKeyPart(part, column);
}

function partCondition({ database: { dialect } }: Context, column: Column, part: string): Fragment {
  const values = keyValues(dialect, column, part);
  if (values.length === 0) throw invalidKeyValue(column, part);
  const { cursor } = dialect.sortKey(column);
  if (column.keyCollation !== undefined && cursor !== undefined)
    return sql`(${join(
      values.map((value) => cursor.compare('=', value)),
      ' OR ',
    )})`;
  if (dialect.isComparable(column.type)) return isOneOf(dialect, column, values);
  const params = values.map((value) => param(value, column.type));
  return sql`${comparable(dialect, column)} IN (${join(params, ', ')})`;
}

/**
 * Reads a row of a page again, with all values in full. Undefined if the row has been deleted or
 * changed since the page was read, or if rows of the table have no id.
 */
export async function readFullRow(
  context: Context,
  session: Session,
  {
    table,
    selection,
    row,
  }: { readonly table: Table; readonly selection: Selection; readonly row: Row },
): Promise<EncodedRow | undefined> {
  const { dialect } = context.database;
  if (identityOf(table).kind === 'none') return undefined;
  const fullSelection = selectAll(dialect, table);
  const valueOf = ({ name }: Column): Value => row[selection.indexOf(name)] ?? null;
  const number = rowNumberColumn(table);
  const key = addressColumns(table);
  // Several rows may have NULL in their key. The row number distinguishes them.
  const byNumber = number !== undefined && key.some((column) => valueOf(column) === null);
  const where = (byNumber ? [number] : key).map((column) =>
    equalsCondition(dialect, column, valueOf(column)),
  );
  const [current, another] = await readRows(context, session, {
    table,
    expressions: [...fullSelection.expressions, ...selection.expressions],
    columns: [...fullSelection.columns, ...selection.columns],
    where,
    order: [],
    limit: 2,
    offset: 0,
  });
  if (current === undefined || another !== undefined) return undefined;
  const shownCells = selection.encode(current.slice(fullSelection.columns.length));
  if (shownCells !== selection.encode(row)) return undefined;
  return {
    row: current.slice(0, fullSelection.columns.length),
    json: fullSelection.encode(current),
  };
}

/**
 * The condition that a column has this value, with the collation of the key. The key's collation may
 * distinguish values that the column's own collation does not.
 */
export function equalsCondition(dialect: Dialect, column: Column, value: Value): Fragment {
  if (value === null) return raw(`${dialect.quoteName(column.name)} IS NULL`);
  const { cursor } = dialect.sortKey(column);
  if (column.keyCollation !== undefined && cursor !== undefined) return cursor.compare('=', value);
  return dialect.isComparable(column.type)
    ? isEqualTo(dialect, column, value)
    : sql`${comparable(dialect, column)} = ${param(value, column.type)}`;
}
