/** Reads the DDL of MySQL and MariaDB with the shared parser. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  expectEnd,
  isAtEnd,
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
  nameOfTable,
  removeTable,
  requireOneDatabase,
  useDatabase,
} from '../../../sql/ddl/draft.ts';
import { parseActions } from '../../../sql/ddl/read-alter.ts';
import { parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import {
  addTable,
  requireTable,
  dropTable,
  leaveOut,
  readScript,
} from '../../../sql/ddl/read-script.ts';
import { parseCreateTable } from '../../../sql/ddl/read-table.ts';
import { renameTable } from '../../../sql/ddl/change-table.ts';
import { isNativeType, parseTypeText } from '../../../sql/ddl/parse-type-text.ts';
import { mysqlDdlRules, parseIndexOptions, withKnownMethods } from './ddl-rules.ts';
import { mysqlLanguage } from '../language/language.ts';
import { mysqlSettings } from '../language/script-settings.ts';
import { mysqlDialectHints } from '../language/dialect-hints.ts';
import { parseType } from './parse-type.ts';
import { withoutDatabase } from './without-database.ts';
import type { Language } from '../../../sql/classify.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { DdlReader } from '../../../sql/ddl/ddl-reader.ts';
import type { ScriptReader, ScriptStatement } from '../../../sql/ddl/read-script.ts';

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
  read: (text, options) => Promise.resolve(readScript(withoutSandboxLine(text), reader, options)),
  readType: (text) => parseTypeText(text, language.lexical, parseType),
  knowsType: (text) => isNativeType(text, language.lexical, parseType),
  dialectHints: mysqlDialectHints,
};

/** Blanks out `/*M!999999\\- enable the sandbox mode *\/`, the first line of MariaDB dumps, which is for its client only. */
function withoutSandboxLine(text: string): string {
  return text.replace(/^\/\*M!999999\\-[^*\n]*\*\//m, (line) => ' '.repeat(line.length));
}

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
  return verb(context);
}

/** Drops the database from a qualified name and records it. */
function referenceWithoutDatabase(
  parts: readonly string[],
  statement: ScriptStatement,
  draft: SchemaDraft,
): TableReference {
  const database = parts.at(-2);
  if (database !== undefined) {
    draft.databases.add(database);
    if (database !== draft.database) draft.qualifiers.add(database);
  }
  requireOneDatabase(draft, statement, database);
  return { localName: parts.at(-1) ?? '' };
}

/** By the first word of a statement, which the caller has consumed. */
const verbs: Readonly<Record<string, (context: StatementContext) => boolean | 'data'>> = {
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

/** SQL modes, and combination modes, that change how the text is tokenized. */
const lexicalModes =
  /\b(?:ANSI_QUOTES|NO_BACKSLASH_ESCAPES|ANSI|DB2|MAXDB|MSSQL|ORACLE|POSTGRESQL)\b/i;

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

function create(context: StatementContext): boolean | 'data' {
  const { cursor } = context;
  const replaces = accept(cursor, 'OR', 'REPLACE');
  const viewOptions = parseViewOptions(cursor, context.draft);
  if (accept(cursor, 'VIEW')) return createView(context, viewOptions);
  if (accept(cursor, 'TEMPORARY', 'TABLE')) {
    leaveOut(context.statement, context.draft);
    return true;
  }
  if (accept(cursor, 'TABLE')) return createTable(context, replaces);
  const kind = acceptOne(cursor, ['UNIQUE', 'FULLTEXT', 'SPATIAL', 'ONLINE', 'OFFLINE']);
  if (accept(cursor, 'INDEX')) return createIndex(context, kind);
  return skipDatabase(context);
}

/** Ignores CREATE DATABASE, since the studio's database exists. Its options and other statements get a warning. */
function skipDatabase({ statement, cursor, draft }: StatementContext): boolean {
  if (acceptOne(cursor, ['DATABASE', 'SCHEMA']) === undefined) return false;
  const isCreate = statement.firstWord === 'CREATE';
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  if (isCreate) parseName(cursor, 'a database');
  if (!isCreate || !isAtEnd(cursor)) leaveOut(statement, draft);
  return true;
}

// Tables

function createTable(context: StatementContext, replaces: boolean): boolean | 'data' {
  const { statement, cursor, draft, rules } = context;
  const warn = (what: string): void => void draft.warnings.push(`Line ${statement.line}: ${what}`);
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

function alter(context: StatementContext): boolean {
  const { statement, cursor, draft, rules } = context;
  acceptOne(cursor, ['ONLINE', 'IGNORE']);
  if (!accept(cursor, 'TABLE')) return skipDatabase(context);
  accept(cursor, 'IF', 'EXISTS');
  const offset = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  requireTable(draft, reference, offset);
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${what}`);
  parseActions({ cursor, rules, draft, reference, warn });
  return true;
}

function drop(context: StatementContext): boolean {
  const { statement, cursor, draft, rules } = context;
  accept(cursor, 'TEMPORARY');
  if (accept(cursor, 'INDEX')) return dropIndex(context);
  if (acceptOne(cursor, ['TABLE', 'VIEW']) === undefined) return skipDatabase(context);
  accept(cursor, 'IF', 'EXISTS');
  do dropTable(draft, rules.tableReference(parseQualifiedName(cursor, 'a table')), statement);
  while (accept(cursor, ','));
  acceptOne(cursor, ['CASCADE', 'RESTRICT']);
  expectEnd(cursor);
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
  return true;
}

function rename({ cursor, draft, rules }: StatementContext): boolean {
  if (!accept(cursor, 'TABLE')) return false;
  do {
    const offset = offsetOf(cursor);
    const from = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    expect(cursor, 'TO');
    const to = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    requireTable(draft, from, offset);
    renameTable(draft, from, to);
  } while (accept(cursor, ','));
  return true;
}

// Indexes and views

function createIndex(
  { statement, cursor, draft, rules }: StatementContext,
  kind: string | undefined,
): boolean {
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const name = parseName(cursor, 'a name');
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: the index ${name}: ${what}`);
  const before = parseIndexOptions(cursor, warn);
  expect(cursor, 'ON');
  const offset = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  requireTable(draft, reference, offset);
  const parts = parseIndexParts(cursor);
  const options = { ...before, ...parseIndexOptions(cursor, warn) };
  const method = kind === 'FULLTEXT' || kind === 'SPATIAL' ? { method: kind.toLowerCase() } : {};
  const index = { name, unique: kind === 'UNIQUE', parts, ...options, ...method };
  const warnOfMethod = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${what}`);
  changeTable(draft, reference, (table) => ({
    ...table,
    indexes: [
      ...table.indexes,
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
  const viewOptions = textBetween(cursor, cursor.at, view);
  cursor.at = view;
  const algorithm = /\bALGORITHM\s*=\s*(MERGE|TEMPTABLE)\b/i.exec(viewOptions)?.[1];
  if (/\bDEFINER\s*=(?!\s*CURRENT_USER\b)/i.test(viewOptions)) draft.hasDefiners = true;
  return {
    ...(algorithm === undefined ? {} : { algorithm: algorithm.toUpperCase() }),
    ...(/\bSECURITY\s+INVOKER\b/i.test(viewOptions) ? { sql_security: 'INVOKER' } : {}),
  };
}

function createView(
  context: StatementContext,
  viewOptions: Readonly<Record<string, string>>,
): boolean {
  const { cursor, draft, rules } = context;
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a view'));
  const columns = wordAt(cursor) === '(' ? parseColumnList(cursor) : '';
  expect(cursor, 'AS');
  if (isAtEnd(cursor)) throw unexpected(cursor, 'SELECT');
  const end = selectEnd(cursor);
  const select = textBetween(cursor, cursor.at, end);
  const check = end === cursor.code.length ? undefined : checkOption(cursor);
  const options = { ...viewOptions, ...(check === undefined ? {} : { check_option: check }) };
  const text = withoutDatabase(select, draft.databases);
  const definition =
    columns === '' ? text : `WITH \`view\` ${columns} AS (\n${text}\n)\nSELECT * FROM \`view\``;
  removeTable(draft, reference);
  draft.views.set(nameOfTable(reference), {
    ...emptyTable(reference),
    kind: 'view',
    definition,
    ...(Object.keys(options).length === 0 ? {} : { options }),
  });
  return true;
}

function parseColumnList(cursor: Cursor): string {
  const from = cursor.at;
  parseIndexParts(cursor);
  return textBetween(cursor, from, cursor.at);
}

function checkOption({ code }: Cursor): string {
  return code.at(-3)?.word === 'LOCAL' ? 'LOCAL' : 'CASCADED';
}

/** The end of the query, before WITH CHECK OPTION. */
function selectEnd({ code }: Cursor): number {
  const end = code.length;
  if (code[end - 1]?.word !== 'OPTION' || code[end - 2]?.word !== 'CHECK') return end;
  return code[end - 3]?.word === 'WITH' ? end - 3 : end - 4;
}
