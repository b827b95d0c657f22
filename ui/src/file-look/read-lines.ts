const pieceBytes = 2 ** 20;
const longestShown = 200;

/** Lines of a text by their numbers from 1, as far as they are shown; read no further than the last. */
export async function readLines(
  file: Blob,
  numbers: readonly number[],
  encoding = 'utf-8',
): Promise<ReadonlyMap<number, string>> {
  const wanted = new Set(numbers);
  const last = Math.max(0, ...numbers);
  const found = new Map<number, string>();
  const decoder = new TextDecoder(encoding);
  let rest = '';
  for (let from = 0, line = 1; from < file.size && line <= last; from += pieceBytes) {
    const bytes = await file.slice(from, from + pieceBytes).arrayBuffer();
    const isEnd = from + pieceBytes >= file.size;
    const text = rest + decoder.decode(bytes, { stream: !isEnd });
    // A return at the end may be half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = isEnd ? '' : (lines.pop() ?? '');
    for (const content of lines) {
      if (wanted.has(line)) found.set(line, content.slice(0, longestShown));
      line++;
    }
  }
  return found;
}
