import { sql } from '../../../model/fragment.ts';
import { render } from '../../../sql/render.ts';
import { mustBeExactlyOne, updateLockedRow } from './apply-update.ts';
import { lockRow } from './lock-row.ts';
import { selectMatching, suppressedError } from './read-back.ts';
import { recordRow } from './reference-watch.ts';
import { softDeleteAssignment } from './soft-delete-assignment.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { RowAddress } from '../read/find-row.ts';
import type { LockedRow } from './lock-row.ts';
import type { TableWrite } from './write-to-table.ts';

export interface RowDeletion {
  readonly address: RowAddress;
  readonly ifMatch?: string | undefined;
  /** Removes the row even where the table marks rows as deleted. */
  readonly permanent: boolean;
}

/** The statement that deletes exactly the locked row. */
export function deleteFrom(
  { context, table }: Pick<TableWrite, 'context' | 'table'>,
  locked: LockedRow,
): Fragment {
  return sql`DELETE FROM ${context.database.dialect.tableName(table)} WHERE ${locked.unchanged}`;
}

/** Deletes a row, or marks it as deleted. Fails if `If-Match` does not match it. */
export async function applyDelete(tableWrite: TableWrite, deletion: RowDeletion): Promise<void> {
  const locked = await lockRow(tableWrite, deletion.address, deletion.ifMatch);
  await deleteLockedRow(tableWrite, locked, deletion);
}

/** The same for a row that is locked already. */
export async function deleteLockedRow(
  tableWrite: TableWrite,
  locked: LockedRow,
  deletion: Pick<RowDeletion, 'permanent'>,
): Promise<void> {
  const { context, session, table } = tableWrite;
  const { dialect } = context.database;
  const marker = deletion.permanent ? undefined : softDeleteAssignment(context, table);
  if (marker !== undefined) {
    await updateLockedRow(tableWrite, locked, { assignments: new Map(), set: [marker] });
    return;
  }
  const before = await tableWrite.references?.read(locked.where);
  const { rowsAffected } = await session.run(render(dialect, deleteFrom(tableWrite, locked)));
  mustBeExactlyOne(tableWrite, locked, rowsAffected);
  const isStillStored =
    table.redirectsWrites === true && (await selectMatching(tableWrite, locked)).length > 0;
  if (isStillStored) throw suppressedError(table);
  await recordRow(tableWrite.references, before, undefined);
}
