import { useSyncExternalStore } from 'react';
import type { ExportWhat } from './export-choices.ts';

let opened: ExportWhat | undefined;
const listeners = new Set<() => void>();

/** Shows the export dialog, with this chosen. */
export function openExport(what: ExportWhat): void {
  change(what);
}

export function closeExport(): void {
  change(undefined);
}

export function useOpenedExport(): ExportWhat | undefined {
  return useSyncExternalStore(subscribe, () => opened);
}

function change(next: ExportWhat | undefined): void {
  opened = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
