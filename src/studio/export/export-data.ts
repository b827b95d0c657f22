import { StudioError } from '../../model/errors.ts';
import { baseName } from './base-name.ts';
import { readExportOptions } from './export-options.ts';
import { allRows, hasColumns, leftOutWarning } from './all-rows.ts';
import { sendFile } from './export-rows.ts';
import { planExportFile } from './plan-export-file.ts';
import { completeStructure } from '../core/complete-structure.ts';
import { findTable } from '../core/find-table.ts';
import { checkReads, mustOnlyRead } from '../core/check-reads.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { ExportInput } from './export-options.ts';
import type { RowCount } from './export-rows.ts';
import type { JobContext, JobOutput } from '../core/job.ts';

export interface ExportDataInput extends ExportInput {
  /** Only these tables. All when absent or empty. */
  readonly tables?: readonly string[] | undefined;
}

/** Exports the rows of all tables in one snapshot, as a file that can be imported again. */
export async function exportData(
  { database, schemas }: JobContext,
  input: ExportDataInput,
  output: JobOutput,
): Promise<{ readonly rows: number }> {
  const { dialect } = database;
  const options = await readExportOptions(dialect, input);
  const choose = (schema: Schema): readonly Table[] => selectTables(schema, input.tables ?? []);
  const { schema } = await completeStructure(schemas, choose);
  const selected = choose(schema);
  const tables = selected.filter(hasColumns);
  await checkReads({ database }, tables);
  await mustOnlyRead({ database }, tables);
  const plan = planExportFile(options, tables, dialect);
  const head = {
    fileName: `${baseName(schema.database)}-data.${options.format.tables.extension}`,
    mediaType: options.format.tables.mediaType,
    consistent: await database.hasSnapshot(tables),
    warnings: [
      ...selected.filter((table) => !hasColumns(table)).map(leftOutWarning),
      ...plan.warnings,
    ],
  };
  const writer = await options.format.load();
  const count: RowCount = { rows: 0, table: '' };
  await database.transaction('read', async (session) => {
    const rows = allRows(plan, { session, dialect, count, csv: options.databaseCsv });
    const { formulas, csv } = options;
    const chunks = writer.tables(rows, { formulas, csv, script: plan.script });
    await sendFile({ head, chunks, count }, output);
  });
  return { rows: count.rows };
}

/** Sorted by name, so that the same data gives the same file regardless of the order in which tables were created. */
function selectTables(schema: Schema, names: readonly string[]): readonly Table[] {
  const requested = new Set(names.map((name) => findTable(schema, name)));
  for (const { kind, name } of requested) if (kind !== 'table') throw viewError(name);
  return schema.tables
    .filter((table) => requested.size === 0 || requested.has(table))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function viewError(name: string): StudioError {
  return new StudioError(
    'invalid_parameter',
    `"${name}" is a view. Export a view by itself, not with tables.`,
    { parameter: 'tables' },
  );
}
