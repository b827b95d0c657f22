import { useState } from 'react';
import type { JSX, KeyboardEvent, MouseEvent } from 'react';
import { useUnresponsive } from '../api/use-unresponsive.ts';
import { Icon } from '../parts/icon.tsx';
import { commonTexts as texts } from '../texts/common.ts';
import { exportProgressTexts } from '../texts/export-progress.ts';
import { partsTexts } from '../texts/parts.ts';

interface DownloadButtonProps {
  /** Undefined for a file that the page itself creates. */
  readonly address: string | undefined;
  readonly disabledReason: string | undefined;
  readonly start: () => Promise<void>;
}

/** The button is a link if the file has a URL, so that users can copy the URL. */
export function DownloadButton({
  address,
  disabledReason,
  start,
}: DownloadButtonProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const unresponsive = useUnresponsive({ isWatched: isAsking });
  const onClick = async (event: MouseEvent): Promise<void> => {
    event.preventDefault();
    if (disabledReason !== undefined || isAsking) return;
    setAsking(true);
    await start();
    setAsking(false);
  };
  const attributes = {
    className: 'btn primary lg',
    'aria-disabled': disabledReason !== undefined || isAsking,
    title: disabledReason,
    onClick: (event: MouseEvent) => void onClick(event),
  };
  const content = (
    <>
      <Icon name="download" size="s" /> {texts.export}
    </>
  );
  return (
    <>
      {isAsking && (
        <span className="small" role="status">
          {unresponsive === undefined
            ? exportProgressTexts.preparing
            : unresponsiveTexts[unresponsive]}
        </span>
      )}
      {address === undefined ? (
        <button {...attributes}>{content}</button>
      ) : (
        <a {...attributes} href={address} role="button" onKeyDown={clickBySpace}>
          {content}
        </a>
      )}
    </>
  );
}

const unresponsiveTexts = {
  studio: partsTexts.noResponse,
  database: partsTexts.noDatabaseResponse,
};

/** The space bar presses a button, but not a link. */
function clickBySpace(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}
