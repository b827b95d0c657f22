/** Runs the statements of a schema import: all of them, or none. */
import { StatementsFailure } from '../../../model/statements-failure.ts';
import { StudioError } from '../../../model/errors.ts';
import { withJournal } from './journal.ts';
import { externalAccessError, findExternalAccess } from './reject-external-access.ts';
import { rejectWithoutDrop } from './reject-without-drop.ts';
import { RejectedObject } from './rejected-object.ts';
import { inScratchDatabase } from './scratch-database.ts';
import {
  driverErrorOf,
  inStructureTransaction,
  rejectedStatementError,
  isSpecificError,
  runStatements,
  tableExistsError,
} from './structure-transaction.ts';
import { describeProgram, skipHint } from './select-programs.ts';
import { removeAllCreated } from './remove-created.ts';
import { confirmCreated, findForeign, plannedProgram, plannedRelation } from './unconfirmed.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Database, Session } from '../../../model/database.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext } from '../../core/job.ts';
import type { Journal } from './journal.ts';
import type { UndoSession } from './remove-created.ts';
import type { OptionalObject, OptionalObjects } from './rejected-object.ts';

export interface Structure {
  readonly statements: readonly string[];
  /** The tables and views that the statements create. */
  readonly relations: readonly Table[];
  /** The triggers and routines that some of the statements create. */
  readonly programs?: readonly ScriptProgram[];
  /** For views and programs that the database may reject. Otherwise each of them is an error. */
  readonly optional?: OptionalObjects | undefined;
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
  const statements = await withoutExternalAccess(structure, context);
  const allowed = { ...structure, statements };
  const { ddlUndo } = dialect.ddl;
  if (ddlUndo === undefined) return runInTransaction(context, allowed);
  if (structure.dryRun) return tryInScratchDatabase(context, allowed, ddlUndo);
  await runByJournal(context, allowed);
  return true;
}

/** Leaves out and reports views and extensions that access something outside of the database, if they are optional. */
async function withoutExternalAccess(
  { statements, relations, programs, optional }: Structure,
  context: JobContext<StructureCapability>,
): Promise<readonly string[]> {
  const programTexts = new Set(programs?.map(({ text }) => text));
  const others = statements.filter((text) => !programTexts.has(text));
  const leftOut = new Set<string>();
  for (const found of await findExternalAccess(others, context.database)) {
    const object = objectCreatedBy(found.statement, { relations, context });
    if (optional === undefined || object === undefined) throw externalAccessError(found);
    optional.onRejected({ object, reason: found.reason });
    leftOut.add(found.statement);
  }
  return statements.filter((text) => !leftOut.has(text));
}

async function runInTransaction(
  context: JobContext<StructureCapability>,
  { statements, dryRun, relations, programs, optional, inspect }: Structure,
): Promise<true> {
  await inStructureTransaction(context.database, { dryRun }, async (session) => {
    await runInOrder(statements, { context, session, relations, programs, optional });
    if (dryRun) await inspect(session);
  });
  return true;
}

export interface StatementContext {
  readonly context: JobContext<StructureCapability>;
  readonly session: Session;
  readonly relations: readonly Table[];
  /** Those of the statements that are triggers or routines, which run under settings of their own. */
  readonly programs?: readonly ScriptProgram[] | undefined;
  readonly optional?: OptionalObjects | undefined;
  /** The temporary database of a dry run, and the one that its messages must name. */
  readonly scratch?: { readonly name: string; readonly database: string };
}

/** Runs statements one after the other, up to the first that fails and is not optional. */
export async function runInOrder(
  statements: readonly string[],
  within: StatementContext,
): Promise<void> {
  const { optional } = within;
  if (optional === undefined) return runRequired(statements, within);
  let required: string[] = [];
  for (const text of statements) {
    if (objectCreatedBy(text, within) === undefined) required.push(text);
    else {
      await runRequired(required, within);
      await tryStatement(text, within, optional);
      required = [];
    }
  }
  await runRequired(required, within);
}

/** Undoes and reports the statement if the database rejects it. */
async function tryStatement(
  text: string,
  within: StatementContext,
  { savepoint, onRejected }: OptionalObjects,
): Promise<void> {
  const { session, programs } = within;
  const run = async (control: string | undefined): Promise<void> => {
    if (control !== undefined) await session.run({ text: control, params: [] });
  };
  await run(savepoint?.set);
  try {
    await runRequired([text], within);
  } catch (error) {
    if (!(error instanceof RejectedObject)) throw error;
    onRejected(error);
    await run(savepoint?.undo);
    const end = programs?.find((program) => program.text === text)?.session?.end ?? [];
    for (const setting of end) await run(setting);
  }
  await run(savepoint?.release);
}

async function runRequired(statements: readonly string[], within: StatementContext): Promise<void> {
  const texts = withSessions(statements, within.programs ?? []);
  try {
    await runStatements(within.session, texts);
  } catch (error) {
    if (!(error instanceof StatementsFailure)) throw error;
    throw errorOfStatement(texts[error.index]!, error.cause, within);
  }
}

/** Surrounds the statements of programs with their settings. */
function withSessions(
  statements: readonly string[],
  programs: readonly ScriptProgram[],
): readonly string[] {
  if (programs.length === 0) return statements;
  const sessions = new Map(programs.map(({ text, session }) => [text, session]));
  return statements.flatMap((text) => {
    const { begin = [], end = [] } = sessions.get(text) ?? {};
    return [...begin, text, ...end];
  });
}

/** The error of a rejected statement names the table. */
function errorOfStatement(text: string, error: unknown, within: StatementContext): unknown {
  const { context, relations, scratch } = within;
  const { dialect } = context.database;
  const studioError = error instanceof StudioError ? error : undefined;
  const object = objectCreatedBy(text, within);
  const isSpecific = studioError !== undefined && isSpecificError(studioError);
  // Without a privilege for extensions or programs, the rest can still be imported.
  const canBeLeftOut = object?.extension !== undefined || object?.program !== undefined;
  const isPrivilege = canBeLeftOut && studioError?.code === 'permission_denied';
  if (isSpecific && !isPrivilege) return studioError;
  const relation = relationCreatedBy(text, relations, context);
  if (relation !== undefined && dialect.ddl.ddlUndo?.isExistsError(driverErrorOf(error)) === true)
    return tableExistsError([relation]);
  const reason = dialect.messageOf(driverErrorOf(error)) ?? studioError?.message;
  if (reason === undefined) return error;
  const message =
    scratch === undefined ? reason : reason.replaceAll(scratch.name, scratch.database);
  if (object?.program !== undefined)
    return new RejectedObject(rejectedProgramError(object.program, message), {
      object,
      reason: message,
    });
  const table = (relation ?? relations.find((each) => text.includes(dialect.ddl.tableName(each))))
    ?.name;
  const rejection = rejectedStatementError('a statement of the schema', { text, table, message });
  return object === undefined
    ? rejection
    : new RejectedObject(rejection, { object, reason: message });
}

/** The view, program or extension that a statement creates. */
function objectCreatedBy(
  text: string,
  { programs, relations, context }: Omit<StatementContext, 'session'>,
): OptionalObject | undefined {
  const program = programs?.find((each) => each.text === text);
  if (program !== undefined) return { program };
  const extension = context.database.dialect.ddl.extensionCreatedBy?.(text);
  if (extension !== undefined) return { extension };
  const view = viewCreatedBy(text, relations, context);
  return view === undefined ? undefined : { view };
}

function rejectedProgramError(program: ScriptProgram, reason: string): StudioError {
  const { line, text } = program;
  const message = `The database rejects ${describeProgram(program)}: ${reason}`;
  return new StudioError('import_failed', `${message} ${skipHint}`, {
    errors: [{ code: 'import_failed', message: reason, line }],
    statement: text,
  });
}

// Where every statement commits

/**
 * Every object is recorded in a journal before it is created, and removed if a later statement fails. Deleting the
 * journal commits the import.
 */
async function runByJournal(
  context: JobContext<StructureCapability>,
  structure: Structure,
): Promise<void> {
  await withCreated(context, structure, async () => context.onPhase?.('committing'));
  context.onPhase?.('committed');
}

type CreatedStructure = Pick<Structure, 'statements' | 'relations' | 'programs'>;

/** Creates the objects under a journal, does the work, and removes the objects if the work fails. */
export async function withCreated<T>(
  context: JobContext<StructureCapability>,
  { statements, relations, programs = [] }: CreatedStructure,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const { database } = context;
  const createdNames: string[] = [];
  const texts = new Map(programs.map((program) => [program.text, program]));
  /** By the statements after CREATE that set comments. */
  const commented = new Map(
    relations.flatMap((each) => database.dialect.ddl.comments(each).map((text) => [text, each])),
  );
  const createAndWork = async (journal: Journal): Promise<T> => {
    await database.transaction('ddl', async (session) => {
      await journal.lock(
        session,
        [...relations, ...programs].map(({ name }) => name),
      );
      if (relations.length > 0) await rejectWithoutDrop({ database, session });
      await journal.createMarker(session);
      for (const text of statements) {
        const program = texts.get(text);
        if (program !== undefined) await recordProgram(journal, program);
        const relation = relationCreatedBy(text, relations, context);
        if (relation !== undefined) await journal.record(...plannedRelation(relation));
        await runInOrder([text], { context, session, relations, programs });
        if (program !== undefined) await programCreated(journal, program, { database, session });
        if (relation !== undefined) createdNames.push(relation.name);
        const confirmed = relation ?? commented.get(text);
        if (confirmed !== undefined)
          await confirmCreated(journal, { creating: confirmed.name }, { database, session });
      }
    });
    return work(journal);
  };
  return withJournal(context, createAndWork, async (journal) => {
    const replaced = await database.runOutsideTransaction((session) =>
      findForeign({ database, session }, journal),
    );
    const isOwn = (key: string): boolean => !replaced.keys.has(key);
    await dropPrograms(database, journal, ({ drop }) => drop === undefined || isOwn(drop));
    const tables = await removeAllCreated(database, createdNames.filter(isOwn));
    return { tables, replaced: replaced.names };
  });
}

export async function recordProgram(journal: Journal, program: ScriptProgram): Promise<void> {
  const entries = plannedProgram(program);
  if (entries.length > 0) await journal.record(...entries);
}

/** `within` is undefined once nothing undoes the import. */
export async function programCreated(
  journal: Journal,
  program: ScriptProgram,
  within?: UndoSession,
): Promise<void> {
  journal.programs.add(program);
  const { drop } = program;
  if (drop === undefined) return;
  if (within === undefined) await journal.confirm(drop);
  else await confirmCreated(journal, { creating: drop, program }, within);
}

/** Drops those that the import has created. Not on a connection of its own: closing it would release the lock. */
export async function dropPrograms(
  database: Database<'ddl'>,
  { programs, lock }: Pick<Journal, 'programs' | 'lock'>,
  isDropped: (program: ScriptProgram) => boolean = () => true,
): Promise<void> {
  const dropped = [...programs].filter(isDropped);
  if (dropped.length === 0) return;
  await database.transaction('ddl', async (session) => {
    await lock(session);
    for (const program of dropped) {
      if (program.drop !== undefined) await session.run({ text: program.drop, params: [] });
      programs.delete(program);
    }
  });
}

function viewCreatedBy(
  text: string,
  relations: readonly Table[],
  context: JobContext<StructureCapability>,
): Table | undefined {
  return /^CREATE\s+(?:\w+\s+)*?VIEW\s/.test(text)
    ? relationCreatedBy(text, relations, context)
    : undefined;
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
  { relations, statements, programs, optional, inspect }: Structure,
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
    await runInOrder(statements, { context, session, relations, programs, optional, scratch });
    await inspect(session);
  });
}
