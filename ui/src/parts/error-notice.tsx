import type { JSX } from 'react';
import { Icon } from './icon.tsx';
import { partsTexts as texts } from '../texts/parts.ts';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shows the server's error message next to the action that failed, with a button to try again. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps): JSX.Element {
  return (
    <div className="callout err" role="alert">
      <Icon name="error" />
      <div className="grow">
        <div>{messageOf(error)}</div>
        {onRetry !== undefined && (
          <button className="btn" onClick={onRetry}>
            <Icon name="refresh" /> {texts.tryAgain}
          </button>
        )}
      </div>
    </div>
  );
}

export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return texts.noResponse;
  return error instanceof Error ? error.message : String(error);
}
