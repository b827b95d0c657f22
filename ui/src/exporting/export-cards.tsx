import { useEffect } from 'react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { cancelExport, dismissExport, isRunning, useExportRuns } from './export-runs.ts';
import type { ExportRun } from './export-runs.ts';
import { useOpenedExport } from './open-export.ts';
import { RunProgress } from './run-progress.tsx';
import { exportProgressTexts as texts } from '../texts/export-progress.ts';
import { commonTexts } from '../texts/common.ts';

/** Shows running exports after their dialog was closed. */
export function ExportCards(): JSX.Element {
  const runs = useExportRuns();
  const isDialogOpen = useOpenedExport() !== undefined;
  return (
    <>
      {(isDialogOpen ? [] : runs).map((run) => (
        <ExportCard key={run.id} run={run} />
      ))}
    </>
  );
}

/** How long a finished export stays on screen. */
const shownMs = 8000;

/** A successful export disappears after a while. A failed one stays. */
function ExportCard({ run }: { readonly run: ExportRun }): JSX.Element {
  const { id, fileName, progress } = run;
  const isDone = progress?.state === 'done';
  useEffect(() => {
    if (!isDone) return undefined;
    const leaving = setTimeout(() => dismissExport(id), shownMs);
    return () => clearTimeout(leaving);
  }, [id, isDone]);
  const isGoing = isRunning(run);
  const label = isGoing ? texts.cancelExport : commonTexts.dismiss;
  return (
    <section className="toast export-card" aria-label={texts.exportOf({ file: fileName })}>
      <RunProgress run={run} />
      <button
        className="ib sm"
        aria-label={label}
        title={label}
        onClick={() => (isGoing ? cancelExport(id) : dismissExport(id))}
      >
        <Icon name={isGoing ? 'stop' : 'close'} size="s" />
      </button>
    </section>
  );
}
