import { readExportOptions } from './export-options.ts';
import { exportTables } from './export-tables.ts';
import { openRows, planExport, sendFile } from './export-rows.ts';
import { planExportFile } from './plan-export-file.ts';
import { findTable } from '../core/find-table.ts';
import { columnOf } from '../rows/read/page-plan.ts';
import { unreadableTableError } from '../core/read-error.ts';
import { isGeneratedByDatabase } from './generated-columns.ts';
import { StudioError } from '../../model/errors.ts';
import type { DataFormat } from '../../formats/data-formats.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { ExportInput, ExportOptions } from './export-options.ts';
import type { ExportSelection, RowCount } from './export-rows.ts';
import type { JobContext, JobOutput } from '../core/job.ts';
import type { ListQuery } from '../rows/read/page-plan.ts';

export interface ExportTableInput extends ExportInput {
  readonly table: string;
  /** The parameters of the row list. Paging is ignored. */
  readonly query: ListQuery;
  /** Only these columns, in this order. All when absent or empty. */
  readonly columns?: readonly string[] | undefined;
}

/** Exports the rows of a table or view, filtered and sorted like the row list. */
export async function exportTable(
  context: JobContext,
  input: ExportTableInput,
  output: JobOutput,
): Promise<{ readonly rows: number }> {
  const { database } = context;
  const options = await readExportOptions(database.dialect, input);
  const tableIn = (schema: Schema): Table => findTable(schema, input.table);
  return exportTables(context, {
    needsForeignKeys: options.format.isScript,
    choose: (schema) => [tableIn(schema)],
    send: (session, schema) =>
      sendTable({ database, session, table: tableIn(schema), options }, input, output),
  });
}

interface TableSource {
  readonly database: Database;
  readonly session: Session;
  readonly table: Table;
  readonly options: ExportOptions;
}

async function sendTable(
  { database, session, table, options }: TableSource,
  input: ExportTableInput,
  output: JobOutput,
): Promise<{ readonly rows: number }> {
  const { dialect } = database;
  if (table.columns.length === 0) throw unreadableTableError(table);
  const file = planExportFile(options, [table], { source: dialect });
  const selection: ExportSelection = {
    plan: planExport(dialect, table, input.query),
    columns: selectColumns(table, input.columns ?? [], options.format),
  };
  const head = {
    fileName: `${table.name}.${options.format.table.extension}`,
    mediaType: options.format.table.mediaType,
    consistent: await database.hasSnapshot([table]),
    warnings: file.warnings,
  };
  const writer = await options.format.load();
  const count: RowCount = { rows: 0, table: table.name };
  const target = file.asWritten(table);
  const columns = selection.columns.map(({ name }) => columnOf(target, name));
  const rows = openRows({ session, dialect, count, csv: options.databaseCsv }, selection);
  const chunks = writer.table(
    { table: target, columns, ...rows },
    { formulas: options.formulas, csv: options.csv, script: file.script },
  );
  await sendFile({ head, chunks, count }, output);
  return { rows: count.rows };
}

/** INSERT statements must not contain generated columns. */
function selectColumns(
  table: Table,
  names: readonly string[],
  { isScript }: DataFormat,
): readonly Column[] {
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined)
    throw new StudioError('invalid_parameter', `Column "${repeated}" is named twice.`, {
      parameter: 'columns',
    });
  const selected = names.length === 0 ? table.columns : names.map((name) => columnOf(table, name));
  return isScript ? selected.filter((column) => !isGeneratedByDatabase(column)) : selected;
}
