import { queryClient, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { showToast } from '../parts/toast.tsx';
import { nothingStaged } from './staged.ts';
import type { Staged } from './staged.ts';
import { stagedTable } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/**
 * Staged edits and deletions name rows by id. When the key of a table gets other columns, the same
 * id names another row. So these changes are dropped, and a message lists them. New rows stay.
 */
export function watchRowKeys(): () => void {
  const knownKeys = new Map<string, string>();
  return queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryHash !== JSON.stringify(schemaQuery.queryKey)) return;
    const schema = query.state.data as Schema | undefined;
    for (const { name, row_key } of [...(schema?.tables ?? []), ...(schema?.views ?? [])]) {
      const key = JSON.stringify(row_key);
      const before = knownKeys.get(name);
      knownKeys.set(name, key);
      if (before !== undefined && before !== key) dropRowChanges(name);
    }
  });
}

/** Drops the changes that name rows by the old key, and lists them in a message. */
export function dropRowChanges(table: string): void {
  const { staged, reset, forgetHistory } = stagedTable(table);
  if (staged.edits.size + staged.removed.size === 0) {
    // Undo would bring back changes that name rows by the old key.
    forgetHistory();
    return;
  }
  reset({ ...nothingStaged, created: staged.created });
  showToast({
    kind: 'error',
    title: texts.tableKeyChanged({ table }),
    detail: texts.oldKeyDiscarded({ changes: summaryOf(staged) }),
  });
}

const maxSummaryLength = 500;

function summaryOf({ edits, removed }: Staged): string {
  const parts = [
    ...[...edits].map(([id, { values }]) =>
      texts.rowChanges({ id, values: JSON.stringify(values) }),
    ),
    ...[...removed.keys()].map((id) => texts.rowDeletion({ id })),
  ];
  const text = parts.join('; ');
  return text.length > maxSummaryLength ? `${text.slice(0, maxSummaryLength)}…` : text;
}
