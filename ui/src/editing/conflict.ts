import type { Cell } from '../../../src/contract/client/client.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { client } from '../api/client.ts';
import type { Row } from '../api/queries.ts';
import { ownValue } from '../cells/own-value.ts';
import { truncatedValueOf } from '../cells/value-kind.ts';
import { isSame, stageNewRow } from './staged.ts';
import type { Edit, Staged } from './staged.ts';

/** A row that the user changed and someone else has changed or deleted since it was read. */
export interface Conflict {
  readonly id: string;
  readonly local: Edit;
  /** The row as it is in the database now. Undefined when it was deleted. */
  readonly remote: Row | undefined;
  readonly etag: string | undefined;
}

/** Reads the current row from the database. */
export async function readConflict(table: string, id: string, local: Edit): Promise<Conflict> {
  try {
    const { body, etag } = await client.call('GET /tables/:table/rows/:id', {
      params: { table, id },
      query: { show_deleted: true },
    });
    return { id, local, remote: body, etag };
  } catch (error) {
    if (error instanceof StudioError && error.code === 'row_not_found')
      return { id, local, remote: undefined, etag: undefined };
    throw error;
  }
}

/** A column whose value differs between the versions of the row. */
export interface ColumnConflict {
  readonly column: string;
  readonly original: Cell;
  readonly remote: Cell;
  /** Undefined where the user did not change the column. Then the remote value is kept. */
  readonly local: Cell | undefined;
}

/** Returns the columns that either side changed. The columns that the user changed come first. */
export function columnConflictsOf({ local, remote = {} }: Conflict): readonly ColumnConflict[] {
  const all = Object.keys(remote).map((column): ColumnConflict => ({
    column,
    original: ownValue(local.row, column) ?? null,
    remote: remote[column] ?? null,
    local: ownValue(local.values, column),
  }));
  const isChangedRemotely = ({ original, remote: now }: ColumnConflict): boolean =>
    truncatedValueOf(original) === undefined && !isSame(original, now);
  return [
    ...all.filter((columnConflict) => columnConflict.local !== undefined),
    ...all.filter(
      (columnConflict) => columnConflict.local === undefined && isChangedRemotely(columnConflict),
    ),
  ];
}

/** Rebases the user's edit on the current row. Only the values of `localColumns` stay in it. */
export function mergeIntoEdit(
  staged: Staged,
  conflict: Conflict,
  localColumns: ReadonlySet<string>,
): Staged {
  const edits = new Map(staged.edits);
  const values = Object.fromEntries(
    Object.entries(conflict.local.values).filter(([column]) => localColumns.has(column)),
  );
  if (Object.keys(values).length === 0 || conflict.remote === undefined) edits.delete(conflict.id);
  else edits.set(conflict.id, { row: conflict.remote, etag: conflict.etag, values });
  return { ...staged, edits };
}

/** Turns the edit of a deleted row into a new row with the same values. */
export function recreateAsNewRow(
  staged: Staged,
  { id, local }: Conflict,
  writable: readonly string[],
): Staged {
  const edits = new Map(staged.edits);
  edits.delete(id);
  const all = { ...local.row, ...local.values };
  const values = Object.fromEntries(
    Object.entries(all).filter(
      ([column, value]) => writable.includes(column) && truncatedValueOf(value) === undefined,
    ),
  );
  return stageNewRow({ ...staged, edits }, values);
}
