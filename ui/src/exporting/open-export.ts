import { createStore } from '../parts/create-store.ts';
import type { ExportWhat } from './export-choices.ts';

const opened = createStore<ExportWhat | undefined>(undefined);

/** Opens the export dialog with a preselected source. */
export function openExport(what: ExportWhat): void {
  opened.set(what);
}

export function closeExport(): void {
  opened.set(undefined);
}

export const useOpenedExport = opened.use;
