/** Imports performed in the test's own process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { importData } from '../../src/studio/import/import-data.ts';
import { importDump } from '../../src/studio/import/import-dump.ts';
import { createContext } from '../../src/studio/core/create-context.ts';
import type { ImportDataResponse } from '../../src/studio/import/report-import.ts';
import type { ImportDumpInput, ImportDumpResponse } from '../../src/studio/import/import-dump.ts';
import type { ImportDataInput } from '../../src/studio/import/import-options.ts';
import type { JobContext, JobOutput, Progress, Upload } from '../../src/studio/core/job.ts';
import type { Capability } from '../../src/model/capabilities.ts';
import { writeZipOf } from '../formats/write-zip.ts';
import type { FileToPack } from '../formats/write-zip.ts';
import { openDatabase } from './registered-databases.ts';

export interface ImportFileOptions extends Omit<ImportDataInput, 'upload'> {
  /** Fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly maxUploadBytes?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Uploads one file. */
export function importFile(
  url: string,
  file: ContentOfFile,
  options: ImportFileOptions = {},
): Promise<ImportDataResponse> {
  return upload(url, file, { ...options, perform: importData });
}

/** Uploads a SQL file with structure and rows. */
export function importDumpFile(
  url: string,
  content: string | Uint8Array,
  options: Omit<ImportDumpInput, 'upload'> & Pick<ImportFileOptions, 'onProgress'> = {},
): Promise<ImportDumpResponse> {
  return upload(url, ['dump.sql', content], { ...options, perform: importDump });
}

/** Uploads a .zip file of a SQL file and the files that it names. */
export async function importDumpArchive(
  url: string,
  files: readonly FileToPack[],
  options: Omit<ImportDumpInput, 'upload'> = {},
): Promise<ImportDumpResponse> {
  const zip = await writeZipOf(files);
  return upload(url, ['dump.zip', zip], { ...options, perform: importDump });
}

type ContentOfFile = readonly [name: string, content: string | Uint8Array];

interface UploadOptions<Input, Response> {
  readonly perform: (
    context: JobContext<Capability>,
    input: Input & { readonly upload: Upload },
    output: JobOutput,
  ) => Promise<Response>;
  readonly fields?: Readonly<Record<string, string>>;
  readonly maxUploadBytes?: number;
  readonly onProgress?: (progress: Progress) => void;
}

async function upload<Input, Response>(
  url: string,
  [name, content]: ContentOfFile,
  options: UploadOptions<Input, Response> & Omit<Input, 'upload'>,
): Promise<Response> {
  const { fields = {}, maxUploadBytes = 2 ** 30, onProgress, perform, ...input } = options;
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
    const request = { ...input, upload: { files: [file], fields } };
    return await perform(context, request as unknown as Input & { readonly upload: Upload }, {
      head: () => {
        throw new Error('An import has no file.');
      },
      stream: new Writable(),
      progress: (progress) => onProgress?.(progress),
    });
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
