import { loadLanguage } from '../../databases/index.ts';
import { copyError, StudioError } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest.ts';
import { withEffects } from '../../sql/classify.ts';
import { lineColumn } from '../../portable/lexer/position.ts';
import type { Position } from '../../portable/lexer/position.ts';
import { classifyText } from './classify-text.ts';
import { watchCommits } from '../core/commit-watch.ts';
import { DeferToOtherLane } from '../core/context.ts';
import { withDatabaseMessage } from '../core/explain-error.ts';
import { whyNotUndoable } from '../core/why-not-undoable.ts';
import { readBody } from '../rows/write/read-assignments.ts';
import { performExplain, performRead, performWrite } from './run-statement.ts';
import { readSqlBody } from './sql-body.ts';
import type { Classification, Language, StatementKind } from '../../sql/classify.ts';
import type { Access, Context, Invocation } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { SqlRequest } from './sql-body.ts';
import type { Statement } from './run-statement.ts';

export interface RunSqlInput {
  /** The text of the request body: `{"query", "params", "max_rows"}`. */
  readonly body: string;
}

/**
 * Runs one statement of the client. The classifier only explains and rejects: the database itself
 * keeps the transaction of a read read-only.
 */
export async function runSql(
  context: Context<'sql'>,
  input: RunSqlInput,
  invocation: Invocation,
): Promise<Reply> {
  const { access } = context;
  if (access.disableSql)
    throw new StudioError('sql_disabled', 'Raw SQL is disabled in this studio.');
  const request = readSqlBody(readBody(input.body));
  const language = await loadLanguage(context.database.dialect);
  const classifiedByText = await classifyText(request.query, context.database.dialect);
  mustBeOne(classifiedByText);
  mustBeFinished(classifiedByText);
  mustBeginWithKnownVerb(classifiedByText, language);
  const run = (current: Context<'sql'>): Promise<Reply> =>
    runOne(current, { request, language, classifiedByText }, invocation);
  return classifiedByText.kind === 'read' ? run(context) : statingOutcome(context, run);
}

interface ClassifiedText {
  readonly request: SqlRequest;
  readonly language: Language;
  readonly classifiedByText: Classification;
}

async function runOne(
  context: Context<'sql'>,
  { request, language, classifiedByText }: ClassifiedText,
  invocation: Invocation,
): Promise<Reply> {
  const classification = isAlwaysRejected(classifiedByText)
    ? classifiedByText
    : withEffects(classifiedByText, await context.database.effectsOf(request.query));
  const rule = language.statements.verbs[classification.verb];
  const statement: Statement = { ...classification, request, rule };
  if (classification.kind === 'read') return runRead(context, statement, invocation);
  mustBeAllowed(classification, context.access);
  if (invocation.isReadOnly) throw new DeferToOtherLane();
  if (request.dryRun) {
    mustWriteRows(classification);
    await mustBeUndoable(context);
  }
  return runWrite(context, statement);
}

function runWrite(context: Context<'sql'>, statement: Statement): Promise<Reply> {
  return statingOutcome(context, (watched) =>
    withDatabaseErrors(watched, statement.request, () => performWrite(watched, statement)),
  );
}

/**
 * Errors say what the statement has written, also if the database failed before its transaction began. Those of reads
 * need not.
 */
async function statingOutcome<T>(
  context: Context<'sql'>,
  work: (watched: Context<'sql'>) => Promise<T>,
): Promise<T> {
  const commits = watchCommits(context.database);
  try {
    return await work({ ...context, database: commits.database });
  } catch (error) {
    throw commits.explain(error);
  }
}

/** A SELECT whose functions write fails in a read-only transaction. It then runs as a write if that is allowed. */
async function runRead(
  context: Context<'sql'>,
  statement: Statement,
  invocation: Invocation,
): Promise<Reply> {
  const { rule, request } = statement;
  try {
    return await withDatabaseErrors(context, request, () => performRead(context, statement));
  } catch (error) {
    const isReadOnlyError = error instanceof StudioError && error.code === 'read_only';
    if (!isReadOnlyError || context.access.readOnly || (rule !== 'query' && rule !== 'explain'))
      throw error;
  }
  if (invocation.isReadOnly) throw new DeferToOtherLane();
  if (request.dryRun) await mustBeUndoable(context);
  if (rule !== 'explain') return runWrite(context, statement);
  return withDatabaseErrors(context, request, () => performExplain(context, statement));
}

function mustBeOne({ statements }: Classification): void {
  if (statements === 1) return;
  const description = statements === 0 ? 'no statement' : `${statements} statements`;
  throw new StudioError(
    'invalid_parameter',
    `query contains ${description}; it must contain one.`,
    {
      parameter: 'query',
    },
  );
}

/** The server would reject an unterminated quote or comment too. */
function mustBeFinished({ isUnfinished }: Classification): void {
  if (!isUnfinished) return;
  throw new StudioError('invalid_parameter', 'query ends within a quote or a comment.', {
    parameter: 'query',
  });
}

/** A misspelled first word gets an error of its own, with a suggestion. */
function mustBeginWithKnownVerb({ kind, verb }: Classification, { statements }: Language): void {
  const verbs = Object.keys(statements.verbs);
  const first = verb.split(' ')[0] ?? '';
  if (kind !== 'unknown' || verbs.some((knownVerb) => knownVerb.split(' ')[0] === first)) return;
  const hint = didYouMean(
    first,
    verbs.filter((knownVerb) => !knownVerb.includes(' ')),
  );
  throw new StudioError(
    'invalid_parameter',
    `query begins with "${first}", which is not the beginning of a statement.${hint}`,
    {
      parameter: 'query',
    },
  );
}

function isAlwaysRejected({ kind }: Classification): boolean {
  return rejectionReasons[kind] !== undefined;
}

/** Why statements of these kinds are rejected, whatever the operator allows. */
const rejectionReasons: Partial<Record<StatementKind, string>> = {
  external: 'Statements that access files, programs or the network are not run.',
  transaction:
    'Each statement is a transaction of its own; BEGIN, COMMIT and the like are not run.',
  session: 'Connections are shared, so statements that change their settings are not run.',
  execute: 'Statements whose text does not show what they do are not run.',
  unknown: 'The effects of this statement are unknown, so it is not run.',
};

function mustBeAllowed({ kind, reasons }: Classification, { readOnly, allowDdl }: Access): void {
  const rejectionReason = rejectionReasons[kind];
  const because = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  if (rejectionReason !== undefined)
    throw new StudioError('statement_refused', `${rejectionReason.slice(0, -1)}${because}.`);
  if (readOnly)
    throw new StudioError(
      'read_only',
      `The studio is read-only, and the statement is not a read${because}.`,
    );
  if (kind === 'write' || allowDdl) return;
  const code = kind === 'ddl' ? 'ddl_disabled' : 'statement_refused';
  const description = kind === 'ddl' ? 'change structure' : 'administer the database';
  throw new StudioError(
    code,
    `Statements that ${description} are run only when the studio is started with --allow-ddl${because}.`,
  );
}

/** A dry run must leave nothing behind. No database undoes setval. */
function mustWriteRows({ kind, verb, effects }: Classification): void {
  const isSetting = effects.some(({ calls }) => calls === 'setval');
  if (kind === 'write' && !isSetting) return;
  throw new StudioError(
    'statement_refused',
    `A dry run is for statements that write rows; a rollback might not undo ${isSetting ? 'setval' : verb}.`,
  );
}

/** Fails if a function or trigger of the statement might write what a rollback does not undo. */
async function mustBeUndoable({ database, schemas }: Context<'sql'>): Promise<void> {
  const { schema } = await schemas.verified();
  for (const table of schema.tables) {
    const reason = whyNotUndoable(database.dialect, table);
    if (reason !== undefined)
      throw new StudioError(
        'statement_refused',
        `A dry run might not be undone. ${table.name}: ${reason}.`,
        { table: table.name },
      );
  }
}

/** Adds the message of the database to an error, and the position that it is about. */
async function withDatabaseErrors<T>(
  { database }: Context<'sql'>,
  { query }: SqlRequest,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const explainedError = withDatabaseMessage(database.dialect, error);
    const cause = error instanceof StudioError ? error.cause : error;
    const offset = database.errorOffset(cause, query);
    throw offset === undefined
      ? explainedError
      : withPosition(explainedError, lineColumn(query, offset));
  }
}

function withPosition(error: unknown, { line, column }: Position): unknown {
  if (!(error instanceof StudioError)) return error;
  return copyError(error, { details: { ...error.details, line, column } });
}
