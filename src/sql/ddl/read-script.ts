/** Reads a DDL file statement by statement into a schema; other statements become warnings or problems. */
import { classify } from '../classify.ts';
import { split } from '../../portable/lexer/split.ts';
import {
  DdlError,
  MissingTableError,
  RejectedStatement,
  executableCode,
  expectEnd,
} from './cursor.ts';
import {
  findTable,
  finishDraft,
  nameOfTable,
  newDraft,
  recordMissingColumns,
  removeTable,
} from './draft.ts';
import { executedRecorder, isContainer, reportUnreachedRows } from './executed-statements.ts';
import { reportOpenComment } from './open-comment.ts';
import { isSettingIgnored } from './track-settings.ts';
import { requireCommit, trackTransaction, newTransactionState } from './track-transactions.ts';
import {
  describeSkippedChange,
  describeSkippedObject,
  namesKnownObjectKind,
  objectVerbs,
} from './skipped-objects.ts';
import { positionCounter } from '../../portable/lexer/position.ts';
import { settingTokens } from '../script-settings.ts';
import { excerpt, warnOfChange, warnOmitted } from './warn-omitted.ts';
import type { Language, StatementKind } from '../classify.ts';
import type { Cursor } from './cursor.ts';
import type {
  NestedContent,
  NestedStatement,
  Nesting,
  ScriptStatement,
} from './script-statement.ts';
import type { Statement } from '../../portable/lexer/split.ts';
import type { Table } from '../../model/schema.ts';
import type { RecordExecuted } from './executed-statements.ts';
import type { SchemaDraft, DraftTable, TableReference } from './draft.ts';
import type { DdlSettings } from './track-settings.ts';
import type { TransactionState } from './track-transactions.ts';
import type { DdlOptions, DdlProblem, DdlReadResult, ExecutedStatement } from './ddl-reader.ts';

export interface ScriptReader {
  readonly language: Language;
  /** Adds what a DDL statement defines to the draft. Returns 'data' for statements that write rows, false for other statements. Throws `DdlError`. */
  addToDraft(statement: ScriptStatement, draft: SchemaDraft): boolean | 'data';
  /** Set by a dialect that follows what the script has done so far. */
  readonly script?: Script;
  /** Called before each statement is read. Returns false for a statement that the script does not run. */
  isRun?(statement: Statement | NestedStatement): boolean;
  /** The statements within a statement; undefined for other statements. */
  contentOf?(statement: ScriptStatement, draft: SchemaDraft): NestedContent | undefined;
  readonly settings: DdlSettings;
  /**
   * Reads a statement of a dump that creates, drops or changes a trigger or routine into the programs of
   * the draft. False for other statements, and for those that the import cannot create.
   */
  readProgram?(statement: ScriptStatement, draft: SchemaDraft): boolean;
  /** Whether ROLLBACK undoes DDL. */
  readonly rollsBackDdl: boolean;
}

/** What the statements of a script have done so far. */
export interface Script {
  readonly draft: SchemaDraft;
  /** The statements that change data. */
  readonly data: Statement[];
}

export function newScript(): Script {
  return { draft: newDraft(), data: [] };
}

/** What a dialect did with a statement: `true` if it read it, `left out` if it named it as a whole. */
export type StatementOutcome = boolean | 'data' | 'left out';

/** Throws if a reader has not read all tokens of the statement. */
export function endOfStatement(cursor: Cursor, outcome: StatementOutcome): boolean | 'data' {
  if (outcome === true) expectEnd(cursor);
  return outcome === 'left out' ? true : outcome;
}

const maxProblems = 100;

export function readScript(text: string, reader: ScriptReader, options: DdlOptions): DdlReadResult {
  const { draft, data } = reader.script ?? newScript();
  const transactions = newTransactionState();
  const executed: ExecutedStatement[] = [];
  const statements = split(text, reader.language);
  for (const [index, statement] of statements.entries()) {
    if (draft.problems.length >= maxProblems) break;
    const following = (): readonly Statement[] => statements.slice(index + 1);
    const recordExecuted = executedRecorder(executed, statement, options);
    const context = { reader, draft, transactions, data, following, options, recordExecuted };
    readStatement(text, statement, context);
  }
  recordProblems({ text, draft }, () => requireCommit(transactions));
  reportOpenComment(text, reader.language, draft);
  reportData(data, draft, options);
  const result = finishDraft(draft);
  return options.hasRows === true ? { ...result, executed } : result;
}

interface ScriptContext {
  readonly reader: ScriptReader;
  readonly draft: SchemaDraft;
  readonly transactions: TransactionState;
  /** The statements so far that change data. */
  readonly data: Statement[];
  readonly following: () => readonly Statement[];
  readonly options: DdlOptions;
  readonly recordExecuted: RecordExecuted;
}

interface ReadPart {
  /** Of the file. */
  readonly text: string;
  readonly draft: SchemaDraft;
  readonly statement?: Statement & { readonly nesting?: Nesting | undefined };
}

/** Runs `action` and records a `DdlError` as a problem of the file. */
function recordProblems<T>({ text, draft, statement }: ReadPart, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof DdlError)) throw error;
    const { isConditional = false, offsetInFile } = statement?.nesting ?? {};
    if (isConditional && error instanceof MissingTableError)
      draft.warnings.push(
        `Line ${statement?.line ?? 1}: a change of a table that the file does not create is left out.`,
      );
    else draft.problems.push(problemAt(text, error, offsetInFile?.(error.at)));
    return undefined;
  }
}

const dataVerbs: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'MERGE']);

/** Decides by the first word where it can, since a dump may contain millions of these statements. */
function isDataStatement({ firstWord, rows, text }: Statement, { statements }: Language): boolean {
  if (rows !== undefined) return true;
  if (!dataVerbs.has(firstWord)) return false;
  // UPDATE STATISTICS of T-SQL
  const [, second = ''] = /^\w+\s+(\w+)/.exec(text) ?? [];
  return !Object.hasOwn(statements.verbs, `${firstWord} ${second.toUpperCase()}`);
}

function readStatement(
  text: string,
  statement: Statement | NestedStatement,
  context: ScriptContext,
): void {
  const { reader, draft, data, recordExecuted } = context;
  if (reader.isRun?.(statement) === false) {
    if (isDataStatement(statement, reader.language)) reportUnreachedRows(statement, context);
    return;
  }
  if (isDataStatement(statement, reader.language)) {
    data.push(statement);
    return recordExecuted(statement);
  }
  const classified = withKind(statement, reader.language);
  const read = (): 'data' | NestedContent | undefined => {
    requireClosedQuotes(classified);
    return reader.contentOf?.(classified, draft) ?? readSingle(classified, context);
  };
  const outcome = recordProblems({ text, draft, statement }, read);
  if (outcome === 'data') data.push(statement);
  if (outcome === 'data' || outcome === undefined) return recordExecuted(statement);
  if (outcome.statements.length === 0 && !isContainer(statement)) recordExecuted(statement);
  for (const inner of outcome.statements) readStatement(text, inner, context);
  outcome.end?.();
}

/** Reads a statement that contains no other one. */
function readSingle(statement: ScriptStatement, context: ScriptContext): 'data' | undefined {
  const { reader, draft, transactions, following } = context;
  if (hasExternalAccess(statement, reader)) rejectExternalAccess(statement, { reader, draft });
  if (reader.rollsBackDdl && statement.kind === 'transaction')
    trackTransaction(transactions, statement);
  const script = { following, lexical: reader.language.lexical };
  const isIgnoredSetting =
    statement.kind !== 'write' && isSettingIgnored(statement, reader.settings, script);
  if (isIgnoredSetting) warnOmitted(statement, draft);
  const added = reader.addToDraft(statement, draft);
  recordMissingColumns(draft, statement);
  if (added === 'data') return 'data';
  if (added) transactions.ddlCount += Number(isDdl(statement));
  return added || isIgnoredSetting || isServerSetting(statement, reader)
    ? undefined
    : handleOtherStatement(statement, context);
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
  { reader, draft }: Pick<ScriptContext, 'reader' | 'draft'>,
): never {
  if (statement.firstWord === 'CREATE') reader.addToDraft(statement, draft);
  throw externalAccessError(statement);
}

/** SQLite attaches files with these. The classifier of other dialects would treat them as procedure names. */
const attachVerbs: ReadonlySet<string> = new Set(['ATTACH', 'DETACH']);

function hasExternalAccess(statement: ScriptStatement, reader: ScriptReader): boolean {
  if (attachVerbs.has(statement.firstWord)) return true;
  const isRun = !isSkippedObject(statement) && !isServerSetting(statement, reader);
  return statement.kind === 'external' && isRun;
}

/** Statements that set up a session or a server. */
const settingVerbs: ReadonlySet<string> = new Set(['SET', 'CHANGE', 'START', 'STOP']);

/**
 * Whether the statement is a setting whose value may be a path or an address. No import runs it, and
 * `isSettingIgnored` decides whether a warning names it.
 */
function isServerSetting(
  { text, firstWord, kind }: ScriptStatement,
  { settings, language }: ScriptReader,
): boolean {
  if (kind !== 'external' || !settingVerbs.has(firstWord)) return false;
  return settings.settingsOf(settingTokens(text, language.lexical)) !== undefined;
}

/** Whether the statement only defines or changes an object that is omitted, whatever it does. */
function isSkippedObject(statement: ScriptStatement): boolean {
  return (describeSkippedObject(statement) ?? describeSkippedChange(statement)) !== undefined;
}

function problemAt(text: string, error: DdlError, at = error.at): DdlProblem {
  const code = error instanceof RejectedStatement ? 'statement_refused' : 'parse_failed';
  return { code, message: error.message, ...positionCounter(text)(at) };
}

const silentKinds: ReadonlySet<StatementKind> = new Set([
  'empty',
  'read',
  'session',
  'transaction',
]);

/**
 * Statements that are classified as harmless but need others before or after them, so their
 * omission needs a warning.
 */
const statefulVerbs: ReadonlySet<string> = new Set(['HANDLER', 'XA']);

/** Whether the omission of a harmless statement needs a warning. A read may be a typo: MySQL's `TABLE t` for `CREATE TABLE t`. */
function needsWarning({ kind, firstWord }: ScriptStatement): boolean {
  return statefulVerbs.has(firstWord) || (kind === 'read' && firstWord !== 'PRINT');
}

/** Maintenance statements, such as UPDATE STATISTICS, and messages. An import ignores them without a warning. */
const maintenanceVerbs: ReadonlySet<string> = new Set(
  'ANALYZE ANALYSE VACUUM CLUSTER REINDEX CHECKPOINT OPTIMIZE FLUSH RAISERROR UPDATE'.split(' '),
);

/** Handles statements that define no table, view, index, type or comment. */
function handleOtherStatement(
  statement: ScriptStatement,
  { draft, options, reader }: ScriptContext,
): 'data' | undefined {
  const { kind, firstWord, start } = statement;
  if (silentKinds.has(kind)) {
    if (needsWarning(statement)) warnOmitted(statement, draft);
    return undefined;
  }
  if (kind === 'write' || firstWord === 'TRUNCATE') return 'data';
  const omitted = describeSkippedObject(statement);
  // A body in a versioned comment may contain comments, whose effects are unknown.
  if ((kind === 'unknown' && omitted === undefined) || !isKnown(statement, reader.language))
    throw new DdlError(`${excerpt(statement)} is not a known statement.`, start);
  const isOfDump = options.data === 'loaded' && statement.nesting === undefined;
  if (isOfDump && reader.readProgram?.(statement, draft) === true) return undefined;
  if (omitted === undefined && maintenanceVerbs.has(firstWord)) return undefined;
  const changed = describeSkippedChange(statement);
  if (changed === undefined) warnOmitted(statement, draft, omitted);
  else warnOfChange(changed, statement, draft);
  return undefined;
}

/** Whether the first word is a known verb. A call by bare name counts only for system procedures; other names may be typos. */
function isKnown(statement: ScriptStatement, { statements }: Language): boolean {
  const { firstWord } = statement;
  const isVerb = Object.keys(statements.verbs).some((verb) => verb.split(' ', 1)[0] === firstWord);
  if (!isVerb) return /^(?:SP|XP)_/.test(firstWord);
  return !objectVerbs.has(firstWord) || namesKnownObjectKind(statement);
}

/** Reports one problem for all data statements, since a dump may contain millions. */
function reportData(
  data: readonly Statement[],
  draft: SchemaDraft,
  { data: treatment, hasRows = false }: DdlOptions,
): void {
  const [first] = data;
  // The reader of rows checks the statements that change data.
  if (first === undefined || hasRows) return;
  const isOne = data.length === 1;
  if (treatment === 'skipped') {
    const subject = isOne ? 'A statement changes' : `${data.length} statements change`;
    draft.warnings.push(`${subject} data and ${isOne ? 'is' : 'are'} left out.`);
    return;
  }
  const { line, column, firstWord } = first;
  if (treatment === 'loaded') {
    for (const { line: at, column: from, firstWord: verb } of data.slice(0, maxProblems))
      draft.problems.push({
        code: 'statement_refused',
        message: `This statement writes rows of a query (${verb}), which an import does not run.`,
        line: at,
        column: from,
      });
    return;
  }
  const message = isOne
    ? `This statement changes data (${firstWord}): import it as data or as a dump, or set data to skip to leave it out.`
    : `${data.length} statements change data, the first here with ${firstWord}: import them as data or as a dump, or set data to skip to leave them out.`;
  draft.problems.push({ code: 'statement_refused', message, line, column });
}

/** Adds a table. A second table of the same name is an error, unless it has IF NOT EXISTS. */
export function addTable(draft: SchemaDraft, createdTable: DraftTable, ifNotExists: boolean): void {
  const { table, position } = createdTable;
  if (!draft.tables.has(table.name)) draft.tables.set(table.name, createdTable);
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
