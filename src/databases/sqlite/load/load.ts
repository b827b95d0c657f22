import { replacedRow } from '../../../model/conflict-rules.ts';
import { lacksRequiredValues } from '../../lacks-required-values.ts';
import { RowsFailure } from '../../../model/load-dialect.ts';
import { mayConstraintsRejectNull } from '../../constraints-on-null.ts';
import { filePositionOf } from '../../../model/row-chunk.ts';
import { bindable } from '../driver/bindings.ts';
import { isForeignKeyError } from '../dialect/errors.ts';
import { createRebuiltIndexes } from './load-indexes.ts';
import { createKeyIndexes } from './load-key-indexes.ts';
import {
  danglingReferenceError,
  createLoadedTable,
  resetViolationCount,
  danglingBeforeUpdate,
  addPreexisting,
  checksRowByRow,
  missingReferenceError,
  rowReferenceError,
} from './load-keys.ts';
import { createRowOrigins } from './row-origins.ts';
import { hasTriggers, indirectlyWrittenTables } from './indirect-writes.ts';
import { writeStrictly } from './load-strict.ts';
import {
  orAbortFor,
  hasKey,
  insertStatement,
  rowNumberName,
  updateStatement,
} from './load-statements.ts';
import type { InsertBatch, InsertCounts, RowChange } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Connection, Statement } from '../driver/driver.ts';
import type { KeyIndexes } from './load-key-indexes.ts';
import type { LoadedTable } from './load-keys.ts';
import type { OrAbort, UpdateStatement } from './load-statements.ts';
import type { RebuiltIndexes } from './load-indexes.ts';
import type { RowOrigin } from './row-origins.ts';

/** Inserts many rows in a transaction; all calls are synchronous. */
export interface Loader {
  /** The tables that triggers and foreign key actions write to when rows of a table change. */
  indirectlyWrittenTables(
    this: void,
    table: Table,
    changes: readonly RowChange[],
  ): readonly string[];
  runsTriggers(this: void, table: Table): boolean;
  mayRejectNull(this: void, table: Table, columns: readonly string[]): boolean;
  insert(batch: InsertBatch): InsertCounts;
  beforeDeletingAllRows(table: Table): void;
  /** Fails if a written row has a dangling reference. */
  checkForeignKeys(): void;
  /** Called before the commit: restores dropped indexes, and drops temporary ones. */
  finish(): void;
  /** Adds the rows with violations to the error of a failed commit. */
  explain(error: unknown): unknown;
}

export function createLoader(connection: Connection): Loader {
  const loadedTables = new Map<Table, LoadedTable>();
  const indexes = createRebuiltIndexes(connection);
  const keyIndexes = createKeyIndexes(connection, loadedTables);
  const orAbort = new Map<Table, OrAbort>();
  const orAbortOf = (table: Table): OrAbort => {
    const cached = orAbort.get(table) ?? orAbortFor(connection, table);
    orAbort.set(table, cached);
    return cached;
  };
  let isChecked = false;
  return {
    indirectlyWrittenTables: (table, changes) =>
      indirectlyWrittenTables(connection, table, changes),
    runsTriggers: (table) => hasTriggers(connection, table),
    mayRejectNull: (table, columns) => mayConstraintsRejectNull(table, columns, false),
    insert: (batch) => {
      const ownTable = loadedTable(connection, loadedTables, batch.table);
      const context = {
        connection,
        indexes,
        keyIndexes,
        loaded: ownTable,
        orAbort: orAbortOf(batch.table),
        checksRowByRow: ownTable !== undefined && checksRowByRow(connection, ownTable),
      };
      return insert(context, batch);
    },
    beforeDeletingAllRows: keyIndexes.beforeDeletingAllRows,
    checkForeignKeys: () => {
      const error = danglingReferenceError(connection, loadedTables.values());
      if (error !== undefined) throw error;
      isChecked = true;
    },
    finish: () => {
      keyIndexes.drop();
      indexes.restore();
      if (isChecked) resetViolationCount(connection);
    },
    explain: (error) =>
      (isForeignKeyError(error)
        ? danglingReferenceError(connection, loadedTables.values())
        : undefined) ?? error,
  };
}

/** Undefined for a table without foreign keys. */
function loadedTable(
  connection: Connection,
  loadedTables: Map<Table, LoadedTable>,
  table: Table,
): LoadedTable | undefined {
  if (table.foreignKeys.length === 0) return undefined;
  const cached = loadedTables.get(table);
  if (cached !== undefined) return cached;
  const origins = rowNumberName(table) === undefined ? undefined : createRowOrigins();
  const createdTable = createLoadedTable(connection, table, origins);
  loadedTables.set(table, createdTable);
  return createdTable;
}

interface LoadContext {
  readonly connection: Connection;
  readonly indexes: RebuiltIndexes;
  readonly keyIndexes: KeyIndexes;
  readonly loaded: LoadedTable | undefined;
  readonly orAbort: OrAbort;
  readonly checksRowByRow: boolean;
}

function insert(context: LoadContext, batch: InsertBatch): InsertCounts {
  const { indexes, keyIndexes } = context;
  const isUpdate = batch.conflict.kind === 'update';
  // Checks of open references may need an index that would be dropped.
  if (!isUpdate && !keyIndexes.isNeeded() && indexes.countInserted(batch.table, batch.rows.length))
    keyIndexes.refresh();
  keyIndexes.beforeInsert(batch.table);
  if (isUpdate) return upsertRows(context, batch);
  const isSkip = batch.conflict.kind === 'skip';
  const inserted = hasNoIndexes(batch)
    ? insertRowsPerStatement(context, batch)
    : isSkip && lacksRequiredValues(batch)
      ? insertMissingRows(context, batch)
      : insertRowByRow(context, batch);
  return { inserted, updated: 0 };
}

function insertMissingRows(context: LoadContext, batch: InsertBatch): number {
  const write = rowWriter(context, batch);
  let inserted = 0;
  for (let i = 0; i < batch.rows.length; i++) {
    if (hasKey(context.connection, batch, bindRow(batch.rows[i] ?? [], i))) continue;
    const { changes, rowId } = writeRow(write, batch, i);
    inserted += changes;
    if (changes > 0) recordAt(context, rowId, { batch, i });
  }
  return inserted;
}

const rowsPerStatement = 20;

/** Several rows in one statement are faster for tables without indexes, and slower for others. */
function hasNoIndexes({ table, conflict, columns }: InsertBatch): boolean {
  const { primaryKey, indexes, foreignKeys } = table;
  const isNumbered = table.columns.some(
    ({ name, autoIncrement }) => autoIncrement === true && name === primaryKey?.columns[0],
  );
  return (
    conflict.kind === 'error' &&
    columns.length > 0 &&
    (primaryKey === undefined || isNumbered) &&
    indexes.length === 0 &&
    foreignKeys.length === 0
  );
}

function insertRowsPerStatement({ connection, orAbort }: LoadContext, batch: InsertBatch): number {
  const fullStatementRows = batch.rows.length - (batch.rows.length % rowsPerStatement);
  const statement = connection.statement(insertStatement(batch, rowsPerStatement, orAbort));
  let inserted = 0;
  for (let first = 0; first < fullStatementRows; first += rowsPerStatement) {
    const values = batch.rows
      .slice(first, first + rowsPerStatement)
      .flatMap((row, i) => bindRow(row, first + i));
    inserted += atRows({ first, count: rowsPerStatement }, () => statement.write(values).changes);
  }
  const single = connection.statement(insertStatement(batch, 1, orAbort));
  for (let i = fullStatementRows; i < batch.rows.length; i++)
    inserted += writeRow(single.write, batch, i).changes;
  return inserted;
}

function insertRowByRow(context: LoadContext, batch: InsertBatch): number {
  const write = rowWriter(context, batch);
  let inserted = 0;
  let index = 0;
  // This loop may run for millions of rows, so it creates no closures.
  try {
    for (; index < batch.rows.length; index++) {
      const { changes, rowId } = write(bindableRow(batch.rows[index] ?? []));
      inserted += changes;
      if (changes > 0) recordWritten(context, rowId, filePositionOf(batch, index));
    }
  } catch (error) {
    throw rowFailure(context, { batch, i: index }, error);
  }
  return inserted;
}

/** Adds the foreign key to an error of one, which SQLite does not name. */
function rowFailure(
  { connection }: LoadContext,
  { batch, i }: BatchRow,
  error: unknown,
): RowsFailure {
  const cause = isForeignKeyError(error)
    ? missingReferenceError(connection, batch, bindableRow(batch.rows[i] ?? []))
    : undefined;
  return new RowsFailure(cause ?? error, { first: i, count: 1 });
}

type Write = (values: Row) => ReturnType<Statement['write']>;

/** Inserts one row, and never replaces another. */
function rowWriter({ connection, orAbort }: LoadContext, batch: InsertBatch): Write {
  const strict = connection.statement(insertStatement(batch, 1, orAbort));
  if (orAbort === '') return strict.write;
  return (values) =>
    writeStrictly(() => strict.write(values), {
      connection,
      batch,
      values,
      write: () => connection.statement(insertStatement(batch, 1, '')).write(values),
      adds: ({ changes }) => (changes === 0 && hasKey(connection, batch, values) ? 0 : 1),
    });
}

function upsertRows(context: LoadContext, batch: InsertBatch): InsertCounts {
  const write = rowWriter(context, batch);
  const update = rowUpdater(context, batch);
  const updatesFirst = lacksRequiredValues(batch);
  let [inserted, updated] = [0, 0];
  for (let i = 0; i < batch.rows.length; i++) {
    if (updatesFirst && update !== undefined && updateAt(context, update, { batch, i })) {
      updated++;
      continue;
    }
    const writtenRow = writeRow(write, batch, i);
    if (writtenRow.changes > 0) {
      inserted++;
      recordAt(context, writtenRow.rowId, { batch, i });
    } else if (update !== undefined && updateAt(context, update, { batch, i })) {
      updated++;
    }
  }
  return { inserted, updated };
}

interface RowUpdater {
  readonly statement: UpdateStatement;
  /** Returns the rowid of the updated row; undefined if no row has the key. */
  update(values: readonly Value[]): Row | undefined;
}

/** Undefined if the update has no columns to set. */
function rowUpdater(
  { connection, orAbort }: LoadContext,
  batch: InsertBatch,
): RowUpdater | undefined {
  const statement = updateStatement(batch, orAbort);
  const plain = updateStatement(batch, '');
  if (statement === undefined || plain === undefined) return undefined;
  const run = ({ text, bindings }: UpdateStatement, values: readonly Value[]): Row | undefined =>
    connection.statement(text).all(bindings(values), false)[0];
  const strict = (values: readonly Value[]): Row | undefined => run(statement, values);
  if (orAbort === '') return { statement, update: strict };
  return {
    statement,
    update: (values) =>
      writeStrictly(() => strict(values), {
        connection,
        batch,
        values,
        write: () => {
          const row = run(plain, values);
          // A clause ON CONFLICT IGNORE leaves the row as it is, without an error.
          if (row === undefined && hasKey(connection, batch, values))
            throw replacedRow(batch.table);
          return row;
        },
        adds: () => 0,
      }),
  };
}

interface BatchRow {
  readonly batch: InsertBatch;
  readonly i: number;
}

/** Returns whether a row was updated. */
function updateAt(
  context: LoadContext,
  { statement, update }: RowUpdater,
  { batch, i }: BatchRow,
): boolean {
  const { connection, loaded } = context;

  const values = bindRow(batch.rows[i] ?? [], i);
  const danglingBefore =
    loaded === undefined
      ? []
      : danglingBeforeUpdate(connection, loaded, {
          where: statement.where,
          values: statement.key(values),
        });
  const row = atRows({ first: i, count: 1 }, () => update(values));
  if (row === undefined) return false;
  const rowId = Number(row[0]);
  if (loaded !== undefined) addPreexisting(loaded, danglingBefore, rowId);
  recordAt(context, rowId, { batch, i });
  return true;
}

function recordAt(context: LoadContext, rowId: number, { batch, i }: BatchRow): void {
  atRows({ first: i, count: 1 }, () => recordWritten(context, rowId, filePositionOf(batch, i)));
}

function recordWritten(
  { connection, loaded, keyIndexes, checksRowByRow: checksRow }: LoadContext,
  rowId: number,
  origin: RowOrigin,
): void {
  if (loaded === undefined) return;
  const error = checksRow ? rowReferenceError(connection, loaded, rowId) : undefined;
  if (error !== undefined) throw error;
  loaded.origins?.add(rowId, origin);
  keyIndexes.written(loaded, rowId);
}

function writeRow(write: Write, { rows }: InsertBatch, index: number): ReturnType<Write> {
  const values = bindRow(rows[index] ?? [], index);
  return atRows({ first: index, count: 1 }, () => write(values));
}

function bindRow(row: Row, index: number): readonly Value[] {
  return atRows({ first: index, count: 1 }, () => bindableRow(row));
}

function bindableRow(row: Row): readonly Value[] {
  for (const value of row) if (!isBindable(value)) return row.map(bindable);
  return row;
}

function isBindable(value: Value): boolean {
  return typeof value === 'string' ? value.isWellFormed() : typeof value !== 'boolean';
}

/** Adds the rows of the batch to an error. */
function atRows<T>(rows: { readonly first: number; readonly count: number }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RowsFailure(error, rows);
  }
}
