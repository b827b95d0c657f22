/** Reads rows as stored after they are written: triggers may have changed them. */
import { StudioError } from '../../../model/errors.ts';
import { identityOf, formatId, rowNumberId } from '../../../model/row-id.ts';
import { render } from '../../../sql/render.ts';
import { selectRows } from '../../../sql/select.ts';
import { addressColumns } from '../read/find-row.ts';
import { rowCondition } from './lock-row.ts';
import { rowEtag } from '../read/row-etag.ts';
import { rowNumberColumn, selectAll } from '../read/selection.ts';
import { canRollBack } from './undoable-changes.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { LockedRow } from './lock-row.ts';
import type { EncodedRow } from '../read/row-etag.ts';
import type { Selection } from '../read/selection.ts';
import type { TableWrite } from './write-to-table.ts';

/** A row as stored after the write. */
export interface WrittenRow {
  readonly json: string;
  readonly etag: string;
  /** Encoded for a path. Undefined if rows of the table have no id or the key is unknown. */
  readonly id?: string;
}

interface ReturnedRow {
  readonly returningColumns: readonly Column[];
  /** Their values. */
  readonly row: Row;
}

/** Fails if the table does not have exactly one row with these values. */
export async function readBack(
  tableWrite: TableWrite,
  { returningColumns, row }: ReturnedRow,
): Promise<WrittenRow> {
  const { context, table } = tableWrite;
  if (identityOf(table).kind === 'none')
    return writtenRow(table, { row, json: selectAll(context.database.dialect, table).encode(row) });
  const [stored, another] = await selectMatching(tableWrite, {
    returningColumns,
    values: row,
  });
  if (stored === undefined) throw removedSinceError(tableWrite) ?? suppressedError(table);
  if (another !== undefined) throw duplicateKeyError(tableWrite);
  return rowAsStored(tableWrite, stored);
}

export function rowAsStored({ context, table }: TableWrite, storedRow: Row): WrittenRow {
  const selection = selectAll(context.database.dialect, table);
  const json = selection.encode(storedRow);
  return writtenRow(table, { row: storedRow, json }, idOf(table, selection, storedRow));
}

function writtenRow(table: Table, encoded: EncodedRow, id?: string): WrittenRow {
  const etag = rowEtag(table, encoded);
  return { json: encoded.json, etag, ...(id === undefined ? {} : { id }) };
}

function idOf(table: Table, selection: Selection, row: Row): string | undefined {
  const valueOf = ({ name }: Column): Value => row[selection.indexOf(name)] ?? null;
  const key = addressColumns(table).map(valueOf);
  if (!key.includes(null)) return formatId(key);
  const number = rowNumberColumn(table);
  return number === undefined ? undefined : rowNumberId(String(valueOf(number)));
}

/** Reads the rows that have these values: at most two, since one is expected. */
export async function selectMatching(
  { context, session, table }: TableWrite,
  { returningColumns, values }: Pick<LockedRow, 'returningColumns' | 'values'>,
): Promise<readonly Row[]> {
  const { dialect } = context.database;
  const selection = selectAll(dialect, table);
  const select = selectRows(dialect, {
    table,
    expressions: selection.expressions,
    where: [rowCondition(context, returningColumns, values)],
    order: [],
    limit: 2,
    offset: 0,
  });
  const { rows } = await session.run(render(dialect, select, selection.columns));
  return rows;
}

export function suppressedError(table: Table): StudioError {
  return new StudioError(
    'write_suppressed',
    `A trigger or rule of table "${table.name}" kept the row from being written.`,
  );
}

/** Several rows have this key: the constraint is checked at the commit, or the other row is in a child table. */
function duplicateKeyError({ context, table }: TableWrite): StudioError {
  const columns = addressColumns(table).map(({ name }) => name);
  const outcome = canRollBack(context, table) ? '' : ' The row was written nevertheless.';
  return new StudioError(
    'unique_violation',
    `Table "${table.name}" already has a row with the same ${columns.join(', ')}.${outcome}`,
    { table: table.name, columns },
  );
}

/** On tables whose rows cannot be locked, another client may already have changed the row. */
function removedSinceError({ context, table }: TableWrite): StudioError | undefined {
  if (context.database.dialect.write.rowState(table) === undefined) return undefined;
  return new StudioError(
    'row_not_found',
    `The row of table "${table.name}" was written, but another client has removed it or changed its key since.`,
  );
}
