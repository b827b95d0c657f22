import type { JSX, ReactNode } from 'react';
import { useUnresponsive } from '../api/use-unresponsive.ts';
import { partsTexts as texts } from '../texts/parts.ts';

interface ProgressBlockProps {
  /** The title. */
  readonly title: string;
  /** The label for screen readers. */
  readonly label: string;
  /** The completed share, from 0 to 1. Undefined if unknown. */
  readonly share: number | undefined;
  /** Numbers that describe the progress. */
  readonly children: ReactNode;
  readonly note?: string;
  /** False if it has ended. */
  readonly isRunning?: boolean;
  /** What follows if the studio does not respond any more. */
  readonly lossNote?: string;
}

/** Shows the progress of a long operation, and whether its studio or database does not respond. */
export function ProgressBlock(props: ProgressBlockProps): JSX.Element {
  const { title, label, share, children, note = '', isRunning = true, lossNote } = props;
  const unresponsive = useUnresponsive({ isWatched: isRunning });
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return (
    <div className="progress">
      <div className="row">
        <h2>{title}</h2>
        <span className="end num t2">{percent === undefined ? '' : `${percent}%`}</span>
      </div>
      <div
        className="meter"
        role="progressbar"
        aria-label={label}
        {...(percent === undefined ? {} : { 'aria-valuenow': percent })}
      >
        <i style={{ width: `${percent ?? 0}%` }} />
      </div>
      <div className="row num t2 small" aria-live="polite">
        {unresponsive === 'studio' ? (
          <span>{[texts.noResponse, lossNote].join(' ').trim()}</span>
        ) : (
          children
        )}
      </div>
      {unresponsive === 'database' && (
        <p className="small" role="status">
          {texts.noDatabaseResponse}
        </p>
      )}
      {note !== '' && <p className="t2 small">{note}</p>}
    </div>
  );
}

interface RateProps {
  readonly rows: number;
  readonly seconds: number;
  /** How long rows have been processed, if they are not from the beginning. */
  readonly rowSeconds?: number;
  readonly share: number | undefined;
}

/** The first percent may take longer than the others, while a process starts. */
const estimatedFrom = 0.02;

/** The speed and the remaining time, as far as they are known. */
export function rateText({ rows, seconds, rowSeconds = seconds, share = 0 }: RateProps): string {
  const perSecond = Math.round(rows / Math.max(0.001, rowSeconds)).toLocaleString('en');
  const time = timeText((seconds * (1 - share)) / share);
  return [
    ...(rows === 0 ? [] : [texts.rate({ rows: perSecond })]),
    ...(share < estimatedFrom ? [] : [texts.remainingTime({ time })]),
  ].join(', ');
}

function timeText(seconds: number): string {
  return seconds < 90
    ? texts.seconds({ seconds: Math.max(1, Math.round(seconds)) })
    : texts.minutes({ minutes: Math.round(seconds / 60) });
}

/** The status of an import or export that has not started. */
export function waitingText(ahead: number): string {
  return ahead === 1 ? texts.waitingForOne : texts.waitingForSeveral({ count: ahead });
}
