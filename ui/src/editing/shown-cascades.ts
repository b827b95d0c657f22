/** What the page has shown of the effects of changes on other rows. Saving fails if they have become others. */
import { queryClient } from '../api/queries.ts';
import type { Table } from '../api/queries.ts';
import type { Cascades, PreviewedChanges } from '../api/responses.ts';
import { changesBody, nothingStaged } from './staged.ts';
import type { Staged } from './staged.ts';

/** The cached preview of changes has this key while it is on the page. */
export function previewKey(table: string, staged: Staged): readonly string[] {
  return ['preview', table, changesBody(staged)];
}

/** The cascades of exactly these changes; undefined if the page does not show them. */
export function shownCascades(table: Table, staged: Staged): Cascades | undefined {
  const previewOf = (changes: Staged): PreviewedChanges | undefined =>
    queryClient.getQueryData(previewKey(table.name, changes));
  const deletions: Staged = { ...nothingStaged, removed: staged.removed };
  const preview = previewOf(staged);
  if (preview !== undefined) return preview.cascades;
  const ofDeletions = previewOf(deletions);
  return ofDeletions === undefined || changesKeys(table, staged) ? undefined : ofDeletions.cascades;
}

/** The number is that of another time: the page shows it again. */
export async function reloadPreviews(table: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['preview', table] });
}

/** Whether edits change a column that other rows may reference, so that foreign keys change these too. */
function changesKeys({ relations }: Table, { edits, removed }: Staged): boolean {
  const referenced = new Set(
    relations
      .filter(({ type }) => type !== 'belongs_to')
      .flatMap(({ reference_keys: keys, reference_key: key }) => keys ?? [key]),
  );
  return [...edits].some(
    ([id, { values }]) =>
      !removed.has(id) && Object.keys(values).some((column) => referenced.has(column)),
  );
}
