import { loadLanguage } from '../../databases/index.ts';
import { StudioError } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest.ts';
import { withEffects } from '../../sql/classify.ts';
import { classifyText } from './classify-text.ts';
import { Deferred } from '../core/context.ts';
import { explainError } from '../core/explain-error.ts';
import { readBody } from '../rows/read-assignments.ts';
import { answerPlan, answerRead, runWrite } from './run-statement.ts';
import { readSqlBody } from './sql-body.ts';
import type { Classification, Language, StatementKind } from '../../sql/classify.ts';
import type { Access, Context, Turn } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { Statement } from './run-statement.ts';

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
  const classified = await classifyText(request.query, context.database.dialect);
  mustBeOne(classified);
  mustBeFinished(classified);
  mustBeKnown(classified, language);
  const found = isRefusedAnyway(classified)
    ? classified
    : withEffects(classified, await context.database.effectsOf(request.query));
  const rule = language.statements.verbs[found.verb];
  const statement: Statement = { ...found, request, rule };
  if (found.kind === 'read') return runRead(context, statement, turn);
  mustBeAllowed(found, access);
  if (turn.readsOnly) throw new Deferred();
  return explained(context, () => runWrite(context, statement));
}

/** What the server takes for a write all the same is run as one: functions may write. */
async function runRead(context: Context, statement: Statement, turn: Turn): Promise<Reply> {
  const { rule } = statement;
  try {
    return await explained(context, () => answerRead(context, statement));
  } catch (error) {
    const isRefused = error instanceof StudioError && error.code === 'read_only';
    if (!isRefused || context.access.readOnly || (rule !== 'query' && rule !== 'explain'))
      throw error;
  }
  if (turn.readsOnly) throw new Deferred();
  return explained(context, () =>
    rule === 'explain' ? answerPlan(context, statement) : runWrite(context, statement),
  );
}

function mustBeOne({ statements }: Classification): void {
  if (statements === 1) return;
  const what = statements === 0 ? 'no statement' : `${statements} statements`;
  throw new StudioError('invalid_parameter', `query holds ${what}; it takes one.`, {
    parameter: 'query',
  });
}

/** Where the server would see the end is not known, but it would not run it either. */
function mustBeFinished({ isUnfinished }: Classification): void {
  if (!isUnfinished) return;
  throw new StudioError('invalid_parameter', 'query ends within a quote or comment.', {
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

function isRefusedAnyway({ kind }: Classification): boolean {
  return refusals[kind] !== undefined;
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

async function explained<T>({ database }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainError(database.dialect, error);
  }
}
