import type { Row, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import type { Edit, Staged, Values } from './staged.ts';

/** The response to a saved request. The ETags are parallel to the rows. */
interface SavedRows {
  readonly table: Table;
  readonly created: readonly Row[];
  readonly createdEtags: readonly (string | null)[];
  readonly updatedEtags: readonly string[];
}

/** Returns the changes that the user made while the request was running. They are not saved yet. */
export function changesLeft(
  now: Staged,
  sent: Staged,
  { table, created, createdEtags, updatedEtags }: SavedRows,
): Staged {
  const edits = new Map<string, Edit>();
  const updated = [...sent.edits.keys()].filter((id) => !sent.removed.has(id));
  // A row that the request updated has the ETag of that update.
  const etagNow = (id: string, { etag }: Pick<Edit, 'etag'>): string | undefined =>
    sent.edits.has(id) ? updatedEtags[updated.indexOf(id)] : etag;
  for (const [id, edit] of now.edits) {
    if (edit === sent.edits.get(id)) continue;
    const values = changedValues(edit.values, sent.edits.get(id)?.values ?? {});
    const etag = etagNow(id, edit);
    if (Object.keys(values).length > 0) edits.set(id, { ...edit, etag, values });
  }
  const sentNumbers = [...sent.created.keys()];
  const newRows = new Map<number, Values>();
  for (const [number, values] of now.created) {
    const before = sent.created.get(number);
    const index = sentNumbers.indexOf(number);
    const row = created[index];
    const id = row === undefined ? undefined : rowId(table, row);
    if (before === undefined) newRows.set(number, values);
    else if (before !== values && row !== undefined && id !== undefined)
      edits.set(id, {
        row,
        etag: createdEtags[index] ?? undefined,
        values: changedValues(values, before),
      });
  }
  const removed = new Map(
    [...now.removed]
      .filter(([id]) => !sent.removed.has(id))
      .map(([id, removal]) => [id, { ...removal, etag: etagNow(id, removal) }]),
  );
  return { edits, created: newRows, removed };
}

function changedValues(values: Values, before: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => before[name] !== value),
  );
}
