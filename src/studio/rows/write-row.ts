import { StudioError } from '../../model/errors.ts';
import { param, sql } from '../../model/fragment.ts';
import { rowEncoder } from '../../model/json-cells.ts';
import { identityOf, formatId, rowNumberId } from '../../model/row-id.ts';
import { render } from '../../sql/render.ts';
import { selectRows } from '../../sql/select.ts';
import { softDeleteAssignment } from './soft-delete-assignment.ts';
import { StructureChanged } from '../core/retry-on-structure-change.ts';
import { addressColumns } from './find-row.ts';
import {
  selectExpressions,
  concurrentChangeError,
  lockRow,
  rowCondition,
  returningColumnsOf,
} from './locked-row.ts';
import { noteRow, watchReferences } from './reference-watch.ts';
import { rowEtag } from './row-etag.ts';
import { rowNumberColumn, selectAll } from './selection.ts';
import { canRollBack } from './undoable-changes.ts';
import { writeUse } from '../core/connection-use.ts';
import { keyAfterUpdate, restoreInvalidTexts, withOnUpdateTimes } from './key-after-update.ts';
import { runStrictly } from './strict-write.ts';
import { writeTransaction } from '../core/write-transaction.ts';
import type { Query, Session } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Assignments } from './key-after-update.ts';
import type { Row, Value } from '../../model/values.ts';
import type { Context } from '../core/context.ts';
import type { ReferenceWatch } from './reference-watch.ts';
import type { RowAddress } from './find-row.ts';
import type { LockedRow } from './locked-row.ts';
import type { EncodedRow } from './row-etag.ts';
import type { Selection } from './selection.ts';

/** A transaction that writes rows of one table. */
export interface TableWrite {
  readonly context: Context;
  readonly session: Session;
  readonly table: Table;
  readonly references?: ReferenceWatch | undefined;
}

/** A row as stored after the write. */
export interface WrittenRow {
  readonly json: string;
  readonly etag: string;
  /** Encoded for a path. Undefined if rows of the table have no id or the key is unknown. */
  readonly id?: string;
}

/** A new row that could not be read back: its values as the client sent them. */
export interface RowAsSent {
  readonly json: string;
  readonly warning: string;
}

/** Runs the work in one write transaction on the table. Fails if the table cannot be written. */
export function writeTo<T>(
  context: Context,
  table: Table,
  work: (tableWrite: TableWrite) => Promise<T>,
): Promise<T> {
  mustTakeWrites(table);
  const { dialect } = context.database;
  return writeTransaction(
    context.database,
    async (session) => {
      const { schema } = await context.schemas.current();
      const references = watchReferences({ session, dialect, table, schema });
      const result = await work({ context, session, table, references });
      await references?.mustHold();
      await mustBeUnchanged(context, session, table);
      return result;
    },
    writeUse(table.name),
  );
}

/** The locks of the write prevent changes to the table's definition until the commit, so this check is final. */
async function mustBeUnchanged(context: Context, session: Session, table: Table): Promise<void> {
  if ((await context.database.revisionOf(session, table)) === table.revision) return;
  throw new StructureChanged(table.name, 'write');
}

export function mustTakeWrites({ kind, name }: Table): void {
  if (kind === 'table') return;
  throw new StudioError(
    'not_writable',
    `"${name}" is a view; rows are written to the tables under it.`,
  );
}

export async function applyInsert(
  tableWrite: TableWrite,
  assignments: Assignments,
): Promise<WrittenRow | RowAsSent> {
  const { context, table } = tableWrite;
  const { dialect } = context.database;
  const returningColumns = returningColumnsOf(table);
  const canReturn = dialect.writing.supportsInsertReturning && table.withoutReturning !== true;
  const insert = (isStrict: boolean): Fragment =>
    dialect.writing.insertRow({
      table: dialect.tableName(table),
      columns: [...assignments.keys()].map((column) => dialect.quoteName(column.name)),
      values: [...assignments].map(([column, value]) => param(value, column.type)),
      assignedColumns: [...assignments.keys()],
      returning: canReturn ? selectExpressions(context, returningColumns) : [],
      returningColumns,
      isStrict,
    });
  if (!canReturn)
    return insertWithoutReturning(tableWrite, assignments, async () => {
      const { insertId } = await tableWrite.session.run(render(dialect, insert(false)));
      return insertId;
    });
  const statement = (isStrict: boolean): Query =>
    render(dialect, insert(isStrict), returningColumns);
  const insertOne = async (): Promise<Row> => {
    const { rows } = await runStrictly(tableWrite, { statement, adds: 1, assignments });
    if (rows[0] === undefined) throw suppressedError(table);
    return rows[0];
  };
  if (table.redirectsWrites === true)
    return insertWithoutReturning(tableWrite, assignments, async () => {
      await insertOne();
      return undefined;
    });
  const row = await insertOne();
  await noteRow(tableWrite.references, undefined, rowCondition(context, returningColumns, row));
  return readBack(tableWrite, { returningColumns, row });
}

/**
 * Inserts a row and finds it by its key. Needed where INSERT returns no values of the new row, or may
 * return a row of another table. `insert` returns the number that the database generated for the row.
 */
async function insertWithoutReturning(
  tableWrite: TableWrite,
  assignments: Assignments,
  insert: () => Promise<bigint | undefined>,
): Promise<WrittenRow | RowAsSent> {
  const { table } = tableWrite;
  const keyExisted = (await findByKey(tableWrite, completeKey(table, assignments))) !== undefined;
  const insertId = await insert();
  // If a row with this key existed before, the new row must have received another key.
  const stored = keyExisted
    ? undefined
    : await findByKey(tableWrite, completeKey(table, assignments, insertId));
  return stored === undefined ? rowAsSent(table, assignments) : rowAsStored(tableWrite, stored);
}

/** The new row's key. Undefined if a value of it is unknown. */
function completeKey(table: Table, assignments: Assignments, insertId?: bigint): Row | undefined {
  if (identityOf(table).kind === 'none') return undefined;
  const key = addressColumns(table).map((column) => keyValue(column, assignments, insertId));
  return key.includes(null) ? undefined : key;
}

async function findByKey(tableWrite: TableWrite, key: Row | undefined): Promise<Row | undefined> {
  if (key === undefined) return undefined;
  const [row, another] = await selectMatching(tableWrite, {
    returningColumns: addressColumns(tableWrite.table),
    values: key,
  });
  return another === undefined ? row : undefined;
}

function rowAsSent(table: Table, assignments: Assignments): RowAsSent {
  const why =
    table.redirectsWrites === true
      ? `A rule of table "${table.name}" may have stored the row in another table`
      : 'The row was stored but could not be found by the values of the request';
  return {
    json: rowEncoder([...assignments.keys()])([...assignments.values()]),
    warning: `${why}: the response has the row as it was sent, not as it is stored.`,
  };
}

function keyValue(column: Column, assignments: Assignments, insertId: bigint | undefined): Value {
  const assigned = [...assignments].find(([candidate]) => candidate.name === column.name)?.[1];
  const isNumbered = column.autoIncrement === true || column.isRowNumber === true;
  return assigned ?? (isNumbered ? (insertId ?? null) : null);
}

function suppressedError(table: Table): StudioError {
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
  if (context.database.dialect.writing.rowState(table) === undefined) return undefined;
  return new StudioError(
    'row_not_found',
    `The row of table "${table.name}" was written, but another client has removed it or changed its key since.`,
  );
}

interface ReturnedRow {
  readonly returningColumns: readonly Column[];
  /** Their values. */
  readonly row: Row;
}

/** Reads the row as stored: triggers may have changed it. */
async function readBack(
  tableWrite: TableWrite,
  { returningColumns, row }: ReturnedRow,
): Promise<WrittenRow> {
  const { context, table } = tableWrite;
  if (identityOf(table).kind === 'none')
    return writtenRow(table, { row, json: selectAll(context.database.dialect, table).encode(row) });
  const [stored, another] = await selectMatching(tableWrite, {
    returningColumns: returningColumns,
    values: row,
  });
  if (stored === undefined) throw removedSinceError(tableWrite) ?? suppressedError(table);
  if (another !== undefined) throw duplicateKeyError(tableWrite);
  return rowAsStored(tableWrite, stored);
}

function rowAsStored({ context, table }: TableWrite, stored: Row): WrittenRow {
  const selection = selectAll(context.database.dialect, table);
  const json = selection.encode(stored);
  return writtenRow(table, { row: stored, json }, idOf(table, selection, stored));
}

function writtenRow(table: Table, whole: EncodedRow, id?: string): WrittenRow {
  const etag = rowEtag(table, whole);
  return { json: whole.json, etag, ...(id === undefined ? {} : { id }) };
}

function idOf(table: Table, selection: Selection, row: Row): string | undefined {
  const valueOf = ({ name }: Column): Value => row[selection.indexOf(name)] ?? null;
  const key = addressColumns(table).map(valueOf);
  if (!key.includes(null)) return formatId(key);
  const number = rowNumberColumn(table);
  return number === undefined ? undefined : rowNumberId(String(valueOf(number)));
}

/** Reads the rows that have these values: at most two, since one is expected. */
async function selectMatching(
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

export interface RowChange {
  readonly address: RowAddress;
  readonly ifMatch?: string | undefined;
  readonly assignments: Assignments;
}

export async function applyUpdate(tableWrite: TableWrite, change: RowChange): Promise<WrittenRow> {
  const { context } = tableWrite;
  const { dialect } = context.database;
  const locked = await lockRow(tableWrite, change.address, change.ifMatch);
  const assignments = await withOnUpdateTimes(tableWrite, locked, change.assignments);
  const set = [...assignments].map(([{ name, type }, value]) =>
    dialect.writing.assignment(dialect.quoteName(name), { value, type }),
  );
  const before = await tableWrite.references?.read(locked.where);
  const returned = await runUpdate(tableWrite, locked, { assignments, set });
  const isReturned = returned !== undefined && tableWrite.table.redirectsWrites !== true;
  const row = isReturned
    ? restoreInvalidTexts(returned, locked)
    : keyAfterUpdate(locked, assignments);
  await noteRow(tableWrite.references, before, rowCondition(context, locked.returningColumns, row));
  return readBack(tableWrite, { returningColumns: locked.returningColumns, row });
}

interface UpdateSet {
  readonly assignments: Assignments;
  /** The assignments of SET. */
  readonly set: readonly Fragment[];
}

/** Updates exactly the locked row. Undefined if UPDATE returns no values. */
async function runUpdate(
  tableWrite: TableWrite,
  locked: LockedRow,
  { assignments, set }: UpdateSet,
): Promise<Row | undefined> {
  const { context, table } = tableWrite;
  const { dialect } = context.database;
  const canReturn = dialect.writing.supportsUpdateReturning && table.withoutReturning !== true;
  const statement = (isStrict: boolean): Query => {
    const update = dialect.writing.updateRow({
      table: dialect.tableName(table),
      assignments: set,
      where: locked.unchanged,
      returning: canReturn ? selectExpressions(context, locked.returningColumns) : [],
      returningColumns: locked.returningColumns,
      isStrict,
    });
    return render(dialect, update, canReturn ? locked.returningColumns : undefined);
  };
  const { rows, rowsAffected } = await runStrictly(tableWrite, {
    statement,
    adds: 0,
    assignments,
  });
  mustBeExactlyOne(tableWrite, locked, canReturn ? rows.length : rowsAffected);
  return rows[0];
}

function mustBeExactlyOne({ context, table }: TableWrite, locked: LockedRow, rows: number): void {
  if (rows === 0) throw concurrentChangeError(context, locked) ?? suppressedError(table);
  if (rows > 1)
    throw new StudioError(
      'no_row_identity',
      `More than one row of table "${table.name}" has this id; none was written.`,
    );
}

export interface RowDeletion {
  readonly address: RowAddress;
  readonly ifMatch?: string | undefined;
  /** Removes the row even where the table marks rows as deleted. */
  readonly permanent: boolean;
}

export async function applyDelete(tableWrite: TableWrite, removal: RowDeletion): Promise<void> {
  const { context, session, table } = tableWrite;
  const { dialect } = context.database;
  const locked = await lockRow(tableWrite, removal.address, removal.ifMatch);
  const marker = removal.permanent ? undefined : softDeleteAssignment(context, table);
  if (marker !== undefined) {
    await runUpdate(tableWrite, locked, { assignments: new Map(), set: [marker] });
    return;
  }
  const before = await tableWrite.references?.read(locked.where);
  const { rowsAffected } = await session.run(
    render(dialect, sql`DELETE FROM ${dialect.tableName(table)} WHERE ${locked.unchanged}`),
  );
  mustBeExactlyOne(tableWrite, locked, rowsAffected);
  const isStillStored =
    table.redirectsWrites === true && (await selectMatching(tableWrite, locked)).length > 0;
  if (isStillStored) throw suppressedError(table);
  await noteRow(tableWrite.references, before, undefined);
}
