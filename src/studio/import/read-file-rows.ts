/** The second stage of a data import: opens the reader for the kind of the file. Readers are loaded on first use. */
import { kindsWith } from '../../databases/all.ts';
import { isCsv, isSystemFile, tableOfEntry } from '../../portable/files/table-of-entry.ts';
import { inPart, partTarget, partsMustExist, rowsOfPart } from '../../formats/file-parts.ts';
import { compressionRatio, countReads } from '../../formats/count-reads.ts';
import { openArchive } from '../../formats/unzip.ts';
import { StudioError } from '../../model/errors.ts';
import { mustSupport } from '../core/capabilities.ts';
import { fileSource } from './file-source.ts';
import type { Dialect } from '../../model/database.ts';
import type { SkippedComments } from '../../model/skipped-comments.ts';
import type { DataScriptRules } from '../../sql/data-script.ts';
import type { ArchiveFile } from '../../portable/files/archive.ts';
import type { CsvOptions } from '../../formats/csv/read.ts';
import type { SqlOptions } from '../../formats/sql/read.ts';
import type { ImportContext, RowBatches } from '../../formats/row-import.ts';
import type { Archive } from '../../formats/unzip.ts';
import type { JobContext } from '../core/job.ts';
import type { DumpFiles } from './dump-files.ts';
import type { ImportOptions } from './import-options.ts';
import type { ImportKind, RecognizedFile } from './recognize-file.ts';

/** Reads the rows from the beginning of the file, each time that it is called. */
export type RowsReader = (target: ImportContext) => RowBatches;

export function createRowsReader(
  job: JobContext,
  file: RecognizedFile,
  options: ImportOptions,
): RowsReader {
  return countingReader(file, (onRead, target) =>
    readers[file.kind]({ job, file, options, onRead }, target),
  );
}

interface DumpSource {
  readonly file: RecognizedFile;
  readonly files: DumpFiles;
}

/** Reads the rows of a script and of the files that it names. */
export function createDumpReader(
  job: JobContext,
  { file, files }: DumpSource,
  options: ImportOptions,
): RowsReader {
  return countingReader(file, async function* (onRead, target) {
    const { readSql } = await import('../../formats/sql/read.ts');
    const others = files.others?.(onRead);
    yield* readSql(files.script(onRead), target, { ...sqlOptions(job, options), files: others });
  });
}

/** Adds to each batch how much of the file has been read. */
function countingReader(
  file: RecognizedFile,
  read: (onRead: FileRead['onRead'], target: ImportContext) => RowBatches,
): RowsReader {
  return async function* (target) {
    let bytes = 0;
    const onRead = (more: number): void => {
      bytes += more;
    };
    for await (const batch of read(onRead, target))
      yield { ...batch, fileBytes: Math.min(Math.round(bytes), file.bytes) };
  };
}

interface FileRead {
  readonly job: JobContext;
  readonly file: RecognizedFile;
  readonly options: ImportOptions;
  /** Called with the size of each part of the file that is read. */
  readonly onRead: (bytes: number) => void;
}

type ReadRows = (read: FileRead, target: ImportContext) => RowBatches;

const readers: Readonly<Record<ImportKind, ReadRows>> = {
  csv: async function* ({ file, options, onRead }, target) {
    const { readCsv } = await import('../../formats/csv/read.ts');
    yield* readCsv(fileSource(file, onRead), target, csvOptions(options));
  },
  json: async function* ({ file, options, onRead }, target) {
    const { readJson } = await import('../../formats/json/read.ts');
    yield* readJson(fileSource(file, onRead), target, options);
  },
  ndjson: async function* ({ file, options, onRead }, target) {
    const { readNdjson } = await import('../../formats/ndjson/read.ts');
    yield* readNdjson(fileSource(file, onRead), target, options);
  },
  sql: async function* ({ job, file, options, onRead }, target) {
    const { readSql } = await import('../../formats/sql/read.ts');
    yield* readSql(fileSource(file, onRead), target, sqlOptions(job, options));
  },
  xlsx: async function* ({ job, file, options, onRead }, target) {
    const { readXlsx } = await import('../../formats/xlsx/read.ts');
    const limitBytes = 10 * job.maxUploadBytes;
    const isTableNamed = options.table !== undefined;
    yield* readXlsx({ ...file, limitBytes }, target, {
      ...options,
      isTableNamed,
      hasTableInEachSheet: options.createTable,
      onRead,
    });
  },
  zip: readZipFile,
};

export function sqlOptions(
  { database }: JobContext,
  options: Pick<ImportOptions, 'ddl' | 'dialect' | 'encoding' | 'dateOrder' | 'executed'>,
): SqlOptions {
  mustSupport(database.dialect, 'script');
  return {
    ...options,
    dateOrder: options.dateOrder === 'ambiguous' ? undefined : options.dateOrder,
    ownDialect: database.dialect.name,
    choices: kindsWith('script').map(
      ({ dialect, language, dataScript, ddlReader, expressions }) => ({
        name: dialect.name,
        language,
        dataScript: {
          ...dataScript,
          times: expressions?.times,
          skippedComments: skippedComments(dialect, database.dialect, dataScript),
          dialectHints: [...dataScript.dialectHints, ...(ddlReader?.dialectHints ?? [])],
        },
      }),
    ),
  };
}

/** In the database's own dialect, a file is read as the connected server would run it. */
function skippedComments(
  dialect: Pick<Dialect, 'name'>,
  ownDialect: Dialect,
  dataScript: DataScriptRules,
): SkippedComments {
  const server = dialect.name === ownDialect.name ? ownDialect.skippedComments : undefined;
  return server ?? dataScript.skippedComments;
}

/** Without the table of the request: the mapper uses it for rows whose file names no table. */
function csvOptions(options: ImportOptions): CsvOptions {
  return { ...options, table: undefined };
}

/** Reads a ZIP archive with one CSV file for each table. */
async function* readZipFile(read: FileRead, target: ImportContext): RowBatches {
  const { job, file, options } = read;
  const { readCsv } = await import('../../formats/csv/read.ts');
  const zip = await openArchive({ ...file, limitBytes: 10 * job.maxUploadBytes });
  try {
    const parts = partsIn(zip, read, target);
    for (const { entry, ...part } of parts) {
      const isOnly = parts.length === 1;
      const rows = readCsv(
        countReads(entry, read.onRead, compressionRatio(entry)),
        isOnly ? target : inPart(target, entry.name),
        { ...csvOptions(options), ...part },
      );
      yield* isOnly ? rows : rowsOfPart(rows, entry.name);
    }
  } finally {
    zip.close();
  }
}

interface ArchivePart {
  readonly entry: ArchiveFile;
  /** Undefined if the request names the table. */
  readonly table: string | undefined;
  readonly isMapped?: boolean;
}

/** The files to read. Others, such as a README, are left out with a warning, unless the request maps them. */
function partsIn(
  zip: Archive,
  { file, options }: FileRead,
  { warn }: Pick<ImportContext, 'warn'>,
): readonly ArchivePart[] {
  const files = zip.files.filter((entry) => !isSystemFile(entry));
  const { tables } = options;
  partsMustExist(tables, files.map(namesOfEntry), `${file.name} has no file`);
  const found = files.flatMap((entry): readonly ArchivePart[] => {
    const target = partTarget(tables, namesOfEntry(entry), tableOfEntry(entry));
    return target === undefined ? [] : [{ entry, ...target }];
  });
  const parts = found.filter(({ entry }) => isCsv(entry));
  const others = found.filter(({ entry }) => !isCsv(entry));
  const rejected = parts.length === 0 ? others[0] : others.find(({ isMapped }) => isMapped);
  // The request may leave out every file.
  if (rejected !== undefined || files.length === 0) {
    const content = rejected === undefined ? 'no files' : `"${rejected.entry.name}"`;
    throw new StudioError(
      'import_failed',
      `${file.name} contains ${content}; a .zip file of data must contain one CSV file for each table.`,
    );
  }
  if (others.length > 0) {
    const names = listNames(others.map(({ entry }) => entry.name));
    warn(() => `Files that are not CSV are left out: ${names}.`);
  }
  for (const sentence of filesOfOneTable(parts)) warn(() => sentence);
  const isNamed = parts.length === 1 && options.table !== undefined;
  return isNamed ? parts.map(({ entry }) => ({ entry, table: undefined })) : parts;
}

/** Files of the same name in several folders, which may have been meant for several tables. */
function filesOfOneTable(parts: readonly ArchivePart[]): readonly string[] {
  const unmapped = parts.filter(({ isMapped }) => isMapped !== true);
  const groups = Map.groupBy(unmapped, ({ table }) => table);
  return [...groups].flatMap(([table = '', files]) => {
    if (files.length === 1) return [];
    const names = listNames(files.map(({ entry }) => entry.name));
    return [
      `${files.length} files of the archive have the name of the table "${table}": ${names}. Their rows go into one table, unless you choose a table for each file.`,
    ];
  });
}

const maxNames = 10;

function listNames(names: readonly string[]): string {
  const listed = names.slice(0, maxNames).map((name) => JSON.stringify(name));
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${listed.join(', ')}${more}`;
}

/** The path, the file name, and the name without its extension. */
function namesOfEntry(entry: ArchiveFile): readonly string[] {
  return [entry.name, entry.name.split('/').at(-1) ?? '', tableOfEntry(entry)];
}
