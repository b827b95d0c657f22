import type { JSX } from 'react';
import { client } from '../api/client.ts';
import { startDownload } from '../exporting/start-download.ts';
import { Icon } from '../parts/icon.tsx';
import { importingTexts as texts } from '../texts/importing.ts';

/** Downloads the rows that the import skipped, to be corrected and imported. */
export function RejectedButton({ file }: { readonly file: string }): JSX.Element {
  const address = client.address('GET /import/rejected/:file', { params: { file } });
  return (
    <button className="btn" onClick={() => void startDownload(address)}>
      <Icon name="download" size="s" /> {texts.downloadRejected}
    </button>
  );
}
