/** Reads a DDL file statement by statement into a schema; other statements become warnings or problems. */
import { classify } from '../classify.ts';
import { tokenize } from '../../portable/lexer/lexer.ts';
import { split } from '../split.ts';
import { DdlError, MissingTableError, RejectedStatement, executableCode } from './cursor.ts';
import { findTable, finishDraft, nameOfTable, newDraft, removeTable } from './draft.ts';
import { isSettingIgnored } from './follow-settings.ts';
import { requireCommit, followTransaction, newTransactionState } from './follow-transactions.ts';
import { describeSkippedObject, namesKnownObjectKind, objectVerbs } from './skipped-objects.ts';
import { positionCounter } from '../position.ts';
import type { Language, StatementKind } from '../classify.ts';
import type { CodeToken } from '../code.ts';
import type { Statement } from '../split.ts';
import type { Table } from '../../model/schema.ts';
import type { SchemaDraft, DraftTable, TableReference } from './draft.ts';
import type { DdlSettings } from './follow-settings.ts';
import type { TransactionState } from './follow-transactions.ts';
import type { DdlOptions, DdlProblem, DdlReadResult } from './ddl-reader.ts';

/** A statement with its tokens and its classification. */
export interface ScriptStatement extends Statement {
  /** Without the openings and closings of versioned comments. */
  readonly code: readonly CodeToken[];
  readonly kind: StatementKind;
}

export interface ScriptReader {
  readonly language: Language;
  /** Adds what a DDL statement defines to the draft. Returns 'data' for statements that write rows, false for other statements. Throws `DdlError`. */
  addToDraft(statement: ScriptStatement, draft: SchemaDraft): boolean | 'data';
  readonly settings: DdlSettings;
  /** Whether ROLLBACK undoes DDL. */
  readonly rollsBackDdl: boolean;
}

const maxProblems = 100;

export function readScript(text: string, reader: ScriptReader, options: DdlOptions): DdlReadResult {
  const draft = newDraft();
  const data: Statement[] = [];
  const transactions = newTransactionState();
  for (const statement of split(text, reader.language)) {
    if (draft.problems.length >= maxProblems) break;
    if (readStatement(text, statement, { reader, draft, transactions }) === 'data')
      data.push(statement);
  }
  recordProblems(text, draft, () => requireCommit(transactions));
  reportOpenComment(text, reader, draft);
  reportData(data, draft, options);
  return finishDraft(draft);
}

/** Reports an unclosed comment, which would hide the statements after it. */
function reportOpenComment(text: string, { language }: ScriptReader, draft: SchemaDraft): void {
  const open = tokenize(text, language.lexical).find(
    ({ kind, unterminated }) =>
      unterminated === true && ['comment', 'hint', 'versioned-open'].includes(kind),
  );
  if (open === undefined) return;
  const message = 'The comment that begins here is not closed.';
  draft.problems.push({ code: 'parse_failed', message, ...positionCounter(text)(open.start) });
}

interface ScriptContext {
  readonly reader: ScriptReader;
  readonly draft: SchemaDraft;
  readonly transactions: TransactionState;
}

/** Runs `action` and records a `DdlError` as a problem of the file. */
function recordProblems<T>(text: string, draft: SchemaDraft, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DdlError)) throw error;
    draft.problems.push(problemAt(text, error));
    return undefined;
  }
}

const dataVerbs: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'MERGE']);

function readStatement(
  text: string,
  statement: Statement,
  { reader, draft, transactions }: ScriptContext,
): 'data' | undefined {
  if (dataVerbs.has(statement.firstWord) || statement.rows !== undefined) return 'data';
  const classified = withKind(statement, reader.language);
  return recordProblems(text, draft, () => {
    requireClosedQuotes(classified);
    if (hasExternalAccess(classified)) rejectExternalAccess(classified, { reader, draft });
    if (reader.rollsBackDdl) followTransaction(transactions, classified);
    const script = { text, lexical: reader.language.lexical };
    const isIgnoredSetting =
      classified.kind !== 'write' && isSettingIgnored(classified, reader.settings, script);
    if (isIgnoredSetting) leaveOut(classified, draft);
    const added = reader.addToDraft(classified, draft);
    if (added === 'data') return 'data';
    if (added) transactions.ddlCount += Number(isDdl(classified));
    return added || isIgnoredSetting
      ? undefined
      : handleOtherStatement(classified, draft, reader.language);
  });
}

const ddlVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP', 'RENAME', 'COMMENT']);

function isDdl({ firstWord }: Statement): boolean {
  return ddlVerbs.has(firstWord);
}

function withKind(statement: Statement, language: Language): ScriptStatement {
  const code = executableCode(statement.text, language.lexical);
  return { ...statement, code, kind: classify(statement.text, language).kind };
}

function requireClosedQuotes({ code, start }: ScriptStatement): void {
  const open = code.find(({ unterminated }) => unterminated);
  if (open !== undefined)
    throw new DdlError('The quote or comment that begins here is not closed.', start + open.start);
}

function externalAccessError({ start, firstWord }: Statement): RejectedStatement {
  return new RejectedStatement(
    `${firstWord} accesses files, programs or other databases, which an import must not do.`,
    start,
  );
}

/** A syntax error of CREATE takes precedence over the rejection. */
function rejectExternalAccess(
  statement: ScriptStatement,
  { reader, draft }: Omit<ScriptContext, 'transactions'>,
): never {
  if (statement.firstWord === 'CREATE') reader.addToDraft(statement, draft);
  throw externalAccessError(statement);
}

/** SQLite attaches files with these. Elsewhere the classifier takes them for procedure names. */
const attachVerbs: ReadonlySet<string> = new Set(['ATTACH', 'DETACH']);

function hasExternalAccess(statement: ScriptStatement): boolean {
  if (attachVerbs.has(statement.firstWord)) return true;
  return statement.kind === 'external' && !isSkippedObject(statement);
}

/** Whether the statement only defines code, which is omitted whatever it does. */
function isSkippedObject(statement: ScriptStatement): boolean {
  return describeSkippedObject(statement) !== undefined;
}

function problemAt(text: string, error: DdlError): DdlProblem {
  const code = error instanceof RejectedStatement ? 'statement_refused' : 'parse_failed';
  return { code, message: error.message, ...positionCounter(text)(error.at) };
}

const silentKinds: ReadonlySet<StatementKind> = new Set([
  'empty',
  'read',
  'session',
  'transaction',
]);

/** Statements that are classified as harmless but belong to a sequence, so their omission needs a warning. */
const statefulVerbs: ReadonlySet<string> = new Set(['HANDLER', 'XA']);

/** Maintenance statements, which an import ignores without a warning. */
const maintenanceVerbs: ReadonlySet<string> = new Set(
  'ANALYZE ANALYSE VACUUM CLUSTER REINDEX CHECKPOINT OPTIMIZE FLUSH'.split(' '),
);

/** Handles statements that define no table, view, index, type or comment. */
function handleOtherStatement(
  statement: ScriptStatement,
  draft: SchemaDraft,
  language: Language,
): 'data' | undefined {
  const { kind, firstWord, start } = statement;
  if (silentKinds.has(kind)) {
    if (!statefulVerbs.has(firstWord)) return undefined;
    leaveOut(statement, draft);
    return undefined;
  }
  if (kind === 'write' || firstWord === 'TRUNCATE') return 'data';
  if (kind === 'unknown' || !isKnown(statement, language))
    throw new DdlError(`${excerpt(statement)} is not a known statement.`, start);
  const what = describeSkippedObject(statement);
  if (what === undefined && maintenanceVerbs.has(firstWord)) return undefined;
  leaveOut(statement, draft, what);
  return undefined;
}

/** Warns that a statement is omitted. */
export function leaveOut(
  statement: ScriptStatement,
  draft: SchemaDraft,
  what = `the statement ${excerpt(statement)}`,
): void {
  draft.warnings.push(`Line ${statement.line}: ${what} is left out.`);
}

/** Whether the first word is a known verb. A call by bare name counts only for system procedures; other names may be typos. */
function isKnown(statement: ScriptStatement, { statements }: Language): boolean {
  const { firstWord } = statement;
  const isVerb = Object.keys(statements.verbs).some((verb) => verb.split(' ', 1)[0] === firstWord);
  if (!isVerb) return /^(?:SP|XP)_/.test(firstWord);
  return !objectVerbs.has(firstWord) || namesKnownObjectKind(statement);
}

const maxShownWords = 6;
const maxShownLength = 40;

function excerpt({ text, code }: ScriptStatement): string {
  const last = code[Math.min(maxShownWords, code.length) - 1];
  const words = text.slice(code[0]?.start, last?.end).replaceAll(/\s+/g, ' ');
  return words.length > maxShownLength ? `${words.slice(0, maxShownLength)}…` : words;
}

/** The statements nested in another from token `first` on, without a surrounding BEGIN and END. */
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

/** Reports one problem for all data statements, since a dump may contain millions. */
function reportData(
  data: readonly Statement[],
  draft: SchemaDraft,
  { skipData }: DdlOptions,
): void {
  const [first] = data;
  if (first === undefined) return;
  const isOne = data.length === 1;
  if (skipData) {
    const subject = isOne ? 'A statement changes' : `${data.length} statements change`;
    draft.warnings.push(`${subject} data and ${isOne ? 'is' : 'are'} left out.`);
    return;
  }
  const { line, column, firstWord } = first;
  const message = isOne
    ? `This statement changes data (${firstWord}): import it as data, or leave it out with data=skip.`
    : `${data.length} statements change data, the first here with ${firstWord}: import them as data, or leave them out with data=skip.`;
  draft.problems.push({ code: 'statement_refused', message, line, column });
}

/** Adds a table. A second table of the same name is an error, unless it has IF NOT EXISTS. */
export function addTable(draft: SchemaDraft, created: DraftTable, ifNotExists: boolean): void {
  const { table, position } = created;
  if (!draft.tables.has(table.name)) draft.tables.set(table.name, created);
  else if (!ifNotExists)
    draft.problems.push({
      code: 'parse_failed',
      message: `The file creates the table ${table.name} twice.`,
      ...position,
    });
}

/** DROP TABLE removes a table of the file from the draft; other tables are listed in `dropped`. */
export function dropTable(
  draft: SchemaDraft,
  reference: TableReference,
  statement: Statement,
): void {
  if (removeTable(draft, reference)) return;
  const { line, column } = statement;
  draft.dropped.push({ name: nameOfTable(reference), line, column });
}

/** The table for ALTER TABLE and CREATE INDEX; throws if the file does not create it. */
export function requireTable(draft: SchemaDraft, reference: TableReference, at: number): Table {
  const table = findTable(draft, reference);
  if (table !== undefined) return table;
  throw new MissingTableError(
    `The file does not create the table ${nameOfTable(reference)}, and an import does not alter existing tables.`,
    at,
  );
}
