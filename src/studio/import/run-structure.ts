/** Runs the statements of an import of structure: all of them, or none. */
import { StudioError } from '../../model/errors.ts';
import { withJournal } from './journal.ts';
import { refuseReach } from './refuse-reach.ts';
import { inScratchDatabase } from './scratch-database.ts';
import {
  inStructureTransaction,
  refusedStatement,
  speaksForItself,
} from './structure-transaction.ts';
import { removeAll } from './undo-journals.ts';
import type { Session } from '../../model/database.ts';
import type { DdlUndoing } from '../../model/ddl-dialect.ts';
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
  await refuseReach(structure.statements, context.database);
  const { undoing } = dialect.ddl;
  if (undoing === undefined) return runInTransaction(context, structure);
  if (structure.dryRun) return tryElsewhere(context, structure, undoing);
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

interface Running {
  readonly context: JobContext;
  readonly session: Session;
  readonly relations: readonly Table[];
}

/** What the database says against a statement is told with the table that it is for. */
async function run(text: string, { context, session, relations }: Running): Promise<void> {
  const { dialect } = context.database;
  try {
    await session.run({ text, params: [] });
  } catch (error) {
    const told = error instanceof StudioError ? error : undefined;
    if (told !== undefined && speaksForItself(told)) throw told;
    const message = dialect.messageOf(told?.cause ?? error) ?? told?.message;
    if (message === undefined) throw error;
    const table = (
      madeBy(text, relations, context) ??
      relations.find((relation) => text.includes(dialect.ddl.tableName(relation)))
    )?.name;
    throw refusedStatement('a statement of the schema', { text, table, message });
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
      await journal.hold(session);
      for (const text of statements) {
        const relation = madeBy(text, relations, context);
        if (relation !== undefined) await journal.note(relation.name);
        await run(text, { context, session, relations });
        if (relation !== undefined) made.push(relation.name);
      }
    });
  await withJournal(context, make, () => removeAll(database, made));
}

/** The table or view that a statement makes. */
function madeBy(
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
async function tryElsewhere(
  context: JobContext,
  structure: Structure,
  undoing: DdlUndoing,
): Promise<boolean> {
  const { relations, statements } = structure;
  const made = new Set(relations.map(({ name }) => name));
  const pointsOut = relations.some(({ foreignKeys }) =>
    foreignKeys.some(({ table }) => !made.has(table)),
  );
  if (pointsOut) return false;
  return inScratchDatabase(context, undoing, async (session) => {
    for (const text of statements) await run(text, { context, session, relations });
  });
}
