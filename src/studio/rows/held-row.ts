/** The row that an update or a deletion is about: found by its id, compared with `If-Match`, and kept from other writers. */
import { StudioError } from '../../model/errors.ts';
import { join } from '../../model/fragment.ts';
import { cellEncoder } from '../../model/json-cells.ts';
import { identityOf } from '../../model/row-id.ts';
import { addressColumns, findRow, sameValue } from './find-row.ts';
import { rowEtag } from './row-etag.ts';
import { rowNumberColumn, selectAll } from './selection.ts';
import type { Session } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { Context } from '../core/context.ts';
import type { RowAddress } from './find-row.ts';

export interface HeldRow {
  readonly address: RowAddress;
  /** The condition that a row is this one. */
  readonly where: Fragment;
  /** The same; where another client may still change the row, and an entity tag was sent, also that nobody has. */
  readonly unchanged: Fragment;
  readonly isGuarded: boolean;
  readonly told: readonly Column[];
  readonly values: Row;
  /** Whether the row shows this value in the column already. */
  readonly has: (column: Column, value: Value) => boolean;
}

interface Holding {
  readonly context: Context;
  readonly session: Session;
  readonly table: Table;
}

export async function holdRow(
  { context, session, table }: Holding,
  address: RowAddress,
  ifMatch: string | undefined,
): Promise<HeldRow> {
  const { dialect } = context.database;
  const selection = selectAll(dialect, table);
  const told = toldColumns(table);
  const isGuarded = ifMatch !== undefined && !isAny(ifMatch);
  const state = isGuarded ? dialect.writing.rowState(table) : undefined;
  const expressions = [...selection.expressions, ...expressionsOf(context, told)];
  const columns = [...selection.columns, ...told];
  const row = await findRow(context, session, {
    address,
    selection: {
      expressions: state === undefined ? expressions : [...expressions, state.expression],
      columns: state === undefined ? columns : [...columns, stateColumn],
      locked: true,
    },
  });
  const json = selection.encode(row);
  if (isGuarded && !matches(ifMatch, rowEtag(table, { row, json }))) throw rowChanged(address);
  const values = row.slice(selection.columns.length, columns.length);
  const where = sameRow(context, told, values);
  const unchanged = state === undefined ? where : state.narrow(where, row[columns.length] ?? null);
  const has = (column: Column, value: Value): boolean => {
    const encode = cellEncoder(column);
    return encode(row[selection.indexOf(column.name)] ?? null) === encode(value);
  };
  return { address, where, unchanged, isGuarded, told, values, has };
}

const stateColumn: Column = {
  name: 'state',
  type: { kind: 'text' },
  nativeType: 'text',
  nullable: false,
};

/** `If-Match: *` accepts the row in any state. */
function isAny(ifMatch: string): boolean {
  return ifMatch.trim() === '*';
}

function matches(ifMatch: string, etag: string): boolean {
  return ifMatch.split(',').some((tag) => tag.trim() === etag);
}

function rowChanged({ id, table }: RowAddress): StudioError {
  return new StudioError(
    'row_changed',
    `The row "${id}" of table "${table.name}" has changed since it was read.`,
  );
}

/** Why a write found no row after all: another client was faster. Undefined where the row was locked. */
export function goneUnderway(
  { database: { dialect } }: Context,
  { address, isGuarded }: HeldRow,
): StudioError | undefined {
  const { table, id } = address;
  if (dialect.writing.rowState(table) === undefined) return undefined;
  return isGuarded
    ? rowChanged(address)
    : new StudioError('row_not_found', `Table "${table.name}" has no row with the id "${id}".`);
}

/** Columns that a write returns: the row's address, or all of it where it has none. */
export function toldColumns(table: Table): readonly Column[] {
  if (identityOf(table).kind === 'none') return table.columns;
  const number = rowNumberColumn(table);
  const address = addressColumns(table);
  return number === undefined || address.includes(number) ? address : [...address, number];
}

export function expressionsOf(
  { database: { dialect } }: Context,
  columns: readonly Column[],
): readonly string[] {
  return columns.map((column) => dialect.selectExpression(dialect.quoteName(column.name), column));
}

/** By the row number where there is one, else by the whole key. */
export function sameRow(
  { database: { dialect } }: Context,
  columns: readonly Column[],
  row: Row,
): Fragment {
  const numberAt = columns.findIndex((column) => column.isRowNumber === true);
  const used =
    numberAt === -1
      ? columns.map((column, i) => ({ column, i }))
      : [{ column: columns[numberAt]!, i: numberAt }];
  const tests = used.map(({ column, i }) => sameValue(dialect, column, row[i] ?? null));
  return join(tests, ' AND ');
}
