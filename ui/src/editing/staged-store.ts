import { useSyncExternalStore } from 'react';
import type { Conflict } from './conflict.ts';
import { advance, amend, redo, startHistory, undo } from './history.ts';
import type { History } from './history.ts';
import { countStaged, nothingStaged } from './staged.ts';
import type { Staged } from './staged.ts';

/** Why changes could not be saved, and at which cell if the database reports it. */
export interface SaveError {
  readonly id?: string;
  readonly number?: number;
  readonly column?: string;
  readonly message: string;
}

interface TableState {
  readonly history: History<Staged>;
  readonly saveError: SaveError | undefined;
  /** A row that someone else changed too, until the user decides which values to save. */
  readonly conflict: Conflict | undefined;
  /** The field that is being typed into. All its keystrokes are one undo step. */
  readonly typedField: string | undefined;
}

const initialState: TableState = {
  history: startHistory(nothingStaged),
  saveError: undefined,
  conflict: undefined,
  typedField: undefined,
};
const states = new Map<string, TableState>();
const listeners = new Set<() => void>();

/** The staged changes of a table. They outlive the tab that shows them. */
export interface StagedTable {
  readonly staged: Staged;
  readonly saveError: SaveError | undefined;
  readonly conflict: Conflict | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Updates the staged changes as one undo step. Returning the same object changes nothing. */
  readonly change: (make: (staged: Staged) => Staged) => void;
  /** The same for keystrokes: all keystrokes in one field are one undo step. */
  readonly type: (field: string, make: (staged: Staged) => Staged) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setSaveError: (saveError: SaveError | undefined) => void;
  readonly setConflict: (conflict: Conflict | undefined) => void;
  /** Replaces the staged changes and forgets the undo history. */
  readonly reset: (staged: Staged) => void;
  readonly clear: () => void;
}

export function useStaged(table: string): StagedTable {
  useSyncExternalStore(subscribe, () => states.get(table) ?? initialState);
  return stagedTable(table);
}

/** Returns the current state, for code that runs outside of rendering. */
export function stagedTable(table: string): StagedTable {
  const { history, saveError, conflict } = states.get(table) ?? initialState;
  const set = (next: (state: TableState) => Partial<TableState>): void => {
    const state = states.get(table) ?? initialState;
    states.set(table, { ...state, ...next(state) });
    for (const listener of listeners) listener();
  };
  const setHistory = (next: (history: History<Staged>) => History<Staged>): void =>
    set((state) => ({ history: next(state.history), saveError: undefined, typedField: undefined }));
  return {
    staged: history.present,
    saveError,
    conflict,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (make) => setHistory((current) => advance(current, make(current.present))),
    type: (field, make) =>
      set(({ history: current, typedField }) => ({
        history: (typedField === field ? amend : advance)(current, make(current.present)),
        saveError: undefined,
        typedField: field,
      })),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    setSaveError: (next) => set(() => ({ saveError: next })),
    setConflict: (next) => set(() => ({ conflict: next })),
    reset: (staged) => set(() => ({ ...initialState, history: startHistory(staged) })),
    clear: () => set(() => initialState),
  };
}

/** Returns the names of the tables with unsaved changes. */
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
