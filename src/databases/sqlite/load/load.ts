import { RowsFailure } from '../../../model/load-dialect.ts';
import { placeOf } from '../../../model/row-chunk.ts';
import { bindable } from '../driver/bindings.ts';
import { isForeignKeyError } from '../dialect/errors.ts';
import { createSpareIndexes } from './load-indexes.ts';
import { createKeyIndexes } from './load-key-indexes.ts';
import {
  brokenKeys,
  createLoadedTable,
  forgetMissing,
  knownBefore,
  noteKnown,
} from './load-keys.ts';
import { createRowPlaces } from './load-places.ts';
import { writeStrictly } from './load-strict.ts';
import {
  conflictWords,
  hasKey,
  insertStatement,
  rowNumberName,
  updateStatement,
} from './load-statements.ts';
import type { InsertBatch, InsertCounts } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Connection, Statement } from '../driver/driver.ts';
import type { KeyIndexes } from './load-key-indexes.ts';
import type { LoadedTable } from './load-keys.ts';
import type { ConflictWords, UpdateStatement } from './load-statements.ts';
import type { SpareIndexes } from './load-indexes.ts';
import type { Place } from './load-places.ts';

/** What a transaction needs to write many rows; all of it synchronous. */
export interface Loader {
  insert(batch: InsertBatch): InsertCounts;
  beforeEmptying(table: Table): void;
  /** Fails when a foreign key of a row that was written points nowhere. */
  checkKeys(): void;
  /** Before the commit: puts back what was only in the way. */
  finish(): void;
  /** What a commit that failed says, with the rows that it is about. */
  explain(error: unknown): unknown;
}

export function createLoader(connection: Connection): Loader {
  const loaded = new Map<Table, LoadedTable>();
  const indexes = createSpareIndexes(connection);
  const keyIndexes = createKeyIndexes(connection, loaded);
  const words = new Map<Table, ConflictWords>();
  const wordsOf = (table: Table): ConflictWords => {
    const known = words.get(table) ?? conflictWords(connection, table);
    words.set(table, known);
    return known;
  };
  let [isChecked, hasUpdates] = [false, false];
  return {
    insert: (batch) => {
      hasUpdates ||= batch.conflict.kind === 'update';
      return insert(
        {
          connection,
          indexes,
          keyIndexes,
          loaded: loadedTable(connection, loaded, batch.table),
          words: wordsOf(batch.table),
        },
        batch,
      );
    },
    beforeEmptying: keyIndexes.beforeEmptying,
    checkKeys: () => {
      const broken = brokenKeys(connection, loaded.values());
      if (broken !== undefined) throw broken;
      isChecked = true;
    },
    finish: () => {
      keyIndexes.drop();
      indexes.restore();
      if (isChecked) forgetMissing(connection, { hasUpdates });
    },
    explain: (error) =>
      (isForeignKeyError(error) ? brokenKeys(connection, loaded.values()) : undefined) ?? error,
  };
}

/** Kept only where a foreign key may turn out to point nowhere. */
function loadedTable(
  connection: Connection,
  loaded: Map<Table, LoadedTable>,
  table: Table,
): LoadedTable | undefined {
  if (table.foreignKeys.length === 0) return undefined;
  const known = loaded.get(table);
  if (known !== undefined) return known;
  const places = rowNumberName(table) === undefined ? undefined : createRowPlaces();
  const made = createLoadedTable(connection, table, places);
  loaded.set(table, made);
  return made;
}

interface Loading {
  readonly connection: Connection;
  readonly indexes: SpareIndexes;
  readonly keyIndexes: KeyIndexes;
  readonly loaded: LoadedTable | undefined;
  readonly words: ConflictWords;
}

function insert(loading: Loading, batch: InsertBatch): InsertCounts {
  const { indexes, keyIndexes } = loading;
  const isUpdate = batch.conflict.kind === 'update';
  // References may be searched for by an index that would be dropped.
  if (!isUpdate && !keyIndexes.isNeeded() && indexes.note(batch.table, batch.rows.length))
    keyIndexes.refresh();
  keyIndexes.beforeInsert(batch.table);
  if (isUpdate) return upsertRows(loading, batch);
  const inserted = isBare(batch) ? insertTogether(loading, batch) : insertOneByOne(loading, batch);
  return { inserted, updated: 0 };
}

const rowsTogether = 20;

/** Several rows a statement are faster where no index has to be kept, and slower where one has. */
function isBare({ table, conflict, columns }: InsertBatch): boolean {
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

function insertTogether({ connection, words }: Loading, batch: InsertBatch): number {
  const whole = batch.rows.length - (batch.rows.length % rowsTogether);
  const statement = connection.statement(insertStatement(batch, rowsTogether, words));
  let inserted = 0;
  for (let first = 0; first < whole; first += rowsTogether) {
    const values = batch.rows
      .slice(first, first + rowsTogether)
      .flatMap((row, i) => bound(row, first + i));
    inserted += atRows({ first, count: rowsTogether }, () => statement.write(values).changes);
  }
  const single = connection.statement(insertStatement(batch, 1, words));
  for (let i = whole; i < batch.rows.length; i++)
    inserted += writeRow(single.write, batch, i).changes;
  return inserted;
}

function insertOneByOne(loading: Loading, batch: InsertBatch): number {
  const write = rowWriter(loading, batch);
  let inserted = 0;
  let index = 0;
  // What is done for each of a million rows is done without closures.
  try {
    for (; index < batch.rows.length; index++) {
      const { changes, rowId } = write(bindableRow(batch.rows[index] ?? []));
      inserted += changes;
      if (changes > 0) noteWritten(loading, rowId, placeOf(batch, index));
    }
  } catch (error) {
    throw new RowsFailure(error, { first: index, count: 1 });
  }
  return inserted;
}

type Write = (values: Row) => ReturnType<Statement['write']>;

/** Inserts one row, and removes no other. */
function rowWriter({ connection, words }: Loading, batch: InsertBatch): Write {
  const strict = connection.statement(insertStatement(batch, 1, words));
  if (words === '') return strict.write;
  return (values) =>
    writeStrictly(() => strict.write(values), {
      connection,
      batch,
      values,
      write: () => connection.statement(insertStatement(batch, 1, '')).write(values),
      adds: ({ changes }) => (changes === 0 && hasKey(connection, batch, values) ? 0 : 1),
    });
}

function upsertRows(loading: Loading, batch: InsertBatch): InsertCounts {
  const write = rowWriter(loading, batch);
  const update = rowUpdater(loading, batch);
  let [inserted, updated] = [0, 0];
  for (let i = 0; i < batch.rows.length; i++) {
    const written = writeRow(write, batch, i);
    if (written.changes > 0) {
      inserted++;
      noteWritten(loading, written.rowId, placeOf(batch, i));
    } else if (update !== undefined && updateAt(loading, update, { batch, i })) {
      updated++;
    }
  }
  return { inserted, updated };
}

interface RowUpdater {
  readonly statement: UpdateStatement;
  /** Returns the rowid of the updated row. */
  update(values: readonly Value[]): Row | undefined;
}

/** Undefined when the update has no columns to set. */
function rowUpdater({ connection, words }: Loading, batch: InsertBatch): RowUpdater | undefined {
  const statement = updateStatement(batch, words);
  const plain = updateStatement(batch, '');
  if (statement === undefined || plain === undefined) return undefined;
  const run = ({ text, bindings }: UpdateStatement, values: readonly Value[]): Row | undefined =>
    connection.statement(text).all(bindings(values), false)[0];
  const strict = (values: readonly Value[]): Row | undefined => run(statement, values);
  if (words === '') return { statement, update: strict };
  return {
    statement,
    update: (values) =>
      writeStrictly(() => strict(values), {
        connection,
        batch,
        values,
        write: () => run(plain, values),
        adds: () => 0,
      }),
  };
}

interface LoadedRow {
  readonly batch: InsertBatch;
  readonly i: number;
}

/** Whether there was a row to be updated. */
function updateAt(
  loading: Loading,
  { statement, update }: RowUpdater,
  { batch, i }: LoadedRow,
): boolean {
  const { connection, loaded } = loading;
  const place = { first: i, count: 1 };
  const values = bound(batch.rows[i] ?? [], i);
  const known =
    loaded === undefined
      ? []
      : knownBefore(connection, loaded, { where: statement.where, values: statement.key(values) });
  const row = atRows(place, () => update(values));
  if (row === undefined) return false;
  const rowId = Number(row[0]);
  if (loaded !== undefined) noteKnown(loaded, known, rowId);
  noteWritten(loading, rowId, placeOf(batch, i));
  return true;
}

function noteWritten({ loaded, keyIndexes }: Loading, rowId: number, place: Place): void {
  if (loaded === undefined) return;
  loaded.places?.add(rowId, place);
  keyIndexes.written(loaded, rowId);
}

function writeRow(write: Write, { rows }: InsertBatch, index: number): ReturnType<Write> {
  const values = bound(rows[index] ?? [], index);
  return atRows({ first: index, count: 1 }, () => write(values));
}

function bound(row: Row, index: number): readonly Value[] {
  return atRows({ first: index, count: 1 }, () => bindableRow(row));
}

function bindableRow(row: Row): readonly Value[] {
  for (const value of row) if (!isBound(value)) return row.map(bindable);
  return row;
}

function isBound(value: Value): boolean {
  return typeof value === 'string' ? value.isWellFormed() : typeof value !== 'boolean';
}

function atRows<T>(place: { readonly first: number; readonly count: number }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RowsFailure(error, place);
  }
}
