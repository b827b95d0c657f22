import { useSyncExternalStore } from 'react';
import { savePositions, readSavedPositions } from './saved-positions.ts';
import type { SavedPosition, SavedPositions } from './saved-positions.ts';

/** What is known of each key's places; read from the browser once. */
const known = new Map<string, SavedPositions>();
const listeners = new Set<() => void>();

export function placesOf(key: string): SavedPositions {
  const places = known.get(key) ?? readSavedPositions(key);
  known.set(key, places);
  return places;
}

export function usePlaces(key: string): SavedPositions {
  return useSyncExternalStore(subscribe, () => placesOf(key));
}

export function putTables(key: string, moved: ReadonlyMap<string, SavedPosition>): void {
  change(key, { ...placesOf(key), ...Object.fromEntries(moved) });
}

/** All back to where the server has put them. */
export function forgetPlaces(key: string): void {
  change(key, {});
}

function change(key: string, places: SavedPositions): void {
  known.set(key, places);
  savePositions(key, places);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
