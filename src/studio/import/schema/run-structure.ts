/** Runs the statements of a schema import: all of them, or none. */
import { StatementsFailure } from '../../../model/statements-failure.ts';
import { StudioError } from '../../../model/errors.ts';
import { withJournal } from './journal.ts';
import { rejectExternalAccess } from './reject-external-access.ts';
import { inScratchDatabase } from './scratch-database.ts';
import {
  inStructureTransaction,
  rejectedStatementError,
  isSpecificError,
  runStatements,
} from './structure-transaction.ts';
import { removeAll } from './undo-journals.ts';
import type { Session } from '../../../model/database.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext } from '../../core/job.ts';
import type { Journal } from './journal.ts';

export interface Structure {
  readonly statements: readonly string[];
  /** The tables and views that the statements create. */
  readonly relations: readonly Table[];
  /** Everything is rolled back. */
  readonly dryRun: boolean;
  /** Called by a dry run after all statements, before they are rolled back. */
  readonly inspect: (session: Session) => Promise<void>;
}

/** Runs the statements. False if a dry run could not run them on the database. */
export async function runStructure(
  context: JobContext<StructureCapability>,
  structure: Structure,
): Promise<boolean> {
  const { dialect } = context.database;
  await rejectExternalAccess(structure.statements, context.database);
  const { ddlUndo } = dialect.ddl;
  if (ddlUndo === undefined) return runInTransaction(context, structure);
  if (structure.dryRun) return tryInScratchDatabase(context, structure, ddlUndo);
  await runByJournal(context, structure);
  return true;
}

async function runInTransaction(
  context: JobContext<StructureCapability>,
  { statements, dryRun, relations, inspect }: Structure,
): Promise<true> {
  await inStructureTransaction(context.database, { dryRun }, async (session) => {
    await runInOrder(statements, { context, session, relations });
    if (dryRun) await inspect(session);
  });
  return true;
}

interface StatementContext {
  readonly context: JobContext<StructureCapability>;
  readonly session: Session;
  readonly relations: readonly Table[];
  /** The temporary database of a dry run, and the one that its messages must name. */
  readonly scratch?: { readonly name: string; readonly database: string };
}

/** Runs statements one after the other, up to the first that fails. */
export async function runInOrder(
  texts: readonly string[],
  within: StatementContext,
): Promise<void> {
  try {
    await runStatements(within.session, texts);
  } catch (error) {
    if (!(error instanceof StatementsFailure)) throw error;
    throw errorOfStatement(texts[error.index]!, error.cause, within);
  }
}

/** The error of a rejected statement names the table. */
function errorOfStatement(text: string, error: unknown, within: StatementContext): unknown {
  const { context, relations, scratch } = within;
  const { dialect } = context.database;
  const studioError = error instanceof StudioError ? error : undefined;
  if (studioError !== undefined && isSpecificError(studioError)) return studioError;
  const reason = dialect.messageOf(studioError?.cause ?? error) ?? studioError?.message;
  if (reason === undefined) return error;
  const message =
    scratch === undefined ? reason : reason.replaceAll(scratch.name, scratch.database);
  const table = (
    relationCreatedBy(text, relations, context) ??
    relations.find((relation) => text.includes(dialect.ddl.tableName(relation)))
  )?.name;
  return rejectedStatementError('a statement of the schema', { text, table, message });
}

// Where every statement commits

/** Every object is recorded in a journal before it is created, and removed if a later statement fails. */
async function runByJournal(
  context: JobContext<StructureCapability>,
  { statements, relations }: Structure,
): Promise<void> {
  await withCreated(context, { statements, relations }, () => Promise.resolve());
}

/** Creates the objects under a journal, does the work, and removes the objects if the work fails. */
export async function withCreated<T>(
  context: JobContext<StructureCapability>,
  { statements, relations }: Pick<Structure, 'statements' | 'relations'>,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const { database } = context;
  const createdNames: string[] = [];
  const createAndWork = async (journal: Journal): Promise<T> => {
    await database.transaction('write', async (session) => {
      await journal.lock(session);
      for (const text of statements) {
        const relation = relationCreatedBy(text, relations, context);
        if (relation !== undefined) await journal.record(relation.name);
        await runInOrder([text], { context, session, relations });
        if (relation !== undefined) createdNames.push(relation.name);
      }
    });
    return work(journal);
  };
  return withJournal(context, createAndWork, () => removeAll(database, createdNames));
}

/** The table or view that a statement creates. */
function relationCreatedBy(
  text: string,
  relations: readonly Table[],
  { database }: JobContext<StructureCapability>,
): Table | undefined {
  const head = /^CREATE\s+(?:\w+\s+)*?(?:TABLE|VIEW)\s+/.exec(text)?.[0];
  if (head === undefined) return undefined;
  const rest = text.slice(head.length);
  return relations.find((relation) => {
    const name = database.dialect.ddl.tableName(relation);
    return rest.startsWith(`${name} `) || rest.startsWith(`${name}\n`);
  });
}

/** Dry run in a temporary database, with empty copies of the existing tables and views that the statements name. */
async function tryInScratchDatabase(
  context: JobContext<StructureCapability>,
  { relations, statements, inspect }: Structure,
  ddlUndo: DdlUndo,
): Promise<boolean> {
  const { schema } = await context.schemas.current();
  const text = statements.join('\n').toLowerCase();
  const createdNames = new Set(relations.map(({ name }) => name.toLowerCase()));
  const copied = [...schema.tables, ...schema.views].filter(({ localName }) => {
    const name = localName.toLowerCase();
    return !createdNames.has(name) && text.includes(name);
  });
  return inScratchDatabase(context, { ddlUndo, copied }, async (session, name) => {
    const scratch = { name, database: schema.database };
    await runInOrder(statements, { context, session, relations, scratch });
    await inspect(session);
  });
}
