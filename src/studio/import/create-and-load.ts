/** Creates tables and loads rows into them: both or neither. */
import { noRowErrors } from '../../model/row-errors.ts';
import { loadRows } from '../load/load-rows.ts';
import { withNativeTypes } from './schema/imported-models.ts';
import { stepsAfterCommit } from './set-counters.ts';
import { createViewRefresh } from './refresh-views.ts';
import { rejectedFileError, reportImport } from './report-import.ts';
import { runInOrder, runStructure, withCreated } from './schema/run-structure.ts';
import { createLastPrograms, tryPrograms } from './schema/create-programs.ts';
import { progressOfPass } from './pass-progress.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';
import type { LoadOptions, LoadOutcome } from '../../model/load.ts';
import type { Schema } from '../../model/schema.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { JobContext, JobOutput } from '../core/job.ts';
import type { LoadSource } from '../load/load-rows.ts';
import type { ImportOptions } from './import-options.ts';
import type { MappedRows } from './map-rows.ts';
import type { RecognizedFile } from './recognize-file.ts';
import type { ImportDataResponse } from './report-import.ts';
import type { Journal } from './schema/journal.ts';
import type { OptionalObjects } from './schema/rejected-object.ts';
import type { SchemaPlan } from './schema/schema-plan.ts';

export type NewTablesContext = JobContext<LoadCapability | 'ddl'>;

/**
 * The structure as the database will have it: created and rolled back, where that is possible, otherwise
 * as planned. Views and programs that the database rejects are errors without `onRejected`.
 */
export async function describeTables(
  context: NewTablesContext,
  { schema, statements, programs }: SchemaPlan,
  onRejected?: OptionalObjects['onRejected'],
): Promise<Schema> {
  const { database } = context;
  const { ddl, load: loading } = database.dialect;
  const savepoint = ddl.ddlUndo === undefined ? loading.savepoint : undefined;
  let created: Schema | undefined;
  await runStructure(context, {
    statements: [...statements, ...programsAfterRows(programs).map(({ text }) => text)],
    programs,
    relations: [...schema.tables, ...schema.views],
    optional: onRejected && { savepoint, onRejected },
    dryRun: true,
    inspect: async (session) => void (created = await database.introspectWithin(session)),
  });
  return created ?? withNativeTypes(schema, database.dialect);
}

export interface Creation {
  readonly plan: SchemaPlan;
  /** Statements after the commit that give tables their own storage. */
  readonly storage?: readonly string[];
  /** Closed at the end. */
  readonly rows: MappedRows;
  readonly source: Pick<LoadSource, 'tables' | 'schema'>;
  readonly file: RecognizedFile;
  readonly options: ImportOptions & Pick<LoadOptions, 'onRejected'>;
  readonly output: JobOutput;
  /** Called for each program that the database rejects after the rows are committed. */
  readonly onLeftOut?: (program: ScriptProgram) => void;
}

/** Creates the tables and loads the rows in one transaction. Where DDL commits by itself, a journal undoes the tables instead. */
export async function createAndLoad(
  context: NewTablesContext,
  creation: Creation,
): Promise<ImportDataResponse> {
  const { plan, rows, options } = creation;
  const { statements, schema, programs } = plan;
  const relations = [...schema.tables, ...schema.views];
  const afterRows = programsAfterRows(programs);
  const within = { context, relations, programs };
  const refresh = createViewRefresh();
  try {
    if (context.database.dialect.ddl.ddlUndo === undefined)
      return await loadFile(context, creation, {
        begin: (session) => runInOrder(statements, { ...within, session }),
        finish: async (session) => {
          await refresh.run(plan.afterRows, { ...within, session });
          await runInOrder(
            afterRows.map(({ text }) => text),
            { ...within, session },
          );
        },
      });
    if (!options.dryRun) return await createUnderJournal(context, creation);
    return { ...(await checkRows(rows, creation)), verified: false };
  } catch (error) {
    throw refresh.errorOf(error);
  } finally {
    await rows.close();
  }
}

/** Creates the tables and loads the rows where each statement of DDL commits. */
async function createUnderJournal(
  context: NewTablesContext,
  creation: Creation,
): Promise<ImportDataResponse> {
  const { plan, rows, storage = [] } = creation;
  const { statements, schema, programs } = plan;
  const relations = [...schema.tables, ...schema.views];
  const afterRows = programsAfterRows(programs);
  // A check of the structure in the background could take the connection that holds the lock of the journal from the
  // sessions of the import, which would then wait for it in vain.
  await context.schemas.verified();
  const structure = { statements, relations, programs };
  return withCreated(context, structure, async (journal) => {
    // An event may run at once.
    const tried = afterRows.filter(({ kind }) => kind !== 'event');
    await tryPrograms(context, tried, journal);
    const created = creation.source.schema ?? (await context.schemas.refresh()).schema;
    const steps = stepsAfterCommit(context.database.dialect.load.counters, rows.counters, storage);
    const response = await loadFile(
      context,
      {
        ...creation,
        source: { ...creation.source, schema: created },
        rows: { ...rows, counters: steps.withinLoad },
      },
      {
        // A killed import is undone only once its transaction has ended.
        begin: async (session) => {
          await journal.lock(session);
          await journal.beginRows(session);
        },
        finish: async (session, { tables }) => {
          const hasRows = [...tables.values()].some(({ rowsImported }) => rowsImported > 0);
          await journal.endRows(session, hasRows);
          await steps.record(journal, afterRows);
        },
      },
    );
    if (response.rows_imported > 0) await journal.rowsCommitted();
    try {
      const warnings = [
        ...(await steps.run(context, journal)),
        ...(await createLastPrograms(
          context,
          { programs: afterRows, onLeftOut: creation.onLeftOut },
          journal,
        )),
      ];
      return { ...response, warnings: [...response.warnings, ...warnings] };
    } catch (error) {
      if (!(await isCompletedByOthers(context, journal, response))) throw error;
    }
    return response;
  });
}

/** Whoever takes over an import that has committed rows completes it. One without rows is undone. */
async function isCompletedByOthers(
  { onPhase }: NewTablesContext,
  journal: Journal,
  { rows_imported: rowCount }: ImportDataResponse,
): Promise<boolean> {
  if (!(await journal.isTakenOver())) return false;
  if (rowCount === 0) onPhase?.('undone');
  return rowCount > 0;
}

/** Triggers must not run for the rows of the file. */
export function programsAfterRows(programs: readonly ScriptProgram[]): readonly ScriptProgram[] {
  return programs.filter(({ stage }) => stage === 'after rows');
}

/** Loads the rows in the second of two passes over the file. */
async function loadFile(
  context: NewTablesContext,
  { plan, rows, source, file, options, output }: Creation,
  steps: Pick<LoadSource, 'begin' | 'finish'>,
): Promise<ImportDataResponse> {
  const outcome = await loadRows(
    context,
    {
      ...source,
      batches: rows.batches,
      createdTables: new Set(plan.schema.tables.map(({ name }) => name)),
      ...steps,
    },
    {
      ...options,
      mode: 'append',
      shouldNumberNulls: file.kind !== 'sql',
      counters: rows.counters,
      onProgress: progressOfPass({ file, output, pass: 2, passes: 2 }),
    },
  );
  if (outcome.kind !== 'loaded') await rows.readToEnd();
  return reportImport({ file, options, findings: rows.findings(), outcome });
}

/** A dry run where CREATE TABLE commits by itself: reads and checks the rows, and writes nothing. */
async function checkRows(
  rows: MappedRows,
  { file, options }: Pick<Creation, 'file' | 'options'>,
): Promise<ImportDataResponse> {
  const counts = new Map<
    string,
    { rowsImported: number; rowsUpdated: number; rowsSkipped: number }
  >();
  try {
    for await (const { table, rows: batch } of rows.batches) {
      const before = counts.get(table.name)?.rowsImported ?? 0;
      counts.set(table.name, {
        rowsImported: before + batch.length,
        rowsUpdated: 0,
        rowsSkipped: 0,
      });
    }
  } catch {
    await rows.readToEnd();
    throw rejectedFileError({ file, options, findings: rows.findings() });
  }
  const outcome: LoadOutcome = {
    kind: 'loaded',
    report: {
      tables: counts,
      warnings: [],
      rowErrors: noRowErrors,
      counterWarnings: [],
    },
  };
  return reportImport({ file, options, findings: rows.findings(), outcome });
}
