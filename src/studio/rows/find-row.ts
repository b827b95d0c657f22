import { StudioError } from '../../model/errors.ts';
import { join, param, raw, sql } from '../../model/fragment.ts';
import { identityOf, parseId } from '../../model/row-id.ts';
import { changeFinder } from '../../model/stored-value.ts';
import { isEqualTo, isOneOf } from '../../sql/compare-column.ts';
import { aliveCondition } from '../../sql/conditions.ts';
import { comparable } from '../../sql/select.ts';
import { keyColumnsOf } from './page-plan.ts';
import { readRows } from './read-rows.ts';
import { rowNumberColumn, selectAll } from './selection.ts';
import type { Dialect, Session } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { Context } from '../core/context.ts';
import type { WholeRow } from './row-etag.ts';
import type { Selection } from './selection.ts';

/** A row by its raw id segment. */
export interface RowAddress {
  readonly table: Table;
  readonly id: string;
  readonly showDeleted: boolean;
}

/** What is read of the row; `locked` keeps it for the transaction. */
export interface RowSelection extends Pick<Selection, 'expressions' | 'columns'> {
  readonly locked?: boolean;
}

/** The one row of that address, in the selection's columns. */
export async function findRow(
  context: Context,
  session: Session,
  { address, selection }: { readonly address: RowAddress; readonly selection: RowSelection },
): Promise<Row> {
  const { table, id, showDeleted } = address;
  const where = [
    addressCondition(context, table, id),
    ...(showDeleted ? [] : aliveCondition(context.database.dialect, table)),
  ];
  const rows = await readRows(context, session, {
    table,
    expressions: selection.expressions,
    columns: selection.columns,
    where,
    order: [],
    limit: 2,
    offset: 0,
    locked: selection.locked ?? false,
  });
  if (rows.length === 0) mustBeOfTypes(context, address);
  return onlyRow(address, rows);
}

/** A part that is none of the column's type is an error of the id, unless a row has it all the same. */
function mustBeOfTypes({ database: { dialect } }: Context, { table, id }: RowAddress): void {
  const columns = addressColumns(table);
  const number = rowNumberIn(table, id);
  if (number !== undefined && (columns.length > 1 || number.form !== 'bare')) return;
  const parts = parseId(
    id,
    columns.map((column) => column.name),
  );
  columns.forEach((column, i) => {
    const part = parts[i] ?? '';
    if (dialect.readParameter(part, column).length === 0) throw noValueOf(column, part);
  });
}

function noValueOf(column: Column, part: string): StudioError {
  return new StudioError(
    'invalid_id',
    `${JSON.stringify(part)} is no value of key column "${column.name}" (${column.nativeType}).`,
    { column: column.name },
  );
}

/** `_rowid_=5`, the same percent-encoded, or `5`: only the first cannot be the value of a key too. */
interface RowNumber {
  readonly text: string;
  readonly form: 'explicit' | 'encoded' | 'bare';
}

/** Rows whose key holds a NULL are addressed by their row number. */
function rowNumberIn(table: Table, id: string): RowNumber | undefined {
  if (table.nullableKey !== true || table.rowIdColumn === undefined) return undefined;
  const [, separator, text] = /^(?:_rowid_(=|%3D))?(-?\d+)$/i.exec(id) ?? [];
  if (text === undefined) return undefined;
  if (separator === undefined) return { text, form: 'bare' };
  return { text, form: separator === '=' ? 'explicit' : 'encoded' };
}

function onlyRow({ table, id }: RowAddress, rows: readonly Row[]): Row {
  const [row, another] = rows;
  if (row === undefined)
    throw new StudioError('row_not_found', `Table "${table.name}" has no row with the id "${id}".`);
  if (another === undefined) return row;
  throw new StudioError(
    'no_row_identity',
    `The id "${id}" means more than one row of table "${table.name}".`,
  );
}

/** The condition that a row has this id. */
function addressCondition(context: Context, table: Table, id: string): Fragment {
  const columns = addressColumns(table);
  const number = rowNumberIn(table, id);
  if (number !== undefined && (columns.length > 1 || number.form === 'explicit'))
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
  if (number.form === 'encoded') return sql`(${byKey} OR ${byNumber})`;
  // The key comes first: clients form the ids of keys by themselves.
  const others = sql`SELECT 1 FROM ${context.database.dialect.tableName(table)} WHERE ${byKey}`;
  return sql`(${byKey} OR (${byNumber} AND NOT EXISTS (${others})))`;
}

function numberCondition(context: Context, table: Table, { text }: RowNumber): Fragment {
  const { dialect } = context.database;
  const key = addressColumns(table).map((column) => `${dialect.quoteName(column.name)} IS NULL`);
  const number = rowNumberColumn(table)!;
  return sql`(${partCondition(context, number, text)} AND (${key.join(' OR ')}))`;
}

/** The columns that an id's parts belong to. */
export function addressColumns(table: Table): readonly Column[] {
  const identity = identityOf(table);
  if (identity.kind === 'none') throw new StudioError('no_row_identity', identity.reason);
  const number = rowNumberColumn(table);
  if (identity.kind === 'rowid') return number === undefined ? [] : [number];
  return keyColumnsOf(table, identity);
}

/** The values that an id's part may mean; a text that the type would round or cut means none. */
function keyValues(dialect: Dialect, column: Column, part: string): readonly Value[] {
  const isChanged = column.dynamic !== true && changeFinder(column.type)?.(part) !== undefined;
  return isChanged ? [] : dialect.readKeyPart(part, column);
}

function partCondition({ database: { dialect } }: Context, column: Column, part: string): Fragment {
  const values = keyValues(dialect, column, part);
  if (values.length === 0) throw noValueOf(column, part);
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
 * A row of a page again, whole. Undefined when it is gone, when it is no longer as the page
 * shows it, which the tag of a newer row would hide, or when it has no address to find it by.
 */
export async function fullRow(
  context: Context,
  session: Session,
  {
    table,
    selection,
    row,
  }: { readonly table: Table; readonly selection: Selection; readonly row: Row },
): Promise<WholeRow | undefined> {
  const { dialect } = context.database;
  if (identityOf(table).kind === 'none') return undefined;
  const whole = selectAll(dialect, table);
  const valueOf = ({ name }: Column): Value => row[selection.indexOf(name)] ?? null;
  const number = rowNumberColumn(table);
  const key = addressColumns(table);
  // Many rows may hold a NULL in their key; the row number distinguishes them.
  const byNumber = number !== undefined && key.some((column) => valueOf(column) === null);
  const where = (byNumber ? [number] : key).map((column) =>
    sameValue(dialect, column, valueOf(column)),
  );
  const [again, another] = await readRows(context, session, {
    table,
    expressions: [...whole.expressions, ...selection.expressions],
    columns: [...whole.columns, ...selection.columns],
    where,
    order: [],
    limit: 2,
    offset: 0,
  });
  if (again === undefined || another !== undefined) return undefined;
  const shown = selection.encode(again.slice(whole.columns.length));
  if (shown !== selection.encode(row)) return undefined;
  return { row: again.slice(0, whole.columns.length), json: whole.encode(again) };
}

/** As the column's key compares, which may tell apart more values than the column itself does. */
export function sameValue(dialect: Dialect, column: Column, value: Value): Fragment {
  if (value === null) return raw(`${dialect.quoteName(column.name)} IS NULL`);
  const { cursor } = dialect.sortKey(column);
  if (column.keyCollation !== undefined && cursor !== undefined) return cursor.compare('=', value);
  return dialect.isComparable(column.type)
    ? isEqualTo(dialect, column, value)
    : sql`${comparable(dialect, column)} = ${param(value, column.type)}`;
}
