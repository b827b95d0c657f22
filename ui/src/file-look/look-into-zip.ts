import type { ArchiveFile } from '../../../src/portable/files/archive.ts';
import { isCsv, isLitter, tableOfEntry } from '../../../src/portable/files/table-of-entry.ts';
import { headBytes } from './file-look.ts';
import type { FileLook, Manner } from './file-look.ts';
import { lookIntoCsv } from './look-into-csv.ts';
import type { CsvLook, FirstBytes } from './look-into-csv.ts';
import { openZip } from './open-zip.ts';

/** An archive of CSV files, a table each; one alone may go into any table. */
export async function lookIntoZip(file: File, manner: Manner): Promise<FileLook> {
  const entries = (await openZip(file)).filter((entry) => !isLitter(entry) && isCsv(entry));
  const [only, another] = entries;
  if (only === undefined) return {};
  if (another === undefined)
    return { ...(await lookIntoEntry(only, manner)), title: tableOfEntry(only) };
  const tables = entries.map(async (entry) => ({
    table: tableOfEntry(entry),
    head: (await lookIntoEntry(entry, manner)).head,
  }));
  return { tables: await Promise.all(tables) };
}

async function lookIntoEntry(entry: ArchiveFile, manner: Manner): Promise<CsvLook> {
  return lookIntoCsv(await firstBytesOf(entry), manner);
}

async function firstBytesOf(entry: ArchiveFile): Promise<FirstBytes> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of entry.open()) {
    pieces.push(piece);
    size += piece.length;
    if (size >= headBytes) break;
  }
  const bytes = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  return { bytes, isWhole: size >= entry.bytes };
}
