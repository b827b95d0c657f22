import { useSelector } from '@tanstack/react-store';
import { createStoredList } from './stored-list.ts';

/** An executed statement and its outcome. */
export interface HistoryEntry {
  readonly at: number;
  readonly statement: string;
  readonly outcome: string;
  readonly isFailure: boolean;
}

const maxLength = 20_000;

const past = createStoredList<HistoryEntry>('studio.sql.past');

export function useQueryHistory(): readonly HistoryEntry[] {
  return useSelector(past.items);
}

/** Adds a query at the beginning of the history. Very long statements are not stored. */
export function addToHistory(query: HistoryEntry): void {
  if (query.statement.length <= maxLength) past.change((queries) => [query, ...queries]);
}
