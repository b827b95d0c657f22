/**
 * Imports the rows of a file into their tables, all or nothing. The file passes five stages: recognize,
 * read, map, load, report. Each takes the result of the one before, and no stage calls an earlier one,
 * except that the load pulls the rows.
 */
import { readableStructure } from '../core/complete-structure.ts';
import { loadRows } from '../load/load-rows.ts';
import { importIntoNewTables } from './import-into-new-tables.ts';
import { foundFormatMember, foundFormat, surveyRows } from './survey-rows.ts';
import { UndecidedFormat } from '../../portable/cells/cell-format.ts';
import { keepRejectedRows } from './keep-rejected-rows.ts';
import { invalidParameter } from './upload-parameters.ts';
import { readImportOptions } from './import-options.ts';
import { createColumnMapper, writableTable } from './map-columns.ts';
import { mapRows } from './map-rows.ts';
import { readPartitions } from './database-partitions.ts';
import { createRowsReader } from './read-file-rows.ts';
import { recognizeFile } from './recognize-file.ts';
import { rejectedFileError, reportImport } from './report-import.ts';
import { progressOfPass } from './pass-progress.ts';
import type { Table } from '../../model/schema.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { JobContext, JobOutput } from '../core/job.ts';
import type { ImportDataInput, ImportOptions } from './import-options.ts';
import type { FileProblems } from './file-problems.ts';
import type { ColumnMapper, MappingTarget } from './map-columns.ts';
import type { RowsReader } from './read-file-rows.ts';
import type { RecognizedFile } from './recognize-file.ts';
import type { FileImport } from './survey-rows.ts';
import type { ImportDataResponse } from './report-import.ts';

export async function importData(
  context: JobContext<LoadCapability>,
  input: ImportDataInput,
  output: JobOutput,
): Promise<ImportDataResponse> {
  const options = readImportOptions(input);
  const file = await recognizeFile(input.upload, options);
  mustHaveParts(file, options);
  if (options.keepRejected) mustBeSkippingRecords(file, options);
  const rejectedTo = options.keepRejected ? input.rejectedTo : undefined;
  const request = { file, options, output, rejectedTo };
  if (!options.createTable) return importIntoTables(context, request);
  const response = await importIntoNewTables(context, request);
  if (response !== undefined) return response;
  const mapped = { ...request, options: { ...options, createTable: false } };
  return { ...(await importIntoTables(context, mapped)), tables_created: [], statements: [] };
}

/** Into tables that exist. */
async function importIntoTables(
  context: JobContext<LoadCapability>,
  request: FileImport,
): Promise<ImportDataResponse> {
  const { options } = request;
  try {
    return await importRows(context, request);
  } catch (error) {
    if (!(error instanceof UndecidedFormat)) throw error;
    const format = foundFormat(await surveyRows(context, request), options);
    const formatted = { ...request, options: { ...options, ...format }, isSurveyed: true };
    return { ...(await importRows(context, formatted)), ...foundFormatMember(format) };
  }
}

/** Only workbooks, archives and JSON documents have parts that a request can map to tables. */
function mustHaveParts({ kind, name }: RecognizedFile, { tables }: ImportOptions): void {
  if (tables === undefined || kind === 'xlsx' || kind === 'zip' || kind === 'json') return;
  throw invalidParameter(
    `tables is for the sheets of a workbook, the files of a .zip or the arrays of a JSON document; ${name} is ${kind}. Name its table with the parameter "table".`,
    'tables',
  );
}

/** Files of SQL have no rows that can be written as they are. */
function mustBeSkippingRecords({ kind, name }: RecognizedFile, { onError }: ImportOptions): void {
  if (onError !== 'skip')
    throw invalidParameter('Rejected rows are only skipped with on_error=skip.', 'on_error');
  if (kind !== 'sql') return;
  throw invalidParameter(
    `Rejected rows can be written for CSV, JSON, NDJSON, XLSX and ZIP files, not for ${name}, which is SQL.`,
    'keep_rejected',
  );
}

async function importRows(
  context: JobContext<LoadCapability>,
  request: FileImport,
): Promise<ImportDataResponse> {
  const { file, options, output, isSurveyed = false } = request;
  const passes = isSurveyed ? 2 : 1;
  const { schema } = await readableStructure(context.schemas);
  const { dialect } = context.database;
  const reader = createRowsReader(context, file, options);
  // Only SQL names tables as the database does.
  const findPartition =
    file.kind === 'sql' ? await readPartitions(context, schema) : () => undefined;
  const target = { schema, dialect, findPartition };
  const tables = await findTables({ file, reader, target, options });
  const createMapper = mapperFor(target, options);
  const reread = { reader, createMapper, newTables: new Set<Table>() };
  return keepRejectedRows(context, { ...request, reread }, async (handler) => {
    const rows = mapRows(reader, createMapper, { ...options, ...handler });
    try {
      const outcome = await loadRows(
        context,
        { tables, batches: rows.batches },
        {
          ...options,
          ...handler,
          // Statements of SQL mean what they mean to the database.
          shouldNumberNulls: file.kind !== 'sql',
          counters: rows.counters,
          onProgress: progressOfPass({ file, output, pass: passes, passes }),
        },
      );
      // One response lists all errors of a file.
      if (outcome.kind !== 'loaded') await rows.readToEnd();
      return reportImport({ file, options, findings: rows.findings(), outcome });
    } finally {
      await rows.close();
    }
  });
}

function mapperFor(
  target: MappingTarget,
  options: ImportOptions,
): (problems: FileProblems) => ColumnMapper {
  return (problems) => createColumnMapper(target, options, problems);
}

interface TableSearch {
  readonly file: RecognizedFile;
  readonly reader: RowsReader;
  readonly target: MappingTarget;
  readonly options: ImportOptions;
}

/** The tables of the file, if the request names the table or if they must be known before they are emptied. */
async function findTables(search: TableSearch): Promise<readonly Table[] | undefined> {
  const { file, target, options } = search;
  const isNamed = options.table !== undefined && (file.kind === 'csv' || file.kind === 'xlsx');
  if (isNamed) return [writableTable(target.schema, options.table)];
  return options.mode === 'replace' ? readTables(search) : undefined;
}

/** Reads and checks the whole file to find its tables. */
async function readTables({
  file,
  reader,
  target,
  options,
}: TableSearch): Promise<readonly Table[]> {
  const rows = mapRows(reader, mapperFor(target, options), options);
  await rows.readToEnd();
  const findings = rows.findings();
  if (findings.isRejected) throw rejectedFileError({ file, options, findings });
  return [...findings.tables];
}
