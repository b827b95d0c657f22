import { param } from '../../../model/fragment.ts';
import { rowEncoder } from '../../../model/values/json-cells.ts';
import { identityOf } from '../../../model/row-id.ts';
import { render } from '../../../sql/render.ts';
import { withErrorColumns } from '../../core/error-columns.ts';
import { addressColumns } from '../read/find-row.ts';
import { returningColumnsOf, rowCondition, selectExpressions } from './lock-row.ts';
import { readBack, rowAsStored, selectMatching, suppressedError } from './read-back.ts';
import { recordRow } from './reference-watch.ts';
import { runStrictly } from './strict-write.ts';
import type { Query } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Assignments } from './key-after-update.ts';
import type { WrittenRow } from './read-back.ts';
import type { TableWrite } from './write-to-table.ts';

/** A new row that could not be read back: its values as the client sent them. */
export interface RowAsSent {
  readonly json: string;
  readonly warning: string;
}

type InsertTarget = Pick<TableWrite, 'context' | 'table'>;

function canReturnNewRow({ context, table }: InsertTarget): boolean {
  return context.database.dialect.write.supportsInsertReturning && table.withoutReturning !== true;
}

/** The statement that inserts a row. */
export function insertRow(
  target: InsertTarget,
  assignments: Assignments,
  isStrict: boolean,
): Fragment {
  const { context, table } = target;
  const { dialect } = context.database;
  const returningColumns = returningColumnsOf(table);
  return dialect.write.insertRow({
    table: dialect.tableName(table),
    columns: [...assignments.keys()].map((column) => dialect.quoteName(column.name)),
    values: [...assignments].map(([column, value]) => param(value, column.type)),
    assignedColumns: [...assignments.keys()],
    returning: canReturnNewRow(target) ? selectExpressions(context, returningColumns) : [],
    returningColumns,
    isStrict,
    options: table.options,
  });
}

/** Inserts a row. */
export function applyInsert(
  tableWrite: TableWrite,
  assignments: Assignments,
): Promise<WrittenRow | RowAsSent> {
  return withErrorColumns(tableWrite.table, assignments, () =>
    insertAndReadBack(tableWrite, assignments),
  );
}

async function insertAndReadBack(
  tableWrite: TableWrite,
  assignments: Assignments,
): Promise<WrittenRow | RowAsSent> {
  const { context, table } = tableWrite;
  const { dialect } = context.database;
  const returningColumns = returningColumnsOf(table);
  const canReturn = canReturnNewRow(tableWrite);
  const insert = (isStrict: boolean): Fragment => insertRow(tableWrite, assignments, isStrict);
  if (!canReturn)
    return insertWithoutReturning(tableWrite, assignments, async () => {
      const { insertId } = await tableWrite.session.run(render(dialect, insert(false)));
      return insertId;
    });
  const statement = (isStrict: boolean): Query =>
    render(dialect, insert(isStrict), returningColumns);
  const insertOne = async (): Promise<Row> => {
    const { rows } = await runStrictly(tableWrite, { statement, addedRows: 1, assignments });
    if (rows[0] === undefined) throw suppressedError(table);
    return rows[0];
  };
  if (table.redirectsWrites === true)
    return insertWithoutReturning(tableWrite, assignments, async () => {
      await insertOne();
      return undefined;
    });
  const row = await insertOne();
  await recordRow(tableWrite.references, undefined, rowCondition(context, returningColumns, row));
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
  const storedRow = keyExisted
    ? undefined
    : await findByKey(tableWrite, completeKey(table, assignments, insertId));
  return storedRow === undefined
    ? rowAsSent(table, assignments)
    : rowAsStored(tableWrite, storedRow);
}

/** The new row's key. Undefined if a value of it is unknown. */
function completeKey(table: Table, assignments: Assignments, insertId?: bigint): Row | undefined {
  if (identityOf(table).kind === 'none') return undefined;
  const key = addressColumns(table).map((column) => keyValue(column, assignments, insertId));
  return key.includes(null) ? undefined : key;
}

function keyValue(column: Column, assignments: Assignments, insertId: bigint | undefined): Value {
  const assigned = [...assignments].find(([candidate]) => candidate.name === column.name)?.[1];
  const isNumbered = column.autoIncrement === true || column.isRowNumber === true;
  return assigned ?? (isNumbered ? (insertId ?? null) : null);
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
  const reason =
    table.redirectsWrites === true
      ? `A rule of table "${table.name}" may have stored the row in another table`
      : 'The row was stored but could not be found by the values of the request';
  return {
    json: rowEncoder([...assignments.keys()])([...assignments.values()]),
    warning: `${reason}: the response has the row as it was sent, not as it is stored.`,
  };
}
