/** Tracks whether the rows of a script are committed. Rows that the script's own client would roll back are rejected. */
import { settingTokens } from '../../../sql/script-settings.ts';
import { StudioError } from '../../../model/errors.ts';
import { lineOf } from './script.ts';
import type { Script } from './script.ts';

export interface TransactionState {
  /** Each statement commits unless a transaction is open. */
  autocommit: boolean;
  /** The statement that began the open transaction. */
  open: OpenTransaction | undefined;
}

interface OpenTransaction {
  readonly line: number;
  readonly rows: number;
  /** The savepoint that began it. In SQLite its RELEASE commits. */
  readonly savepoint?: string;
}

export function createTransactionState(): TransactionState {
  return { autocommit: true, open: undefined };
}

interface SkippedStatement {
  readonly text: string;
  readonly start: number;
  /** Number of rows read so far. */
  readonly rows: number;
}

const commits = /^(?:COMMIT|END)$/;
/** Statements that commit implicitly in MySQL, the only dialect in which scripts set autocommit. */
const commitsBefore = /^(?:CREATE|ALTER|DROP|RENAME|TRUNCATE|LOCK|UNLOCK)$/;

/** Updates the state for a statement without rows. */
export function trackTransaction(
  transactions: TransactionState,
  script: Script,
  { text, start, rows }: SkippedStatement,
): void {
  const tokens = settingTokens(text, script.lexer.rules).map((token) => token.text.toUpperCase());
  const [verb = ''] = tokens;
  const position = { line: lineOf(script, start), rows };
  if (isBegin(tokens)) transactions.open ??= position;
  else if (commitsWithoutError.test(tokens.slice(0, 6).join(' '))) transactions.open = undefined;
  else if (commits.test(verb) || (!transactions.autocommit && commitsBefore.test(verb)))
    transactions.open = transactions.autocommit && !isChained(tokens) ? undefined : position;
  else if (verb === 'SAVEPOINT')
    transactions.open ??= { ...position, savepoint: tokens.at(-1) ?? '' };
  else if (verb === 'RELEASE' && transactions.open?.savepoint === tokens.at(-1))
    transactions.open = undefined;
  else if (verb === 'SET') setAutocommit(transactions, tokens, position);
}

/** `IF @@TRANCOUNT > 0 COMMIT`, `IF @@ERROR = 0 COMMIT`: an import that meets an error ends there. */
const commitsWithoutError = /^IF (?:\( )?@@(?:TRANCOUNT >|ERROR =) 0 (?:\) )?COMMIT\b/;

/** START also begins statements about replication, such as `START SLAVE`, and BEGIN a block of T-SQL. */
function isBegin([verb = '', next = '']: readonly string[]): boolean {
  if (verb === 'START') return next === 'TRANSACTION';
  return verb === 'BEGIN' && beginsTransaction.test(next);
}

const beginsTransaction =
  /^(?:|TRAN(?:SACTION)?|DISTRIBUTED|WORK|IMMEDIATE|EXCLUSIVE|DEFERRED|CONCURRENT|ISOLATION|READ|NOT)$/;

/** `COMMIT AND CHAIN` begins the next transaction, `AND NO CHAIN` does not. */
function isChained(tokens: readonly string[]): boolean {
  return tokens.at(-1) === 'CHAIN' && tokens.at(-2) === 'AND';
}

function setAutocommit(
  transactions: TransactionState,
  tokens: readonly string[],
  position: { readonly line: number; readonly rows: number },
): void {
  const at = tokens.findLastIndex(
    (text, i) =>
      /^(?:@@)?(?:(?:SESSION|LOCAL)\.)?AUTOCOMMIT$/.test(text) &&
      // `SET @old = @@autocommit` reads it.
      !/^:?=$/.test(tokens[i - 1] ?? ''),
  );
  const implicit = tokens[1] === 'IMPLICIT_TRANSACTIONS' ? tokens[2] : undefined;
  const value = at === -1 ? implicit : tokens[at + 2];
  if (value === undefined || tokens.includes('GLOBAL')) return;
  const isOff = at === -1 ? value === 'ON' : /^(?:0|OFF|FALSE)$/.test(value);
  transactions.autocommit = !isOff;
  transactions.open = isOff ? (transactions.open ?? position) : undefined;
}

/** Throws if rows follow the beginning of a transaction that is never committed. */
export function requireCommit({ open }: TransactionState, script: Script, rows: number): void {
  if (open === undefined || rows === open.rows) return;
  throw new StudioError(
    'parse_failed',
    `${script.name}: the transaction that begins on line ${open.line} is never committed, so the script's own client would roll back its rows. Add a COMMIT.`,
    { line: open.line, column: 1 },
  );
}
