import { exportProgressTexts as texts } from '../texts/export-progress.ts';

/** What the response headers say about a file. */
export interface FileInfo {
  readonly fileName: string;
  /** What is missing from the file, one sentence each. */
  readonly warnings: readonly string[];
}

/** Reads only the headers of the file, so that the page can show an error of the server. */
export async function fetchFileInfo(address: string): Promise<FileInfo> {
  const stop = new AbortController();
  const response = await fetch(address, { signal: stop.signal });
  if (!response.ok) throw new Error(await reasonOf(response));
  stop.abort();
  return { fileName: fileNameOf(response), warnings: warningsOf(response) };
}

/** Fetches a whole file that the server computes before it sends anything, so that it is computed once. */
export async function fetchFile(
  address: string,
  signal: AbortSignal,
): Promise<FileInfo & { readonly blob: Blob }> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(await reasonOf(response));
  const blob = await response.blob();
  return { fileName: fileNameOf(response), warnings: warningsOf(response), blob };
}

/** Starts a download in the browser, which writes even large files directly to disk. */
export function saveFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function fileNameOf({ headers }: Response): string {
  const disposition = headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? texts.unnamedFile;
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { readonly error: string }).error;
  } catch {
    return texts.statusOnly(response);
  }
}

function warningsOf({ headers }: Response): readonly string[] {
  const header = headers.get('studio-warnings');
  const warnings = header === null ? [] : (JSON.parse(decodeURIComponent(header)) as string[]);
  const isMixed = headers.get('studio-consistency') === 'none';
  return isMixed ? [...warnings, texts.noSnapshot] : warnings;
}
