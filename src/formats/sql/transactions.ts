/** Whether the rows of a script are committed: rows that its own client would lose are refused. */
import { settingTokens } from '../../sql/script-settings.ts';
import { StudioError } from '../../model/errors.ts';
import { lineOf } from './script.ts';
import type { Script } from './script.ts';

export interface TransactionState {
  /** What each statement commits unless a transaction is open. */
  autocommit: boolean;
  /** The statement since which nothing is committed. */
  open: OpenTransaction | undefined;
}

interface OpenTransaction {
  readonly line: number;
  readonly rows: number;
  /** The savepoint that began it: in SQLite its RELEASE commits. */
  readonly savepoint?: string;
}

export function createTransactionState(): TransactionState {
  return { autocommit: true, open: undefined };
}

interface Passed {
  readonly text: string;
  readonly start: number;
  /** Rows that the script has had so far. */
  readonly rows: number;
}

const begins = /^(?:BEGIN|START)$/;
const commits = /^(?:COMMIT|END)$/;
/** MySQL commits before these: only there is autocommit a setting of a script. */
const commitsBefore = /^(?:CREATE|ALTER|DROP|RENAME|TRUNCATE|LOCK|UNLOCK)$/;

/** Follows a statement that holds no rows. */
export function trackTransaction(
  transactions: TransactionState,
  script: Script,
  { text, start, rows }: Passed,
): void {
  const tokens = settingTokens(text, script.lexer.rules).map((token) => token.text.toUpperCase());
  const [verb = ''] = tokens;
  const place = { line: lineOf(script, start), rows };
  if (begins.test(verb)) transactions.open ??= place;
  else if (commits.test(verb) || (!transactions.autocommit && commitsBefore.test(verb)))
    transactions.open = transactions.autocommit && !isChained(tokens) ? undefined : place;
  else if (verb === 'SAVEPOINT') transactions.open ??= { ...place, savepoint: tokens.at(-1) ?? '' };
  else if (verb === 'RELEASE' && transactions.open?.savepoint === tokens.at(-1))
    transactions.open = undefined;
  else if (verb === 'SET') setAutocommit(transactions, tokens, place);
}

/** `COMMIT AND CHAIN` begins the next transaction, `AND NO CHAIN` does not. */
function isChained(tokens: readonly string[]): boolean {
  return tokens.at(-1) === 'CHAIN' && tokens.at(-2) === 'AND';
}

function setAutocommit(
  transactions: TransactionState,
  tokens: readonly string[],
  place: { readonly line: number; readonly rows: number },
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
  transactions.open = isOff ? (transactions.open ?? place) : undefined;
}

/** Throws where rows stand behind the beginning of a transaction that has no end. */
export function requireCommit({ open }: TransactionState, script: Script, rows: number): void {
  if (open === undefined || rows === open.rows) return;
  throw new StudioError(
    'parse_failed',
    `${script.name}: nothing behind line ${open.line} is committed: the script's own client would keep none of its rows. Add a COMMIT.`,
    { line: open.line, column: 1 },
  );
}
