import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { fetchFileInfo, saveFrom } from './download.ts';
import type { FileInfo } from './download.ts';
import { trackExport } from './export-runs.ts';
import { exportProgressTexts as texts } from '../texts/export-progress.ts';

/** Starts a download in the browser and shows its warnings or error. */
export async function startDownload(address: string): Promise<void> {
  const fileInfo = await fetchInfoOrShowError(address);
  if (fileInfo === undefined) return;
  saveFrom(address);
  showToast({
    kind: 'done',
    title: texts.started,
    ...(fileInfo.warnings.length === 0 ? {} : { detail: fileInfo.warnings.join(' ') }),
  });
}

export interface TrackedDownload {
  /** Returns the URL of the file for a transfer id. */
  readonly addressOf: (transfer?: string) => string;
  /** The expected number of rows, if known. */
  readonly total: number | undefined;
}

/** Starts a download that shows its progress. Returns the transfer id, or undefined after an error. */
export async function startTracked(download: TrackedDownload): Promise<string | undefined> {
  const { addressOf, total } = download;
  const fileInfo = await fetchInfoOrShowError(addressOf());
  if (fileInfo === undefined) return undefined;
  const id = randomTransferId();
  trackExport({ ...fileInfo, id, total });
  saveFrom(addressOf(id));
  return id;
}

async function fetchInfoOrShowError(address: string): Promise<FileInfo | undefined> {
  try {
    return await fetchFileInfo(address);
  } catch (error) {
    showToast({ kind: 'error', title: texts.notExported, detail: messageOf(error) });
    return undefined;
  }
}

/** `crypto.randomUUID` exists only on pages loaded by HTTPS. */
function randomTransferId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
