/** Finds the row that an update or a deletion addresses, compares it with `If-Match` and locks it against other writers. */
import { StudioError } from '../../../model/errors.ts';
import { join } from '../../../model/fragment.ts';
import { cellEncoder } from '../../../model/values/json-cells.ts';
import { identityOf } from '../../../model/row-id.ts';
import { addressColumns, findRow, equalsCondition } from '../read/find-row.ts';
import { rowEtag } from '../read/row-etag.ts';
import { rowNumberColumn, selectAll } from '../read/selection.ts';
import type { Session } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { RowLock } from '../../../model/write-dialect.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';
import type { RowAddress } from '../read/find-row.ts';

export interface LockedRow {
  readonly address: RowAddress;
  /** The condition that is true for this row only. */
  readonly where: Fragment;
  /**
   * The same. If the database could not lock the row and the client sent an entity tag, the condition
   * is also false once another client has changed the row.
   */
  readonly unchanged: Fragment;
  /** Whether `If-Match` had an entity tag, and not only `*`. */
  readonly hasEntityTag: boolean;
  /** The columns that identify the row. A write returns them if the database supports it. */
  readonly returningColumns: readonly Column[];
  /** Their values before the write. */
  readonly values: Row;
  /** The value of a column before the write. */
  readonly valueOf: (column: Column) => Value;
  /** Whether the column already has this value. */
  readonly hasValue: (column: Column, value: Value) => boolean;
}

interface LockSession {
  readonly context: Context<'write'>;
  readonly session: Session;
  readonly table: Table;
}

export async function lockRow(
  target: LockSession,
  address: RowAddress,
  ifMatch: string | undefined,
): Promise<LockedRow> {
  const lock = target.context.database.dialect.write.rowLock;
  return readTargetRow(target, address, { ifMatch, lock });
}

interface TargetRowOptions {
  readonly ifMatch: string | undefined;
  /** Undefined for a read without effects. */
  readonly lock?: RowLock | undefined;
}

/** Reads what a write needs to know of its row, and compares the row with `If-Match`. */
export async function readTargetRow(
  { context, session, table }: LockSession,
  address: RowAddress,
  { ifMatch, lock }: TargetRowOptions,
): Promise<LockedRow> {
  const { dialect } = context.database;
  const selection = selectAll(dialect, table);
  const returningColumns = returningColumnsOf(table);
  const hasEntityTag = ifMatch !== undefined && !acceptsAnyState(ifMatch);
  const state = hasEntityTag ? dialect.write.rowState(table) : undefined;
  const expressions = [...selection.expressions, ...selectExpressions(context, returningColumns)];
  const columns = [...selection.columns, ...returningColumns];
  const row = await findRow(context, session, {
    address,
    selection: {
      expressions: state === undefined ? expressions : [...expressions, state.expression],
      columns: state === undefined ? columns : [...columns, stateColumn],
      ...(lock === undefined ? {} : { lock }),
    },
  });
  const json = selection.encode(row);
  if (hasEntityTag && !matchesEtag(ifMatch, rowEtag(table, { row, json })))
    throw rowChangedError(address);
  const values = row.slice(selection.columns.length, columns.length);
  const where = rowCondition(context, returningColumns, values);
  const unchanged = state === undefined ? where : state.narrow(where, row[columns.length] ?? null);
  const valueOf = ({ name }: Column): Value => {
    const keyIndex = returningColumns.findIndex((column) => column.name === name);
    return (keyIndex === -1 ? row[selection.indexOf(name)] : values[keyIndex]) ?? null;
  };
  const hasValue = (column: Column, value: Value): boolean => {
    const encode = cellEncoder(column);
    return encode(valueOf(column)) === encode(value);
  };
  return { address, where, unchanged, hasEntityTag, returningColumns, values, valueOf, hasValue };
}

const stateColumn: Column = {
  name: 'state',
  type: { kind: 'text' },
  nativeType: 'text',
  nullable: false,
};

/** `If-Match: *` accepts the row in any state. */
function acceptsAnyState(ifMatch: string): boolean {
  return ifMatch.trim() === '*';
}

function matchesEtag(ifMatch: string, etag: string): boolean {
  return ifMatch.split(',').some((tag) => tag.trim() === etag);
}

function rowChangedError({ id, table }: RowAddress): StudioError {
  return new StudioError(
    'row_changed',
    `The row "${id}" of table "${table.name}" has changed since it was read.`,
  );
}

/**
 * The error of a write that no longer found its row because another client changed or deleted it.
 * Undefined on databases that lock the row, where this cannot happen.
 */
export function concurrentChangeError(
  { database: { dialect } }: Context<'write'>,
  { address, hasEntityTag }: LockedRow,
): StudioError | undefined {
  const { table, id } = address;
  if (dialect.write.rowState(table) === undefined) return undefined;
  return hasEntityTag
    ? rowChangedError(address)
    : new StudioError('row_not_found', `Table "${table.name}" has no row with the id "${id}".`);
}

/** The columns that a write returns: those of the row's id, or all columns of a table without row ids. */
export function returningColumnsOf(table: Table): readonly Column[] {
  if (identityOf(table).kind === 'none') return table.columns;
  const number = rowNumberColumn(table);
  const address = addressColumns(table);
  return number === undefined || address.includes(number) ? address : [...address, number];
}

export function selectExpressions(
  { database: { dialect } }: Context<'write'>,
  columns: readonly Column[],
): readonly string[] {
  return columns.map((column) => dialect.selectExpression(dialect.quoteName(column.name), column));
}

/** The condition that identifies a row: by its row number if it has one, otherwise by the whole key. */
export function rowCondition(
  { database: { dialect } }: Context<'write'>,
  columns: readonly Column[],
  row: Row,
): Fragment {
  const numberAt = columns.findIndex((column) => column.isRowNumber === true);
  const comparedColumns =
    numberAt === -1
      ? columns.map((column, i) => ({ column, i }))
      : [{ column: columns[numberAt]!, i: numberAt }];
  const tests = comparedColumns.map(({ column, i }) =>
    equalsCondition(dialect, column, row[i] ?? null),
  );
  return join(tests, ' AND ');
}
