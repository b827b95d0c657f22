import { StudioError } from '../../../src/model/errors.ts';
import { client } from '../api/client.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { changesLeft } from './after-save.ts';
import { readConflict } from './conflict.ts';
import { changesBody, countStaged, splitChanges, stagedAt } from './staged.ts';
import type { Staged } from './staged.ts';
import { stagedTable } from './staged-store.ts';
import type { SaveError } from './staged-store.ts';

const running = new Set<string>();

/** Saves all staged changes, in one transaction where the database has them. After an error the changes stay staged. */
export async function save(table: Table): Promise<void> {
  const { staged } = stagedTable(table.name);
  if (countStaged(staged) === 0 || running.has(table.name)) return;
  running.add(table.name);
  // If the storage engine cannot roll back, each change is its own request.
  const requests = table.rolls_back === false ? splitChanges(staged) : [staged];
  try {
    for (const [written, sent] of requests.entries()) {
      const isSaved = await write(table, sent).then(
        () => true,
        async (error: unknown) => {
          await reportSaveError(table, { sent, written }, error);
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
    // Soft-deleted rows can be edited, which is how they are restored.
    query: { show_deleted: true },
    body: changesBody(sent),
  });
  // Reloads the rows first. Otherwise cells would briefly show their old values.
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
  const store = stagedTable(table.name);
  store.reset(
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
  /** The number of changes that earlier requests have saved. */
  readonly written: number;
}

async function reportSaveError(
  table: Table,
  { sent, written }: Attempt,
  error: unknown,
): Promise<void> {
  const store = stagedTable(table.name);
  const saveError = saveErrorOf(error, sent);
  const edit = saveError.id === undefined ? undefined : sent.edits.get(saveError.id);
  if (saveError.id !== undefined && edit !== undefined && isChangedMeanwhile(error)) {
    store.setConflict(await readConflict(table.name, saveError.id, edit));
    return;
  }
  if (isKeyChanged(error)) await reload();
  const title = written === 0 ? 'Nothing was saved' : `Only ${written} changes were saved`;
  if (saveError.id !== undefined && sent.removed.has(saveError.id) && isChangedMeanwhile(error)) {
    await keepRow(table.name, saveError.id);
    const detail = `${saveError.message} It is no longer marked for deletion.`;
    showToast({ kind: 'error', title, detail });
    return;
  }
  store.setSaveError(saveError);
  showToast({ kind: 'error', title, detail: saveError.message });
}

async function reload(): Promise<void> {
  await queryClient.invalidateQueries(schemaQuery);
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
}

/** Unmarks a row that someone else has changed and reloads it. The user can then decide again whether to delete it. */
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

function saveErrorOf(error: unknown, staged: Staged): SaveError {
  const message = isKeyChanged(error) ? keyChanged : messageOf(error);
  if (!(error instanceof StudioError)) return { message };
  const { list, index, column } = error.details;
  const place =
    typeof list === 'string' && typeof index === 'number' ? stagedAt(staged, { list, index }) : {};
  return { ...place, message, ...(typeof column === 'string' ? { column } : {}) };
}
