/**
 * Writes the rejected rows of a file, each as the file has it, with the reason: as NDJSON for JSON, as CSV for
 * CSV and workbooks, as an archive of CSV files for several sheets or files. The file is read a second time,
 * so that an import keeps no rows.
 */
import { createFileProblems } from './file-problems.ts';
import { isReasonColumn, reasonColumn } from '../../portable/files/reason-column.ts';
import { csvHeader, csvLine } from './rejected-csv.ts';
import { jsonLine } from './rejected-json.ts';
import { openOutput } from './rejected-output.ts';
import { shortenMessage } from '../../model/errors.ts';
import type { ErrorInFile } from '../../model/load.ts';
import type { Table } from '../../model/schema.ts';
import type { CellFormat } from '../../portable/cells/cell-format.ts';
import type { ColumnMapper } from './map-columns.ts';
import type { FileProblems } from './file-problems.ts';
import type { ImportKind } from './recognize-file.ts';
import type { RecordHeading } from './rejected-csv.ts';
import type { JsonNames } from './rejected-json.ts';
import type { OutputTarget, RejectedFormat, RejectedOutput } from './rejected-output.ts';
import type { RejectedRowLog, RejectedRows, RowPosition } from './rejected-row-log.ts';
import type { RowsReader } from './read-file-rows.ts';
import type {
  ColumnMapping,
  ImportContext,
  RowsHeader,
  SourceRecord,
} from '../../formats/row-import.ts';

export interface RejectedFile extends OutputTarget, Pick<CellFormat, 'formulas'> {
  readonly kind: ImportKind;
  readonly reader: RowsReader;
  readonly createMapper: (problems: FileProblems) => ColumnMapper;
  readonly log: RejectedRowLog;
  /** The tables that the import creates: their rows are written with the names of their columns. */
  readonly newTables: ReadonlySet<Table>;
  /** The request names the table of all rows. */
  readonly isTableNamed: boolean;
}

/** The position of the row of an error. Rows of JSON may share a line, and are counted for each table. */
export function positionIn(kind: ImportKind): (error: ErrorInFile) => RowPosition | undefined {
  return ({ table = '', source = '', row, line }) => {
    if (row === undefined) return undefined;
    if (kind === 'json') return { part: table, position: row };
    return line === undefined ? undefined : { part: source, position: line };
  };
}

/** Undefined if there are no rows, and then no file. */
export async function writeRejectedRows(
  file: RejectedFile,
): Promise<{ readonly count: number; readonly format: RejectedFormat } | undefined> {
  const rejected = file.log.rows();
  if (rejected.isAtEnd()) return undefined;
  const output = openOutput(file);
  const records = recordRenderer(file, rejected, output);
  const batches = file.reader(records.context);
  try {
    for (let isDone = false; !isDone && !rejected.isAtEnd();)
      isDone = (await batches.next()).done === true;
    const format = records.format();
    await output.end(format === 'zip');
    return { count: records.count(), format };
  } finally {
    await output.destroy();
    await batches.return();
  }
}

interface RecordRenderer {
  readonly context: ImportContext;
  count(): number;
  format(): RejectedFormat;
}

/** What the header says of the rows that follow. */
interface Heading extends RecordHeading {
  readonly table: string;
}

const noHeading: Heading = { names: [], columns: [], startsWithReason: false, table: '' };

/** Reads no values: each column is skipped. */
function recordRenderer(
  file: RejectedFile,
  rejected: RejectedRows,
  output: RejectedOutput,
): RecordRenderer {
  const { kind, createMapper, formulas, isTableNamed } = file;
  const mapper = createMapper(createFileProblems());
  const tables = tableNames(mapper);
  let heading = noHeading;
  let hasParts = false;
  let count = 0;
  const write = ({ content, line }: SourceRecord, why: string): void => {
    const reason = `Line ${line}: ${shortenMessage(why)}`;
    if (content.kind === 'json') {
      output.openPart('', []);
      return output.add(jsonLine(content, reason, jsonNames(file, mapper, content.table)));
    }
    const isFirst = output.openPart(hasParts ? heading.table : '', heading.names);
    if (isFirst) output.add(csvHeader(heading, content));
    output.add(csvLine(heading, content, { reason, formulas }));
  };
  const onRecord = (record: SourceRecord): void => {
    const { content, source = '', line, number } = record;
    const part = content.kind === 'json' && kind === 'json' ? tables(content.table) : source;
    const why = rejected.reasonOf({ part, position: kind === 'json' ? number : line });
    if (why === undefined) return;
    count++;
    hasParts ||= record.source !== undefined && !isTableNamed;
    write(record, why);
  };
  return {
    count: () => count,
    format: () => (kind === 'json' || kind === 'ndjson' ? 'ndjson' : hasParts ? 'zip' : 'csv'),
    context: {
      ...mapper,
      mapColumns: (header) => {
        const mapped = mapper.mapColumns(header);
        heading = headingOf(header, mapped, file.newTables);
        return {
          table: mapped.table,
          columns: mapped.columns.map(() => undefined),
          errors: [],
        };
      },
      onRecord,
      afterRecords: output.flush,
      report: () => undefined,
      warn: () => undefined,
    },
  };
}

function headingOf(
  { columns: fileNames = [], isNumbered }: RowsHeader,
  { table, columns }: ColumnMapping,
  newTables: ReadonlySet<Table>,
): Heading {
  const isNew = newTables.has(table);
  const nameOf = (name: string, i: number): string =>
    columns[i]?.name ?? (isNew && name === '' ? skippedColumn : name);
  return {
    // Columns without names get those of the table, and so do columns of a new table.
    names: isNumbered === true || isNew ? fileNames.map(nameOf) : fileNames,
    columns,
    startsWithReason: isReasonColumn(fileNames[0] ?? '') && columns[0] === undefined,
    table: table.name,
  };
}

/** The name of a column that the new table does not have. An import skips it. */
const skippedColumn = reasonColumn([reasonColumn([])]);

function jsonNames(
  { newTables }: RejectedFile,
  mapper: ColumnMapper,
  table: string | undefined,
): JsonNames {
  const columnOf = (name: string): string | undefined =>
    mapper.mapColumns({ table, columns: [name] }).columns[0]?.name;
  const isColumn = (name: string): boolean => columnOf(name) !== undefined;
  const { table: target } = mapper.mapColumns({ table, columns: [] });
  if (!newTables.has(target)) return { isColumn };
  return { isColumn, table: target.name, rename: (name) => columnOf(name) ?? name };
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
