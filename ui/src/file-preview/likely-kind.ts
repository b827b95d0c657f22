import { isSystemFile } from '../../../src/portable/files/table-of-entry.ts';
import { headBytes } from './file-preview.ts';

/** Guesses from parts of a file whether it contains data, a schema, or both. Undefined if that is unclear. */
export async function likelyKind(
  file: File,
  format: string | undefined,
): Promise<'data' | 'schema' | 'dump' | undefined> {
  if (format === 'zip') return kindOfArchive(file);
  const head = await file.slice(0, headBytes).text();
  if (format === 'json') return /"columns"\s*:\s*\[\s*\{/.test(head) ? 'schema' : 'data';
  const text = [head, ...(await laterParts(file))].join('\n');
  const createsTables = /^[ \t]*create\s+(?:\w+\s+)?table\b/im.test(text);
  const writesRows = /^[ \t]*(?:insert|replace|copy|merge)\b/im.test(text);
  if (createsTables && writesRows) return 'dump';
  if (createsTables) return 'schema';
  return writesRows ? 'data' : undefined;
}

/** An archive with a script has the files that the script names. One that cannot be read is an error of its preview. */
async function kindOfArchive(file: File): Promise<'data' | 'dump'> {
  const { openZip } = await import('./open-zip.ts');
  const files = await openZip(file).catch(() => []);
  return files.some((entry) => /\.sql$/i.test(entry.name) && !isSystemFile(entry))
    ? 'dump'
    : 'data';
}

const partCount = 8;

/** Dump tools write all tables first, so the rows may begin late. */
async function laterParts(file: Blob): Promise<readonly string[]> {
  const step = Math.ceil((file.size - headBytes) / partCount);
  if (step <= 0) return [];
  const starts = Array.from({ length: partCount }, (_, i) => headBytes + i * step);
  return Promise.all(starts.map((start) => file.slice(start, start + headBytes).text()));
}
