import { StudioError } from '../../../src/model/errors.ts';
import { client } from '../api/client.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { changesLeft } from './after-save.ts';
import { readConflict } from './conflict.ts';
import { changesBody, countStaged, singleChanges, stagedAt } from './staged.ts';
import type { Staged } from './staged.ts';
import { stagedTable } from './staged-store.ts';
import type { Refusal } from './staged-store.ts';

const running = new Set<string>();

/** Writes everything that is staged, in one transaction where there are any; a refusal loses nothing. */
export async function save(table: Table): Promise<void> {
  const { staged } = stagedTable(table.name);
  if (countStaged(staged) === 0 || running.has(table.name)) return;
  running.add(table.name);
  // Where the storage engine cannot undo, each change is a request of its own.
  const requests = table.rolls_back === false ? singleChanges(staged) : [staged];
  try {
    for (const [written, sent] of requests.entries()) {
      const isSaved = await write(table, sent).then(
        () => true,
        async (error: unknown) => {
          await tellRefusal(table, { sent, written }, error);
          return false;
        },
      );
      if (!isSaved) return;
    }
    const count = countStaged(staged);
    showToast({ kind: 'done', title: `Saved ${count} ${count === 1 ? 'change' : 'changes'}` });
  } finally {
    running.delete(table.name);
  }
}

async function write(table: Table, sent: Staged): Promise<void> {
  const { body } = await client.call('POST /tables/:table/changes', {
    params: { table: table.name },
    // A row that was marked deleted can be edited, and so restored.
    query: { show_deleted: true },
    body: changesBody(sent),
  });
  // Read first, so that no cell goes back to its old value for a moment.
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
  const store = stagedTable(table.name);
  store.restart(
    changesLeft(store.staged, sent, {
      table,
      created: body.created,
      createdEtags: body.created_etags,
      updatedEtags: body.updated_etags,
    }),
  );
  await queryClient.invalidateQueries(schemaQuery);
}

interface Attempt {
  readonly sent: Staged;
  /** Changes that were saved before it, by requests of their own. */
  readonly written: number;
}

async function tellRefusal(
  table: Table,
  { sent, written }: Attempt,
  error: unknown,
): Promise<void> {
  const store = stagedTable(table.name);
  const refusal = refusalOf(error, sent);
  const edit = refusal.id === undefined ? undefined : sent.edits.get(refusal.id);
  if (refusal.id !== undefined && edit !== undefined && isChangedMeanwhile(error)) {
    store.dispute(await readConflict(table.name, refusal.id, edit));
    return;
  }
  if (isKeyChanged(error)) await reload();
  const title = written === 0 ? 'Nothing was saved' : `Only ${written} changes were saved`;
  if (refusal.id !== undefined && sent.removed.has(refusal.id) && isChangedMeanwhile(error)) {
    await keepRow(table.name, refusal.id);
    const detail = `${refusal.message} It is no longer marked for deletion.`;
    showToast({ kind: 'error', title, detail });
    return;
  }
  store.refuse(refusal);
  showToast({ kind: 'error', title, detail: refusal.message });
}

async function reload(): Promise<void> {
  await queryClient.invalidateQueries(schemaQuery);
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
}

/** A row that someone else changed is shown as it is now, and no longer marked: deleting it is a new decision. */
async function keepRow(table: string, id: string): Promise<void> {
  const { change } = stagedTable(table);
  change((staged) => ({
    ...staged,
    removed: new Map([...staged.removed].filter(([removed]) => removed !== id)),
  }));
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
}

function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof StudioError && ['row_changed', 'row_not_found'].includes(error.code);
}

function isKeyChanged(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'structure_changed';
}

const keyChanged =
  'The key or the soft-delete column of the table has changed. The rows have been loaded again: check the unsaved changes, and save again.';

function refusalOf(error: unknown, staged: Staged): Refusal {
  const message = isKeyChanged(error) ? keyChanged : messageOf(error);
  if (!(error instanceof StudioError)) return { message };
  const { list, index, column } = error.details;
  const place =
    typeof list === 'string' && typeof index === 'number' ? stagedAt(staged, { list, index }) : {};
  return { ...place, message, ...(typeof column === 'string' ? { column } : {}) };
}
