/** Reads MySQL's and MariaDB's DDL, with our own reader of its tokens. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  expectEnd,
  isAtEnd,
  openCursor,
  placeOf,
  takeName,
  takeQualifiedName,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import {
  changeTable,
  emptyTable,
  nameOfTable,
  removeTable,
  stayAtHome,
  useDatabase,
} from '../../../sql/ddl/draft.ts';
import { takeActions } from '../../../sql/ddl/read-alter.ts';
import { takeParts } from '../../../sql/ddl/read-keys.ts';
import {
  addTable,
  demandTable,
  dropTable,
  leaveOut,
  readScript,
} from '../../../sql/ddl/read-script.ts';
import { takeCreateTable } from '../../../sql/ddl/read-table.ts';
import { renameTable } from '../../../sql/ddl/change-table.ts';
import { isTypeOf, typeOfText } from '../../../sql/ddl/type-of-text.ts';
import { mysqlDdlRules, takeKeyOptions, withKnownMethods } from './ddl-rules.ts';
import { mysqlLanguage } from '../language/language.ts';
import { mysqlSettings } from '../language/script-settings.ts';
import { mysqlSigns } from '../language/signs.ts';
import { takeType } from './take-type.ts';
import { withoutDatabase } from './without-database.ts';
import type { Language } from '../../../sql/classify.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { Table } from '../../../model/schema.ts';
import type { Draft, TableReference } from '../../../sql/ddl/draft.ts';
import type { DdlReader } from '../../../sql/ddl/reading.ts';
import type { ScriptReader, ScriptStatement } from '../../../sql/ddl/read-script.ts';

/** The client takes `--` at a line's beginning for a comment also without a blank behind it. */
const language: Language = {
  ...mysqlLanguage,
  lexical: { ...mysqlLanguage.lexical, dashesNeedBlank: false },
};

/** Every statement of structure commits. */
const reader: ScriptReader = {
  language,
  take,
  settings: {
    settingsOf: mysqlSettings,
    shaping:
      /\b(?:DEFAULT_STORAGE_ENGINE|STORAGE_ENGINE) :?= (?!INNODB\b|DEFAULT\b)|\b(?:COLLATION|CHARACTER_SET)_DATABASE :?= (?!@)|\bSQL_MODE :?= .*\bREAL_AS_FLOAT\b/i,
  },
  rollsBackStructure: false,
};

export const mysqlDdlReader: DdlReader = {
  read: (text, options) => Promise.resolve(readScript(withoutSandboxLine(text), reader, options)),
  readType: (text) => typeOfText(text, language.lexical, takeType),
  knowsType: (text) => isTypeOf(text, language.lexical, takeType),
  signs: mysqlSigns,
};

/** `/*M!999999\\- enable the sandbox mode *\/`, the first line of MariaDB's dumps, speaks to its client only. */
function withoutSandboxLine(text: string): string {
  return text.replace(/^\/\*M!999999\\-[^*\n]*\*\//m, (line) => ' '.repeat(line.length));
}

interface Reading {
  readonly statement: ScriptStatement;
  readonly cursor: Cursor;
  readonly draft: Draft;
  readonly rules: DdlRules;
}

function take(statement: ScriptStatement, draft: Draft): boolean | 'data' {
  const cursor = openCursor(statement, language.lexical);
  const reference = (parts: readonly string[]): TableReference =>
    referenceOf(parts, statement, draft);
  const reading = { statement, cursor, draft, rules: { ...mysqlDdlRules, reference } };
  const verb = Object.hasOwn(verbs, wordAt(cursor)) ? verbs[wordAt(cursor)] : undefined;
  if (verb === undefined) return false;
  cursor.at += 1;
  return verb(reading);
}

/** What qualifies a table is the database that the file is of. */
function referenceOf(
  parts: readonly string[],
  statement: ScriptStatement,
  draft: Draft,
): TableReference {
  const database = parts.at(-2);
  if (database !== undefined) {
    draft.databases.add(database);
    if (database !== draft.database) draft.qualifiers.add(database);
  }
  stayAtHome(draft, statement, database);
  return { localName: parts.at(-1) ?? '' };
}

/** By a statement's first word, which has been passed. */
const verbs: Readonly<Record<string, (reading: Reading) => boolean | 'data'>> = {
  CREATE: create,
  ALTER: alter,
  DROP: drop,
  RENAME: rename,
  SET: readSettings,
  USE: ({ cursor, draft }) => {
    useDatabase(draft, takeName(cursor, 'a database'));
    return true;
  },
};

/** Modes, and the names of several, under which the text itself reads otherwise than it is read here. */
const lexicalModes =
  /\b(?:ANSI_QUOTES|NO_BACKSLASH_ESCAPES|ANSI|DB2|MAXDB|MSSQL|ORACLE|POSTGRESQL)\b/i;

function readSettings({ statement, cursor }: Reading): boolean {
  const { code } = cursor;
  const at = code.findIndex(({ word }, i) => word === 'SQL_MODE' && code[i + 1]?.word === '=') + 1;
  const end = code.findIndex(({ word }, i) => i > at && word === ',');
  const value = at === 0 ? '' : textBetween(cursor, at, end === -1 ? code.length : end);
  const mode = lexicalModes.exec(value)?.[0];
  if (mode !== undefined)
    throw new DdlError(
      `sql_mode ${mode} changes how quotes or backslashes are read, which an import does not follow: write the file without it.`,
      statement.start,
    );
  return false;
}

function create(reading: Reading): boolean | 'data' {
  const { cursor } = reading;
  const replaces = accept(cursor, 'OR', 'REPLACE');
  const marks = takeViewMarks(cursor, reading.draft);
  if (accept(cursor, 'VIEW')) return createView(reading, marks);
  if (accept(cursor, 'TEMPORARY', 'TABLE')) {
    leaveOut(reading.statement, reading.draft);
    return true;
  }
  if (accept(cursor, 'TABLE')) return createTable(reading, replaces);
  const kind = acceptOne(cursor, ['UNIQUE', 'FULLTEXT', 'SPATIAL', 'ONLINE', 'OFFLINE']);
  if (accept(cursor, 'INDEX')) return createIndex(reading, kind);
  return passDatabase(reading);
}

/** The database that the file is of is the studio's own. A plain CREATE asks for nothing that it has not. */
function passDatabase({ statement, cursor, draft }: Reading): boolean {
  if (acceptOne(cursor, ['DATABASE', 'SCHEMA']) === undefined) return false;
  const isCreate = statement.firstWord === 'CREATE';
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  if (isCreate) takeName(cursor, 'a database');
  if (!isCreate || !isAtEnd(cursor)) leaveOut(statement, draft);
  return true;
}

// Tables

function createTable(reading: Reading, replaces: boolean): boolean | 'data' {
  const { statement, cursor, draft, rules } = reading;
  const warn = (what: string): void => void draft.warnings.push(`Line ${statement.line}: ${what}`);
  const made = takeCreateTable(cursor, rules, warn);
  const { reference, unlessThere, like } = made;
  const table = like === undefined ? made.table : likeTable(reference, like, { draft, cursor });
  if (table === undefined) return 'data';
  if (replaces) removeTable(draft, reference);
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, unlessThere);
  return true;
}

/** Everything of the other table but its foreign keys. */
function likeTable(
  reference: TableReference,
  like: TableReference,
  { draft, cursor }: Pick<Reading, 'draft' | 'cursor'>,
): Table {
  const table = demandTable(draft, like, placeOf(cursor));
  return { ...table, ...reference, name: reference.localName, foreignKeys: [] };
}

function alter(reading: Reading): boolean {
  const { statement, cursor, draft, rules } = reading;
  acceptOne(cursor, ['ONLINE', 'IGNORE']);
  if (!accept(cursor, 'TABLE')) return passDatabase(reading);
  accept(cursor, 'IF', 'EXISTS');
  const place = placeOf(cursor);
  const reference = rules.reference(takeQualifiedName(cursor, 'a table'));
  demandTable(draft, reference, place);
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${what}`);
  takeActions({ cursor, rules, draft, reference, warn });
  return true;
}

function drop(reading: Reading): boolean {
  const { statement, cursor, draft, rules } = reading;
  accept(cursor, 'TEMPORARY');
  if (accept(cursor, 'INDEX')) return dropIndex(reading);
  if (acceptOne(cursor, ['TABLE', 'VIEW']) === undefined) return passDatabase(reading);
  accept(cursor, 'IF', 'EXISTS');
  do dropTable(draft, rules.reference(takeQualifiedName(cursor, 'a table')), statement);
  while (accept(cursor, ','));
  acceptOne(cursor, ['CASCADE', 'RESTRICT']);
  expectEnd(cursor);
  return true;
}

function dropIndex({ cursor, draft, rules }: Reading): boolean {
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const name = takeName(cursor, 'an index');
  expect(cursor, 'ON');
  const place = placeOf(cursor);
  const reference = rules.reference(takeQualifiedName(cursor, 'a table'));
  const { indexes } = demandTable(draft, reference, place);
  const left = indexes.filter((index) => index.name.toLowerCase() !== name.toLowerCase());
  if (left.length === indexes.length && !mayBeMissing)
    throw new DdlError(`The file makes no index ${name} of ${nameOfTable(reference)}.`, place);
  changeTable(draft, reference, (table) => ({ ...table, indexes: left }));
  return true;
}

function rename({ cursor, draft, rules }: Reading): boolean {
  if (!accept(cursor, 'TABLE')) return false;
  do {
    const place = placeOf(cursor);
    const from = rules.reference(takeQualifiedName(cursor, 'a table'));
    expect(cursor, 'TO');
    const to = rules.reference(takeQualifiedName(cursor, 'a table'));
    demandTable(draft, from, place);
    renameTable(draft, from, to);
  } while (accept(cursor, ','));
  return true;
}

// Indexes and views

function createIndex(
  { statement, cursor, draft, rules }: Reading,
  kind: string | undefined,
): boolean {
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const name = takeName(cursor, 'a name');
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: the index ${name}: ${what}`);
  const before = takeKeyOptions(cursor, warn);
  expect(cursor, 'ON');
  const place = placeOf(cursor);
  const reference = rules.reference(takeQualifiedName(cursor, 'a table'));
  demandTable(draft, reference, place);
  const parts = takeParts(cursor);
  const options = { ...before, ...takeKeyOptions(cursor, warn) };
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

/** ALGORITHM, DEFINER and SQL SECURITY before VIEW, as `Table.options` has them. */
function takeViewMarks(cursor: Cursor, draft: Draft): Record<string, string> {
  const isMark = (): boolean => ['ALGORITHM', 'DEFINER', 'SQL'].includes(wordAt(cursor));
  if (!isMark()) return {};
  const view = cursor.code.findIndex(({ word }, i) => i >= cursor.at && word === 'VIEW');
  const other = cursor.code.findIndex(({ word }) =>
    ['TRIGGER', 'FUNCTION', 'PROCEDURE', 'EVENT'].includes(word),
  );
  if (view < 0 || (other >= 0 && view > other)) return {};
  const marks = textBetween(cursor, cursor.at, view);
  cursor.at = view;
  const algorithm = /\bALGORITHM\s*=\s*(MERGE|TEMPTABLE)\b/i.exec(marks)?.[1];
  if (/\bDEFINER\s*=(?!\s*CURRENT_USER\b)/i.test(marks)) draft.definers = true;
  return {
    ...(algorithm === undefined ? {} : { algorithm: algorithm.toUpperCase() }),
    ...(/\bSECURITY\s+INVOKER\b/i.test(marks) ? { sql_security: 'INVOKER' } : {}),
  };
}

function createView(reading: Reading, marks: Readonly<Record<string, string>>): boolean {
  const { cursor, draft, rules } = reading;
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const reference = rules.reference(takeQualifiedName(cursor, 'a view'));
  const columns = wordAt(cursor) === '(' ? takeColumnList(cursor) : '';
  expect(cursor, 'AS');
  if (isAtEnd(cursor)) throw unexpected(cursor, 'SELECT');
  const end = selectEnd(cursor);
  const select = textBetween(cursor, cursor.at, end);
  const check = end === cursor.code.length ? undefined : checkOption(cursor);
  const options = { ...marks, ...(check === undefined ? {} : { check_option: check }) };
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

function takeColumnList(cursor: Cursor): string {
  const from = cursor.at;
  takeParts(cursor);
  return textBetween(cursor, from, cursor.at);
}

function checkOption({ code }: Cursor): string {
  return code.at(-3)?.word === 'LOCAL' ? 'LOCAL' : 'CASCADED';
}

/** Before WITH CHECK OPTION. */
function selectEnd({ code }: Cursor): number {
  const end = code.length;
  if (code[end - 1]?.word !== 'OPTION' || code[end - 2]?.word !== 'CHECK') return end;
  return code[end - 3]?.word === 'WITH' ? end - 3 : end - 4;
}
