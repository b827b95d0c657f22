import { createStore, useSelector } from '@tanstack/react-store';
import type { StoredRow } from './staged.ts';

/** By table: new rows that were saved. They stay where they were typed until the view changes. */
const savedRows = createStore<ReadonlyMap<string, readonly StoredRow[]>>(new Map());

const none: readonly StoredRow[] = [];

export function useSavedNewRows(table: string): readonly StoredRow[] {
  return useSelector(savedRows, (all) => all.get(table)) ?? none;
}

/** What a save did to rows. */
interface Saved {
  readonly created: readonly StoredRow[];
  /** By the ids that the rows had before. */
  readonly updated: ReadonlyMap<string, StoredRow>;
  readonly removed: ReadonlySet<string>;
}

/** Keeps saved new rows in view. Those that are there already get their new values. */
export function showSavedNewRows(table: string, { created, updated, removed }: Saved): void {
  savedRows.setState((all) => {
    const before = (all.get(table) ?? none).filter(({ id }) => !removed.has(id));
    return new Map(all).set(table, [
      ...created,
      ...before.map((row) => updated.get(row.id) ?? row),
    ]);
  });
}

/** Lets saved new rows go to where the sort order has them. */
export function removeSavedNewRows(table: string): void {
  if (savedRows.get().has(table))
    savedRows.setState((all) => new Map([...all].filter(([other]) => other !== table)));
}
