import { createStore, useSelector } from '@tanstack/react-store';
import type { Conflict } from './conflict.ts';
import { addState, replacePresent, redo, startHistory, undo } from './history.ts';
import type { History } from './history.ts';
import type { SaveAttempt } from './send-changes.ts';
import { stageFocusedField } from './stage-focused-field.ts';
import { countStaged, nothingStaged } from './staged.ts';
import type { Staged, Values } from './staged.ts';

/** Why changes could not be saved, and at which cells if the database reports it. */
export interface SaveError {
  readonly id?: string;
  readonly number?: number;
  /** Empty if it is not known which value was rejected. */
  readonly columns: readonly string[];
  /** What became of the changes. */
  readonly title?: string;
  readonly message: string;
}

interface TableState {
  readonly history: History<Staged>;
  readonly saveError: SaveError | undefined;
  /** A row that someone else changed too, until the user decides which values to save. */
  readonly conflict: Conflict | undefined;
  /** The field that is being typed into. All its keystrokes are one undo step. */
  readonly typedField: string | undefined;
  /** A request whose response has not arrived. Only repeating it shows whether it saved anything. */
  readonly pending: SaveAttempt | undefined;
  /** What the last save has done, for a few seconds. */
  readonly saved: string | undefined;
  readonly isSaving: boolean;
}

const initialState: TableState = {
  history: startHistory(nothingStaged),
  saveError: undefined,
  conflict: undefined,
  typedField: undefined,
  pending: undefined,
  saved: undefined,
  isSaving: false,
};
const states = createStore<ReadonlyMap<string, TableState>>(new Map());

/** The staged changes of a table. They outlive the tab that shows them. */
export interface StagedTable {
  readonly staged: Staged;
  /** The staged changes with their earlier and undone states. */
  readonly history: History<Staged>;
  readonly saveError: SaveError | undefined;
  readonly conflict: Conflict | undefined;
  readonly pending: SaveAttempt | undefined;
  readonly saved: string | undefined;
  readonly isSaving: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Updates the staged changes as one undo step. Returning the same object changes nothing. */
  readonly change: (update: (staged: Staged) => Staged) => void;
  /** The same for keystrokes: all keystrokes in one field are one undo step. */
  readonly type: (field: string, update: (staged: Staged) => Staged) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setSaveError: (saveError: SaveError | undefined) => void;
  readonly setConflict: (conflict: Conflict | undefined) => void;
  /** What the save before has done is no longer of interest. */
  readonly setSaving: (isSaving: boolean) => void;
  readonly setSaved: (saved: string | undefined) => void;
  readonly setPending: (pending: SaveAttempt | undefined) => void;
  /** Replaces the staged changes and clears the undo history. */
  readonly reset: (staged: Staged) => void;
  /** Brings back what a page had staged before it was reloaded. */
  readonly restore: (history: History<Staged>) => void;
  /** The earlier states are no longer valid. */
  readonly forgetHistory: () => void;
  /** Discards all changes. Undo brings them back. */
  readonly discard: () => void;
}

export function useStaged(table: string): StagedTable {
  useSelector(states, (all) => all.get(table));
  return stagedTable(table);
}

/** Returns the current state, for code that runs outside of rendering. */
export function stagedTable(table: string): StagedTable {
  const { history, saveError, conflict, pending, saved, isSaving } =
    states.get().get(table) ?? initialState;
  const set = (next: (state: TableState) => Partial<TableState>): void =>
    states.setState((all) => {
      const state = all.get(table) ?? initialState;
      return new Map(all).set(table, { ...state, ...next(state) });
    });
  const setHistory = (next: (history: History<Staged>) => History<Staged>): void =>
    set((state) => ({ ...stateWithHistory(state, next(state.history)), typedField: undefined }));
  const change: StagedTable['change'] = (update) =>
    setHistory((current) => addState(current, update(current.present)));
  return {
    staged: history.present,
    history,
    saveError,
    conflict,
    pending,
    saved,
    isSaving,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change,
    type: (field, update) =>
      set((state) => {
        const addOrReplace = state.typedField === field ? replacePresent : addState;
        const next = addOrReplace(state.history, update(state.history.present));
        return { ...stateWithHistory(state, next), typedField: field };
      }),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    setSaveError: (next) => set(() => ({ saveError: next })),
    setConflict: (next) => set(() => ({ conflict: next })),
    reset: (staged) =>
      set(({ isSaving: wasSaving }) => ({
        ...initialState,
        isSaving: wasSaving,
        history: startHistory(staged),
      })),
    restore: (restored) => set(() => ({ ...initialState, history: restored })),
    forgetHistory: () => set((state) => ({ history: startHistory(state.history.present) })),
    setSaving: (next) =>
      set(() => (next ? { isSaving: true, saved: undefined } : { isSaving: false })),
    setSaved: (next) => set(() => ({ saved: next })),
    setPending: (next) => set(() => ({ pending: next })),
    discard: () => change(() => nothingStaged),
  };
}

/** The error stays at its cell until the rejected value changes. */
function stateWithHistory(state: TableState, history: History<Staged>): Partial<TableState> {
  const { saveError } = state;
  const before = state.history.present;
  const isStillRejected =
    saveError !== undefined &&
    (before === history.present ||
      areSameValues(
        saveError,
        rejectedValues(before, saveError),
        rejectedValues(history.present, saveError),
      ));
  return { history, saveError: isStillRejected ? saveError : undefined };
}

function areSameValues(
  { columns }: SaveError,
  before: Values | undefined,
  now: Values | undefined,
): boolean {
  if (before === undefined || now === undefined) return false;
  return columns.length === 0
    ? before === now
    : columns.every((column) => before[column] === now[column]);
}

/** Returns the staged values of the rejected row. Undefined if the error names no row. */
function rejectedValues({ edits, created, removed }: Staged, { id, number }: SaveError) {
  if (id !== undefined) return removed.has(id) ? undefined : edits.get(id)?.values;
  return number === undefined ? undefined : created.get(number);
}

/** Returns the names of the tables with unsaved changes. */
export function useChangedTables(): ReadonlySet<string> {
  const text = useSelector(states, () => changedTables().join('\n'));
  return new Set(text === '' ? [] : text.split('\n'));
}

/** Returns the names of the tables with changes that are not saved, or perhaps not saved. */
export function changedTables(): readonly string[] {
  return [...states.get()]
    .filter(([, { history, pending }]) => countStaged(history.present) > 0 || pending !== undefined)
    .map(([table]) => table);
}

/** Returns the names of the tables with changes, or with changes that can be undone or redone. */
export function tablesToKeep(): readonly string[] {
  const hasStates = ({ past, future }: History<Staged>): boolean => past.length + future.length > 0;
  const withHistory = [...states.get()].filter(([, { history }]) => hasStates(history));
  return [...new Set([...changedTables(), ...withHistory.map(([table]) => table)])];
}

/** Discards the changes of all tables. Undo does not bring them back. */
export function discardEverything(): void {
  states.setState(() => new Map());
}

addEventListener('beforeunload', (event) => {
  stageFocusedField();
  if (changedTables().length > 0) event.preventDefault();
});
