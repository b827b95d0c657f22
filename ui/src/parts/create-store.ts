import { useSyncExternalStore } from 'react';

/** A value beside the components, which outlives them. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  /** The value for a component, which is drawn anew when it changes. */
  readonly use: () => T;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = (): T => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
