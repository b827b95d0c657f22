/** Runs a statement of the client and returns its result. */
import { StudioError } from '../../model/errors.ts';
import { rawStatementUse } from '../core/connection-use.ts';
import { withDatabaseMessage } from '../core/explain-error.ts';
import { jsonReply } from '../core/reply.ts';
import { readResult, rowsJson, writeResult } from './sql-result.ts';
import { writeTransaction } from '../core/write-transaction.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Classification, StatementRules } from '../../sql/classify.ts';
import type { Context } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { SqlRequest } from './sql-body.ts';
import type { SqlResult } from './sql-result.ts';

export interface Statement extends Pick<Classification, 'kind' | 'verb' | 'isTemporary'> {
  readonly request: SqlRequest;
  /** What the dialect's rules say of the verb. */
  readonly rule: StatementRules['verbs'][string] | undefined;
}

export async function performRead(context: Context<'sql'>, { request }: Statement): Promise<Reply> {
  const start = performance.now();
  const result = await context.database.transaction(
    'read',
    (session) => readResult(session, request),
    rawStatementUse,
  );
  return readReply(result, start);
}

function readReply(result: SqlResult, start: number): Reply {
  return jsonReply(`{"type":"read",${rowsJson(result)},"duration_ms":${durationSince(start)}}`);
}

function durationSince(start: number): string {
  return (performance.now() - start).toFixed(1);
}

/** Thrown to roll a transaction back. */
class RolledBack extends Error {}

/** Returns the result of the work in a transaction that is rolled back. */
async function rollBack<T>(
  { database }: Context<'sql'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let completed: { readonly result: T } | undefined;
  try {
    return await database.transaction(
      'sql',
      async (session) => {
        completed = { result: await work(session) };
        throw new RolledBack('The transaction is rolled back.');
      },
      rawStatementUse,
    );
  } catch (error) {
    if (error instanceof RolledBack && completed !== undefined) return completed.result;
    throw error;
  }
}

/** MySQL explains a write only in a read-write transaction. It is rolled back, because planning may evaluate expressions. */
export async function performExplain(
  context: Context<'sql'>,
  { request }: Statement,
): Promise<Reply> {
  const start = performance.now();
  const result = await rollBack(context, (session) => readResult(session, request));
  return readReply(result, start);
}

export async function performWrite(context: Context<'sql'>, statement: Statement): Promise<Reply> {
  const start = performance.now();
  const { kind, verb, request } = statement;
  const { result, rowsAffected } = await (request.dryRun
    ? writeAndRollBack(context, statement)
    : write(context, statement));
  if (kind !== 'write') await context.schemas.refresh();
  const members = [
    `"type":"write","rows_affected":${rowsAffected}`,
    `"message":${JSON.stringify(`${verb}: ${outcomeOf(statement, result, rowsAffected)}${countersNote(context, statement)}`)}`,
    ...(request.dryRun ? ['"dry_run":true'] : []),
    ...(result.columns.length === 0 ? [] : [rowsJson(result)]),
    `"duration_ms":${durationSince(start)}`,
  ];
  return jsonReply(`{${members.join(',')}}`);
}

const insertVerbs: ReadonlySet<string> = new Set(['INSERT', 'REPLACE', 'MERGE']);

function countersNote(
  { database: { dialect } }: Context<'sql'>,
  { request, verb }: Statement,
): string {
  if (!request.dryRun || !insertVerbs.has(verb)) return '';
  return dialect.load?.counters.afterRollback === undefined
    ? ''
    : '; keys that it generated are not generated again, because a rollback does not restore their counters';
}

function outcomeOf(
  { kind, isTemporary }: Statement,
  { columns, returned }: SqlResult,
  affected: number,
): string {
  if (kind !== 'write' && kind !== 'read') return isTemporary ? temporaryOutcome : 'done';
  if (affected > 0 || columns.length === 0) return rowCountText(affected);
  return `${rowCountText(returned)} returned`;
}

const temporaryOutcome =
  'done, without an effect on later statements: it ends with the connection, and each statement runs on a connection of its own';

function rowCountText(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`;
}

interface WriteResult {
  readonly result: SqlResult;
  readonly rowsAffected: number;
}

function write({ database }: Context<'sql'>, statement: Statement): Promise<WriteResult> {
  const { kind } = statement;
  if (kind === 'administration') return writeOutsideTransaction(database, statement);
  const work = (session: Session): Promise<WriteResult> =>
    writeInTransaction(database, session, statement);
  const transact = (run: typeof work): Promise<WriteResult> =>
    database.transaction('sql', run, rawStatementUse);
  if (kind !== 'ddl') return writeTransaction(transact, work);
  return transact(work).catch((error: unknown) => {
    if (!database.dialect.sql.isTransactionForbidden(error)) throw error;
    return writeOutsideTransaction(database, statement).catch((failure: unknown) => {
      throw withLeftovers(withDatabaseMessage(database.dialect, failure));
    });
  });
}

/** Whether deferred constraints hold is part of what a dry run shows. */
function writeAndRollBack(context: Context<'sql'>, statement: Statement): Promise<WriteResult> {
  const { database } = context;
  const { deferredCheckQuery } = database.dialect.sql;
  return rollBack(context, async (session) => {
    const result = await writeInTransaction(database, session, statement);
    if (deferredCheckQuery !== undefined)
      await session.run({ text: deferredCheckQuery, params: [] });
    return result;
  });
}

async function writeOutsideTransaction(
  database: Database<'sql'>,
  { request }: Statement,
): Promise<WriteResult> {
  const result = await database.runOutsideTransaction(
    (session) => writeResult(session, request),
    rawStatementUse,
  );
  return { result, rowsAffected: result.rowsAffected ?? 0 };
}

/** For example, a failed CREATE INDEX CONCURRENTLY leaves an invalid index. */
function withLeftovers(error: unknown): unknown {
  if (!(error instanceof StudioError)) return error;
  const message = error.message.replace(/\.?$/, '.');
  const leftovers =
    'The statement ran outside a transaction, so part of its work may be left behind.';
  return new StudioError(error.code, `${message} ${leftovers}`, error.details);
}

async function writeInTransaction(
  { dialect }: Database<'sql'>,
  session: Session,
  { kind, rule, request }: Statement,
): Promise<WriteResult> {
  const countQuery = kind === 'ddl' || rule === 'write' ? undefined : dialect.sql.writtenRowsQuery;
  const before = await countWritten(session, countQuery);
  const result = await writeResult(session, request);
  const reportedRows = result.rowsAffected ?? (rule === 'write' ? result.returned : undefined);
  const rowsAffected = reportedRows ?? (await countWritten(session, countQuery)) - before;
  return { result, rowsAffected };
}

async function countWritten(session: Session, query: string | undefined): Promise<number> {
  if (query === undefined) return 0;
  const { rows } = await session.run({ text: query, params: [] });
  return Number(rows[0]?.[0] ?? 0);
}
