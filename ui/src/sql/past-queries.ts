import { useSyncExternalStore } from 'react';

/** A statement that was run, and what came of it. */
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

const mostKept = 200;
const longestKept = 20_000;

/** A list that the browser keeps. */
function createKept<T>(key: string) {
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
      items = next(items).slice(0, mostKept);
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

const past = createKept<PastQuery>('studio.sql.past');
const saved = createKept<SavedQuery>('studio.sql.saved');

export const usePastQueries = past.use;
export const useSavedQueries = saved.use;

/** The newest first; what is longer than a page of text is not kept. */
export function keepPastQuery(query: PastQuery): void {
  if (query.statement.length <= longestKept) past.change((known) => [query, ...known]);
}

export function saveQuery(query: SavedQuery): void {
  saved.change((known) => [query, ...known.filter(({ name }) => name !== query.name)]);
}

export function removeQuery(name: string): void {
  saved.change((known) => known.filter((query) => query.name !== name));
}
