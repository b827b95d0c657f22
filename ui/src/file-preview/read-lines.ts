const chunkBytes = 2 ** 20;
const maxShownLength = 200;

/** Returns lines of a text by number, from 1, truncated to what is shown. Stops reading after the last requested line. */
export async function readLines(
  file: Blob,
  numbers: readonly number[],
  encoding = 'utf-8',
): Promise<ReadonlyMap<number, string>> {
  const requested = new Set(numbers);
  const last = Math.max(0, ...numbers);
  const found = new Map<number, string>();
  const decoder = new TextDecoder(encoding);
  let rest = '';
  for (let from = 0, line = 1; from < file.size && line <= last; from += chunkBytes) {
    const bytes = await file.slice(from, from + chunkBytes).arrayBuffer();
    const isEnd = from + chunkBytes >= file.size;
    const text = rest + decoder.decode(bytes, { stream: !isEnd });
    // A carriage return at the end can be the first half of a CRLF.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = isEnd ? '' : (lines.pop() ?? '');
    for (const content of lines) {
      if (requested.has(line)) found.set(line, content.slice(0, maxShownLength));
      line++;
    }
  }
  return found;
}
