/**
 * Writes the rejected rows of a file, each as the file has it, with the reason: as NDJSON for JSON, as CSV for
 * CSV and workbooks. The file is read a second time, so that an import keeps no rows.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createFileProblems } from './file-problems.ts';
import { isReasonColumn } from './reason-column.ts';
import { csvHeader, csvLine } from './rejected-csv.ts';
import { jsonLine } from './rejected-json.ts';
import { shortenMessage } from '../../model/errors.ts';
import type { WriteStream } from 'node:fs';
import type { ErrorInFile } from '../../model/load.ts';
import type { CellFormat } from '../../portable/cells/cell-format.ts';
import type { ColumnMapper } from './map-columns.ts';
import type { FileProblems } from './file-problems.ts';
import type { ImportKind } from './recognize-file.ts';
import type { RecordHeading } from './rejected-csv.ts';
import type { RejectedRowLog, RejectedRows, RowPosition } from './rejected-row-log.ts';
import type { RowsReader } from './read-file-rows.ts';
import type { ImportContext, JsonRecord, SourceRecord } from '../../formats/row-import.ts';

/** The format of the rejected rows of each kind of file. Undefined: they cannot be written. */
export const rejectedFormats = {
  csv: 'csv',
  xlsx: 'csv',
  json: 'ndjson',
  ndjson: 'ndjson',
  sql: undefined,
  zip: undefined,
} as const satisfies Readonly<Record<ImportKind, 'csv' | 'ndjson' | undefined>>;

interface RejectedFile extends Pick<CellFormat, 'formulas'> {
  readonly path: string;
  readonly kind: ImportKind;
  readonly reader: RowsReader;
  readonly createMapper: (problems: FileProblems) => ColumnMapper;
  readonly log: RejectedRowLog;
  readonly maxBytes?: number | undefined;
}

/** The position of the row of an error. Rows of JSON may share a line, and are counted for each table. */
export function positionIn(kind: ImportKind): (error: ErrorInFile) => RowPosition | undefined {
  return ({ table = '', source = '', row, line }) => {
    if (row === undefined) return undefined;
    if (kind === 'json') return { part: table, position: row };
    return line === undefined ? undefined : { part: source, position: line };
  };
}

/** Returns the number of rows. Without any, there is no file. */
export async function writeRejectedRows(file: RejectedFile): Promise<number> {
  const rejected = file.log.rows();
  if (rejected.isAtEnd()) return 0;
  const output = openOutput(file);
  const records = recordRenderer(file, rejected, output);
  const batches = file.reader(records.context);
  try {
    for (let isDone = false; !isDone && !rejected.isAtEnd();)
      isDone = (await batches.next()).done === true;
    await output.end();
  } finally {
    output.destroy();
    await batches.return();
  }
  return records.count();
}

interface Output {
  /** Keeps the text until the next flush. */
  add(text: string): void;
  flush(): Promise<void>;
  end(): Promise<void>;
  destroy(): void;
}

function openOutput({ path, maxBytes = Infinity }: RejectedFile): Output {
  const stream = createWriteStream(path, { flags: 'w', mode: 0o600 });
  const completion = finished(stream);
  // A failure is reported when it is awaited, at the end.
  completion.catch(() => {});
  let texts: string[] = [];
  const flush = async (): Promise<void> => {
    const text = texts.join('');
    texts = [];
    if (stream.errored !== null) throw stream.errored;
    if (text !== '') await write(stream, text);
    if (stream.bytesWritten + stream.writableLength > maxBytes)
      throw new Error(`They exceed the limit of ${maxBytes.toLocaleString('en')} bytes.`);
  };
  return {
    add: (text) => void texts.push(text),
    flush,
    end: async () => {
      await flush();
      stream.end();
      await completion;
    },
    destroy: () => void stream.destroy(),
  };
}

async function write(stream: WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

interface RecordRenderer {
  readonly context: ImportContext;
  count(): number;
}

const noHeading: RecordHeading = { names: [], columns: [], startsWithReason: false };

/** Reads no values: each column is skipped. */
function recordRenderer(
  { kind, createMapper, formulas }: RejectedFile,
  rejected: RejectedRows,
  output: Output,
): RecordRenderer {
  const mapper = createMapper(createFileProblems());
  const tables = tableNames(mapper);
  let heading = noHeading;
  let written: RecordHeading | undefined;
  let count = 0;
  const lineOf = ({ content, line }: SourceRecord, why: string): string => {
    const reason = `Line ${line}: ${shortenMessage(why)}`;
    if (content.kind !== 'json') return csvLine(heading, content, { reason, formulas });
    return jsonLine(content, reason, (name) => isColumn(mapper, content, name));
  };
  const mapColumns: ImportContext['mapColumns'] = (header) => {
    const { table, columns } = mapper.mapColumns(header);
    const fileNames = header.columns ?? [];
    const startsWithReason = isReasonColumn(fileNames[0] ?? '') && columns[0] === undefined;
    // Columns without names get those of the table.
    const names =
      header.isNumbered === true ? fileNames.map((name, i) => columns[i]?.name ?? name) : fileNames;
    heading = { names, columns, startsWithReason };
    return { table, columns: columns.map(() => undefined), errors: [] };
  };
  const onRecord = (record: SourceRecord): void => {
    const { content, source = '', line, number } = record;
    const part = content.kind === 'json' && kind === 'json' ? tables(content.table) : source;
    const why = rejected.reasonOf({ part, position: kind === 'json' ? number : line });
    if (why === undefined) return;
    count++;
    if (content.kind !== 'json' && written === undefined) output.add(csvHeader(heading, content));
    if (content.kind !== 'json') mustHaveSameNames((written ??= heading), heading);
    output.add(lineOf(record, why));
  };
  return {
    count: () => count,
    context: {
      ...mapper,
      mapColumns,
      onRecord,
      afterRecords: output.flush,
      report: () => undefined,
      warn: () => undefined,
    },
  };
}

function isColumn(mapper: ColumnMapper, { table }: JsonRecord, name: string): boolean {
  return mapper.mapColumns({ table, columns: [name] }).columns[0] !== undefined;
}

/** The sheets of a table that is too long for one. */
function mustHaveSameNames(one: RecordHeading, other: RecordHeading): void {
  if (one === other || one.names.join('\0') === other.names.join('\0')) return;
  throw new Error('The sheets have different columns.');
}

/** The tables that a JSON document names, by these names: rows of each are counted. */
function tableNames(mapper: ColumnMapper): (name: string | undefined) => string {
  const found = new Map<string | undefined, string>();
  const names = new Set<string>();
  return (name) => {
    const cached = found.get(name);
    if (cached !== undefined) return cached;
    const { table } = mapper.mapColumns({ table: name, columns: [] });
    if (names.size === names.add(table.name).size)
      throw new Error(`The file has two names for table "${table.name}".`);
    found.set(name, table.name);
    return table.name;
  };
}
