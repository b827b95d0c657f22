import type { Row, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import type { Edit, Staged, Values } from './staged.ts';

/** What was changed while what was sent was being written: it is still to be saved. */
export function changesLeft(
  now: Staged,
  sent: Staged,
  { table, created }: { readonly table: Table; readonly created: readonly Row[] },
): Staged {
  const edits = new Map<string, Edit>();
  for (const [id, edit] of now.edits) {
    if (edit === sent.edits.get(id)) continue;
    const values = differing(edit.values, sent.edits.get(id)?.values ?? {});
    // Its version is another since it was written; which one is not known before it is read again.
    const etag = sent.edits.has(id) ? undefined : edit.etag;
    if (Object.keys(values).length > 0) edits.set(id, { ...edit, etag, values });
  }
  const numbers = [...sent.created.keys()];
  const fresh = new Map<number, Values>();
  for (const [number, values] of now.created) {
    const before = sent.created.get(number);
    const row = created[numbers.indexOf(number)];
    const id = row === undefined ? undefined : rowId(table, row);
    if (before === undefined) fresh.set(number, values);
    else if (before !== values && row !== undefined && id !== undefined)
      edits.set(id, { row, etag: undefined, values: differing(values, before) });
  }
  const removed = new Map([...now.removed].filter(([id]) => !sent.removed.has(id)));
  return { edits, created: fresh, removed };
}

function differing(values: Values, before: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => before[name] !== value),
  );
}
