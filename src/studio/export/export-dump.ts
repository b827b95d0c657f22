/** Exports structure and rows as one SQL script, which creates the same database again. */
import { allRows, hasColumns } from './all-rows.ts';
import { counterStatements } from './dump-counters.ts';
import { baseName } from './base-name.ts';
import { inCurrentSnapshot, untilUnchanged } from './current-snapshot.ts';
import { findDumpPrograms, noPrograms } from './dump-programs.ts';
import { readExportOptions } from './export-options.ts';
import { sendFile } from './export-rows.ts';
import { leftOutObjects } from './left-out-objects.ts';
import { planExportFile } from './plan-export-file.ts';
import { findDdlDialect, selectRequested, writeStructureScript } from './structure-script.ts';
import { checkReads, mustOnlyRead } from '../core/check-reads.ts';
import { mustSupport } from '../core/capabilities.ts';
import { completeStructure } from '../core/complete-structure.ts';
import { commentText, endOfDump } from '../../sql/schema-script.ts';
import type { FileChunks } from '../../formats/row-export.ts';
import type { Dialect } from '../../model/database.ts';

import type { Schema } from '../../model/schema.ts';
import type { RowCount } from './export-rows.ts';
import type { JobContext, JobOutput } from '../core/job.ts';

export interface ExportDumpInput {
  /** Only these tables and views. All when absent or empty. */
  readonly tables?: readonly string[] | undefined;
  /** The `Dialect.name` of the script. That of the database when absent. */
  readonly dialect?: string | undefined;
}

/** The rows come from one snapshot, if the database supports that. */
export async function exportDump(
  context: JobContext,
  input: ExportDumpInput,
  output: JobOutput,
): Promise<{ readonly rows: number }> {
  return untilUnchanged(context.schemas, () => dumpIfUnchanged(context, input, output));
}

async function dumpIfUnchanged(
  { database, schemas }: JobContext,
  input: ExportDumpInput,
  output: JobOutput,
): Promise<{ readonly rows: number } | 'changed'> {
  const { dialect } = database;
  mustSupport(dialect, 'ddl');
  const target = input.dialect === undefined ? dialect : findDdlDialect(input.dialect);
  const options = await readExportOptions(dialect, { format: 'sql', dialect: target.name });
  const cached = await completeStructure(schemas, (schema) => {
    const { tables: exported, views } = selectRequested(schema, input).schema;
    return [...exported, ...views];
  });
  const selection = selectRequested(sortedByName(cached.schema), input);
  const isOwn = target.name === dialect.name;
  const tables = selection.schema.tables.filter(
    (table) => hasColumns(table) && !(isOwn && table.isIndexOnly === true),
  );
  await checkReads({ database }, tables);
  await mustOnlyRead({ database }, tables);
  const exported = { schema: selection.schema, isPart: (input.tables ?? []).length > 0 };
  const programs = isOwn ? await findDumpPrograms(database, exported) : noPrograms;
  const structure = writeStructureScript(selection, {
    content: 'Dump',
    databaseDialect: dialect,
    target,
    programs: programs.statements,
  });
  const plan = planExportFile(options, tables, { source: dialect, isWithStructure: true });
  const leftOut = await leftOutObjects(database, {
    ...exported,
    written: programs.keys,
    hasCounters: true,
  });
  const head = {
    fileName: `${baseName(cached.schema.database)}-dump.sql`,
    mediaType: options.format.tables.mediaType,
    consistent: await database.hasSnapshot(tables),
    warnings: [...structure.warnings, ...programs.warnings, ...plan.warnings, ...leftOut.warnings],
  };
  const writer = await options.format.load();
  const { formulas, csv } = options;
  const count: RowCount = { rows: 0, table: '' };
  return inCurrentSnapshot(database, tables, async (session) => {
    const rows = allRows(plan, { session, dialect, count, csv: undefined });
    const chunks = join([
      [structure.text, '\n'],
      writer.tables(rows, { formulas, csv, script: plan.script }),
      counterStatements(plan, { session, dialect, target }),
      scriptAfterRows([...structure.afterRows, ...programs.afterRows], target),
      [endOfDump],
      leftOut.names.map((name) => `-- Left out: ${commentText(name)}\n`),
    ]);
    await sendFile({ head, chunks, count }, output);
    return { rows: count.rows };
  });
}

function scriptAfterRows(
  afterRows: readonly string[],
  { ddl: { terminator } }: Dialect<'ddl'>,
): readonly string[] {
  return afterRows.map((statement) => `\n${statement}${terminator}`);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Tables that reference each other are in no order of their foreign keys, and SQLite lists them as they were created. */
function sortedByName(schema: Schema): Schema {
  const { tables, views } = schema;
  return { ...schema, tables: tables.toSorted(byName), views: views.toSorted(byName) };
}

async function* join(parts: readonly (Iterable<string> | FileChunks)[]): FileChunks {
  for (const part of parts) yield* part;
}
