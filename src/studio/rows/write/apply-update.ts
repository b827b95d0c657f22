import { StudioError } from '../../../model/errors.ts';
import { render } from '../../../sql/render.ts';
import { withErrorColumns } from '../../core/error-columns.ts';
import { keyAfterUpdate, restoreInvalidTexts, withOnUpdateTimes } from './key-after-update.ts';
import { concurrentChangeError, lockRow, rowCondition, selectExpressions } from './lock-row.ts';
import { readBack, suppressedError } from './read-back.ts';
import { recordRow } from './reference-watch.ts';
import { runStrictly } from './strict-write.ts';
import type { Query } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Row } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';
import type { RowAddress } from '../read/find-row.ts';
import type { Assignments } from './key-after-update.ts';
import type { LockedRow } from './lock-row.ts';
import type { WrittenRow } from './read-back.ts';
import type { TableWrite } from './write-to-table.ts';

export interface RowChange {
  readonly address: RowAddress;
  readonly ifMatch?: string | undefined;
  readonly assignments: Assignments;
}

/** Updates a row. Fails if `If-Match` does not match it. */
export async function applyUpdate(tableWrite: TableWrite, change: RowChange): Promise<WrittenRow> {
  const { context } = tableWrite;
  const locked = await lockRow(tableWrite, change.address, change.ifMatch);
  const assignments = await withOnUpdateTimes(tableWrite, locked, change.assignments);
  const set = setClause(context, assignments);
  const before = await tableWrite.references?.read(locked.where);
  const returned = await withErrorColumns(tableWrite.table, assignments, () =>
    updateLockedRow(tableWrite, locked, { assignments, set }),
  );
  const isReturned = returned !== undefined && tableWrite.table.redirectsWrites !== true;
  const row = isReturned
    ? restoreInvalidTexts(returned, locked)
    : keyAfterUpdate(locked, assignments);
  await recordRow(
    tableWrite.references,
    before,
    rowCondition(context, locked.returningColumns, row),
  );
  return readBack(tableWrite, { returningColumns: locked.returningColumns, row });
}

/** The assignments of SET. */
export function setClause(
  { database: { dialect } }: Context<'write'>,
  assignments: Assignments,
): readonly Fragment[] {
  return [...assignments].map(([{ name, type }, value]) =>
    dialect.write.assignment(dialect.quoteName(name), { value, type }),
  );
}

type UpdateTarget = Pick<TableWrite, 'context' | 'table'>;

function canReturnUpdatedRow({ context, table }: UpdateTarget): boolean {
  return context.database.dialect.write.supportsUpdateReturning && table.withoutReturning !== true;
}

interface RowUpdate {
  readonly set: readonly Fragment[];
  readonly isStrict: boolean;
}

/** The statement that updates exactly the locked row. */
export function updateRow(
  target: UpdateTarget,
  locked: LockedRow,
  { set, isStrict }: RowUpdate,
): Fragment {
  const { context, table } = target;
  const { dialect } = context.database;
  const { returningColumns } = locked;
  return dialect.write.updateRow({
    table: dialect.tableName(table),
    assignments: set,
    where: locked.unchanged,
    returning: canReturnUpdatedRow(target) ? selectExpressions(context, returningColumns) : [],
    returningColumns,
    isStrict,
    options: table.options,
  });
}

interface UpdateSet {
  readonly assignments: Assignments;
  /** The assignments of SET. */
  readonly set: readonly Fragment[];
}

/** Updates exactly the locked row. Undefined if UPDATE returns no values. */
export async function updateLockedRow(
  tableWrite: TableWrite,
  locked: LockedRow,
  { assignments, set }: UpdateSet,
): Promise<Row | undefined> {
  const { dialect } = tableWrite.context.database;
  const canReturn = canReturnUpdatedRow(tableWrite);
  const statement = (isStrict: boolean): Query => {
    const update = updateRow(tableWrite, locked, { set, isStrict });
    return render(dialect, update, canReturn ? locked.returningColumns : undefined);
  };
  const { rows, rowsAffected } = await runStrictly(tableWrite, {
    statement,
    addedRows: 0,
    assignments,
  });
  mustBeExactlyOne(tableWrite, locked, canReturn ? rows.length : rowsAffected);
  return rows[0];
}

export function mustBeExactlyOne(
  { context, table }: TableWrite,
  locked: LockedRow,
  rows: number,
): void {
  if (rows === 0) throw concurrentChangeError(context, locked) ?? suppressedError(table);
  if (rows > 1)
    throw new StudioError(
      'no_row_identity',
      `More than one row of table "${table.name}" has this id; none was written.`,
    );
}
