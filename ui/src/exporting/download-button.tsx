import { useState } from 'react';
import type { JSX, MouseEvent } from 'react';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { showToast } from '../parts/toast.tsx';
import { download } from './download.ts';

interface DownloadButtonProps {
  readonly address: string;
  readonly offReason: string | undefined;
}

/** A link, so that the address can be copied and the browser streams the file. */
export function DownloadButton({ address, offReason }: DownloadButtonProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const start = async (): Promise<void> => {
    setAsking(true);
    try {
      const warnings = await download(address);
      showToast({
        kind: 'done',
        title: 'The download has started',
        ...(warnings.length === 0 ? {} : { detail: warnings.join(' ') }),
      });
    } catch (error) {
      showToast({ kind: 'error', title: 'Nothing was exported', detail: messageOf(error) });
    }
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
