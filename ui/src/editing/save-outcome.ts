import { showToast } from '../parts/toast.tsx';
import { stagedTable } from './staged-store.ts';
import type { SaveError } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/** The number of bars of unsaved changes that are on the page, by table. */
const shownBars = new Map<string, number>();

/** Call when the bar of a table appears, and the returned function when it disappears. */
export function registerBar(table: string): () => void {
  shownBars.set(table, (shownBars.get(table) ?? 0) + 1);
  return () => shownBars.set(table, (shownBars.get(table) ?? 1) - 1);
}

const shownMs = 5000;
/** The timer that hides the message about a save, by table. */
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Shows the result of a save beside the Save button, or in a toast if the bar of the table is not on the page. */
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

/** Shows the error of a save beside the Save button until the rejected changes are changed or saved, and in a toast if the bar is not on the page. */
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
