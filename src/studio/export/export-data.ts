import { isOfExtension } from '../core/extension-members.ts';
import { StudioError } from '../../model/errors.ts';
import { baseName } from './base-name.ts';
import { readExportOptions } from './export-options.ts';
import { exportTables } from './export-tables.ts';
import { allRows, hasColumns, leftOutWarning } from './all-rows.ts';
import { sendFile } from './export-rows.ts';
import { planExportFile } from './plan-export-file.ts';
import { findTable } from '../core/find-table.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { ExportInput, ExportOptions } from './export-options.ts';
import type { RowCount } from './export-rows.ts';
import type { JobContext, JobOutput } from '../core/job.ts';

export interface ExportDataInput extends ExportInput {
  /** Only these tables. All when absent or empty. */
  readonly tables?: readonly string[] | undefined;
}

/** Exports the rows of all tables in one snapshot, as a file that can be imported again. */
export async function exportData(
  context: JobContext,
  input: ExportDataInput,
  output: JobOutput,
): Promise<{ readonly rows: number }> {
  const { database } = context;
  const options = await readExportOptions(database.dialect, input);
  const { isScript } = options.format;
  const choose = (schema: Schema): readonly Table[] =>
    selectTables(schema, { names: input.tables ?? [], isScript });
  return exportTables(context, {
    needsForeignKeys: isScript,
    choose,
    send: (session, schema) => {
      const name = baseName(schema.database);
      return sendTables({ database, session, options, name }, choose(schema), output);
    },
  });
}

interface TablesSource {
  readonly database: Database;
  readonly session: Session;
  readonly options: ExportOptions;
  /** How the name of the file begins. */
  readonly name: string;
}

async function sendTables(
  { database, session, options, name }: TablesSource,
  selected: readonly Table[],
  output: JobOutput,
): Promise<{ readonly rows: number }> {
  const { dialect } = database;
  const tables = selected.filter(hasColumns);
  const plan = planExportFile(options, tables, { source: dialect });
  const head = {
    fileName: `${name}-data.${options.format.tables.extension}`,
    mediaType: options.format.tables.mediaType,
    consistent: await database.hasSnapshot(tables),
    warnings: [
      ...selected.filter((table) => !hasColumns(table)).map(leftOutWarning),
      ...plan.warnings,
    ],
  };
  const writer = await options.format.load();
  const count: RowCount = { rows: 0, table: '' };
  const rows = allRows(plan, { session, dialect, count, csv: options.databaseCsv });
  const { formulas, csv } = options;
  const chunks = writer.tables(rows, { formulas, csv, script: plan.script });
  await sendFile({ head, chunks, count }, output);
  return { rows: count.rows };
}

interface Selection {
  /** All tables when empty. Views are exported only if they are named. */
  readonly names: readonly string[];
  readonly isScript: boolean;
}

/** Sorted by name, so that the same data gives the same file regardless of the order in which tables were created. */
function selectTables(schema: Schema, { names, isScript }: Selection): readonly Table[] {
  const requested = new Set(names.map((name) => findTable(schema, name)));
  if (isScript) for (const { kind, name } of requested) if (kind !== 'table') throw viewError(name);
  return [...schema.tables, ...schema.views]
    .filter((table) =>
      requested.size === 0 ? table.kind === 'table' && !isOfExtension(table) : requested.has(table),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function viewError(name: string): StudioError {
  return new StudioError(
    'invalid_parameter',
    `"${name}" is a view, so that a script could not insert its rows. Choose another format, or leave it out.`,
    { parameter: 'tables' },
  );
}
