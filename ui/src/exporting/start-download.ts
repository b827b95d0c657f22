import { messageOf } from '../parts/error-notice.tsx';
import { showToast } from '../parts/toast.tsx';
import { saveBlob } from '../importing/save-text.ts';
import { fetchFile, fetchFileInfo, saveFrom } from './download.ts';
import type { FileInfo } from './download.ts';
import { trackExport } from './export-runs.ts';
import { exportProgressTexts as texts } from '../texts/export-progress.ts';

/** Starts a download in the browser and shows its warnings or error. */
export async function startDownload(address: string): Promise<void> {
  const fileInfo = await fetchInfoOrShowError(address);
  if (fileInfo === undefined) return;
  saveFrom(address);
  showStarted(fileInfo);
}

/** Downloads a schema or a diagram. The page says that it is being made, which may take a minute, and can cancel it. */
export async function downloadSchema(address: string): Promise<void> {
  const abort = new AbortController();
  const closeToast = showToast({
    kind: 'busy',
    title: texts.creating,
    onCancel: () => abort.abort(),
  });
  try {
    const { blob, ...fileInfo } = await fetchFile(address, abort.signal);
    saveBlob(fileInfo.fileName, blob);
    showStarted(fileInfo);
  } catch (error) {
    if (!abort.signal.aborted) showError(error);
  } finally {
    closeToast();
  }
}

function showStarted({ warnings }: FileInfo): void {
  showToast({
    kind: 'done',
    title: texts.started,
    ...(warnings.length === 0 ? {} : { detail: warnings.join(' ') }),
  });
}

function showError(error: unknown): void {
  showToast({ kind: 'error', title: texts.notExported, detail: messageOf(error) });
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
    showError(error);
    return undefined;
  }
}

/** `crypto.randomUUID` exists only on pages loaded by HTTPS. */
function randomTransferId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
