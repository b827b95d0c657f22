import { createStore, useSelector } from '@tanstack/react-store';
import type { ExportContent } from './export-choices.ts';

const openedContent = createStore<ExportContent | undefined>(undefined);

/** Opens the export dialog with a preselected source. */
export function openExport(content: ExportContent): void {
  openedContent.setState(() => content);
}

export function closeExport(): void {
  openedContent.setState(() => undefined);
}

export function useOpenedExport(): ExportContent | undefined {
  return useSelector(openedContent);
}
