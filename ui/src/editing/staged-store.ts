import { useSyncExternalStore } from 'react';
import type { Conflict } from './conflict.ts';
import { advance, amend, redo, startHistory, undo } from './history.ts';
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
  /** A row that someone else changed meanwhile, until it is decided which values stay. */
  readonly conflict: Conflict | undefined;
  /** What is being typed into, so that its letters are one step to undo. */
  readonly typedInto: string | undefined;
}

const fresh: TableState = {
  history: startHistory(nothingStaged),
  refusal: undefined,
  conflict: undefined,
  typedInto: undefined,
};
const states = new Map<string, TableState>();
const listeners = new Set<() => void>();

/** What is staged of a table, and how to change it. It outlives the tab that shows it. */
export interface StagedTable {
  readonly staged: Staged;
  readonly refusal: Refusal | undefined;
  readonly conflict: Conflict | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes what is staged at the time of the call; giving it back as it is changes nothing. */
  readonly change: (make: (staged: Staged) => Staged) => void;
  /** The same, letter by letter: until another place is typed into it is one step to undo. */
  readonly type: (place: string, make: (staged: Staged) => Staged) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly refuse: (refusal: Refusal | undefined) => void;
  readonly dispute: (conflict: Conflict | undefined) => void;
  /** Begins anew, with nothing to undo. */
  readonly restart: (staged: Staged) => void;
  readonly clear: () => void;
}

export function useStaged(table: string): StagedTable {
  useSyncExternalStore(subscribe, () => states.get(table) ?? fresh);
  return stagedTable(table);
}

/** As it is now, for what goes on after the screen was drawn. */
export function stagedTable(table: string): StagedTable {
  const { history, refusal, conflict } = states.get(table) ?? fresh;
  const set = (next: (state: TableState) => Partial<TableState>): void => {
    const state = states.get(table) ?? fresh;
    states.set(table, { ...state, ...next(state) });
    for (const listener of listeners) listener();
  };
  const setHistory = (next: (history: History<Staged>) => History<Staged>): void =>
    set((state) => ({ history: next(state.history), refusal: undefined, typedInto: undefined }));
  return {
    staged: history.present,
    refusal,
    conflict,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (make) => setHistory((known) => advance(known, make(known.present))),
    type: (place, make) =>
      set(({ history: known, typedInto }) => ({
        history: (typedInto === place ? amend : advance)(known, make(known.present)),
        refusal: undefined,
        typedInto: place,
      })),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    refuse: (next) => set(() => ({ refusal: next })),
    dispute: (next) => set(() => ({ conflict: next })),
    restart: (staged) => set(() => ({ ...fresh, history: startHistory(staged) })),
    clear: () => set(() => fresh),
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
