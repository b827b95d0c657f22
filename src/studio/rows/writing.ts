import { StudioError } from '../../model/errors.ts';
import { param, sql } from '../../model/fragment.ts';
import { rowEncoder } from '../../model/json-cells.ts';
import { identityOf, formatId, rowNumberId } from '../../model/row-id.ts';
import { render } from '../../sql/render.ts';
import { selectRows } from '../../sql/select.ts';
import { deletionMark } from './deletion-mark.ts';
import { StructureChanged } from '../core/follow-structure.ts';
import { addressColumns } from './find-row.ts';
import { expressionsOf, goneUnderway, holdRow, sameRow, toldColumns } from './held-row.ts';
import { noteRow, watchReferences } from './reference-watch.ts';
import { rowEtag } from './row-etag.ts';
import { rowNumberColumn, selectAll } from './selection.ts';
import { canRollBack } from './undoable-changes.ts';
import { writesOf } from '../core/connection-use.ts';
import { movedKey, withHeldTexts, withKeyTimes } from './key-after-update.ts';
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
import type { HeldRow } from './held-row.ts';
import type { WholeRow } from './row-etag.ts';
import type { Selection } from './selection.ts';

/** Writing rows of one table within a transaction. */
export interface Writing {
  readonly context: Context;
  readonly session: Session;
  readonly table: Table;
  readonly references?: ReferenceWatch | undefined;
}

/** A row as it stands after the write. */
export interface WrittenRow {
  readonly json: string;
  readonly etag: string;
  /** Ready for a path; undefined where rows have no address or the key could not be learnt. */
  readonly id?: string;
}

/** A new row that was not found again: its values as they were sent. */
export interface UnseenRow {
  readonly json: string;
  readonly warning: string;
}

/** Runs work in one write transaction on a table that takes writes. */
export function writeTo<T>(
  context: Context,
  table: Table,
  work: (writing: Writing) => Promise<T>,
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
    writesOf(table.name),
  );
}

/** What has been written keeps the table from being changed until the commit: now its definition is certain. */
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

export async function insertRow(
  writing: Writing,
  assignments: Assignments,
): Promise<WrittenRow | UnseenRow> {
  const { context, table } = writing;
  const { dialect } = context.database;
  const told = toldColumns(table);
  const tells = dialect.writing.supportsInsertReturning && table.withoutReturning !== true;
  const insert = (isStrict: boolean): Fragment =>
    dialect.writing.insertRow({
      table: dialect.tableName(table),
      columns: [...assignments.keys()].map((column) => dialect.quoteName(column.name)),
      values: [...assignments].map(([column, value]) => param(value, column.type)),
      assigned: [...assignments.keys()],
      returning: tells ? expressionsOf(context, told) : [],
      returningColumns: told,
      isStrict,
    });
  if (!tells)
    return insertUntold(writing, assignments, async () => {
      const { insertId } = await writing.session.run(render(dialect, insert(false)));
      return insertId;
    });
  const statement = (isStrict: boolean): Query => render(dialect, insert(isStrict), told);
  const insertOne = async (): Promise<Row> => {
    const { rows } = await runStrictly(writing, { statement, adds: 1, assignments });
    if (rows[0] === undefined) throw suppressed(table);
    return rows[0];
  };
  if (table.redirectsWrites === true)
    return insertUntold(writing, assignments, async () => {
      await insertOne();
      return undefined;
    });
  const row = await insertOne();
  await noteRow(writing.references, undefined, sameRow(context, told, row));
  return readBack(writing, { told, row });
}

/**
 * Where the database returns nothing of a new row, or possibly a row of another table, the new row is
 * looked up by its key. `insert` returns the number that the database gave the row.
 */
async function insertUntold(
  writing: Writing,
  assignments: Assignments,
  insert: () => Promise<bigint | undefined>,
): Promise<WrittenRow | UnseenRow> {
  const { table } = writing;
  const isOthers = (await selectKey(writing, keyOf(table, assignments))) !== undefined;
  const insertId = await insert();
  // Put in beside a row of that key, it has been given another.
  const stored = isOthers
    ? undefined
    : await selectKey(writing, keyOf(table, assignments, insertId));
  return stored === undefined ? asSent(table, assignments) : rowAsStored(writing, stored);
}

/** Undefined where it is not known as a whole. */
function keyOf(table: Table, assignments: Assignments, insertId?: bigint): Row | undefined {
  if (identityOf(table).kind === 'none') return undefined;
  const key = addressColumns(table).map((column) => keyValue(column, assignments, insertId));
  return key.includes(null) ? undefined : key;
}

async function selectKey(writing: Writing, key: Row | undefined): Promise<Row | undefined> {
  if (key === undefined) return undefined;
  const [row, another] = await selectTold(writing, {
    told: addressColumns(writing.table),
    values: key,
  });
  return another === undefined ? row : undefined;
}

function asSent(table: Table, assignments: Assignments): UnseenRow {
  const why =
    table.redirectsWrites === true
      ? `A rule of table "${table.name}" may have stored the row in another table`
      : 'The row is stored, but not to be found by what was sent';
  return {
    json: rowEncoder([...assignments.keys()])([...assignments.values()]),
    warning: `${why}: it is answered as it was sent, not as stored.`,
  };
}

function keyValue(column: Column, assignments: Assignments, insertId: bigint | undefined): Value {
  const assigned = [...assignments].find(([candidate]) => candidate.name === column.name)?.[1];
  const isNumbered = column.autoIncrement === true || column.isRowNumber === true;
  return assigned ?? (isNumbered ? (insertId ?? null) : null);
}

function suppressed(table: Table): StudioError {
  return new StudioError(
    'write_suppressed',
    `A trigger or rule of table "${table.name}" kept the row from being written.`,
  );
}

/** A key that is checked at the commit, or is none to the other table that has the row. */
function keyTaken({ context, table }: Writing): StudioError {
  const columns = addressColumns(table).map(({ name }) => name);
  const kept = canRollBack(context, table) ? '' : ' The row was written all the same.';
  return new StudioError(
    'unique_violation',
    `Table "${table.name}" has a row with the same ${columns.join(', ')} already.${kept}`,
    { table: table.name, columns },
  );
}

/** Where nothing locks the row, another client may be at it already. */
function goneSince({ context, table }: Writing): StudioError | undefined {
  if (context.database.dialect.writing.rowState(table) === undefined) return undefined;
  return new StudioError(
    'row_not_found',
    `The row of table "${table.name}" was written, but another client has removed it or changed its key since.`,
  );
}

interface Told {
  readonly told: readonly Column[];
  readonly row: Row;
}

/** The row as stored, after whatever triggers did to it. */
async function readBack(writing: Writing, { told, row }: Told): Promise<WrittenRow> {
  const { context, table } = writing;
  if (identityOf(table).kind === 'none')
    return written(table, { row, json: selectAll(context.database.dialect, table).encode(row) });
  const [stored, another] = await selectTold(writing, { told, values: row });
  if (stored === undefined) throw goneSince(writing) ?? suppressed(table);
  if (another !== undefined) throw keyTaken(writing);
  return rowAsStored(writing, stored);
}

function rowAsStored({ context, table }: Writing, stored: Row): WrittenRow {
  const selection = selectAll(context.database.dialect, table);
  const json = selection.encode(stored);
  return written(table, { row: stored, json }, idOf(table, selection, stored));
}

function written(table: Table, whole: WholeRow, id?: string): WrittenRow {
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

/** The rows that have these values, of which one is expected: no more than two. */
async function selectTold(
  { context, session, table }: Writing,
  { told, values }: Pick<HeldRow, 'told' | 'values'>,
): Promise<readonly Row[]> {
  const { dialect } = context.database;
  const selection = selectAll(dialect, table);
  const select = selectRows(dialect, {
    table,
    expressions: selection.expressions,
    where: [sameRow(context, told, values)],
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

export async function updateRow(writing: Writing, change: RowChange): Promise<WrittenRow> {
  const { context } = writing;
  const { dialect } = context.database;
  const held = await holdRow(writing, change.address, change.ifMatch);
  const assignments = await withKeyTimes(writing, held, change.assignments);
  const set = [...assignments].map(([{ name, type }, value]) =>
    dialect.writing.assignment(dialect.quoteName(name), { value, type }),
  );
  const before = await writing.references?.read(held.where);
  const told = await runUpdate(writing, held, { assignments, set });
  const isKnown = told !== undefined && writing.table.redirectsWrites !== true;
  const row = isKnown ? withHeldTexts(told, held) : movedKey(held, assignments);
  await noteRow(writing.references, before, sameRow(context, held.told, row));
  return readBack(writing, { told: held.told, row });
}

interface UpdateOfRow {
  readonly assignments: Assignments;
  /** SET, by column. */
  readonly set: readonly Fragment[];
}

/** Exactly the row that is held: none means that the database suppressed it. */
async function runUpdate(
  writing: Writing,
  held: HeldRow,
  { assignments, set }: UpdateOfRow,
): Promise<Row | undefined> {
  const { context, table } = writing;
  const { dialect } = context.database;
  const tells = dialect.writing.supportsUpdateReturning && table.withoutReturning !== true;
  const statement = (isStrict: boolean): Query => {
    const update = dialect.writing.updateRow({
      table: dialect.tableName(table),
      assignments: set,
      where: held.unchanged,
      returning: tells ? expressionsOf(context, held.told) : [],
      returningColumns: held.told,
      isStrict,
    });
    return render(dialect, update, tells ? held.told : undefined);
  };
  const { rows, rowsAffected } = await runStrictly(writing, {
    statement,
    adds: 0,
    assignments,
  });
  exactlyOne(writing, held, tells ? rows.length : rowsAffected);
  return rows[0];
}

function exactlyOne({ context, table }: Writing, held: HeldRow, rows: number): void {
  if (rows === 0) throw goneUnderway(context, held) ?? suppressed(table);
  if (rows > 1)
    throw new StudioError(
      'no_row_identity',
      `More than one row of table "${table.name}" has this id; none was written.`,
    );
}

export interface RowRemoval {
  readonly address: RowAddress;
  readonly ifMatch?: string | undefined;
  /** Removes the row even where the table marks rows as deleted. */
  readonly permanent: boolean;
}

export async function deleteRow(writing: Writing, removal: RowRemoval): Promise<void> {
  const { context, session, table } = writing;
  const { dialect } = context.database;
  const held = await holdRow(writing, removal.address, removal.ifMatch);
  const marker = removal.permanent ? undefined : deletionMark(context, table);
  if (marker !== undefined) {
    await runUpdate(writing, held, { assignments: new Map(), set: [marker] });
    return;
  }
  const before = await writing.references?.read(held.where);
  const { rowsAffected } = await session.run(
    render(dialect, sql`DELETE FROM ${dialect.tableName(table)} WHERE ${held.unchanged}`),
  );
  exactlyOne(writing, held, rowsAffected);
  const isKept = table.redirectsWrites === true && (await selectTold(writing, held)).length > 0;
  if (isKept) throw suppressed(table);
  await noteRow(writing.references, before, undefined);
}
