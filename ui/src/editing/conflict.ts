import type { Cell } from '../../../src/contract/client.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { client } from '../api/client.ts';
import type { Row } from '../api/queries.ts';
import { ownValue } from '../cells/own-value.ts';
import { cutOf } from '../cells/value-kind.ts';
import { isSame } from './staged.ts';
import type { Edit, Staged } from './staged.ts';

/** A row that was changed here and, meanwhile, by someone else. */
export interface Conflict {
  readonly id: string;
  readonly mine: Edit;
  /** The row as it is in the database now; undefined when it is gone. */
  readonly theirs: Row | undefined;
  readonly etag: string | undefined;
}

/** Reads the row as it is now. */
export async function readConflict(table: string, id: string, mine: Edit): Promise<Conflict> {
  try {
    const { body, etag } = await client.call('GET /tables/:table/rows/:id', {
      params: { table, id },
      query: { show_deleted: true },
    });
    return { id, mine, theirs: body, etag };
  } catch (error) {
    if (error instanceof StudioError && error.code === 'row_not_found')
      return { id, mine, theirs: undefined, etag: undefined };
    throw error;
  }
}

/** A column that is not the same for both. */
export interface Dispute {
  readonly column: string;
  readonly was: Cell;
  readonly theirs: Cell;
  /** Undefined where nothing was typed here: theirs is taken. */
  readonly mine: Cell | undefined;
}

/** The columns that were changed on either side, those typed here first. */
export function disputesOf({ mine, theirs = {} }: Conflict): readonly Dispute[] {
  const all = Object.keys(theirs).map((column): Dispute => ({
    column,
    was: ownValue(mine.row, column) ?? null,
    theirs: theirs[column] ?? null,
    mine: ownValue(mine.values, column),
  }));
  const isTheirs = ({ was, theirs: now }: Dispute): boolean =>
    cutOf(was) === undefined && !isSame(was, now);
  return [
    ...all.filter((dispute) => dispute.mine !== undefined),
    ...all.filter((dispute) => dispute.mine === undefined && isTheirs(dispute)),
  ];
}

/** The edit again, on the row as it is now, with those of its values that were chosen. */
export function settle(staged: Staged, conflict: Conflict, kept: ReadonlySet<string>): Staged {
  const edits = new Map(staged.edits);
  const values = Object.fromEntries(
    Object.entries(conflict.mine.values).filter(([column]) => kept.has(column)),
  );
  if (Object.keys(values).length === 0 || conflict.theirs === undefined) edits.delete(conflict.id);
  else edits.set(conflict.id, { row: conflict.theirs, etag: conflict.etag, values });
  return { ...staged, edits };
}

/** A row that is gone, made anew with what was typed. */
export function settleAsNew(staged: Staged, { id, mine }: Conflict, writable: readonly string[]) {
  const edits = new Map(staged.edits);
  edits.delete(id);
  const next = Math.max(0, ...staged.created.keys()) + 1;
  const all = { ...mine.row, ...mine.values };
  const values = Object.fromEntries(
    Object.entries(all).filter(
      ([column, value]) => writable.includes(column) && cutOf(value) === undefined,
    ),
  );
  return { ...staged, edits, created: new Map([...staged.created, [next, values]]) };
}
