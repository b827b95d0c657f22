/**
 * The file's head is asked for first, so that a refusal is told in words; then the browser fetches
 * the file by itself. Gives what the file lacks, a sentence each.
 */
export async function download(address: string): Promise<readonly string[]> {
  const stop = new AbortController();
  const response = await fetch(address, { signal: stop.signal });
  if (!response.ok) throw new Error(await reasonOf(response));
  stop.abort();
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
  return warningsOf(response);
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
