import { createStore } from '../parts/create-store.ts';
import type { ExportWhat } from './export-choices.ts';

const opened = createStore<ExportWhat | undefined>(undefined);

/** Shows the export dialog, with this chosen. */
export function openExport(what: ExportWhat): void {
  opened.set(what);
}

export function closeExport(): void {
  opened.set(undefined);
}

export const useOpenedExport = opened.use;
