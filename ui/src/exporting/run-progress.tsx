import type { JSX } from 'react';
import { ProgressBlock, rateText, waitingText } from '../parts/progress-block.tsx';
import { sizeText } from '../parts/size-text.ts';
import { isRunning } from './export-runs.ts';
import type { ExportRun } from './export-runs.ts';

/** The progress of an export, or its outcome. */
export function RunProgress({ run }: { readonly run: ExportRun }): JSX.Element {
  const { progress, warnings } = run;
  const part = partOf(run);
  return (
    <ProgressBlock
      title={titleOf(run)}
      label="Export"
      part={part}
      note={[
        ...(progress?.error === undefined ? [] : [progress.error]),
        ...warnings,
        ...(isRunning(run)
          ? ['The browser saves the file. You can keep working in other tabs.']
          : []),
      ].join(' ')}
    >
      {progress === undefined ? (
        <span>The browser is about to save it.</span>
      ) : (
        <Figures run={run} progress={progress} part={part} />
      )}
    </ProgressBlock>
  );
}

const endings: Readonly<Record<string, string>> = {
  done: 'is saved',
  failed: 'is incomplete: the export failed',
  cancelled: 'was canceled',
};

function titleOf({ fileName, progress }: ExportRun): string {
  const ending = endings[progress?.state ?? ''];
  return ending === undefined ? `Exporting ${fileName}` : `${fileName} ${ending}`;
}

/** Returns the completed share, from 0 to 1, if the number of rows is known. Rows that the browser has not received do not count. */
function partOf({ progress, total }: ExportRun): number | undefined {
  if (progress === undefined) return undefined;
  const { state, rows, bytes, sent_bytes: sentBytes } = progress;
  if (state === 'done') return 1;
  if (total === undefined || total === 0 || bytes === 0) return undefined;
  return Math.min(0.99, (rows / total) * (sentBytes / bytes));
}

interface FiguresProps {
  readonly run: ExportRun;
  readonly progress: NonNullable<ExportRun['progress']>;
  readonly part: number | undefined;
}

function Figures({ run, progress, part }: FiguresProps): JSX.Element {
  const { total, durationMs } = run;
  const { rows, sent_bytes: sentBytes, waiting } = progress;
  if (waiting !== undefined) return <span>{waitingText(waiting)}</span>;
  const seconds = durationMs / 1000;
  const isGoing = isRunning(run);
  return (
    <>
      <span>
        {rows.toLocaleString('en')}
        {isGoing && total !== undefined ? ` of ${total.toLocaleString('en')}` : ''} rows
      </span>
      <span>{sizeText(sentBytes)}</span>
      <span className="end">
        {isGoing ? rateText({ rows, seconds, part }) : `${seconds.toFixed(1)} s`}
      </span>
    </>
  );
}
