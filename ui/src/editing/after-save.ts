import type { Row, Table } from '../api/responses.ts';
import { rowId } from '../api/row-key.ts';
import { ownValue } from '../cells/own-value.ts';
import { truncatedValueOf } from '../cells/value-kind.ts';
import { isSame } from './staged.ts';
import type { Edit, Removal, Staged, StoredRow, Values } from './staged.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/** The response to a saved request. The lists are parallel to those of the request. */
export interface SavedRows {
  readonly table: Table;
  readonly created: readonly Row[];
  readonly createdEtags: readonly (string | null)[];
  readonly updated: readonly Row[];
  readonly updatedEtags: readonly string[];
}

/** The rows of a saved request as the database stores them now. */
interface WrittenRows {
  /** The stored rows of the new rows in the request, by number. */
  readonly created: ReadonlyMap<number, StoredRow>;
  /** The updated rows, by the ids that they had before. */
  readonly updated: ReadonlyMap<string, StoredRow>;
}

export function writtenRows(sentChanges: Staged, saved: SavedRows): WrittenRows {
  return { created: newRowsOf(sentChanges, saved), updated: updatedRowsOf(sentChanges, saved) };
}

interface SaveOutcome {
  readonly staged: Staged;
  /** What the user reverted while the request was running, although the server has saved it by now. */
  readonly lost: readonly string[];
}

/**
 * Returns the changes that the user made while the request was running. They are not saved yet.
 * What the user reverted meanwhile is a change too, because the request has saved it.
 */
export function changesSinceRequest(
  now: Staged,
  sentChanges: Staged,
  { created: savedNewRows, updated: updatedRows }: WrittenRows,
): SaveOutcome {
  const remaining: RemainingChanges = { edits: new Map(), removed: new Map(), lost: [] };
  for (const [id, edit] of now.edits)
    if (!sentChanges.edits.has(id) && !sentChanges.removed.has(id)) remaining.edits.set(id, edit);
  for (const [id, stored] of updatedRows)
    addEdit(remaining, stored, {
      before: sentChanges.edits.get(id)?.values ?? {},
      original: sentChanges.edits.get(id)?.row ?? {},
      now: now.edits.get(id)?.values ?? {},
    });
  for (const [id, removal] of now.removed) {
    const storedRow = updatedRows.get(id);
    if (!sentChanges.removed.has(id))
      remaining.removed.set(storedRow?.id ?? id, removalOf(storedRow) ?? removal);
  }
  for (const id of sentChanges.removed.keys())
    if (!now.removed.has(id)) remaining.lost.push(texts.rowAlreadyDeleted({ id }));
  const created = new Map([...now.created].filter(([number]) => !sentChanges.created.has(number)));
  for (const [number, stored] of savedNewRows) {
    const values = now.created.get(number);
    const before = sentChanges.created.get(number) ?? {};
    if (values === undefined) remaining.removed.set(stored.id, stored);
    else {
      // Before the response arrived, the row was shown twice: as the new one and as a stored one.
      if (remaining.removed.delete(stored.id)) remaining.lost.push(texts.deletionLost(stored));
      addEdit(remaining, stored, { before, original: {}, now: values });
    }
  }
  for (const number of sentChanges.created.keys())
    if (!savedNewRows.has(number) && now.created.get(number) !== sentChanges.created.get(number))
      remaining.lost.push(texts.newRowAlreadySaved);
  const { edits, removed, lost } = remaining;
  return { staged: { edits, created, removed }, lost };
}

interface RemainingChanges {
  readonly edits: Map<string, Edit>;
  readonly removed: Map<string, Removal>;
  readonly lost: string[];
}

interface RowVersions {
  /** The values that were sent. */
  readonly before: Values;
  /** The row before the request. */
  readonly original: Row;
  /** The values that are staged now. */
  readonly now: Values;
}

function addEdit(
  remaining: RemainingChanges,
  storedRow: StoredRow,
  { before, original, now }: RowVersions,
) {
  const values = new Map(
    Object.entries(now).filter(([name, value]) => ownValue(before, name) !== value),
  );
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(now, name)) continue;
    const value = ownValue(original, name) ?? null;
    if (!Object.hasOwn(original, name) || truncatedValueOf(value) !== undefined)
      remaining.lost.push(texts.valueAlreadySaved({ column: name, id: storedRow.id }));
    else values.set(name, value);
  }
  for (const [name, value] of values)
    if (isSame(ownValue(storedRow.row, name) ?? null, value)) values.delete(name);
  if (values.size === 0) return;
  remaining.edits.set(storedRow.id, {
    row: storedRow.row,
    etag: storedRow.etag,
    values: { ...remaining.edits.get(storedRow.id)?.values, ...Object.fromEntries(values) },
  });
}

function removalOf(storedRow: StoredRow | undefined): Removal | undefined {
  return storedRow === undefined ? undefined : { row: storedRow.row, etag: storedRow.etag };
}

function newRowsOf(sentChanges: Staged, saved: SavedRows): ReadonlyMap<number, StoredRow> {
  return new Map(
    [...sentChanges.created.keys()].flatMap((number, i) => {
      const row = saved.created[i];
      const id = row === undefined ? undefined : rowId(saved.table, row);
      if (row === undefined || id === undefined) return [];
      return [[number, { id, row, etag: saved.createdEtags[i] ?? undefined }] as const];
    }),
  );
}

/** The updated rows by the ids that they had before. An update of a key changes the id. */
function updatedRowsOf(sentChanges: Staged, saved: SavedRows): ReadonlyMap<string, StoredRow> {
  const ids = [...sentChanges.edits.keys()].filter((id) => !sentChanges.removed.has(id));
  return new Map(
    ids.flatMap((id, i) => {
      const row = saved.updated[i];
      if (row === undefined) return [];
      const storedRow = { id: rowId(saved.table, row) ?? id, row, etag: saved.updatedEtags[i] };
      return [[id, storedRow] as const];
    }),
  );
}
