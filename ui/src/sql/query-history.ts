import { createStore, useSelector } from '@tanstack/react-store';
import { localStore } from '../parts/browser-storage.ts';

/** An executed statement and its outcome. */
export interface HistoryEntry {
  readonly at: number;
  readonly statement: string;
  readonly outcome: string;
  readonly isFailure: boolean;
}

export interface SavedQuery {
  readonly name: string;
  readonly statement: string;
}

const maxEntries = 200;
const maxLength = 20_000;

/** A list in the browser's local storage. */
function createStoredList<T>(key: string) {
  const items = createStore(read(key) as readonly T[]);
  return {
    items,
    change: (next: (items: readonly T[]) => readonly T[]): void => {
      items.setState((all) => next(all).slice(0, maxEntries));
      localStore.write(key, JSON.stringify(items.get()));
    },
  };
}

function read(key: string): readonly unknown[] {
  try {
    return JSON.parse(localStore.read(key) ?? '[]') as unknown[];
  } catch {
    return [];
  }
}

const past = createStoredList<HistoryEntry>('studio.sql.past');
const saved = createStoredList<SavedQuery>('studio.sql.saved');

export function useQueryHistory(): readonly HistoryEntry[] {
  return useSelector(past.items);
}

export function useSavedQueries(): readonly SavedQuery[] {
  return useSelector(saved.items);
}

/** Adds a query at the beginning of the history. Very long statements are not stored. */
export function addToHistory(query: HistoryEntry): void {
  if (query.statement.length <= maxLength) past.change((known) => [query, ...known]);
}

export function saveQuery(query: SavedQuery): void {
  saved.change((known) => [query, ...known.filter(({ name }) => name !== query.name)]);
}

export function removeQuery(name: string): void {
  saved.change((known) => known.filter((query) => query.name !== name));
}
