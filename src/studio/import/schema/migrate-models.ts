/** Runs the statements of a migration of models: all of them, or none. */
import { StatementsFailure } from '../../../model/statements-failure.ts';
import { StudioError } from '../../../model/errors.ts';
import { rejectTakenOver, withJournal } from './journal.ts';
import { rejectWithoutDrop } from './reject-without-drop.ts';
import { rejectExternalAccess } from './reject-external-access.ts';
import { inScratchDatabase } from './scratch-database.ts';
import { beingCreatedError } from './running-imports.ts';
import {
  driverErrorOf,
  inStructureTransaction,
  rejectedStatementError,
  isSpecificError,
  runStatements,
  tableExistsError,
} from './structure-transaction.ts';
import { removeCreated, valueOf } from './remove-created.ts';
import { confirmCreated, findForeign, plannedAddition, plannedRelation } from './unconfirmed.ts';
import { undoAdditions } from './undo-additions.ts';
import type { Addition, JournalEntry } from './journal-files.ts';
import type { Journal } from './journal.ts';
import type { UsedObjects } from './used-objects.ts';
import type { UndoSession } from './remove-created.ts';
import type {
  Migration,
  MigrationStatement,
  Rebuild,
} from '../../../gorm/migration/plan-migration.ts';
import type { Dialect, Session } from '../../../model/database.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { GormTableRebuild } from '../../../gorm/gorm-dialect.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext } from '../../core/job.ts';

export interface MigrationResult {
  /** Whether the database has run the statements. A dry run cannot always do that. */
  readonly verified: boolean;
  readonly statements: readonly string[];
}

export interface MigrationOptions {
  readonly dryRun: boolean;
  /** Called after all statements, before the commit. If it fails, everything is undone. */
  readonly beforeCommit: () => Promise<void>;
}

/** Runs a migration. A dry run is rolled back. */
export async function migrateModels(
  context: JobContext<StructureCapability>,
  migration: Migration,
  options: MigrationOptions,
): Promise<MigrationResult> {
  const rebuilt: string[] = [];
  const verified = await runMigration(context, migration, { ...options, rebuilt });
  return { verified, statements: [...migration.statements.map(({ text }) => text), ...rebuilt] };
}

interface MigrationRun extends MigrationOptions {
  /** Statements of rebuilt tables. They depend on the stored tables, so they are generated during the migration. */
  readonly rebuilt: string[];
}

async function runMigration(
  context: JobContext<StructureCapability>,
  migration: Migration,
  options: MigrationRun,
): Promise<boolean> {
  const { dryRun } = options;
  const { dialect } = context.database;
  const { ddl } = dialect;
  const { tableRebuild } = migration;
  await rejectExternalAccess(
    [
      ...migration.statements.map(({ text }) => text),
      // Tables are rebuilt later, from their stored definitions and these constraints.
      ...migration.rebuilds.flatMap(({ table, constraints }) =>
        constraints.map((line) => `CREATE TABLE ${ddl.quoteName(table.name)} (\n  ${line}\n)`),
      ),
    ],
    context.database,
  );
  if (ddl.ddlUndo !== undefined)
    return dryRun
      ? tryInScratchDatabase(context, migration, ddl.ddlUndo)
      : runByJournal(context, migration, { ...options, ddlUndo: ddl.ddlUndo });
  if (tableRebuild === undefined || migration.rebuilds.length === 0)
    return runInTransaction(context, migration, options);
  const { begin, end } = tableRebuild.outsideTransaction;
  await runAll(context.database, begin);
  try {
    return await runInTransaction(context, migration, options);
  } finally {
    await runAll(context.database, end);
  }
}

async function runAll(session: Session, statements: readonly string[]): Promise<void> {
  for (const text of statements) await session.run({ text, params: [] });
}

async function runInTransaction(
  context: JobContext<StructureCapability>,
  { statements, rebuilds, tableRebuild }: Migration,
  { dryRun, rebuilt, beforeCommit }: MigrationRun,
): Promise<true> {
  await inStructureTransaction(context.database, { dryRun }, async (session) => {
    await runInOrder(context, session, statements);
    if (tableRebuild !== undefined)
      for (const one of rebuilds)
        rebuilt.push(...(await rebuild(context, session, { ...one, tableRebuild })));
    await beforeCommit();
  });
  return true;
}

type TableStatement = Pick<MigrationStatement, 'table' | 'text' | 'creates' | 'undo'>;

async function runInOrder(
  { database }: JobContext<StructureCapability>,
  session: Session,
  statements: readonly TableStatement[],
): Promise<void> {
  try {
    await runStatements(
      session,
      statements.map(({ text }) => text),
    );
  } catch (error) {
    if (!(error instanceof StatementsFailure)) throw error;
    throw errorOfStatement(database.dialect, statements[error.index]!, error.cause);
  }
}

/** The error of a rejected statement names the table. */
function errorOfStatement(
  dialect: Dialect<'ddl'>,
  { table, text, creates, undo }: TableStatement,
  error: unknown,
): unknown {
  const studioError =
    dialect.translateError(error) ?? (error instanceof StudioError ? error : undefined);
  if (studioError !== undefined && isSpecificError(studioError)) return studioError;
  if (creates === true && dialect.ddl.ddlUndo?.isExistsError(error) === true)
    return tableExistsError([{ name: table }]);
  // The plan adds only what did not exist. Names are locked only on one server of a cluster.
  if (undo !== undefined && dialect.ddl.ddlUndo?.isAddedError(driverErrorOf(error)) === true)
    return beingCreatedError(table);
  const message = dialect.messageOf(error) ?? studioError?.message;
  if (message === undefined) return error;
  return rejectedStatementError(`table "${table}" as its model is`, { text, table, message });
}

interface RebuildStep extends Rebuild {
  readonly tableRebuild: GormTableRebuild;
}

/** Rebuilds a table from its stored definition, since the migration may have added columns. */
async function rebuild(
  context: JobContext<StructureCapability>,
  session: Session,
  { table, constraints, tableRebuild }: RebuildStep,
): Promise<readonly string[]> {
  const { rows } = await session.run({
    text: tableRebuild.storedStatementsQuery(table.name),
    params: [],
  });
  const texts = rows.map(([text]) => String(text));
  const statements = tableRebuild.statements(table, texts, constraints);
  await runInOrder(
    context,
    session,
    statements.map((text) => ({ table: table.name, text })),
  );
  await rejectDanglingRows(session, tableRebuild, table.name);
  return statements;
}

async function rejectDanglingRows(
  session: Session,
  tableRebuild: GormTableRebuild,
  table: string,
): Promise<void> {
  const { rows } = await session.run({ text: tableRebuild.danglingRowsQuery(table), params: [] });
  if (rows.length === 0) return;
  const message = `Rows of table "${table}" would break a foreign key of its model.`;
  throw new StudioError('foreign_key_violation', message, { table });
}

// Where every statement commits

/**
 * Every object is recorded in a journal before it is created, so that a failure can be undone. Deleting the journal
 * commits the import.
 */
async function runByJournal(
  context: JobContext<StructureCapability>,
  { tables, statements }: Migration,
  { beforeCommit, ddlUndo }: MigrationOptions & { readonly ddlUndo: DdlUndo },
): Promise<true> {
  const { database, onPhase } = context;
  const createdObjects: string[] = [];
  const additions: Addition[] = [];
  const changedOrNeeded = [...new Set([...tables, ...statements.map(({ table }) => table)])];
  const migrate = (journal: Journal): Promise<void> =>
    database.transaction('ddl', async (session) => {
      await journal.lock(session, changedOrNeeded);
      if (statements.some(({ creates }) => creates)) await rejectWithoutDrop({ database, session });
      if (statements.length > 0) await journal.createMarker(session);
      const time = await timeOf(session, statements, ddlUndo);
      for (const statement of statements) {
        const addition = additionOf(statement, time);
        const planned = plannedEntries(statement, addition);
        if (planned.length > 0) await journal.record(...planned);
        await atTime(session, { addition, ddlUndo }, () =>
          runInOrder(context, session, [statement]),
        );
        if (statement.creates) createdObjects.push(statement.table);
        if (addition !== undefined) additions.push(addition);
        for (const entry of planned)
          if (typeof entry === 'object' && 'creating' in entry)
            await confirmCreated(journal, entry, { database, session });
      }
      await rejectTakenOver(journal);
      await beforeCommit();
      onPhase?.('committing');
    });
  await withJournal(context, migrate, (journal) =>
    database.runOutsideTransaction(async (session) => {
      const { keys, names } = await findForeign({ database, session }, journal);
      const used = await undoMigration(
        { database, session },
        additions.filter(({ undo }) => !keys.has(undo)),
        createdObjects.filter((name) => !keys.has(name)),
      );
      return { ...used, replaced: names };
    }),
  );
  onPhase?.('committed');
  return true;
}

/** What is recorded before a statement. */
function plannedEntries(
  { table, text, creates, columns = [] }: MigrationStatement,
  addition: Addition | undefined,
): readonly JournalEntry[] {
  if (addition !== undefined) return plannedAddition(addition, text);
  if (creates !== true) return [];
  return plannedRelation({
    name: table,
    kind: 'table',
    columns: columns.map((name) => ({ name })),
  });
}

/** What a statement adds to a table that existed before. */
function additionOf(
  { table, undo, column, object }: MigrationStatement,
  time: string | undefined,
): Addition | undefined {
  if (undo === undefined) return undefined;
  if (column !== undefined) return { table, undo, column, ...(time === undefined ? {} : { time }) };
  return { table, undo, ...(object === undefined ? {} : { object }) };
}

/** The time at which the clock of a session is stopped while it adds columns. Undefined if the server does not allow that. */
async function timeOf(
  session: Session,
  statements: readonly MigrationStatement[],
  ddlUndo: DdlUndo,
): Promise<string | undefined> {
  if (statements.every(({ column }) => column === undefined)) return undefined;
  try {
    const time = await valueOf(session, ddlUndo.time);
    for (const text of [ddlUndo.setTime(time), ddlUndo.resetTime])
      await session.run({ text, params: [] });
    return time;
  } catch {
    return undefined;
  }
}

/** Runs an addition under the time that the undo of a failed import knows, for defaults such as CURRENT_TIMESTAMP. */
async function atTime(
  session: Session,
  { addition, ddlUndo }: { readonly addition: Addition | undefined; readonly ddlUndo: DdlUndo },
  work: () => Promise<void>,
): Promise<void> {
  const { time } = addition ?? {};
  if (time === undefined) return work();
  try {
    await session.run({ text: ddlUndo.setTime(time), params: [] });
    await work();
  } finally {
    await session.run({ text: ddlUndo.resetTime, params: [] });
  }
}

async function undoMigration(
  undoSession: UndoSession,
  additions: readonly Addition[],
  createdObjects: readonly string[],
): Promise<UsedObjects> {
  const added = await undoAdditions(undoSession, additions);
  const { used } = await removeCreated(undoSession, createdObjects);
  const isColumn = (name: string): boolean => !additions.some(({ object }) => object === name);
  return {
    tables: used,
    columns: added.used.filter(isColumn),
    objects: added.used.filter((name) => !isColumn(name)),
  };
}

/** Dry run in a temporary database. Not possible if the studio may not create one or if tables exist already. */
async function tryInScratchDatabase(
  context: JobContext<StructureCapability>,
  { statements, altered }: Migration,
  ddlUndo: DdlUndo,
): Promise<boolean> {
  const { schema } = await context.schemas.current();
  if (altered.length > 0 || schema.tables.length > 0) return false;
  return inScratchDatabase(context, { ddlUndo, copied: [] }, async (session) => {
    await runInOrder(context, session, statements);
  });
}
