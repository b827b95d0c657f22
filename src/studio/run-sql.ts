import { loadLanguage } from '../databases/index.ts';
import { StudioError } from '../model/errors.ts';
import { didYouMean } from '../model/nearest.ts';
import { classify } from '../sql/classify.ts';
import { Deferred } from './context.ts';
import { readBody } from './read-assignments.ts';
import { jsonReply } from './reply.ts';
import { readSqlBody } from './sql-body.ts';
import { readResult } from './sql-result.ts';
import { writeTransaction } from './write-transaction.ts';
import type { Result, Session } from '../model/database.ts';
import type { Classification, Language, StatementKind } from '../sql/classify.ts';
import type { Access, Context, Turn } from './context.ts';
import type { Reply } from './reply.ts';
import type { SqlRequest } from './sql-body.ts';

export interface RunSqlInput {
  /** The body's text: `{"query", "params", "max_rows"}`. */
  readonly body: string;
}

/**
 * One statement of the client's own. The classifier only explains: a read runs where the database
 * itself holds everything read-only.
 */
export async function runSql(context: Context, input: RunSqlInput, turn: Turn): Promise<Reply> {
  const { access } = context;
  if (access.disableSql)
    throw new StudioError('sql_disabled', 'Raw SQL is switched off in this studio.');
  const request = readSqlBody(readBody(input.body));
  const language = await loadLanguage(context.database.dialect);
  const found = classify(request.query, language);
  mustBeOne(found);
  mustBeKnown(found, language);
  if (found.kind === 'read') return answerRead(context, request);
  mustBeAllowed(found, access);
  if (turn.readsOnly) throw new Deferred();
  return answerWrite(context, request, found);
}

function mustBeOne({ statements }: Classification): void {
  if (statements === 1) return;
  const what = statements === 0 ? 'no statement' : `${statements} statements`;
  throw new StudioError('invalid_parameter', `query holds ${what}; it takes one.`, {
    parameter: 'query',
  });
}

/** A slip of the pen is no attempt at anything. */
function mustBeKnown({ kind, verb }: Classification, { statements }: Language): void {
  const verbs = Object.keys(statements.verbs);
  const first = verb.split(' ')[0] ?? '';
  if (kind !== 'unknown' || verbs.some((known) => known.split(' ')[0] === first)) return;
  const hint = didYouMean(
    first,
    verbs.filter((known) => !known.includes(' ')),
  );
  throw new StudioError(
    'invalid_parameter',
    `query begins with "${first}", which begins no statement.${hint}`,
    {
      parameter: 'query',
    },
  );
}

/** What each kind needs beyond a studio that takes writes. */
const refusals: Partial<Record<StatementKind, string>> = {
  external: 'Statements that reach files, programs or the network are never run.',
  transaction:
    'Each statement is a transaction of its own; BEGIN, COMMIT and the like are not run.',
  session: 'Connections are shared, so statements that change their settings are not run.',
  execute: 'Statements whose text does not show what they do are not run.',
  unknown: 'What this statement does cannot be told, so it is not run.',
};

function mustBeAllowed({ kind, reasons }: Classification, { readOnly, allowDdl }: Access): void {
  const refusal = refusals[kind];
  const because = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  if (refusal !== undefined)
    throw new StudioError('statement_refused', `${refusal.slice(0, -1)}${because}.`);
  if (readOnly)
    throw new StudioError(
      'read_only',
      `The studio is read-only and the statement is no read${because}.`,
    );
  if (kind === 'write' || allowDdl) return;
  const code = kind === 'ddl' ? 'ddl_disabled' : 'statement_refused';
  const what = kind === 'ddl' ? 'change structure' : 'administer the database';
  throw new StudioError(
    code,
    `Statements that ${what} are run only when the studio is started with --allow-ddl${because}.`,
  );
}

async function answerRead(context: Context, request: SqlRequest): Promise<Reply> {
  const start = performance.now();
  const result = await explained(context, () =>
    context.database.transaction('read', (session) => readResult(session, request)),
  );
  const { columns, types, rows, count, truncated } = result;
  return jsonReply(
    `{"type":"read","columns":${JSON.stringify(columns)},"column_types":${JSON.stringify(types)},"rows":[${rows}],` +
      `"total":${count},"truncated":${truncated},"duration_ms":${durationSince(start)}}`,
  );
}

/** What administers the database may not run within a transaction. */
async function answerWrite(
  context: Context,
  request: SqlRequest,
  { kind, verb }: Classification,
): Promise<Reply> {
  const { database } = context;
  const start = performance.now();
  const run = (session: Session) => session.run({ text: request.query, params: request.params });
  const write = (): Promise<Result> =>
    kind === 'write' ? writeTransaction(database, run) : database.transaction('write', run);
  const { rowsAffected } = await explained(context, () =>
    kind === 'administration' ? run(database) : write(),
  );
  if (kind !== 'write') await context.schemas.refresh();
  const message =
    kind === 'write'
      ? `${verb}: ${rowsAffected} ${rowsAffected === 1 ? 'row' : 'rows'}`
      : `${verb}: done`;
  return jsonReply(
    `{"type":"write","rows_affected":${rowsAffected},"message":${JSON.stringify(message)},"duration_ms":${durationSince(start)}}`,
  );
}

function durationSince(start: number): string {
  return (performance.now() - start).toFixed(1);
}

/** What the database says against the client's own statement is the client's to read. */
async function explained<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message =
      error instanceof StudioError ? undefined : context.database.dialect.messageOf(error);
    if (message === undefined) throw error;
    throw new StudioError('invalid_parameter', message, { parameter: 'query' });
  }
}
