import { createStore } from '@tanstack/react-store';
import { localStore } from '../parts/browser-storage.ts';

const maxItems = 200;

/** A list in the browser's local storage. */
export function createStoredList<T>(key: string) {
  const items = createStore(read(key) as readonly T[]);
  return {
    items,
    change: (next: (items: readonly T[]) => readonly T[]): void => {
      items.setState((all) => next(all).slice(0, maxItems));
      localStore.write(key, JSON.stringify(items.get()));
    },
  };
}

function read(key: string): readonly unknown[] {
  try {
    return JSON.parse(localStore.read(key) ?? '[]') as unknown[];
  } catch {
    return [];
  }
}
