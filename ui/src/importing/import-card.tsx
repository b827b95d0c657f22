import { createStore, useSelector } from '@tanstack/react-store';
import type { JSX } from 'react';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProgressBlock, rateText, waitingText } from '../parts/progress-block.tsx';
import { writtenRows } from './written-rows.ts';
import { checkedRows, sizeOf } from './import-progress.ts';
import { rowsText, shareOf } from './progress-share.ts';
import { cancelImport, useImport } from './import-store.ts';
import type { ImportState, Outcome, RunningImport } from './import-store.ts';
import { importStartTexts as texts } from '../texts/import-start.ts';
import { commonTexts } from '../texts/common.ts';

/** The outcome that the user has seen last. */
const seenOutcome = createStore<Outcome | undefined>(undefined);

export function markSeen(outcome: Outcome | undefined): void {
  seenOutcome.setState(() => outcome);
}

/** The progress of an import on the other pages of the studio, and its outcome until the user has seen it. */
export function ImportCard({ onOpen }: { readonly onOpen: () => void }): JSX.Element | null {
  const state = useImport();
  const seen = useSelector(seenOutcome);
  const { running, files } = state;
  const outcome = state.result ?? state.check;
  const file = files[0]?.name ?? '';
  const isUnseen = outcome !== undefined && outcome !== seen;
  if (running === undefined && !isUnseen) return null;
  return (
    <section className="toast export-card" aria-label={texts.importOf({ file })}>
      {running !== undefined ? (
        <RunningCard state={state} running={running} onOpen={onOpen} />
      ) : (
        outcome !== undefined && <OutcomeCard state={state} outcome={outcome} onOpen={onOpen} />
      )}
    </section>
  );
}

interface CardProps {
  readonly state: ImportState;
  readonly onOpen: () => void;
}

interface RunningCardProps extends CardProps {
  readonly running: RunningImport;
}

function RunningCard({ state, running, onOpen }: RunningCardProps): JSX.Element {
  const { isDry, progress } = running;
  const file = state.files[0]?.name ?? '';
  const total = isDry ? undefined : checkedRows(state);
  const share =
    progress === undefined ? undefined : shareOf(progress, { rows: total, bytes: sizeOf(state) });
  const label = isDry ? texts.cancelCheck : texts.cancelImport;
  return (
    <>
      <div className="grow cut">
        <ProgressBlock
          title={isDry ? texts.checking({ file }) : texts.importing({ file })}
          label={texts.importOf({ file })}
          share={share}
        >
          <RowsText running={running} share={share} total={total} />
        </ProgressBlock>
        <button className="link" onClick={onOpen}>
          {texts.showImport}
        </button>
      </div>
      <button className="ib sm" aria-label={label} title={label} onClick={cancelImport}>
        <Icon name="stop" size="s" />
      </button>
    </>
  );
}

interface RowsTextProps {
  readonly running: RunningImport;
  readonly share: number | undefined;
  readonly total: number | undefined;
}

function RowsText({ running, share, total }: RowsTextProps): JSX.Element {
  const { progress, startedAt, rowsSince } = running;
  if (progress === undefined) return <span>{texts.uploading}</span>;
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

interface OutcomeCardProps extends CardProps {
  readonly outcome: Outcome;
}

function OutcomeCard({ state, outcome, onOpen }: OutcomeCardProps): JSX.Element {
  const { error, response } = outcome;
  const isFailed = response === undefined;
  return (
    <>
      <Icon name={isFailed ? 'error' : 'done'} className={isFailed ? 'err' : 'ok'} />
      <div className="grow cut" role="status">
        <div className="m">{outcomeTitle(state, outcome)}</div>
        {isFailed && <div className="sub">{messageOf(error)}</div>}
        {response?.kind === 'data' && (
          <div className="sub">{commonTexts.rowCount({ count: writtenRows(response.body) })}</div>
        )}
        <button className="link" onClick={onOpen}>
          {texts.showImport}
        </button>
      </div>
      <button className="ib sm" aria-label={commonTexts.dismiss} onClick={() => markSeen(outcome)}>
        <Icon name="close" size="s" />
      </button>
    </>
  );
}

function outcomeTitle({ files, result }: ImportState, { response }: Outcome): string {
  const file = files[0]?.name ?? '';
  if (result !== undefined)
    return response === undefined ? texts.importFailed({ file }) : texts.importDone({ file });
  return response === undefined ? texts.checkFailed({ file }) : texts.checkDone({ file });
}
