/** The third stage of a data import: the rows of a file as rows of the tables, until an error rejects the file. */
import { createFileProblems } from './file-problems.ts';
import type { LoadOptions, RowChunk, RowErrors } from '../../model/load.ts';
import type { LoadCounter } from '../../model/counters.ts';
import type { ColumnMapper } from './map-columns.ts';
import type { FileProblems } from './file-problems.ts';
import type { Table } from '../../model/schema.ts';
import type { ImportOptions } from './import-options.ts';
import type { RowsReader } from './read-file-rows.ts';

/** One pass through a file. */
export interface MappedRows {
  /** Throws at the first error that rejects the file. The file stays open. */
  readonly batches: AsyncIterable<RowChunk>;
  /** Reads on to the end, so that all errors of a rejected file are found. */
  readToEnd(): Promise<void>;
  /** The counters that the rows so far set. */
  readonly counters: () => readonly LoadCounter[];
  findings(): FileFindings;
  close(): Promise<void>;
}

/** What is known of the part of a file that has been read. */
export interface FileFindings {
  /** The tables that the file names, with or without rows. */
  readonly tables: ReadonlySet<Table>;
  readonly errors: RowErrors;
  /** The number of rows that have errors, by table. */
  readonly rejectedRows: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
  /** The error that ended the reading before the file did. */
  readonly readFailure: { readonly error: unknown } | undefined;
  /** Whether no row of the file may be written. */
  readonly isRejected: boolean;
}

class FileRejected extends Error {}

export function mapRows(
  reader: RowsReader,
  createMapper: (problems: FileProblems) => ColumnMapper,
  options: Pick<ImportOptions, 'onError'> & Pick<LoadOptions, 'onRejected'>,
): MappedRows {
  const problems = createFileProblems(options.onRejected);
  const mapper = createMapper(problems);
  const rows = reader(mapper);
  let readFailure: FileFindings['readFailure'];
  const isRejected = (): boolean =>
    readFailure !== undefined ||
    problems.isFatal() ||
    (options.onError === 'abort' && problems.errors().count > 0);
  const next = async (): Promise<RowChunk | undefined> => {
    try {
      const { value, done } = await rows.next();
      return done === true ? undefined : value;
    } catch (error) {
      readFailure = { error };
      throw error;
    }
  };
  return {
    counters: mapper.counters,
    batches: untilRejected(next, isRejected),
    readToEnd: async () => {
      try {
        while ((await next()) !== undefined);
      } catch {
        // `next` has kept the error.
      }
    },
    findings: () => ({
      tables: mapper.tables,
      errors: problems.errors(),
      rejectedRows: problems.rejectedRows(),
      warnings: problems.warnings(),
      readFailure,
      isRejected: isRejected(),
    }),
    close: async () => void (await rows.return()),
  };
}

async function* untilRejected(
  next: () => Promise<RowChunk | undefined>,
  isRejected: () => boolean,
): AsyncGenerator<RowChunk, void, undefined> {
  for (;;) {
    const batch = await next();
    if (isRejected()) throw new FileRejected();
    if (batch === undefined) return;
    yield batch;
  }
}
