import { showToast } from '../parts/toast.tsx';
import { stagedTable } from './staged-store.ts';
import type { SaveError } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/** The tables whose bar of unsaved changes is on the page, with the number of such bars. */
const shownBars = new Map<string, number>();

/** Call when the bar of a table appears, and the returned function when it disappears. */
export function registerBar(table: string): () => void {
  shownBars.set(table, (shownBars.get(table) ?? 0) + 1);
  return () => shownBars.set(table, (shownBars.get(table) ?? 1) - 1);
}

const shownMs = 5000;
/** What hides the message of each table. */
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Shows beside the Save button what a save has done. A message stands in for a bar that is not on the page. */
export function reportSaved(table: string, title: string): void {
  if (!hasBar(table)) {
    showToast({ kind: 'done', title: texts.inTable({ table, title }) });
    return;
  }
  stagedTable(table).setSaved(title);
  clearTimeout(timers.get(table));
  timers.set(
    table,
    setTimeout(() => stagedTable(table).setSaved(undefined), shownMs),
  );
}

/** The same for an error. It stays beside the button until the rejected changes are changed or saved. */
export function reportError(table: string, error: SaveError): void {
  stagedTable(table).setSaveError(error);
  if (!hasBar(table))
    showToast({
      kind: 'error',
      title: texts.inTable({ table, title: error.title ?? '' }),
      detail: error.message,
    });
}

function hasBar(table: string): boolean {
  return (shownBars.get(table) ?? 0) > 0;
}
