import { useState } from 'react';
import type { JSX, MouseEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { startDownload } from './start-download.ts';

interface DownloadButtonProps {
  readonly address: string;
  readonly offReason: string | undefined;
}

/** A link, so that the address can be copied and the browser streams the file. */
export function DownloadButton({ address, offReason }: DownloadButtonProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const start = async (): Promise<void> => {
    setAsking(true);
    await startDownload(address);
    setAsking(false);
  };
  const onClick = (event: MouseEvent): void => {
    event.preventDefault();
    if (offReason === undefined && !isAsking) void start();
  };
  return (
    <a
      className="btn primary lg"
      href={address}
      role="button"
      aria-disabled={offReason !== undefined || isAsking}
      title={offReason}
      onClick={onClick}
    >
      <Icon name="download" size="s" /> Export
    </a>
  );
}
