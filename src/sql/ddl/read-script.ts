/** A file of DDL, statement by statement: what is structure is read, and of the rest it is said what becomes of it. */
import { classify } from '../classify.ts';
import { tokenize } from '../lexer.ts';
import { split } from '../split.ts';
import { DdlError, MissingTable, Refusal, runCode } from './cursor.ts';
import { findTable, finishDraft, nameOfTable, newDraft, removeTable } from './draft.ts';
import { isSettingLost } from './follow-settings.ts';
import { demandCommit, followTransaction, noTransactions } from './follow-transactions.ts';
import { leftOut, makesKnownObject, objectVerbs } from './left-out.ts';
import { positionCounter } from '../position.ts';
import type { Language, StatementKind } from '../classify.ts';
import type { CodeToken } from '../code.ts';
import type { Statement } from '../split.ts';
import type { Table } from '../../model/schema.ts';
import type { Draft, DraftTable, TableReference } from './draft.ts';
import type { DdlSettings } from './follow-settings.ts';
import type { Transactions } from './follow-transactions.ts';
import type { DdlOptions, DdlProblem, DdlReading } from './reading.ts';

/** A statement on its way into the draft. */
export interface ScriptStatement extends Statement {
  /** Without the marks of versioned comments. */
  readonly code: readonly CodeToken[];
  readonly kind: StatementKind;
}

export interface ScriptReader {
  readonly language: Language;
  /** Takes what is structure into the draft, and says whether it was. Throws `DdlError`. */
  take(statement: ScriptStatement, draft: Draft): boolean | 'data';
  readonly settings: DdlSettings;
  /** Whether ROLLBACK takes structure back. */
  readonly rollsBackStructure: boolean;
}

const mostProblems = 100;

export function readScript(text: string, reader: ScriptReader, options: DdlOptions): DdlReading {
  const draft = newDraft();
  const data: Statement[] = [];
  const transactions = noTransactions();
  for (const statement of split(text, reader.language)) {
    if (draft.problems.length >= mostProblems) break;
    if (takeStatement(text, statement, { reader, draft, transactions }) === 'data')
      data.push(statement);
  }
  guarded(text, draft, () => demandCommit(transactions));
  reportOpenComment(text, reader, draft);
  reportData(data, draft, options);
  return finishDraft(draft);
}

/** What stands behind it would be passed over with it. */
function reportOpenComment(text: string, { language }: ScriptReader, draft: Draft): void {
  const open = tokenize(text, language.lexical).find(
    ({ kind, unterminated }) =>
      unterminated === true && ['comment', 'hint', 'versioned-open'].includes(kind),
  );
  if (open === undefined) return;
  const message = 'A comment begins here that has no end.';
  draft.problems.push({ code: 'parse_failed', message, ...positionCounter(text)(open.start) });
}

interface Reading {
  readonly reader: ScriptReader;
  readonly draft: Draft;
  readonly transactions: Transactions;
}

/** What a statement of a transaction, or nothing, comes to: its error is a problem of the file. */
function guarded<T>(text: string, draft: Draft, take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof DdlError)) throw error;
    draft.problems.push(problemAt(text, error));
    return undefined;
  }
}

const dataVerbs: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'MERGE']);

function takeStatement(
  text: string,
  statement: Statement,
  { reader, draft, transactions }: Reading,
): 'data' | undefined {
  if (dataVerbs.has(statement.firstWord) || statement.rows !== undefined) return 'data';
  const told = withKind(statement, reader.language);
  return guarded(text, draft, () => {
    demandEnds(told);
    if (isReaching(told)) refuseReach(told, { reader, draft });
    if (reader.rollsBackStructure) followTransaction(transactions, told);
    const script = { text, lexical: reader.language.lexical };
    const isLost = told.kind !== 'write' && isSettingLost(told, reader.settings, script);
    if (isLost) leaveOut(told, draft);
    const taken = reader.take(told, draft);
    if (taken === 'data') return 'data';
    if (taken) transactions.made += Number(makesStructure(told));
    return taken || isLost ? undefined : passStatement(told, draft, reader.language);
  });
}

const structureVerbs: ReadonlySet<string> = new Set([
  'CREATE',
  'ALTER',
  'DROP',
  'RENAME',
  'COMMENT',
]);

function makesStructure({ firstWord }: Statement): boolean {
  return structureVerbs.has(firstWord);
}

function withKind(statement: Statement, language: Language): ScriptStatement {
  const code = runCode(statement.text, language.lexical);
  return { ...statement, code, kind: classify(statement.text, language).kind };
}

function demandEnds({ code, start }: ScriptStatement): void {
  const open = code.find(({ unterminated }) => unterminated);
  if (open !== undefined)
    throw new DdlError('A quote or comment begins here that has no end.', start + open.start);
}

function refusal({ start, firstWord }: Statement): Refusal {
  return new Refusal(
    `${firstWord} reaches files, programs or other databases, which no import does.`,
    start,
  );
}

/** What is wrong with the statement itself comes first. */
function refuseReach(
  statement: ScriptStatement,
  { reader, draft }: Omit<Reading, 'transactions'>,
): never {
  if (statement.firstWord === 'CREATE') reader.take(statement, draft);
  throw refusal(statement);
}

/** SQLite's own; elsewhere no more than the name of some procedure. */
const attaching: ReadonlySet<string> = new Set(['ATTACH', 'DETACH']);

function isReaching(statement: ScriptStatement): boolean {
  if (attaching.has(statement.firstWord)) return true;
  return statement.kind === 'external' && !isMakingText(statement);
}

/** A routine or the like is left out whatever is in it. */
function isMakingText(statement: ScriptStatement): boolean {
  return leftOut(statement) !== undefined;
}

function problemAt(text: string, error: DdlError): DdlProblem {
  const code = error instanceof Refusal ? 'statement_refused' : 'parse_failed';
  return { code, message: error.message, ...positionCounter(text)(error.at) };
}

const silentKinds: ReadonlySet<StatementKind> = new Set([
  'empty',
  'read',
  'session',
  'transaction',
]);

/** Statements of no rows that are of another statement. */
const statefulReads: ReadonlySet<string> = new Set(['HANDLER', 'XA']);

/** Upkeep is the database's own affair. */
const passedVerbs: ReadonlySet<string> = new Set(
  'ANALYZE ANALYSE VACUUM CLUSTER REINDEX CHECKPOINT OPTIMIZE FLUSH'.split(' '),
);

/** What is no table, view, index, type or comment. */
function passStatement(
  statement: ScriptStatement,
  draft: Draft,
  language: Language,
): 'data' | undefined {
  const { kind, firstWord, start } = statement;
  if (silentKinds.has(kind)) {
    if (!statefulReads.has(firstWord)) return undefined;
    leaveOut(statement, draft);
    return undefined;
  }
  if (kind === 'write' || firstWord === 'TRUNCATE') return 'data';
  if (kind === 'unknown' || !isKnown(statement, language))
    throw new DdlError(`${shown(statement)} begins no statement that is known here.`, start);
  const what = leftOut(statement);
  if (what === undefined && passedVerbs.has(firstWord)) return undefined;
  leaveOut(statement, draft, what);
  return undefined;
}

/** Warns of a statement that no import follows. */
export function leaveOut(
  statement: ScriptStatement,
  draft: Draft,
  what = `the statement ${shown(statement)}`,
): void {
  draft.warnings.push(`Line ${statement.line}: ${what} is left out.`);
}

/** Procedures may be called by their bare names, which any slip of the pen may seem to be. */
function isKnown(statement: ScriptStatement, { statements }: Language): boolean {
  const { firstWord } = statement;
  const isVerb = Object.keys(statements.verbs).some((verb) => verb.split(' ', 1)[0] === firstWord);
  if (!isVerb) return /^(?:SP|XP)_/.test(firstWord);
  return !objectVerbs.has(firstWord) || makesKnownObject(statement);
}

const wordsShown = 6;
const longestShown = 40;

function shown({ text, code }: ScriptStatement): string {
  const last = code[Math.min(wordsShown, code.length) - 1];
  const words = text.slice(code[0]?.start, last?.end).replaceAll(/\s+/g, ' ');
  return words.length > longestShown ? `${words.slice(0, longestShown)}…` : words;
}

/** The statements that stand in another from its token `first` on, without the BEGIN and END around them. */
export function innerStatements(
  statement: ScriptStatement,
  first: number,
  language: Language,
): readonly ScriptStatement[] {
  const { text, code } = statement;
  const isBlock = code[first]?.word === 'BEGIN';
  const last = isBlock && code.at(-1)?.word === 'END' ? code.at(-2) : code.at(-1);
  const from = code[isBlock ? first + 1 : first]?.start ?? text.length;
  const position = positionCounter(text);
  return split(text.slice(from, last?.end ?? text.length), language).map((inner) => {
    const { line } = position(from + inner.start);
    const placed = { ...inner, start: statement.start + from + inner.start };
    return { ...withKind(placed, language), line: statement.line + line - 1 };
  });
}

/** One problem for all of them: a dump may hold a million. */
function reportData(data: readonly Statement[], draft: Draft, { skipData }: DdlOptions): void {
  const [first] = data;
  if (first === undefined) return;
  const count = data.length === 1 ? 'A statement changes' : `${data.length} statements change`;
  if (skipData) {
    draft.warnings.push(`${count} data and ${data.length === 1 ? 'is' : 'are'} left out.`);
    return;
  }
  const { line, column, firstWord } = first;
  const message = `${count} data, the first here with ${firstWord}: import them as data, or leave them out with data=skip.`;
  draft.problems.push({ code: 'statement_refused', message, line, column });
}

/** A table that a file makes twice is made once where IF NOT EXISTS says so; else it is an error. */
export function addTable(draft: Draft, made: DraftTable, unlessThere: boolean): void {
  const { table, position } = made;
  if (!draft.tables.has(table.name)) draft.tables.set(table.name, made);
  else if (!unlessThere)
    draft.problems.push({
      code: 'parse_failed',
      message: `The file makes the table ${table.name} twice.`,
      ...position,
    });
}

/** DROP TABLE: of the file's own tables it is followed, of others it is told. */
export function dropTable(draft: Draft, reference: TableReference, statement: Statement): void {
  if (removeTable(draft, reference)) return;
  const { line, column } = statement;
  draft.dropped.push({ name: nameOfTable(reference), line, column });
}

/** What ALTER TABLE and CREATE INDEX need: a table that the file makes. */
export function demandTable(draft: Draft, reference: TableReference, at: number): Table {
  const table = findTable(draft, reference);
  if (table !== undefined) return table;
  throw new MissingTable(
    `The file makes no table ${nameOfTable(reference)}, and tables that are there already are not altered.`,
    at,
  );
}
