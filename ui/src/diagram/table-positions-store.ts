import { useSelector } from '@tanstack/react-store';
import { keyedStores } from '../parts/keyed-stores.ts';
import { savePositions, readSavedPositions } from './saved-positions.ts';
import type { SavedPosition, SavedPositions } from './saved-positions.ts';

const storeOf = keyedStores(readSavedPositions);

export function positionsOf(key: string): SavedPositions {
  return storeOf(key).get();
}

export function useTablePositions(key: string): SavedPositions {
  return useSelector(storeOf(key));
}

export function moveTables(key: string, moved: ReadonlyMap<string, SavedPosition>): void {
  change(key, { ...positionsOf(key), ...Object.fromEntries(moved) });
}

/** Returns all tables to the positions that the server computed. */
export function resetTablePositions(key: string): void {
  change(key, {});
}

function change(key: string, positions: SavedPositions): void {
  storeOf(key).setState(() => positions);
  savePositions(key, positions);
}
