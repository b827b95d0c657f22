import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { ProgressBlock, rateText, waitingText } from '../parts/progress-block.tsx';
import { checkedRows, sizeOf } from './import-progress.ts';
import { rowsText, shareOf } from './progress-share.ts';
import { cancelImport } from './import-store.ts';
import type { ImportState, RunningImport } from './import-store.ts';
import { importStartTexts } from '../texts/import-start.ts';
import { importingTexts as texts } from '../texts/importing.ts';

interface ProgressPaneProps {
  readonly state: ImportState;
  readonly running: RunningImport;
}

/** The progress of the import and the button that cancels it. */
export function ProgressPane({ state, running }: ProgressPaneProps): JSX.Element {
  const { isDry, progress } = running;
  const total = isDry ? undefined : checkedRows(state);
  const share =
    progress === undefined ? undefined : shareOf(progress, { rows: total, bytes: sizeOf(state) });
  return (
    <>
      <div className="wizard-middle">
        <ProgressBlock
          title={titleOf(state, running)}
          label={isDry ? texts.step.check : texts.step.import}
          share={share}
          note={isDry ? texts.rollsBack : texts.canRollBack}
        >
          {share === undefined ? (
            <span>{importStartTexts.uploading}</span>
          ) : (
            <Figures running={running} share={share} total={total} />
          )}
        </ProgressBlock>
      </div>
      <div className="wizard-foot">
        <span className="wide">{texts.keepWorking}</span>
        <span className="grow" />
        <button className="btn lg" autoFocus onClick={cancelImport}>
          <Icon name="stop" size="s" />{' '}
          {isDry ? importStartTexts.cancelCheck : importStartTexts.cancelImport}
        </button>
      </div>
    </>
  );
}

function titleOf({ files }: ImportState, { isDry, progress }: RunningImport): string {
  const file = files[0]?.name ?? '';
  if (isDry) return importStartTexts.checking({ file });
  const table = progress?.table;
  return table === undefined ? importStartTexts.importing({ file }) : texts.writingInto({ table });
}

interface FiguresProps {
  readonly running: RunningImport;
  readonly share: number;
  readonly total: number | undefined;
}

function Figures({ running, share, total }: FiguresProps): JSX.Element | null {
  const { progress, startedAt, rowsSince } = running;
  if (progress === undefined) return null;
  const { rows, waiting } = progress;
  if (waiting !== undefined) return <span>{waitingText(waiting)}</span>;
  const now = performance.now();
  const [seconds, rowSeconds] = [(now - startedAt) / 1000, (now - rowsSince) / 1000];
  return (
    <>
      <span>{rowsText(progress, total)}</span>
      <span className="end">{rateText({ rows, seconds, rowSeconds, share })}</span>
    </>
  );
}
