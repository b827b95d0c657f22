import { readableStatement } from '../../../sql/readable-statement.ts';
import { deleteFrom } from './apply-delete.ts';
import { insertRow } from './apply-insert.ts';
import { setClause, updateRow } from './apply-update.ts';
import { withOnUpdateTimes } from './key-after-update.ts';
import { readTargetRow } from './lock-row.ts';
import { forEachItem } from './read-changes.ts';
import { softDeleteAssignment } from './soft-delete-assignment.ts';
import type { Session } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Table } from '../../../model/schema.ts';
import type { RowLock } from '../../../model/write-dialect.ts';
import type { Context } from '../../core/context.ts';
import type { RowDeletion } from './apply-delete.ts';
import type { RowChange } from './apply-update.ts';
import type { WrittenRows } from './find-cascades.ts';
import type { Changes, ListName } from './read-changes.ts';

/** The transaction in which the changes are planned. */
export interface PlanTarget {
  readonly context: Context<'write'>;
  readonly session: Session;
  readonly table: Table;
  /** Locks the rows that the changes address. Undefined for a preview. */
  readonly lock?: RowLock;
}

/** What the changes would do to the rows that they address. */
interface Plan {
  /** As JSON, in the order in which they would run. */
  readonly statements: string[];
  readonly written: WrittenRows[];
}

/** Reads the rows that the changes address. Deletes first, as `changeRows` does. */
export async function planChanges(target: PlanTarget, changes: Changes): Promise<Plan> {
  const { context, table } = target;
  const plan: Plan = { statements: [], written: [] };
  const add = (item: { readonly list: ListName; readonly index: number }, write: PlannedWrite) => {
    const sql = readableStatement(context.database.dialect, write.statement);
    plan.statements.push(JSON.stringify({ ...item, sql }));
    if (write.written !== undefined) plan.written.push(write.written);
  };
  await forEachItem('delete', changes.delete, async (item, index) =>
    add({ list: 'delete', index }, await planDelete(target, item)),
  );
  await forEachItem('update', changes.update, async (item, index) =>
    add({ list: 'update', index }, await planUpdate(target, item)),
  );
  await forEachItem('create', changes.create, async (item, index) =>
    add({ list: 'create', index }, { statement: insertRow(target, item, isStrict(table)) }),
  );
  return plan;
}

interface PlannedWrite {
  readonly statement: Fragment;
  /** Undefined for a new row, which no row references yet. */
  readonly written?: WrittenRows;
}

async function planDelete(target: PlanTarget, deletion: RowDeletion): Promise<PlannedWrite> {
  const { context, table, lock } = target;
  const { ifMatch, permanent } = deletion;
  const row = await readTargetRow(target, deletion.address, { ifMatch, lock });
  const rows = [row.valueOf];
  const marker = permanent ? undefined : softDeleteAssignment(context, table);
  if (marker === undefined) return { statement: deleteFrom(target, row), written: { table, rows } };
  const statement = updateRow(target, row, { set: [marker], isStrict: isStrict(table) });
  const changedColumns = table.softDelete === undefined ? [] : [table.softDelete.column];
  return { statement, written: { table, rows, changed: changedColumns } };
}

async function planUpdate(target: PlanTarget, change: RowChange): Promise<PlannedWrite> {
  const { context, table, lock } = target;
  const { ifMatch } = change;
  const row = await readTargetRow(target, change.address, { ifMatch, lock });
  const assignments = await withOnUpdateTimes(target, row, change.assignments);
  const set = setClause(context, assignments);
  const changedColumns = [...assignments].flatMap(([column, value]) =>
    row.hasValue(column, value) ? [] : [column.name],
  );
  const statement = updateRow(target, row, { set, isStrict: isStrict(table) });
  return { statement, written: { table, rows: [row.valueOf], changed: changedColumns } };
}

function isStrict({ resolvesConflicts }: Table): boolean {
  return resolvesConflicts === true;
}
