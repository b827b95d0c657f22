/** Skips statements without rows that dump tools write around rows, and rejects all others. */
import { tokenize } from '../../portable/lexer/lexer.ts';
import { settingTokens } from '../../sql/script-settings.ts';
import { tokenCursor } from '../../sql/token-cursor.ts';
import { split } from '../../portable/lexer/split.ts';
import { insertExecuted } from './executed-statements.ts';
import { assignVariables } from './insert/assign-variables.ts';
import { changesEarlierRows } from './changes-after-rows.ts';
import { setCounter } from './counters.ts';
import { statementError } from './script/statement-error.ts';
import { IncompleteUnit, lookaheadMargin, peekToken, syntaxError } from './script/script.ts';
import { trackSettings } from './script/session.ts';
import { kindOfStatement } from './script/statement-kinds.ts';
import { trackTemporaryTables } from './temporary-tables.ts';
import { trackPartitions } from './partitions.ts';
import { trackTransaction } from './script/transactions.ts';
import { decodeText } from './values/literals.ts';
import type { CounterStatement } from '../../sql/counter-statement.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { SettingToken } from '../../sql/script-settings.ts';
import type { ScriptLanguage } from '../../portable/lexer/split.ts';
import type { ImportContext, Warning } from '../row-import.ts';
import type { Script, ScriptToken } from './script/script.ts';
import type { FilledTables } from './changes-after-rows.ts';
import type { CreatedTables } from './partitions.ts';
import type { ScriptSession } from './script/session.ts';
import type { TransactionState } from './script/transactions.ts';
import type { KindContext, StatementKind } from './script/statement-kind.ts';

interface SkipContext {
  readonly script: Script;
  readonly language: ScriptLanguage;
  readonly context: ImportContext;
  readonly ddl: 'refuse' | 'skip' | 'applied';
  readonly session: ScriptSession;
  readonly transactions: TransactionState;
  /** Number of rows read so far. */
  readonly rowsRead: number;
  /** The temporary tables of the script, in lower case. */
  readonly temporaryTables: Set<string>;
  readonly createdTables: CreatedTables;
  readonly filledTables: FilledTables;
  readonly isTrial: boolean;
  /** A file has had rows. */
  readonly hasFileRows: boolean;
  executed: readonly ExecutedStatement[] | undefined;
}

interface SkippedStatement {
  readonly token: ScriptToken;
  /** Called before a setting of the statement takes effect. */
  readonly onChange: () => void;
}

/** What a skipped statement is, other than structure. */
type Skipped = 'structure' | 'counter' | 'container';

/** Skips the statement that begins with a token, up to its delimiter. */
export function skipStatement(sql: SkipContext, { token, onChange }: SkippedStatement): Skipped {
  const { script, language, context, ddl, session, transactions, rowsRead } = sql;
  const { temporaryTables, createdTables, filledTables } = sql;
  const end = endOfStatement(script, language, token.start);
  const text = script.lexer.text.slice(token.start, end);
  rejectUnterminated(script, { text, start: token.start });
  const tokens = settingTokens(text, script.lexer.rules);
  const counter = script.dataScript.counterOf(tokens);
  const isCounter =
    counter !== undefined && !(counter.kind === 'position' && counter.changesSchema === true);
  const kind = isCounter ? 'skippable' : kindOfStatement(text, kindContext(script, language));
  mustBeSkipped(sql, { kind, text, start: token.start, tokens });
  if (kind === 'container') {
    if (sql.hasFileRows)
      throw statementError(script, { text, start: token.start, reason: mayReadFiles });
    if (sql.isTrial) skipTo(script, end);
    else insertExecuted(sql, { start: token.start, end });
    return 'container';
  }
  if (kind === 'ddl') {
    trackTemporaryTables(temporaryTables, tokens);
    trackPartitions(createdTables, tokens);
  }
  if (counter !== undefined)
    setCounter(
      { script, session, context },
      { text, start: token.start, counter: atPosition(counter, filledTables) },
    );
  assignVariables(script, { text, start: token.start });
  trackTransaction(transactions, script, { text, start: token.start, rows: rowsRead });
  if (kind === 'skippable')
    trackSettings({ script, session, context }, { text, start: token.start }, onChange);
  skipTo(script, end);
  if (ddl === 'applied' && isCutOff({ script, language }, tokens))
    throw statementError(script, {
      text,
      start: token.start,
      reason:
        'has no delimiter after it and ends the file, which may be incomplete: if it is whole, add the delimiter',
    });
  // SQLite: deletes the counters, before it inserts those of the script.
  return isCounter || tokens[0]?.text.toUpperCase() === 'DELETE' ? 'counter' : 'structure';
}

interface ClassifiedStatement {
  readonly kind: StatementKind;
  readonly text: string;
  readonly start: number;
  readonly tokens: readonly SettingToken[];
}

function mustBeSkipped(
  { script, context, ddl, isTrial, executed, filledTables }: SkipContext,
  { kind, text, start, tokens }: ClassifiedStatement,
): void {
  if (kind === 'ddl' && ddl === 'skip') context.warn(schemaStatementsSkipped);
  const isSkipped =
    kind === 'skippable' ||
    (kind === 'ddl' && ddl !== 'refuse') ||
    (kind === 'read' && ddl === 'applied') ||
    (kind === 'container' && (executed !== undefined || isTrial));
  if (!isSkipped) throw statementError(script, { text, start, reason: rejectionReason(kind) });
  if (kind === 'ddl' && ddl === 'applied' && changesEarlierRows(filledTables, tokens))
    throw statementError(script, { text, start, reason: changesRows });
}

/** Whether the value of RESEED is the last or the next one depends on rows. */
function atPosition(counter: CounterStatement, filledTables: FilledTables): CounterStatement {
  if (counter.kind !== 'position' || counter.isNextIfEmpty !== true) return counter;
  const table = counter.counter.parts.at(-1)?.toLowerCase() ?? '';
  if (filledTables.has(table)) return counter;
  return { ...counter, position: { ...counter.position, isUsed: false } };
}

function kindContext(
  { lexer, dataScript, variables }: Script,
  language: ScriptLanguage,
): KindContext {
  return {
    lexical: lexer.rules,
    language,
    dataScript,
    depth: 0,
    textOf: (name) => {
      const value = variables.get(name.toLowerCase())?.value;
      return value?.kind === 'text' ? decodeText(value.raw).text : undefined;
    },
  };
}

/** Statements that are errors if they are incomplete, or that cannot be. */
const wholeStatements = [['CREATE'], ['ALTER', 'TABLE'], ['COMMIT'], ['END']];

/** Whether a statement at the end of a script may have been cut off. */
function isCutOff(
  { script, language }: Pick<SkipContext, 'script' | 'language'>,
  tokens: readonly SettingToken[],
): boolean {
  if (!script.isLast || language.splitting.undelimited !== undefined) return false;
  const cursor = tokenCursor(tokens);
  const isReadInFull = wholeStatements.some((words) => cursor.accept(...words));
  return !isReadInFull && peekToken(script) === undefined;
}

/** An unclosed quote or comment would hide the statements after it. */
function rejectUnterminated(
  script: Script,
  { text, start }: { readonly text: string; readonly start: number },
): void {
  const open = tokenize(text, script.lexer.rules).find(
    ({ kind, unterminated }) => unterminated === true && kind !== 'versioned-open',
  );
  if (open !== undefined)
    throw syntaxError(
      script,
      { start: start + open.start, end: start + open.end },
      'this quote or comment is not closed',
    );
}

function skipTo({ lexer }: Script, to: number): void {
  lexer.at = to;
  lexer.atLineStart = false;
  lexer.inVersioned = false;
  lexer.continued = undefined;
  lexer.copy = 'other';
}

const firstProbe = 2048;

/** Doubles the probed text until the statement ends well before its end. */
function endOfStatement({ lexer, isLast }: Script, language: ScriptLanguage, from: number): number {
  const { text, rules, delimiter } = lexer;
  const before = delimiter === ';' ? '' : `DELIMITER ${delimiter}\n`;
  for (let size = firstProbe; ; size *= 2) {
    const probe = before + text.slice(from, from + size);
    const [first] = split(probe, { ...language, lexical: rules });
    const end = first?.end ?? probe.length;
    const isAll = from + size >= text.length;
    if (end < probe.length - lookaheadMargin || (isAll && isLast))
      return from + end - before.length;
    if (isAll) throw new IncompleteUnit();
  }
}

const schemaStatementsSkipped: Warning = (count) =>
  `${count} schema ${count === 1 ? 'statement was' : 'statements were'} skipped.`;

const mayReadFiles =
  'may depend on rows that are in a file, which an import does not look at: move it before the statements that read files';

const changesRows =
  'changes rows that the file has before it, and an import loads all rows into the tables as they are at the end of the file: move it before the rows, or run the file with the client of its database';

function rejectionReason(kind: StatementKind): string {
  if (kind === 'container')
    return 'contains statements that may write rows, which only the import of a dump follows: import the file as a dump into an empty database, or write its rows without IF and BEGIN';
  return kind === 'ddl'
    ? 'changes the schema, which a data import does not do: import the schema first, or skip such statements with ddl=skip'
    : 'is not an INSERT, REPLACE or COPY of rows in the script';
}
