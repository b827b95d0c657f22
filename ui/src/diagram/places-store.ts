import { useSyncExternalStore } from 'react';
import { keepPlaces, readPlaces } from './kept-places.ts';
import type { Place, Places } from './kept-places.ts';

/** What is known of each key's places; read from the browser once. */
const known = new Map<string, Places>();
const listeners = new Set<() => void>();

export function placesOf(key: string): Places {
  const places = known.get(key) ?? readPlaces(key);
  known.set(key, places);
  return places;
}

export function usePlaces(key: string): Places {
  return useSyncExternalStore(subscribe, () => placesOf(key));
}

export function putTables(key: string, moved: ReadonlyMap<string, Place>): void {
  change(key, { ...placesOf(key), ...Object.fromEntries(moved) });
}

/** All back to where the server has put them. */
export function forgetPlaces(key: string): void {
  change(key, {});
}

function change(key: string, places: Places): void {
  known.set(key, places);
  keepPlaces(key, places);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
