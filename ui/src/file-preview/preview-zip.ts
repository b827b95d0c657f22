import type { ArchiveFile } from '../../../src/portable/files/archive.ts';
import { isCsv, isSystemFile, tableOfEntry } from '../../../src/portable/files/table-of-entry.ts';
import { headBytes } from './file-preview.ts';
import type { FilePreview, ReadOptions } from './file-preview.ts';
import { previewCsv } from './preview-csv.ts';
import type { CsvPreview, FirstBytes } from './preview-csv.ts';
import { openZip } from './open-zip.ts';

/** Previews an archive of CSV files, one for each table. A single file can go into any table. */
export async function previewZip(file: File, options: ReadOptions): Promise<FilePreview> {
  const entries = (await openZip(file)).filter((entry) => !isSystemFile(entry) && isCsv(entry));
  const [only, another] = entries;
  if (only === undefined) return {};
  if (another === undefined)
    return { ...(await previewEntry(only, options)), title: tableOfEntry(only) };
  const tables = entries.map(async (entry) => ({
    table: tableOfEntry(entry),
    part: entry.name,
    head: (await previewEntry(entry, options)).head,
  }));
  return { tables: await Promise.all(tables) };
}

async function previewEntry(entry: ArchiveFile, options: ReadOptions): Promise<CsvPreview> {
  return previewCsv(await firstBytesOf(entry), options);
}

async function firstBytesOf(entry: ArchiveFile): Promise<FirstBytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry.open()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= headBytes) break;
  }
  const bytes = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  return { bytes, isWhole: size >= entry.bytes };
}
