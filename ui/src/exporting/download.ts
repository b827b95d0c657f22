/** What the server says of a file before it sends any of it. */
export interface FileFacts {
  readonly fileName: string;
  /** What the file lacks, a sentence each. */
  readonly warnings: readonly string[];
}

/** Asks for the file's head, so that a refusal is told in words. */
export async function askForFile(address: string): Promise<FileFacts> {
  const stop = new AbortController();
  const response = await fetch(address, { signal: stop.signal });
  if (!response.ok) throw new Error(await reasonOf(response));
  stop.abort();
  return { fileName: fileNameOf(response), warnings: warningsOf(response) };
}

/** The browser fetches the file by itself, straight to its disk, however large it is. */
export function saveFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function fileNameOf({ headers }: Response): string {
  const told = headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(told)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(told)?.[1] ?? 'the file';
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { readonly error: string }).error;
  } catch {
    return `The server answered ${response.status} without saying why.`;
  }
}

function warningsOf({ headers }: Response): readonly string[] {
  const told = headers.get('studio-warnings');
  const warnings = told === null ? [] : (JSON.parse(decodeURIComponent(told)) as string[]);
  const isMixed = headers.get('studio-consistency') === 'none';
  return isMixed ? [...warnings, 'The tables were not read at one moment.'] : warnings;
}
