import { createStore } from '@tanstack/react-store';
import type { Store } from '@tanstack/react-store';

/** Returns a function that finds the store of a key. Each store starts with what `read` returns for its key. */
export function keyedStores<T extends object>(read: (key: string) => T): (key: string) => Store<T> {
  const stores = new Map<string, Store<T>>();
  return (key) => {
    const store = stores.get(key) ?? createStore<T>(read(key));
    stores.set(key, store);
    return store;
  };
}
