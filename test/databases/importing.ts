/** Imports performed in the test's own process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { importData } from '../../src/studio/import/import-data.ts';
import { createContext } from '../../src/studio/core/create-context.ts';
import type { ImportDataResponse } from '../../src/studio/import/report-import.ts';
import type { ImportDataInput } from '../../src/studio/import/import-options.ts';
import type { JobContext, Progress } from '../../src/studio/core/job.ts';
import type { Capability } from '../../src/model/capabilities.ts';
import { openDatabase } from './registered-databases.ts';

export interface ImportFileOptions extends Omit<ImportDataInput, 'upload'> {
  /** Fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly maxUploadBytes?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Uploads one file. */
export async function importFile(
  url: string,
  [name, content]: readonly [name: string, content: string | Uint8Array],
  options: ImportFileOptions = {},
): Promise<ImportDataResponse> {
  const { fields = {}, maxUploadBytes = 2 ** 30, onProgress, ...input } = options;
  const folder = mkdtempSync(join(tmpdir(), 'studio-import-'));
  const path = join(folder, 'upload');
  writeFileSync(path, content);
  const target = { url, readOnly: false, create: false };
  const database = await openDatabase(target);
  const access = { readOnly: false, disableSql: false, allowDdl: false };
  const context: JobContext<Capability> = {
    ...createContext(database, access),
    target,
    folder,
    maxUploadBytes,
    fonts: [],
  };
  const file = { name, path, bytes: Buffer.byteLength(content) };
  try {
    return await importData(
      context,
      { ...input, upload: { files: [file], fields } },
      {
        head: () => {
          throw new Error('An import has no file.');
        },
        stream: new Writable(),
        progress: (progress) => onProgress?.(progress),
      },
    );
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Rows imported, updated and skipped, by table. */
export function countsIn({
  tables,
}: ImportDataResponse): Readonly<Record<string, readonly [number, number, number]>> {
  return Object.fromEntries(
    Object.entries(tables).map(([name, counts]) => [
      name,
      [counts.rows_imported, counts.rows_updated, counts.rows_skipped] as const,
    ]),
  );
}
