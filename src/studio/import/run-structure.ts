/** Runs the statements of an import of structure: all of them, or none. */
import { StudioError } from '../../model/errors.ts';
import { withJournal } from './journal.ts';
import { rejectExternalAccess } from './reject-external-access.ts';
import { inScratchDatabase } from './scratch-database.ts';
import {
  inStructureTransaction,
  rejectedStatementError,
  isSpecificError,
} from './structure-transaction.ts';
import { removeAll } from './undo-journals.ts';
import type { Session } from '../../model/database.ts';
import type { DdlUndo } from '../../model/ddl-dialect.ts';
import type { Table } from '../../model/schema.ts';
import type { JobContext } from '../core/job.ts';
import type { Journal } from './journal.ts';

export interface Structure {
  readonly statements: readonly string[];
  /** What the statements make. */
  readonly relations: readonly Table[];
  /** Nothing is kept. */
  readonly dryRun: boolean;
}

/** Whether the database has been through the statements. */
export async function runStructure(context: JobContext, structure: Structure): Promise<boolean> {
  const { dialect } = context.database;
  await rejectExternalAccess(structure.statements, context.database);
  const { ddlUndo: undoing } = dialect.ddl;
  if (undoing === undefined) return runInTransaction(context, structure);
  if (structure.dryRun) return tryInScratchDatabase(context, structure, undoing);
  await runByJournal(context, structure);
  return true;
}

async function runInTransaction(
  context: JobContext,
  { statements, dryRun, relations }: Structure,
): Promise<true> {
  await inStructureTransaction(context.database, { dryRun }, async (session) => {
    for (const text of statements) await run(text, { context, session, relations });
  });
  return true;
}

interface StatementContext {
  readonly context: JobContext;
  readonly session: Session;
  readonly relations: readonly Table[];
}

/** What the database says against a statement is told with the table that it is for. */
async function run(text: string, { context, session, relations }: StatementContext): Promise<void> {
  const { dialect } = context.database;
  try {
    await session.run({ text, params: [] });
  } catch (error) {
    const studioError = error instanceof StudioError ? error : undefined;
    if (studioError !== undefined && isSpecificError(studioError)) throw studioError;
    const message = dialect.messageOf(studioError?.cause ?? error) ?? studioError?.message;
    if (message === undefined) throw error;
    const table = (
      relationCreatedBy(text, relations, context) ??
      relations.find((relation) => text.includes(dialect.ddl.tableName(relation)))
    )?.name;
    throw rejectedStatementError('a statement of the schema', { text, table, message });
  }
}

// Where every statement commits

/** What has been made is written down first, and taken away again when a later statement fails. */
async function runByJournal(
  context: JobContext,
  { statements, relations }: Structure,
): Promise<void> {
  const { database } = context;
  const made: string[] = [];
  const make = (journal: Journal): Promise<void> =>
    database.transaction('write', async (session) => {
      await journal.lock(session);
      for (const text of statements) {
        const relation = relationCreatedBy(text, relations, context);
        if (relation !== undefined) await journal.note(relation.name);
        await run(text, { context, session, relations });
        if (relation !== undefined) made.push(relation.name);
      }
    });
  await withJournal(context, make, () => removeAll(database, made));
}

/** The table or view that a statement makes. */
function relationCreatedBy(
  text: string,
  relations: readonly Table[],
  { database }: JobContext,
): Table | undefined {
  const head = /^CREATE\s+(?:\w+\s+)*?(?:TABLE|VIEW)\s+/.exec(text)?.[0];
  if (head === undefined) return undefined;
  const rest = text.slice(head.length);
  return relations.find((relation) => {
    const name = database.dialect.ddl.tableName(relation);
    return rest.startsWith(`${name} `) || rest.startsWith(`${name}\n`);
  });
}

/** In a database of its own, where one may be made and nothing points at tables that are not there. */
async function tryInScratchDatabase(
  context: JobContext,
  structure: Structure,
  undoing: DdlUndo,
): Promise<boolean> {
  const { relations, statements } = structure;
  const made = new Set(relations.map(({ name }) => name));
  const referencesOthers = relations.some(({ foreignKeys }) =>
    foreignKeys.some(({ table }) => !made.has(table)),
  );
  if (referencesOthers) return false;
  return inScratchDatabase(context, undoing, async (session) => {
    for (const text of statements) await run(text, { context, session, relations });
  });
}
