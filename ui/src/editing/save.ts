import { StudioError } from '../../../src/model/errors.ts';
import { client } from '../api/client.ts';
import { queryClient, schemaQuery } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { changesBody, countStaged, stagedAt } from './staged.ts';
import type { Refusal, StagedTable } from './staged-store.ts';

/** Writes everything that is staged, in one request and one transaction; a refusal loses nothing. */
export async function save(table: string, store: StagedTable): Promise<void> {
  const { staged } = store;
  const count = countStaged(staged);
  try {
    await client.call('POST /tables/:table/changes', {
      params: { table },
      body: changesBody(staged),
    });
    store.clear();
    showToast({ kind: 'done', title: `Saved ${count} ${count === 1 ? 'change' : 'changes'}` });
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['rows'] }),
      queryClient.invalidateQueries(schemaQuery),
    ]);
  } catch (error) {
    const refusal = refusalOf(error, store);
    store.refuse(refusal);
    showToast({ kind: 'error', title: 'Nothing was saved', detail: refusal.message });
  }
}

function refusalOf(error: unknown, { staged }: StagedTable): Refusal {
  const message = messageOf(error);
  if (!(error instanceof StudioError)) return { message };
  const { list, index, column } = error.details;
  const place =
    typeof list === 'string' && typeof index === 'number' ? stagedAt(staged, { list, index }) : {};
  return { ...place, message, ...(typeof column === 'string' ? { column } : {}) };
}
