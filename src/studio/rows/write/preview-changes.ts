import { jsonArray, jsonObject } from '../../../model/values/json-text.ts';
import { readableStatement } from '../../../sql/readable-statement.ts';
import { readUse } from '../../core/connection-use.ts';
import { findTable } from '../../core/find-table.ts';
import { mustBeWritable } from '../../core/must-be-writable.ts';
import { jsonReply } from '../../core/reply.ts';
import { deleteFrom } from './apply-delete.ts';
import { insertRow } from './apply-insert.ts';
import { setClause, updateRow } from './apply-update.ts';
import { findCascades } from './find-cascades.ts';
import { withOnUpdateTimes } from './key-after-update.ts';
import { readTargetRow } from './lock-row.ts';
import { forEachItem, readChanges } from './read-changes.ts';
import { softDeleteAssignment } from './soft-delete-assignment.ts';
import { mustBeUndoable } from './undoable-changes.ts';
import type { Session } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Table } from '../../../model/schema.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { Reply } from '../../core/reply.ts';
import type { RowDeletion } from './apply-delete.ts';
import type { RowChange } from './apply-update.ts';
import type { Cascade, WrittenRows } from './find-cascades.ts';
import type { ChangeRowsInput, Changes, ListName } from './read-changes.ts';

interface Preview {
  readonly statements: readonly string[];
  readonly cascades: readonly Cascade[];
}

/**
 * Returns the statements that `changeRows` would run, and what foreign keys would do to rows of other
 * tables. Reads the rows that the changes address, and writes nothing.
 */
export async function previewChanges(
  context: Context<'write'>,
  input: ChangeRowsInput,
  invocation: Invocation,
): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  mustBeWritable(table);
  const changes = readChanges(table, input);
  const count = changes.create.length + changes.update.length + changes.delete.length;
  mustBeUndoable(context, table, { count, partial: input.partial });
  const { statements, cascades } = await context.database.read(async (session) => {
    const target: Target = { context, session, table };
    const plan = await planChanges(target, changes);
    const cascadeContext = { context, session, invocation, schema };
    return { ...plan, cascades: await findCascades(cascadeContext, plan.written) };
  }, readUse(table.name));
  return previewReply({ statements, cascades });
}

function previewReply({ statements, cascades }: Preview): Reply {
  return jsonReply(
    jsonObject({
      message: '"previewed"',
      statements: jsonArray(statements),
      cascades: jsonArray(
        cascades.map(({ exact, columns, ...cascade }) =>
          JSON.stringify({
            ...cascade,
            ...(columns.length === 0 ? {} : { columns }),
            ...(exact ? {} : { rows_exact: false }),
          }),
        ),
      ),
    }),
  );
}

interface Target {
  readonly context: Context<'write'>;
  readonly session: Session;
  readonly table: Table;
}

interface Plan {
  /** As JSON, in the order in which they would run. */
  readonly statements: string[];
  readonly written: WrittenRows[];
}

/** Deletes first, as `changeRows` does. */
async function planChanges(target: Target, changes: Changes): Promise<Plan> {
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

async function planDelete(target: Target, deletion: RowDeletion): Promise<PlannedWrite> {
  const { context, table } = target;
  const { ifMatch, permanent } = deletion;
  const row = await readTargetRow(target, deletion.address, { ifMatch });
  const rows = [row.valueOf];
  const marker = permanent ? undefined : softDeleteAssignment(context, table);
  if (marker === undefined) return { statement: deleteFrom(target, row), written: { table, rows } };
  const statement = updateRow(target, row, { set: [marker], isStrict: isStrict(table) });
  const changedColumns = table.softDelete === undefined ? [] : [table.softDelete.column];
  return { statement, written: { table, rows, changed: changedColumns } };
}

async function planUpdate(target: Target, change: RowChange): Promise<PlannedWrite> {
  const { context, table } = target;
  const { ifMatch } = change;
  const row = await readTargetRow(target, change.address, { ifMatch });
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
