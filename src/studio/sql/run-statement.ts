/** Runs a statement of the client's own, and answers with what came of it. */
import { StudioError } from '../../model/errors.ts';
import { rawStatement } from '../core/connection-use.ts';
import { explainError } from '../core/explain-error.ts';
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
  /** What the verb says. */
  readonly rule: StatementRules['verbs'][string] | undefined;
}

export async function answerRead(context: Context, { request }: Statement): Promise<Reply> {
  const start = performance.now();
  const result = await context.database.transaction(
    'read',
    (session) => readResult(session, request),
    rawStatement,
  );
  return readReply(result, start);
}

function readReply(result: SqlResult, start: number): Reply {
  return jsonReply(`{"type":"read",${rowsJson(result)},"duration_ms":${durationSince(start)}}`);
}

function durationSince(start: number): string {
  return (performance.now() - start).toFixed(1);
}

/** Thrown to roll a transaction back whose result is to be kept. */
class RolledBack extends Error {
  readonly result: SqlResult;

  constructor(result: SqlResult) {
    super('The transaction was rolled back.');
    this.result = result;
  }
}

/** MySQL plans a write only where it may write; whatever planning it evaluates is rolled back. */
export async function answerPlan(context: Context, { request }: Statement): Promise<Reply> {
  const start = performance.now();
  try {
    return await context.database.transaction(
      'sql',
      async (session) => {
        throw new RolledBack(await readResult(session, request));
      },
      rawStatement,
    );
  } catch (error) {
    if (error instanceof RolledBack) return readReply(error.result, start);
    throw error;
  }
}

export async function runWrite(context: Context, statement: Statement): Promise<Reply> {
  const start = performance.now();
  const { result, rowsAffected } = await write(context, statement);
  const { kind, verb } = statement;
  if (kind !== 'write') await context.schemas.refresh();
  const members = [
    `"type":"write","rows_affected":${rowsAffected}`,
    `"message":${JSON.stringify(`${verb}: ${outcomeOf(statement, result, rowsAffected)}`)}`,
    ...(result.columns.length === 0 ? [] : [rowsJson(result)]),
    `"duration_ms":${durationSince(start)}`,
  ];
  return jsonReply(`{${members.join(',')}}`);
}

function outcomeOf(
  { kind, isTemporary }: Statement,
  { columns, returned }: SqlResult,
  affected: number,
): string {
  if (kind !== 'write' && kind !== 'read') return isTemporary ? doneTemporarily : 'done';
  if (affected > 0 || columns.length === 0) return counted(affected);
  return `${counted(returned)} returned`;
}

const doneTemporarily =
  'done, without an effect on later statements: it ends with the connection, and each statement runs on a connection of its own';

function counted(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`;
}

interface Written {
  readonly result: SqlResult;
  readonly rowsAffected: number;
}

function write({ database }: Context, statement: Statement): Promise<Written> {
  const { kind } = statement;
  if (kind === 'administration') return writeOutside(database, statement);
  const work = (session: Session): Promise<Written> => writeInside(database, session, statement);
  if (kind !== 'ddl') return writeTransaction(database, work, { mode: 'sql', ...rawStatement });
  return database.transaction('sql', work, rawStatement).catch((error: unknown) => {
    if (!database.dialect.refusesTransaction(error)) throw error;
    return writeOutside(database, statement).catch((failure: unknown) => {
      throw withLeftovers(explainError(database.dialect, failure));
    });
  });
}

async function writeOutside(database: Database, { request }: Statement): Promise<Written> {
  const result = await database.administer(
    (session) => writeResult(session, request),
    rawStatement,
  );
  return { result, rowsAffected: result.rowsAffected ?? 0 };
}

/** A CREATE INDEX CONCURRENTLY that fails leaves an index that is invalid. */
function withLeftovers(error: unknown): unknown {
  if (!(error instanceof StudioError)) return error;
  const message = error.message.replace(/\.?$/, '.');
  const leftovers = 'The statement ran outside a transaction, so a part of it may be left behind.';
  return new StudioError(error.code, `${message} ${leftovers}`, error.details);
}

async function writeInside(
  { dialect }: Database,
  session: Session,
  { kind, rule, request }: Statement,
): Promise<Written> {
  const total = kind === 'ddl' || rule === 'write' ? undefined : dialect.rowsWritten;
  const before = await countWritten(session, total);
  const result = await writeResult(session, request);
  const written = result.rowsAffected ?? (rule === 'write' ? result.returned : undefined);
  const rowsAffected = written ?? (await countWritten(session, total)) - before;
  return { result, rowsAffected };
}

async function countWritten(session: Session, query: string | undefined): Promise<number> {
  if (query === undefined) return 0;
  const { rows } = await session.run({ text: query, params: [] });
  return Number(rows[0]?.[0] ?? 0);
}
