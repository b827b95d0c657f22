import type { JSX, ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { cancelExport, isRunning } from './export-runs.ts';
import type { ExportRun } from './export-runs.ts';
import { RunProgress } from './run-progress.tsx';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { exportProgressTexts } from '../texts/export-progress.ts';

interface ExportRunPaneProps {
  readonly run: ExportRun;
  readonly onExportAgain: () => void;
  /** The close button. */
  readonly closeButton: ReactNode;
}

/** The progress of the export that the dialog started. */
export function ExportRunPane({
  run,
  onExportAgain,
  closeButton,
}: ExportRunPaneProps): JSX.Element {
  return (
    <>
      <div className="body export-run">
        <RunProgress run={run} />
      </div>
      <footer className="export-foot">
        <span className="grow" />
        {closeButton}
        {isRunning(run) ? (
          <button className="btn lg" autoFocus onClick={() => cancelExport(run.id)}>
            <Icon name="stop" size="s" /> {exportProgressTexts.cancelExport}
          </button>
        ) : (
          <button className="btn lg" autoFocus onClick={onExportAgain}>
            {texts.newExport}
          </button>
        )}
      </footer>
    </>
  );
}
