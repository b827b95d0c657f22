import { createStore, useSelector } from '@tanstack/react-store';
import type { ExportWhat } from './export-choices.ts';

const opened = createStore<ExportWhat | undefined>(undefined);

/** Opens the export dialog with a preselected source. */
export function openExport(what: ExportWhat): void {
  opened.setState(() => what);
}

export function closeExport(): void {
  opened.setState(() => undefined);
}

export function useOpenedExport(): ExportWhat | undefined {
  return useSelector(opened);
}
