import type { JSX } from 'react';
import type { UploadProgress } from '../../../src/contract/client.ts';
import { Icon } from '../parts/icon.tsx';
import { ProgressBlock, rateText, waitingText } from '../parts/progress-block.tsx';
import { sizeText } from '../parts/size-text.ts';
import { cancelImport } from './import-store.ts';
import type { ImportState, Running } from './import-store.ts';

interface ProgressPaneProps {
  readonly state: ImportState;
  readonly running: Running;
}

/** The progress of the import and the button that cancels it. */
export function ProgressPane({ state, running }: ProgressPaneProps): JSX.Element {
  const { isDry, progress } = running;
  const total = isDry ? undefined : checkedRows(state);
  const part = progress === undefined ? undefined : partOf(progress, total);
  return (
    <>
      <div className="wizard-middle">
        <ProgressBlock
          title={titleOf(state, running)}
          label={isDry ? 'Check' : 'Import'}
          part={part}
          note={
            isDry
              ? 'Everything runs in one transaction, which is rolled back.'
              : 'Everything runs in one transaction. Cancel rolls it back.'
          }
        >
          {part === undefined ? (
            <span>Uploading the file …</span>
          ) : (
            <Figures running={running} part={part} total={total} />
          )}
        </ProgressBlock>
      </div>
      <div className="wizard-foot">
        <span className="wide">You can keep working in other tabs.</span>
        <span className="grow" />
        <button className="btn lg" autoFocus onClick={cancelImport}>
          <Icon name="stop" size="s" /> Cancel {isDry ? 'check' : 'import'}
        </button>
      </div>
    </>
  );
}

function titleOf({ files }: ImportState, { isDry, progress }: Running): string {
  const name = files[0]?.name ?? '';
  if (isDry) return `Checking ${name}`;
  return progress?.table === undefined ? `Importing ${name}` : `Writing into ${progress.table}`;
}

/** Returns the number of rows that the dry run counted. */
function checkedRows({ check }: ImportState): number | undefined {
  if (check?.response?.kind !== 'data') return undefined;
  return Object.values(check.response.body.tables).reduce(
    (sum, counts) => sum + counts.rows_imported + counts.rows_updated + counts.rows_skipped,
    0,
  );
}

/** Returns the completed share of the rows if their number is known, else of the bytes. It stays below 1 until the end. */
function partOf(progress: UploadProgress, total: number | undefined): number {
  const { bytes, total_bytes: totalBytes, rows } = progress;
  const part = total === undefined ? bytes / totalBytes : rows / total;
  return Number.isFinite(part) ? Math.min(0.99, part) : 0;
}

interface FiguresProps {
  readonly running: Running;
  readonly part: number;
  readonly total: number | undefined;
}

function Figures({ running, part, total }: FiguresProps): JSX.Element | null {
  const { progress, startedAt } = running;
  if (progress === undefined) return null;
  const { bytes, total_bytes: totalBytes, rows, waiting } = progress;
  if (waiting !== undefined) return <span>{waitingText(waiting)}</span>;
  const seconds = (performance.now() - startedAt) / 1000;
  return (
    <>
      <span>
        {rows.toLocaleString('en')}
        {total === undefined ? '' : ` of ${total.toLocaleString('en')}`} rows
      </span>
      <span>
        {sizeText(bytes)} of {sizeText(totalBytes)}
      </span>
      <span className="end">{rateText({ rows, seconds, part })}</span>
    </>
  );
}
