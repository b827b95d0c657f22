import { createStore, useSelector } from '@tanstack/react-store';
import type { ExportContent } from './export-choices.ts';

const opened = createStore<ExportContent | undefined>(undefined);

/** Opens the export dialog with a preselected source. */
export function openExport(content: ExportContent): void {
  opened.setState(() => content);
}

export function closeExport(): void {
  opened.setState(() => undefined);
}

export function useOpenedExport(): ExportContent | undefined {
  return useSelector(opened);
}
