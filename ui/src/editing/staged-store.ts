import { useSyncExternalStore } from 'react';
import { advance, redo, startHistory, undo } from './history.ts';
import type { History } from './history.ts';
import { countStaged, nothingStaged } from './staged.ts';
import type { Staged } from './staged.ts';

/** Why a change was refused: at its cell where the database says which. */
export interface Refusal {
  readonly id?: string;
  readonly number?: number;
  readonly column?: string;
  readonly message: string;
}

interface TableState {
  readonly history: History<Staged>;
  readonly refusal: Refusal | undefined;
}

const fresh: TableState = { history: startHistory(nothingStaged), refusal: undefined };
const states = new Map<string, TableState>();
const listeners = new Set<() => void>();

/** What is staged of a table, and how to change it. It outlives the tab that shows it. */
export interface StagedTable {
  readonly staged: Staged;
  readonly refusal: Refusal | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly change: (next: Staged) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly refuse: (refusal: Refusal | undefined) => void;
  readonly clear: () => void;
}

export function useStaged(table: string): StagedTable {
  const { history, refusal } = useSyncExternalStore(subscribe, () => states.get(table) ?? fresh);
  const set = (next: Partial<TableState>): void => {
    states.set(table, { ...(states.get(table) ?? fresh), ...next });
    for (const listener of listeners) listener();
  };
  return {
    staged: history.present,
    refusal,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (next) => set({ history: advance(history, next), refusal: undefined }),
    undo: () => set({ history: undo(history), refusal: undefined }),
    redo: () => set({ history: redo(history), refusal: undefined }),
    refuse: (next) => set({ refusal: next }),
    clear: () => set(fresh),
  };
}

/** The tables that have changes which are not saved. */
export function useChangedTables(): ReadonlySet<string> {
  const text = useSyncExternalStore(subscribe, () =>
    [...states]
      .filter(([, { history }]) => countStaged(history.present) > 0)
      .map(([table]) => table)
      .join('\n'),
  );
  return new Set(text === '' ? [] : text.split('\n'));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('beforeunload', (event) => {
  const isChanged = [...states.values()].some(({ history }) => countStaged(history.present) > 0);
  if (isChanged) event.preventDefault();
});
