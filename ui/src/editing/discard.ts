import { countStaged } from './staged.ts';
import type { StagedTable } from './staged-store.ts';
import { savingTexts as texts } from '../texts/saving.ts';

/** More changes than these are discarded only after a question. */
const maxDiscardedAtOnce = 5;

/** Discards all changes; undo brings them back. */
export function discardAll({ staged, discard }: StagedTable): void {
  const count = countStaged(staged);
  if (count > maxDiscardedAtOnce && !confirm(texts.confirmDiscard({ count }))) return;
  discard();
}
