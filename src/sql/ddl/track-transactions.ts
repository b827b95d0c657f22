/**
 * Tracks the transactions of a schema file for databases where ROLLBACK undoes DDL. A file that
 * rolls back DDL is rejected, because an import creates everything that the file contains.
 */
import { RejectedStatement } from './cursor.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';

export interface TransactionState {
  /** Offset of the open transaction; undefined outside a transaction. */
  begin: number | undefined;
  /** Number of DDL statements so far. */
  ddlCount: number;
  /** `ddlCount` at the beginning of the open transaction. */
  ddlCountAtBegin: number;
  /** `ddlCount` at each savepoint of the open transaction. */
  readonly savepoints: { readonly name: string; readonly ddlCount: number }[];
}

export function newTransactionState(): TransactionState {
  return { begin: undefined, ddlCount: 0, ddlCountAtBegin: 0, savepoints: [] };
}

interface TransactionStatement {
  readonly text: string;
  readonly start: number;
  readonly code: readonly CodeToken[];
}

/** Throws `RejectedStatement` for a ROLLBACK that undoes DDL. */
export function trackTransaction(state: TransactionState, statement: TransactionStatement): void {
  const [first, second] = statement.code;
  switch (first?.word) {
    case 'BEGIN':
    case 'START':
      if (state.begin === undefined) openTransaction(state, statement.start);
      break;
    case 'SAVE':
    case 'SAVEPOINT':
      if (state.begin === undefined) openTransaction(state, statement.start);
      state.savepoints.push({ name: nameIn(statement), ddlCount: state.ddlCount });
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

function openTransaction(state: TransactionState, start: number): void {
  state.begin = start;
  state.ddlCountAtBegin = state.ddlCount;
  state.savepoints.length = 0;
}

function close(state: TransactionState): void {
  state.begin = undefined;
  state.savepoints.length = 0;
}

/** The savepoint's name is the last word: SAVEPOINT a, SAVE TRAN a, ROLLBACK TO SAVEPOINT a. */
function nameIn({ text, code }: TransactionStatement): string {
  const last = code.findLast(({ kind }) => kind === 'word' || kind === 'quoted-name');
  return text
    .slice(last?.start, last?.end)
    .replaceAll(/["`[\]]/g, '')
    .toLowerCase();
}

/** Removes the savepoint and those after it. */
function release(state: TransactionState, name: string): void {
  const at = state.savepoints.findLastIndex((each) => each.name === name);
  if (at !== -1) state.savepoints.length = at;
}

function rollBack(state: TransactionState, statement: TransactionStatement): void {
  if (state.begin === undefined) return;
  const name = nameIn(statement);
  const savepoint = state.savepoints.findLast((each) => each.name === name);
  const countAfterRollback = savepoint?.ddlCount ?? state.ddlCountAtBegin;
  if (state.ddlCount > countAfterRollback)
    throw new RejectedStatement(
      'ROLLBACK undoes tables or other objects that the file creates: remove the statements that are rolled back.',
      statement.start,
    );
  if (savepoint === undefined) close(state);
}

/** Throws `RejectedStatement` for a transaction with DDL that never ends: the database would roll it back. */
export function requireCommit({ begin, ddlCount, ddlCountAtBegin }: TransactionState): void {
  if (begin !== undefined && ddlCount > ddlCountAtBegin)
    throw new RejectedStatement('The transaction that begins here has no COMMIT.', begin);
}
