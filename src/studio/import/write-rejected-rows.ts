/**
 * Writes the rejected rows of a CSV file as CSV, each as the file has it, after the reason. The file is read
 * a second time, so that an import keeps no rows.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { guardFormula } from '../../portable/files/guard-formula.ts';
import { createFileProblems } from './file-problems.ts';
import { isReasonColumn, reasonColumn } from './reason-column.ts';
import { shortenMessage } from '../../model/errors.ts';
import type { WriteStream } from 'node:fs';
import type { ColumnMapper } from './map-columns.ts';
import type { FileProblems } from './file-problems.ts';
import type { RejectedRow, RejectedRowLog } from './rejected-row-log.ts';
import type { RowsReader } from './read-file-rows.ts';
import type { ImportContext, SourceRecord } from '../../formats/row-import.ts';

interface RejectedFile {
  readonly path: string;
  readonly reader: RowsReader;
  readonly createMapper: (problems: FileProblems) => ColumnMapper;
  readonly log: RejectedRowLog;
}

/** Excel reads UTF-8 as such only after a byte order mark. */
const byteOrderMark = '\ufeff';

/** Returns the number of rows. Without any, there is no file. */
export async function writeRejectedRows(file: RejectedFile): Promise<number> {
  const rejected = openRejected(file.log);
  if (rejected.isAtEnd()) return 0;
  const header = { names: [] as readonly string[], startsWithReason: false };
  const stream = createWriteStream(file.path, { flags: 'w', mode: 0o600 });
  const completion = finished(stream);
  // A failure is reported when it is awaited, at the end.
  completion.catch(() => {});
  let lines: string[] = [];
  let count = 0;
  const context = recordContext(file, header, {
    onRecord: (record) => {
      const reason = rejected.reasonOf(record.number);
      if (reason === undefined) return;
      if (count++ === 0) lines.push(headerLine(header, record));
      lines.push(lineOf(header, record, reason));
    },
    // Malformed rows come in no batch.
    afterRecords: async () => {
      const text = lines.join('');
      lines = [];
      if (stream.errored !== null) throw stream.errored;
      if (text !== '') await write(stream, text);
    },
  });
  const batches = file.reader(context);
  try {
    for (let isDone = false; !isDone && !rejected.isAtEnd();)
      isDone = (await batches.next()).done === true;
    stream.end();
    await completion;
  } finally {
    stream.destroy();
    await batches.return();
  }
  return count;
}

interface Rejected {
  isAtEnd(): boolean;
  /** Called for the rows of the file in order. */
  reasonOf(row: number): string | undefined;
}

function openRejected(log: RejectedRowLog): Rejected {
  const rows = log.rows();
  const read = (): RejectedRow | undefined => rows.next().value;
  let next = read();
  return {
    isAtEnd: () => next === undefined,
    reasonOf: (row) => {
      if (next?.row !== row) return undefined;
      const { reason } = next;
      next = read();
      return reason;
    },
  };
}

/** Made at once, because the reader overwrites its buffer. */
function lineOf(header: Header, record: SourceRecord, reason: string): string {
  const { delimiter, quote } = record;
  const text = record.text(header.startsWithReason ? 1 : 0);
  return `${field(guardFormula(shortenMessage(reason)), quote)}${delimiter}${text}\n`;
}

interface Header {
  names: readonly string[];
  /** The file itself has rejected rows of an earlier import. */
  startsWithReason: boolean;
}

/** Reads no values: each column is skipped. */
function recordContext(
  { createMapper }: RejectedFile,
  header: Header,
  receiver: Required<Pick<ImportContext, 'onRecord' | 'afterRecords'>>,
): ImportContext {
  const mapper = createMapper(createFileProblems());
  return {
    ...mapper,
    mapColumns: (heading) => {
      const { table, columns } = mapper.mapColumns(heading);
      const fileNames = heading.columns ?? [];
      header.startsWithReason = isReasonColumn(fileNames[0] ?? '') && columns[0] === undefined;
      // Columns without names get those of the table.
      const names =
        heading.isNumbered === true
          ? fileNames.map((name, i) => columns[i]?.name ?? name)
          : fileNames;
      header.names = header.startsWithReason ? names.slice(1) : names;
      return { table, columns: columns.map(() => undefined), errors: [] };
    },
    report: () => undefined,
    warn: () => undefined,
    ...receiver,
  };
}

function headerLine({ names }: Header, { delimiter, quote }: SourceRecord): string {
  const fields = [reasonColumn(names), ...names].map((name) => field(name, quote));
  return `${byteOrderMark}${fields.join(delimiter)}\n`;
}

function field(text: string, quote: string): string {
  const isPlain = /^[\p{L}\p{N}_]+$/u.test(text);
  return isPlain ? text : `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
}

async function write(stream: WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}
