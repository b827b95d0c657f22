import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

/** On a phone the sidebar is a drawer, which opens and closes. */
export function openDrawer(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}

export function useDrawer(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
