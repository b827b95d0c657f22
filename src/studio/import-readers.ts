/** The reader for each kind of file; loaded when a file asks for it. */
import { basename } from 'node:path';
import { databaseKinds } from '../databases/all.ts';
import { counting, openArchive } from '../formats/unzip.ts';
import { StudioError } from '../model/errors.ts';
import { fileSource } from './import-files.ts';
import { missingTable } from './import-targets.ts';
import type { Reading, RowChunks } from '../formats/reading.ts';
import type { Archive, PackedFile } from '../formats/unzip.ts';
import type { JobContext, UploadedFile } from './job.ts';
import type { ImportKind } from './import-files.ts';
import type { ImportOptions } from './import-options.ts';

export interface ImportFile {
  readonly context: JobContext;
  readonly file: UploadedFile;
  readonly kind: ImportKind;
  readonly options: ImportOptions;
  readonly onRead: (bytes: number) => void;
}

type Read = (file: ImportFile, reading: Reading) => RowChunks;

/** The file's rows, read from its start. */
export function readFileRows(file: ImportFile, reading: Reading): RowChunks {
  return readers[file.kind](file, reading);
}

const readers: Readonly<Record<ImportKind, Read>> = {
  csv: readCsvFile,
  json: async function* ({ file, options, onRead }, reading) {
    const { readJson } = await import('../formats/json/read.ts');
    yield* readJson(fileSource(file, onRead), reading, options);
  },
  ndjson: async function* ({ file, options, onRead }, reading) {
    const { readNdjson } = await import('../formats/ndjson/read.ts');
    yield* readNdjson(fileSource(file, onRead), reading, options);
  },
  sql: async function* ({ context, file, options, onRead }, reading) {
    const { readSql } = await import('../formats/sql/read.ts');
    yield* readSql(fileSource(file, onRead), reading, {
      ...options,
      own: context.database.dialect.name,
      choices: databaseKinds.map(({ dialect, language, dataScript, ddlReader }) => ({
        name: dialect.name,
        language,
        dataScript: { ...dataScript, signs: [...dataScript.signs, ...ddlReader.signs] },
      })),
    });
  },
  xlsx: async function* ({ context, file, options, onRead }, reading) {
    if (options.table === undefined) missingTable();
    const { readXlsx } = await import('../formats/xlsx/read.ts');
    const limitBytes = 10 * context.maxUploadBytes;
    yield* readXlsx({ ...file, limitBytes }, reading, { ...options, onRead });
  },
  zip: readZipFile,
};

async function* readCsvFile({ file, options, onRead }: ImportFile, reading: Reading): RowChunks {
  if (options.table === undefined) missingTable();
  const { readCsv } = await import('../formats/csv/read.ts');
  yield* readCsv(fileSource(file, onRead), reading, csvOptions(options));
}

function csvOptions({ encoding, delimiter, formulas }: ImportOptions): {
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly formulas: ImportOptions['formulas'];
} {
  return { encoding, delimiter, formulas };
}

/** An archive of CSV files, a table each. */
async function* readZipFile(importFile: ImportFile, reading: Reading): RowChunks {
  const { context, file, options } = importFile;
  const { readCsv } = await import('../formats/csv/read.ts');
  const zip = await openArchive({ ...file, limitBytes: 10 * context.maxUploadBytes });
  try {
    for (const { entry, table } of tablesIn(zip, importFile)) {
      yield* readCsv(counting(entry, importFile.onRead), reading, {
        ...csvOptions(options),
        table,
      });
    }
  } finally {
    zip.close();
  }
}

interface TableEntry {
  readonly entry: PackedFile;
  /** Undefined where the request says it. */
  readonly table: string | undefined;
}

function tablesIn(zip: Archive, { file, options }: ImportFile): readonly TableEntry[] {
  const files = zip.files.filter(({ name }) => !isLitter(name));
  const other = files.find(({ name }) => !/\.(?:csv|tsv)$/i.test(name));
  if (other !== undefined || files.length === 0) {
    const what = other === undefined ? 'no files' : `"${other.name}"`;
    throw new StudioError(
      'import_failed',
      `${file.name} holds ${what}; a .zip of data holds CSV files, one a table.`,
    );
  }
  const isNamed = files.length === 1 && options.table !== undefined;
  return files.map((entry) => ({ entry, table: isNamed ? undefined : tableName(entry) }));
}

/** What archivers of some systems put in by themselves. */
function isLitter(name: string): boolean {
  return name.startsWith('__MACOSX/') || /^(?:\.|Thumbs\.db$|desktop\.ini$)/i.test(basename(name));
}

/** The comment has the exact name; a file name cannot have every character. */
function tableName({ name, comment }: PackedFile): string {
  if (comment !== '') return comment;
  const plain = basename(name).replace(/\.(?:csv|tsv)$/i, '');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
