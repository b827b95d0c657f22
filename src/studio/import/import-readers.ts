/** The reader for each kind of file, loaded on first use. */
import { databaseKinds } from '../../databases/all.ts';
import { isCsv, isLitter, tableOfEntry } from '../../portable/files/table-of-entry.ts';
import { countReads, openArchive } from '../../formats/unzip.ts';
import { StudioError } from '../../model/errors.ts';
import { fileSource } from './import-files.ts';
import { missingTable } from './import-targets.ts';
import type { ArchiveFile } from '../../portable/files/archive.ts';
import type { ImportContext, RowBatches } from '../../formats/row-import.ts';
import type { Archive } from '../../formats/unzip.ts';
import type { JobContext, UploadedFile } from '../core/job.ts';
import type { ImportKind } from './import-files.ts';
import type { ImportOptions } from './import-options.ts';

export interface ImportFile {
  readonly context: JobContext;
  readonly file: UploadedFile;
  readonly kind: ImportKind;
  readonly options: ImportOptions;
  readonly onRead: (bytes: number) => void;
}

type ReadRows = (file: ImportFile, reading: ImportContext) => RowBatches;

/** Reads the rows of the file from its beginning. */
export function readFileRows(file: ImportFile, reading: ImportContext): RowBatches {
  return readers[file.kind](file, reading);
}

const readers: Readonly<Record<ImportKind, ReadRows>> = {
  csv: readCsvFile,
  json: async function* ({ file, options, onRead }, reading) {
    const { readJson } = await import('../../formats/json/read.ts');
    yield* readJson(fileSource(file, onRead), reading, options);
  },
  ndjson: async function* ({ file, options, onRead }, reading) {
    const { readNdjson } = await import('../../formats/ndjson/read.ts');
    yield* readNdjson(fileSource(file, onRead), reading, options);
  },
  sql: async function* ({ context, file, options, onRead }, reading) {
    const { readSql } = await import('../../formats/sql/read.ts');
    yield* readSql(fileSource(file, onRead), reading, {
      ...options,
      own: context.database.dialect.name,
      choices: databaseKinds.map(({ dialect, language, dataScript, ddlReader }) => ({
        name: dialect.name,
        language,
        dataScript: {
          ...dataScript,
          dialectHints: [...dataScript.dialectHints, ...ddlReader.dialectHints],
        },
      })),
    });
  },
  xlsx: async function* ({ context, file, options, onRead }, reading) {
    const { readXlsx } = await import('../../formats/xlsx/read.ts');
    const limitBytes = 10 * context.maxUploadBytes;
    const isTableNamed = options.table !== undefined;
    yield* readXlsx({ ...file, limitBytes }, reading, { ...options, isTableNamed, onRead });
  },
  zip: readZipFile,
};

async function* readCsvFile(
  { file, options, onRead }: ImportFile,
  reading: ImportContext,
): RowBatches {
  if (options.table === undefined) missingTable();
  const { readCsv } = await import('../../formats/csv/read.ts');
  yield* readCsv(fileSource(file, onRead), reading, csvOptions(options));
}

function csvOptions({ encoding, delimiter, formulas }: ImportOptions): {
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly formulas: ImportOptions['formulas'];
} {
  return { encoding, delimiter, formulas };
}

/** Reads a ZIP archive with one CSV file for each table. */
async function* readZipFile(importFile: ImportFile, reading: ImportContext): RowBatches {
  const { context, file, options } = importFile;
  const { readCsv } = await import('../../formats/csv/read.ts');
  const zip = await openArchive({ ...file, limitBytes: 10 * context.maxUploadBytes });
  try {
    for (const { entry, table } of tablesIn(zip, importFile)) {
      yield* readCsv(countReads(entry, importFile.onRead), reading, {
        ...csvOptions(options),
        table,
      });
    }
  } finally {
    zip.close();
  }
}

interface TableEntry {
  readonly entry: ArchiveFile;
  /** Undefined if the request names the table. */
  readonly table: string | undefined;
}

function tablesIn(zip: Archive, { file, options }: ImportFile): readonly TableEntry[] {
  const files = zip.files.filter((entry) => !isLitter(entry));
  const other = files.find((entry) => !isCsv(entry));
  if (other !== undefined || files.length === 0) {
    const what = other === undefined ? 'no files' : `"${other.name}"`;
    throw new StudioError(
      'import_failed',
      `${file.name} contains ${what}; a .zip file of data must contain one CSV file for each table.`,
    );
  }
  const isNamed = files.length === 1 && options.table !== undefined;
  return files.map((entry) => ({ entry, table: isNamed ? undefined : tableOfEntry(entry) }));
}
