/**
 * The file of rejected rows. If the file of the import has several parts, it is an archive with one CSV file for
 * each table, by whose names it can be imported again.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createFileNamer } from '../../formats/table-file-names.ts';
import { writeZip } from '../../formats/zip.ts';
import type { FileChunks } from '../../formats/row-export.ts';
import type { ZipEntry } from '../../formats/zip.ts';

export type RejectedFormat = 'csv' | 'ndjson' | 'zip';

export interface OutputTarget {
  readonly path: string;
  readonly maxBytes?: number | undefined;
}

export interface RejectedOutput {
  /** Rows of this table and these columns follow. Returns whether they are the first ones. */
  openPart(table: string, columns: readonly string[]): boolean;
  /** Keeps the text until the next flush. */
  add(text: string): void;
  flush(): Promise<void>;
  /** With `isArchive`, writes an archive of the parts; otherwise there must be only one. */
  end(isArchive: boolean): Promise<void>;
  destroy(): Promise<void>;
}

interface Part {
  readonly table: string;
  readonly key: string;
  readonly path: string;
  texts: string[];
  isNew: boolean;
}

export function openOutput({ path, maxBytes = Infinity }: OutputTarget): RejectedOutput {
  const parts = new Map<string, Part>();
  let current: Part | undefined;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    for (const part of parts.values()) bytes += await writePart(part);
    if (bytes > maxBytes)
      throw new Error(`They exceed the limit of ${maxBytes.toLocaleString('en')} bytes.`);
  };
  return {
    openPart: (table, columns) => {
      const key = JSON.stringify([table, columns]);
      current = parts.get(key);
      if (current !== undefined) return false;
      current = { table, key, path: `${path}.${parts.size}`, texts: [], isNew: true };
      parts.set(key, current);
      return true;
    },
    add: (text) => void current?.texts.push(text),
    flush,
    end: async (isArchive) => {
      await flush();
      const [only, another] = parts.values();
      if (isArchive) return writeArchive(path, [...parts.values()]);
      if (another !== undefined) throw new Error('The sheets have different columns.');
      if (only !== undefined) await rename(only.path, path);
    },
    destroy: async () => {
      for (const part of parts.values()) await rm(part.path, { force: true });
    },
  };
}

/** Opens the file for each write: an archive may have more parts than a process may open. */
async function writePart(part: Part): Promise<number> {
  if (part.texts.length === 0) return 0;
  const bytes = Buffer.from(part.texts.join(''));
  part.texts = [];
  await appendFile(part.path, bytes, { mode: 0o600, flag: part.isNew ? 'w' : 'a' });
  part.isNew = false;
  return bytes.length;
}

async function writeArchive(path: string, parts: readonly Part[]): Promise<void> {
  const file = createWriteStream(path, { flags: 'w', mode: 0o600 });
  await pipeline(writeZip(entriesOf(parts)), file);
}

/** Rows of one table with other columns are in a folder of their own: the name of the file is that of the table. */
async function* entriesOf(parts: readonly Part[]): AsyncGenerator<ZipEntry> {
  const counts = new Map<string, number>();
  const namers = new Map<number, (table: string) => string>();
  for (const { table, path } of parts) {
    const number = (counts.get(table) ?? 0) + 1;
    counts.set(table, number);
    const nameOf = namers.get(number) ?? createFileNamer();
    namers.set(number, nameOf);
    const folder = number === 1 ? '' : `${number}/`;
    yield { name: `${folder}${nameOf(table)}.csv`, comment: table, chunks: readFile(path) };
  }
}

async function* readFile(path: string): FileChunks {
  yield* createReadStream(path);
}
