import type { JSX } from 'react';
import { ProgressBlock, rateText, waitingText } from '../parts/progress-block.tsx';
import { sizeText } from '../parts/size-text.ts';
import { isRunning } from './export-runs.ts';
import type { ExportRun } from './export-runs.ts';
import { exportProgressTexts as texts } from '../texts/export-progress.ts';
import { commonTexts } from '../texts/common.ts';

/** The progress of an export, or its outcome. */
export function RunProgress({ run }: { readonly run: ExportRun }): JSX.Element {
  const { progress, warnings } = run;
  const share = completedShare(run);
  return (
    <ProgressBlock
      title={titleOf(run)}
      label={commonTexts.export}
      share={share}
      isRunning={isRunning(run)}
      lossNote={texts.incomplete}
      note={[
        ...(progress?.error === undefined ? [] : [progress.error]),
        ...warnings,
        ...(isRunning(run) ? [texts.keepWorking] : []),
      ].join(' ')}
    >
      {progress === undefined ? (
        <span>{texts.startsSoon}</span>
      ) : (
        <Figures run={run} progress={progress} share={share} />
      )}
    </ProgressBlock>
  );
}

type TitleOf = (values: { readonly file: string }) => string;

const titles: Readonly<Record<string, TitleOf>> = {
  done: texts.saved,
  failed: texts.failed,
  cancelled: texts.canceled,
};

function titleOf({ fileName: file, progress }: ExportRun): string {
  return (titles[progress?.state ?? ''] ?? texts.exporting)({ file });
}

/** Returns the completed share, from 0 to 1, if the number of rows is known. Rows that the browser has not received do not count. */
function completedShare({ progress, total }: ExportRun): number | undefined {
  if (progress === undefined) return undefined;
  const { state, rows, bytes, sent_bytes: sentBytes } = progress;
  if (state === 'done') return 1;
  if (total === undefined || total === 0 || bytes === 0) return undefined;
  return Math.min(0.99, (rows / total) * (sentBytes / bytes));
}

interface FiguresProps {
  readonly run: ExportRun;
  readonly progress: NonNullable<ExportRun['progress']>;
  readonly share: number | undefined;
}

function Figures({ run, progress, share }: FiguresProps): JSX.Element {
  const { total, durationMs } = run;
  const { rows, sent_bytes: sentBytes, waiting } = progress;
  if (waiting !== undefined) return <span>{waitingText(waiting)}</span>;
  const seconds = durationMs / 1000;
  const isActive = isRunning(run);

  return (
    <>
      <span>
        {isActive && total !== undefined
          ? texts.rowsOfTotal({
              count: rows.toLocaleString('en'),
              totalRows: commonTexts.rowCount({ count: total }),
            })
          : commonTexts.rowCount({ count: rows })}
      </span>
      <span>{sizeText(sentBytes)}</span>
      <span className="end">
        {isActive
          ? rateText({ rows, seconds, share })
          : texts.seconds({ seconds: seconds.toFixed(1) })}
      </span>
    </>
  );
}
