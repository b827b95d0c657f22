/**
 * Follows the transactions of a schema file, where the database takes structure back with them: a file
 * that does so is refused, as its own client would make less than the file says.
 */
import { Refusal } from './cursor.ts';
import type { CodeToken } from '../code.ts';

export interface Transactions {
  /** Where the transaction that is open begins; undefined outside of one. */
  begin: number | undefined;
  /** How many statements have made structure. */
  made: number;
  /** `made` at the beginning of the open transaction. */
  madeBefore: number;
  /** `made` at each savepoint of the open transaction, by its name. */
  readonly savepoints: { readonly name: string; readonly made: number }[];
}

export function noTransactions(): Transactions {
  return { begin: undefined, made: 0, madeBefore: 0, savepoints: [] };
}

interface TransactionStatement {
  readonly text: string;
  readonly start: number;
  readonly code: readonly CodeToken[];
}

/** Throws `Refusal` for a ROLLBACK that takes structure back. */
export function followTransaction(state: Transactions, statement: TransactionStatement): void {
  const [first, second] = statement.code;
  switch (first?.word) {
    case 'BEGIN':
    case 'START':
      if (state.begin === undefined) openTransaction(state, statement.start);
      break;
    case 'SAVE':
    case 'SAVEPOINT':
      if (state.begin === undefined) openTransaction(state, statement.start);
      state.savepoints.push({ name: nameIn(statement), made: state.made });
      break;
    case 'RELEASE':
      release(state, nameIn(statement));
      break;
    case 'COMMIT':
    case 'END':
      close(state);
      break;
    case 'ABORT':
    case 'ROLLBACK':
      if (second?.word === 'PREPARED') break;
      rollBack(state, statement);
      break;
    default:
  }
}

function openTransaction(state: Transactions, start: number): void {
  state.begin = start;
  state.madeBefore = state.made;
  state.savepoints.length = 0;
}

function close(state: Transactions): void {
  state.begin = undefined;
  state.savepoints.length = 0;
}

/** SAVEPOINT a, SAVE TRAN a, ROLLBACK TO SAVEPOINT a: the last word. */
function nameIn({ text, code }: TransactionStatement): string {
  const last = code.findLast(({ kind }) => kind === 'word' || kind === 'quoted-name');
  return text
    .slice(last?.start, last?.end)
    .replaceAll(/["`[\]]/g, '')
    .toLowerCase();
}

/** The first savepoint outside a transaction is one (SQLite). */
function release(state: Transactions, name: string): void {
  const at = state.savepoints.findLastIndex((each) => each.name === name);
  if (at !== -1) state.savepoints.length = at;
}

function rollBack(state: Transactions, statement: TransactionStatement): void {
  if (state.begin === undefined) return;
  const name = nameIn(statement);
  const savepoint = state.savepoints.findLast((each) => each.name === name);
  const kept = savepoint?.made ?? state.madeBefore;
  if (state.made > kept)
    throw new Refusal(
      'ROLLBACK takes back structure that the file makes: leave out what is rolled back.',
      statement.start,
    );
  if (savepoint === undefined) close(state);
}

/** Throws `Refusal` for a transaction that makes structure and never ends: its own client would keep nothing. */
export function demandCommit({ begin, made, madeBefore }: Transactions): void {
  if (begin !== undefined && made > madeBefore)
    throw new Refusal('The transaction that begins here has no COMMIT.', begin);
}
