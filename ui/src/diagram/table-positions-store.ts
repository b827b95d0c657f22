/** The positions of the tables that the user moved, with those before each move. */
import { useSelector } from '@tanstack/react-store';
import { keyedStores } from '../parts/keyed-stores.ts';
import { savePositions, readSavedPositions } from './saved-positions.ts';
import type { SavedPosition, SavedPositions } from './saved-positions.ts';

interface TablePositions {
  readonly positions: SavedPositions;
  /** The positions before each move and reset since the page was opened, the last one at the end. */
  readonly undoSteps: readonly SavedPositions[];
}

const storeOf = keyedStores<TablePositions>((key) => ({
  positions: readSavedPositions(key),
  undoSteps: [],
}));

const maxUndoSteps = 100;

export function positionsOf(key: string): SavedPositions {
  return storeOf(key).get().positions;
}

export function useTablePositions(key: string): SavedPositions {
  return useSelector(storeOf(key), ({ positions }) => positions);
}

export function useCanUndoMove(key: string): boolean {
  return useSelector(storeOf(key), ({ undoSteps }) => undoSteps.length > 0);
}

export function moveTables(key: string, moved: ReadonlyMap<string, SavedPosition>): void {
  change(key, { ...positionsOf(key), ...Object.fromEntries(moved) });
}

/** Returns all tables to the positions that the server computed. */
export function resetTablePositions(key: string): void {
  change(key, {});
}

/** Returns the tables to their positions before the last move or reset. */
export function undoMove(key: string): void {
  const { undoSteps } = storeOf(key).get();
  const positions = undoSteps.at(-1);
  if (positions === undefined) return;
  store(key, { positions, undoSteps: undoSteps.slice(0, -1) });
}

function change(key: string, positions: SavedPositions): void {
  const { positions: before, undoSteps } = storeOf(key).get();
  store(key, { positions, undoSteps: [...undoSteps, before].slice(-maxUndoSteps) });
}

function store(key: string, state: TablePositions): void {
  storeOf(key).setState(() => state);
  savePositions(key, state.positions);
}
