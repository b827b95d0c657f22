import { lazy, Suspense } from 'react';
import type { JSX } from 'react';
import { useOpenedExport } from './open-export.ts';

const ExportDialog = lazy(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}));

/** Renders the export dialog over any page. */
export function ExportHost(): JSX.Element | null {
  const content = useOpenedExport();
  if (content === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ExportDialog content={content} />
    </Suspense>
  );
}
