/** Reads the DDL of MySQL and MariaDB with the shared parser. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  isAtEnd,
  isNext,
  openCursor,
  offsetOf,
  parseName,
  parseQualifiedName,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import {
  changeTable,
  emptyTable,
  findTable,
  findView,
  nameOfTable,
  removeTable,
  requireOneDatabase,
  useDatabase,
} from '../../../sql/ddl/draft.ts';
import { acceptBuildOption, parseActions } from '../../../sql/ddl/read-alter.ts';
import { parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import { addTable, requireTable, dropTable, endOfStatement } from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { parseCreateTable } from '../../../sql/ddl/read-table.ts';
import { readAsServer } from '../../../sql/ddl/skipped-comments.ts';
import { renameTable } from '../../../sql/ddl/change-table.ts';
import { isNativeType, parseTypeText } from '../../../sql/ddl/parse-type-text.ts';
import { mysqlDdlRules, parseIndexOptions } from './ddl-rules.ts';
import { mysqlLanguage } from '../language/language.ts';
import { lexicalModes } from '../language/sql-modes.ts';
import { mysqlSettings } from '../language/script-settings.ts';
import { mysqlDialectHints, mysqlDumpTools } from '../language/dialect-hints.ts';
import { skippedEverywhere } from '../language/skipped-comments.ts';
import { parseType } from './parse-type.ts';
import { createProgramReader } from './read-program.ts';
import { acceptWait, withKnownMethods } from './table-options.ts';
import { parseCheckOption, parseColumnList, selectEnd } from './view-clauses.ts';
import { withoutDatabase } from './without-database.ts';
import { withOwnSequences } from './own-sequences.ts';
import type { Language } from '../../../sql/classify.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { Index, Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { DdlReader } from '../../../sql/ddl/ddl-reader.ts';
import type { ScriptReader, StatementOutcome } from '../../../sql/ddl/read-script.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';

/** At the beginning of a line, the mysql client treats `--` as a comment even without a following space. */
const language: Language = {
  ...mysqlLanguage,
  lexical: { ...mysqlLanguage.lexical, dashesNeedBlank: false },
};

/** DDL commits implicitly, so ROLLBACK does not undo it. */
const reader: ScriptReader = {
  language,
  addToDraft,
  settings: {
    settingsOf: mysqlSettings,
    affectsTables:
      /\b(?:DEFAULT_STORAGE_ENGINE|STORAGE_ENGINE) :?= (?!INNODB\b|DEFAULT\b)|\b(?:COLLATION|CHARACTER_SET)_DATABASE :?= (?!@)|\bSQL_MODE :?= .*\bREAL_AS_FLOAT\b/i,
  },
  rollsBackDdl: false,
};

export const mysqlDdlReader: DdlReader = {
  read: (text, options) => {
    const { readProgram, followSettings } = createProgramReader();
    const withPrograms: ScriptReader = {
      ...reader,
      readProgram,
      addToDraft: (statement, draft) => {
        followSettings(statement);
        return addToDraft(statement, draft);
      },
    };
    const { skippedComments = skippedEverywhere } = options;
    const reading = readAsServer(text, withPrograms, { ...options, skippedComments });
    return Promise.resolve(withOwnSequences(reading));
  },
  readType: (text) => parseTypeText(text, language.lexical, parseType),
  knowsType: (text) => isNativeType(text, language.lexical, parseType),
  dialectHints: mysqlDialectHints,
  dumpTools: mysqlDumpTools,
};

interface StatementContext {
  readonly statement: ScriptStatement;
  readonly cursor: Cursor;
  readonly draft: SchemaDraft;
  readonly rules: DdlRules;
}

function addToDraft(statement: ScriptStatement, draft: SchemaDraft): boolean | 'data' {
  const cursor = openCursor(statement, language.lexical);
  const tableReference = (parts: readonly string[]): TableReference =>
    referenceWithoutDatabase(parts, statement, draft);
  const context = { statement, cursor, draft, rules: { ...mysqlDdlRules, tableReference } };
  const verb = Object.hasOwn(verbs, wordAt(cursor)) ? verbs[wordAt(cursor)] : undefined;
  if (verb === undefined) return false;
  cursor.at += 1;
  return endOfStatement(cursor, verb(context));
}

/** Drops the database from a qualified name and records it. */
function referenceWithoutDatabase(
  parts: readonly string[],
  statement: ScriptStatement,
  draft: SchemaDraft,
): TableReference {
  const database = parts.at(-2);
  if (database === '' || parts.length > 2)
    throw new DdlError(`${parts.join('.')} is not the name of a table.`, statement.start);
  if (database !== undefined) {
    draft.databases.add(database);
    if (database !== draft.database) draft.qualifiers.add(database);
  }
  requireOneDatabase(draft, statement, database);
  return { localName: parts.at(-1) ?? '' };
}

/** By the first word of a statement, which the caller has consumed. */
const verbs: Readonly<Record<string, (context: StatementContext) => StatementOutcome>> = {
  CREATE: create,
  ALTER: alter,
  DROP: drop,
  RENAME: rename,
  SET: rejectLexicalModes,
  USE: ({ cursor, draft }) => {
    useDatabase(draft, parseName(cursor, 'a database'));
    return true;
  },
};

function rejectLexicalModes({ statement, cursor }: StatementContext): boolean {
  const { code } = cursor;
  const at = code.findIndex(({ word }, i) => word === 'SQL_MODE' && code[i + 1]?.word === '=') + 1;
  const end = code.findIndex(({ word }, i) => i > at && word === ',');
  const value = at === 0 ? '' : textBetween(cursor, at, end === -1 ? code.length : end);
  const mode = lexicalModes.exec(value)?.[0];
  if (mode !== undefined)
    throw new DdlError(
      `sql_mode ${mode} changes how quotes or backslashes are read, which an import does not support. Write the file without it.`,
      statement.start,
    );
  return false;
}

function create(context: StatementContext): StatementOutcome {
  const { cursor } = context;
  const replaces = accept(cursor, 'OR', 'REPLACE');
  const from = cursor.at;
  const viewOptions = parseViewOptions(cursor, context.draft);
  if (cursor.at > from && !isNext(cursor, 'VIEW')) throw unexpected(cursor, 'VIEW');
  if (accept(cursor, 'VIEW')) return createView(context, viewOptions);
  if (accept(cursor, 'TEMPORARY', 'TABLE')) {
    warnOmitted(context.statement, context.draft);
    return 'left out';
  }
  if (accept(cursor, 'TABLE')) return createTable(context, replaces);
  const kind = acceptOne(cursor, ['UNIQUE', 'FULLTEXT', 'SPATIAL']);
  if (accept(cursor, 'INDEX')) return createIndex(context, { kind, replaces });
  return skipDatabase(context);
}

/** Ignores CREATE DATABASE, since the studio's database exists. Its options and other statements get a warning. */
function skipDatabase({ statement, cursor, draft }: StatementContext): StatementOutcome {
  if (acceptOne(cursor, ['DATABASE', 'SCHEMA']) === undefined) return false;
  const isCreate = statement.firstWord === 'CREATE';
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  if (isCreate) parseName(cursor, 'a database');
  if (!isCreate || !isAtEnd(cursor)) warnOmitted(statement, draft);
  return 'left out';
}

// Tables

function createTable(context: StatementContext, replaces: boolean): StatementOutcome {
  const { statement, cursor, draft, rules } = context;
  const warn = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${message}`);
  const parsed = parseCreateTable(cursor, rules, warn);
  const { reference, ifNotExists, like } = parsed;
  const table = like === undefined ? parsed.table : likeTable(reference, like, { draft, cursor });
  if (table === undefined) return 'data';
  if (replaces) removeTable(draft, reference);
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, ifNotExists);
  return true;
}

/** Copies the other table without its foreign keys. */
function likeTable(
  reference: TableReference,
  like: TableReference,
  { draft, cursor }: Pick<StatementContext, 'draft' | 'cursor'>,
): Table {
  const table = requireTable(draft, like, offsetOf(cursor));
  return { ...table, ...reference, name: reference.localName, foreignKeys: [] };
}

function alter(context: StatementContext): StatementOutcome {
  const { statement, cursor, draft, rules } = context;
  acceptOne(cursor, ['ONLINE', 'IGNORE']);
  if (!accept(cursor, 'TABLE')) return skipDatabase(context);
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const offset = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  if (mayBeMissing && findTable(draft, reference) === undefined) {
    warnOmitted(statement, draft);
    return 'left out';
  }
  requireTable(draft, reference, offset);
  acceptWait(cursor);
  const warn = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${message}`);
  parseActions({ cursor, rules, draft, reference, warn });
  return true;
}

function drop(context: StatementContext): StatementOutcome {
  const { statement, cursor, draft, rules } = context;
  accept(cursor, 'TEMPORARY');
  if (accept(cursor, 'INDEX')) return dropIndex(context);
  if (acceptOne(cursor, ['TABLE', 'VIEW']) === undefined) return skipDatabase(context);
  accept(cursor, 'IF', 'EXISTS');
  do dropTable(draft, rules.tableReference(parseQualifiedName(cursor, 'a table')), statement);
  while (accept(cursor, ','));
  acceptOne(cursor, ['CASCADE', 'RESTRICT']);
  return true;
}

function dropIndex({ cursor, draft, rules }: StatementContext): boolean {
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const name = parseName(cursor, 'an index');
  expect(cursor, 'ON');
  const offset = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  const { indexes } = requireTable(draft, reference, offset);
  const remaining = indexes.filter((index) => index.name.toLowerCase() !== name.toLowerCase());
  if (remaining.length === indexes.length && !mayBeMissing)
    throw new DdlError(
      `The file does not create an index ${name} of ${nameOfTable(reference)}.`,
      offset,
    );
  changeTable(draft, reference, (table) => ({ ...table, indexes: remaining }));
  acceptBuildOptions(cursor);
  return true;
}

function rename({ statement, cursor, draft, rules }: StatementContext): boolean {
  if (!accept(cursor, 'TABLE')) return false;
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  do {
    const offset = offsetOf(cursor);
    const from = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    expect(cursor, 'TO');
    const to = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    if (mayBeMissing && findTable(draft, from) === undefined) {
      warnOmitted(statement, draft, `the renaming of ${nameOfTable(from)} to ${nameOfTable(to)}`);
      continue;
    }
    requireTable(draft, from, offset);
    renameTable(draft, { from, to, at: offset });
  } while (accept(cursor, ','));
  return true;
}

// Indexes and views

/** Parses ALGORITHM and LOCK after an index. */
function acceptBuildOptions(cursor: Cursor): void {
  for (;;)
    if (accept(cursor, 'ALGORITHM')) acceptBuildOption(cursor, 'ALGORITHM');
    else if (accept(cursor, 'LOCK')) acceptBuildOption(cursor, 'LOCK');
    else return;
}

interface CreatedIndex {
  readonly kind: string | undefined;
  /** OR REPLACE */
  readonly replaces: boolean;
}

function createIndex(
  { statement, cursor, draft, rules }: StatementContext,
  { kind, replaces }: CreatedIndex,
): boolean {
  const ifNotExists = accept(cursor, 'IF', 'NOT', 'EXISTS');
  const name = parseName(cursor, 'a name');
  const warn = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: the index ${name}: ${message}`);
  const before = parseIndexOptions(cursor, warn);
  expect(cursor, 'ON');
  const offset = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  const { indexes } = requireTable(draft, reference, offset);
  const parts = parseIndexParts(cursor);
  const options = { ...before, ...parseIndexOptions(cursor, warn) };
  acceptBuildOptions(cursor);
  const isOther = (other: Index): boolean => other.name.toLowerCase() !== name.toLowerCase();
  if (ifNotExists && !indexes.every(isOther)) return true;
  const method = kind === 'FULLTEXT' || kind === 'SPATIAL' ? { method: kind.toLowerCase() } : {};
  const index = { name, unique: kind === 'UNIQUE', parts, ...options, ...method };
  const warnOfMethod = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${message}`);
  changeTable(draft, reference, (table) => ({
    ...table,
    indexes: [
      ...(replaces ? table.indexes.filter(isOther) : table.indexes),
      ...withKnownMethods([index], table.options?.['ENGINE'], warnOfMethod),
    ],
  }));
  return true;
}

/** Parses ALGORITHM, DEFINER and SQL SECURITY before VIEW into `Table.options`. */
function parseViewOptions(cursor: Cursor, draft: SchemaDraft): Record<string, string> {
  const isViewOption = (): boolean => ['ALGORITHM', 'DEFINER', 'SQL'].includes(wordAt(cursor));
  if (!isViewOption()) return {};
  const view = cursor.code.findIndex(({ word }, i) => i >= cursor.at && word === 'VIEW');
  const other = cursor.code.findIndex(({ word }) =>
    ['TRIGGER', 'FUNCTION', 'PROCEDURE', 'EVENT'].includes(word),
  );
  if (view < 0 || (other >= 0 && view > other)) return {};
  const algorithm = accept(cursor, 'ALGORITHM', '=')
    ? expectOne(cursor, ['UNDEFINED', 'MERGE', 'TEMPTABLE'])
    : 'UNDEFINED';
  if (accept(cursor, 'DEFINER', '=') && !parseDefiner(cursor)) draft.hasDefiners = true;
  const security = accept(cursor, 'SQL', 'SECURITY')
    ? expectOne(cursor, ['DEFINER', 'INVOKER'])
    : 'DEFINER';
  return {
    ...(algorithm === 'UNDEFINED' ? {} : { algorithm }),
    ...(security === 'INVOKER' ? { sql_security: security } : {}),
  };
}

function expectOne(cursor: Cursor, list: readonly string[]): string {
  const word = acceptOne(cursor, list);
  if (word === undefined) throw unexpected(cursor, list.join(', '));
  return word;
}

/** Whether the definer is the user who runs the statement. */
function parseDefiner(cursor: Cursor): boolean {
  if (acceptOne(cursor, ['CURRENT_USER', 'CURRENT_ROLE']) !== undefined) {
    if (accept(cursor, '(')) expect(cursor, ')');
    return true;
  }
  parseName(cursor, 'a user');
  const host = cursor.code[cursor.at];
  if (host !== undefined && cursor.text[host.start] === '@') {
    cursor.at += 1;
    if (host.end === host.start + 1) parseName(cursor, 'a host');
  }
  return false;
}

function createView(
  context: StatementContext,
  viewOptions: Readonly<Record<string, string>>,
): boolean {
  const { cursor, draft, rules } = context;
  const ifNotExists = accept(cursor, 'IF', 'NOT', 'EXISTS');
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a view'));
  const columns = wordAt(cursor) === '(' ? parseColumnList(cursor) : '';
  expect(cursor, 'AS');
  if (isAtEnd(cursor)) throw unexpected(cursor, 'SELECT');
  const end = selectEnd(cursor);
  const select = textBetween(cursor, cursor.at, end);
  cursor.at = end;
  const check = isAtEnd(cursor) ? undefined : parseCheckOption(cursor);
  const options = { ...viewOptions, ...(check === undefined ? {} : { check_option: check }) };
  const text = withoutDatabase(select, draft.databases);
  const definition =
    columns === '' ? text : `WITH \`view\` ${columns} AS (\n${text}\n)\nSELECT * FROM \`view\``;
  if (ifNotExists && findView(draft, reference) !== undefined) return true;
  removeTable(draft, reference);
  draft.views.set(nameOfTable(reference), {
    ...emptyTable(reference),
    kind: 'view',
    definition,
    ...(Object.keys(options).length === 0 ? {} : { options }),
  });
  return true;
}
