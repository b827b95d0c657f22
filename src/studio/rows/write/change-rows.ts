import { StudioError } from '../../../model/errors.ts';
import { jsonArray, jsonObject } from '../../../model/values/json-text.ts';
import { formatId } from '../../../model/row-id.ts';
import { findTable } from '../../core/find-table.ts';
import { forEachItem, readChanges } from './read-changes.ts';
import { jsonReply } from '../../core/reply.ts';
import { canRollBack, mustBeUndoable, withWrittenCount } from './undoable-changes.ts';
import { mustBeWritable } from '../../core/must-be-writable.ts';
import { CannotLockRows, mustCascadeAsExpected } from './check-cascades.ts';
import { applyDelete, deleteLockedRow } from './apply-delete.ts';
import { applyInsert } from './apply-insert.ts';
import { applyUpdate } from './apply-update.ts';
import { lockRow } from './lock-row.ts';
import { selectMatching } from './read-back.ts';
import { writeToTable } from './write-to-table.ts';
import type { Table } from '../../../model/schema.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { Reply } from '../../core/reply.ts';
import type { RowAsSent } from './apply-insert.ts';
import type { CascadeCheck } from './check-cascades.ts';
import type { LockedRow } from './lock-row.ts';
import type { RowDeletion } from './apply-delete.ts';
import type { RowChange } from './apply-update.ts';
import type { TableWrite } from './write-to-table.ts';
import type { WrittenRow } from './read-back.ts';
import type { ChangeRowsInput, Changes, ListName } from './read-changes.ts';

/** Makes several changes to one table in one transaction. */
export async function changeRows(
  context: Context<'write'>,
  input: ChangeRowsInput,
  invocation: Invocation,
): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  mustBeWritable(table);
  const { changes, expectedCascades } = readChanges(table, input);
  const count = changes.create.length + changes.update.length + changes.delete.length;
  mustBeUndoable(context, table, { count, partial: input.partial });
  const write = (cascades?: CascadeCheck): Promise<AppliedChanges> =>
    canRollBack(context, table)
      ? applyInEitherOrder(context, table, { changes, cascades })
      : apply(context, table, { changes, cascades, order: deletingFirst });
  const appliedChanges =
    expectedCascades === undefined
      ? await write()
      : await writeAsExpected(write, { changes, expected: expectedCascades, invocation });
  return jsonReply(
    jsonObject({
      message: '"changed"',
      created: jsonArray(appliedChanges.created.map((row) => row.json)),
      updated: jsonArray(appliedChanges.updated.map((row) => row.json)),
      deleted: String(changes.delete.length),
      created_etags: jsonArray(appliedChanges.created.map(etagText)),
      updated_etags: jsonArray(appliedChanges.updated.map(etagText)),
    }),
  );
}

/** The rows that reference those of the changes are locked, unless the login may not lock them. */
async function writeAsExpected(
  write: (cascades: CascadeCheck) => Promise<AppliedChanges>,
  check: Omit<CascadeCheck, 'locksReferences'>,
): Promise<AppliedChanges> {
  try {
    return await write({ ...check, locksReferences: true });
  } catch (error) {
    if (!(error instanceof CannotLockRows)) throw error;
    return write({ ...check, locksReferences: false });
  }
}

interface AppliedChanges {
  readonly created: readonly (WrittenRow | RowAsSent)[];
  readonly updated: readonly WrittenRow[];
}

function etagText(row: WrittenRow | RowAsSent): string {
  return 'etag' in row ? JSON.stringify(row.etag) : 'null';
}

const deletingFirst: readonly ListName[] = ['delete', 'update', 'create'];

/**
 * Deletes first, so that new rows can have the unique values of deleted ones. If that violates a
 * foreign key, tries again and creates first.
 */
async function applyInEitherOrder(
  context: Context<'write'>,
  table: Table,
  changes: Omit<OrderedChanges, 'order'>,
): Promise<AppliedChanges> {
  try {
    return await apply(context, table, { ...changes, order: deletingFirst });
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'foreign_key_violation') throw error;
    return apply(context, table, { ...changes, order: ['create', 'update', 'delete'] });
  }
}

interface OrderedChanges {
  readonly changes: Changes;
  /** Undefined if the client accepts whatever foreign keys do. */
  readonly cascades: CascadeCheck | undefined;
  readonly order: readonly ListName[];
}

function apply(
  context: Context<'write'>,
  table: Table,
  { changes, order, cascades }: OrderedChanges,
): Promise<AppliedChanges> {
  return writeToTable(context, table, async (tableWrite) => {
    const { deferForeignKeys } = context.database.dialect.write;
    if (deferForeignKeys !== undefined)
      await tableWrite.session.run({ text: deferForeignKeys, params: [] });
    if (cascades !== undefined) await mustCascadeAsExpected(tableWrite, cascades);
    const createdRows: (WrittenRow | RowAsSent)[] = [];
    const updated: WrittenRow[] = [];
    let deleted = 0;
    const updates = canRollBack(context, table)
      ? await lockUpdates(tableWrite, changes)
      : changes.update;
    const startItem = (list: ListName, index: number): void =>
      tableWrite.references?.startItem({ list, index });
    const steps: Record<ListName, () => Promise<void>> = {
      create: () =>
        forEachItem('create', changes.create, async (item, index) => {
          startItem('create', index);
          createdRows.push(await applyInsert(tableWrite, item));
        }),
      update: () =>
        forEachItem('update', updates, async (item, index) => {
          startItem('update', index);
          updated.push(await applyUpdate(tableWrite, item));
        }),
      delete: async () => {
        // Without transactions, the deletions before one that fails are to remain.
        const locked = canRollBack(context, table)
          ? await lockDeletions(tableWrite, changes.delete)
          : [];
        await forEachItem('delete', changes.delete, async (item, index) => {
          startItem('delete', index);
          const row = locked[index];
          await (row === undefined
            ? applyDelete(tableWrite, item)
            : deleteUnlessCascaded(tableWrite, row, item));
          deleted++;
        });
      },
    };
    try {
      for (const list of order) await steps[list]();
    } catch (error) {
      if (canRollBack(context, table)) throw error;
      throw withWrittenCount(error, createdRows.length + updated.length + deleted);
    }
    return { created: createdRows, updated };
  });
}

/**
 * Compares all rows with their entity tags before the first change, because a foreign key or a
 * trigger may change others of them with it. Returns the updates that are left to do. Where the
 * database cannot lock a row, an update compares it again.
 */
async function lockUpdates(
  tableWrite: TableWrite,
  { update, delete: deletions }: Changes,
): Promise<Changes['update']> {
  const { context, table } = tableWrite;
  const isLocking = context.database.dialect.write.rowState(table) === undefined;
  if (!isLocking || update.length + deletions.length < 2) return update;
  const compared = new Set<string>();
  const remaining: RowChange[] = [];
  await forEachItem('update', update, async (change) => {
    const { address, assignments, ifMatch } = change;
    // A second change of a row is compared with what the first has made of it.
    const isFirst = ifMatch !== undefined && !compared.has(address.id);
    if (isFirst) await lockRow(tableWrite, address, ifMatch);
    remaining.push(isFirst ? { address, assignments } : change);
    compared.add(address.id);
  });
  return remaining;
}

/** Locks all rows before the first is deleted, because a foreign key may delete others of them with it. */
async function lockDeletions(
  tableWrite: TableWrite,
  deletions: Changes['delete'],
): Promise<readonly LockedRow[]> {
  const locked: LockedRow[] = [];
  const keys = new Set<string>();
  await forEachItem('delete', deletions, async ({ address, ifMatch }) => {
    const row = await lockRow(tableWrite, address, ifMatch);
    const key = formatId(row.values);
    if (keys.has(key))
      throw new StudioError('row_not_found', `The row "${address.id}" is to be deleted twice.`);
    keys.add(key);
    locked.push(row);
  });
  return locked;
}

/** Deletes a row that was locked. It may be gone since, deleted by a foreign key together with an earlier one. */
async function deleteUnlessCascaded(
  tableWrite: TableWrite,
  locked: LockedRow,
  deletion: RowDeletion,
): Promise<void> {
  try {
    await deleteLockedRow(tableWrite, locked, deletion);
  } catch (error) {
    const wasNotDeleted = error instanceof StudioError && error.code === 'write_suppressed';
    if (!wasNotDeleted || (await selectMatching(tableWrite, locked)).length > 0) throw error;
  }
}
