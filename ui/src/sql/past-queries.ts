import { useSyncExternalStore } from 'react';

/** An executed statement and its outcome. */
export interface PastQuery {
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
  let items = read(key) as readonly T[];
  const listeners = new Set<() => void>();
  return {
    use: (): readonly T[] =>
      useSyncExternalStore(
        (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        () => items,
      ),
    change: (next: (items: readonly T[]) => readonly T[]): void => {
      items = next(items).slice(0, maxEntries);
      localStorage.setItem(key, JSON.stringify(items));
      for (const listener of listeners) listener();
    },
  };
}

function read(key: string): readonly unknown[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as unknown[];
  } catch {
    return [];
  }
}

const past = createStoredList<PastQuery>('studio.sql.past');
const saved = createStoredList<SavedQuery>('studio.sql.saved');

export const usePastQueries = past.use;
export const useSavedQueries = saved.use;

/** The newest first; what is longer than a page of text is not kept. */
export function keepPastQuery(query: PastQuery): void {
  if (query.statement.length <= maxLength) past.change((known) => [query, ...known]);
}

export function saveQuery(query: SavedQuery): void {
  saved.change((known) => [query, ...known.filter(({ name }) => name !== query.name)]);
}

export function removeQuery(name: string): void {
  saved.change((known) => known.filter((query) => query.name !== name));
}
