import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { askForFile, saveFrom } from './download.ts';
import type { FileFacts } from './download.ts';
import { followExport } from './export-runs.ts';

/** Has the browser save a file of the studio, and tells how that went. */
export async function startDownload(address: string): Promise<void> {
  const facts = await askOrTell(address);
  if (facts === undefined) return;
  saveFrom(address);
  showToast({
    kind: 'done',
    title: 'The download has started',
    ...(facts.warnings.length === 0 ? {} : { detail: facts.warnings.join(' ') }),
  });
}

export interface FollowedDownload {
  /** Where the file is, by what the server is to call the download. */
  readonly addressOf: (transfer?: string) => string;
  /** How many rows it will have, where that is known. */
  readonly total: number | undefined;
}

/** The same for a file that may take its time; gives what the server calls the download. */
export async function startFollowed(download: FollowedDownload): Promise<string | undefined> {
  const { addressOf, total } = download;
  const facts = await askOrTell(addressOf());
  if (facts === undefined) return undefined;
  const id = madeUpName();
  followExport({ ...facts, id, total });
  saveFrom(addressOf(id));
  return id;
}

async function askOrTell(address: string): Promise<FileFacts | undefined> {
  try {
    return await askForFile(address);
  } catch (error) {
    showToast({ kind: 'error', title: 'Nothing was exported', detail: messageOf(error) });
    return undefined;
  }
}

/** `crypto.randomUUID` is there on pages by https only. */
function madeUpName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
