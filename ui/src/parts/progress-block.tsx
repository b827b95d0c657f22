import type { JSX, ReactNode } from 'react';
import { partsTexts as texts } from '../texts/parts.ts';

interface ProgressBlockProps {
  /** The title. */
  readonly title: string;
  /** The label for screen readers. */
  readonly label: string;
  /** From 0 to 1. Undefined if unknown. */
  readonly part: number | undefined;
  /** Numbers that describe the progress. */
  readonly children: ReactNode;
  readonly note?: string;
}

/** Shows the progress of a long operation. */
export function ProgressBlock(props: ProgressBlockProps): JSX.Element {
  const { title, label, part, children, note = '' } = props;
  const share = part === undefined ? undefined : Math.floor(part * 100);
  return (
    <div className="progress">
      <div className="row">
        <h2>{title}</h2>
        <span className="end num t2">{share === undefined ? '' : `${share}%`}</span>
      </div>
      <div
        className="meter"
        role="progressbar"
        aria-label={label}
        {...(share === undefined ? {} : { 'aria-valuenow': share })}
      >
        <i style={{ width: `${share ?? 0}%` }} />
      </div>
      <div className="row num t2 small" aria-live="polite">
        {children}
      </div>
      {note !== '' && <p className="t2 small">{note}</p>}
    </div>
  );
}

interface RateProps {
  readonly rows: number;
  readonly seconds: number;
  readonly part: number | undefined;
}

/** The speed and the remaining time. */
export function rateText({ rows, seconds, part = 0 }: RateProps): string {
  const perSecond = Math.round(rows / Math.max(0.001, seconds)).toLocaleString('en');
  const rate = texts.rate({ rows: perSecond });
  if (part === 0) return rate;
  return texts.rateAndRest({ rate, left: timeText((seconds * (1 - part)) / part) });
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
