/** Reads the DDL of T-SQL with the shared parser. */
import {
  MissingTableError,
  accept,
  acceptOne,
  expect,
  expectEnd,
  openCursor,
  offsetOf,
  parseName,
  parseQualifiedName,
  textBetween,
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
  innerStatements,
  leaveOut,
  readScript,
} from '../../../sql/ddl/read-script.ts';
import { parseCreateTable } from '../../../sql/ddl/read-table.ts';
import { isNativeType, parseTypeText } from '../../../sql/ddl/parse-type-text.ts';
import { sqlserverDdlRules, takeIndexTail } from './ddl-rules.ts';
import { takeExtendedProperty } from './extended-property.ts';
import { sqlserverLanguage } from '../language/language.ts';
import { sqlserverSettings } from '../language/script-settings.ts';
import { sqlserverDialectHints } from '../language/dialect-hints.ts';
import { parseType } from './parse-type.ts';
import { viewSelect } from '../dialect/view-definition.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules, ParsedType } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { DdlSettings } from '../../../sql/ddl/follow-settings.ts';
import type { DdlOptions, DdlReader, DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { ScriptStatement } from '../../../sql/ddl/read-script.ts';
import type { Table } from '../../../model/schema.ts';

export const sqlserverDdlReader: DdlReader = {
  read: (text, options) => Promise.resolve(read(text, options)),
  // Without proof that the text is T-SQL, `timestamp` is ambiguous: a row version here, a date and time elsewhere.
  readType: (text, assumed = false) =>
    assumed && /^\s*timestamp\s*$/i.test(text)
      ? { kind: 'other', name: text }
      : parseTypeText(text, sqlserverLanguage.lexical, (cursor) => parseType(cursor, new Map())),
  knowsType: (text) =>
    isNativeType(text, sqlserverLanguage.lexical, (cursor) => parseType(cursor, new Map())),
  dialectHints: sqlserverDialectHints,
};

interface Reading {
  readonly statement: ScriptStatement;
  readonly cursor: Cursor;
  readonly draft: SchemaDraft;
  readonly rules: DdlRules;
  readonly aliases: Map<string, ParsedType>;
}

const settings: DdlSettings = {
  settingsOf: sqlserverSettings,
  affectsTables: /^SET (?:ANSI_PADDING|ANSI_NULL_DFLT_ON) OFF|^SET ANSI_NULL_DFLT_OFF ON/i,
};

function read(text: string, options: DdlOptions): DdlReadResult {
  const aliases = new Map<string, ParsedType>();
  const take = (statement: ScriptStatement, draft: SchemaDraft): boolean | 'data' => {
    const cursor = openCursor(statement, sqlserverLanguage.lexical);
    const rules = sqlserverDdlRules(aliases, (parts) => referenceOf(parts, statement, draft));
    return takeStatement({ statement, cursor, draft, rules, aliases });
  };
  const reading = readScript(
    text,
    { language: sqlserverLanguage, addToDraft: take, settings, rollsBackDdl: true },
    options,
  );
  const tables = reading.schema.tables.map(withNullsNotDistinct);
  return { ...reading, schema: { ...reading.schema, tables } };
}

/** In SQL Server, a unique key treats NULLs as equal. */
function withNullsNotDistinct(table: Table): Table {
  const nullable = new Set(table.columns.flatMap(({ name, nullable: is }) => (is ? [name] : [])));
  const indexes = table.indexes.map((index) =>
    index.unique &&
    index.where === undefined &&
    index.parts.some(({ column }) => nullable.has(column ?? ''))
      ? { ...index, nullsNotDistinct: true }
      : index,
  );
  return { ...table, indexes };
}

/** Resolves `database.schema.table`; the schema dbo is omitted. */
function referenceOf(
  parts: readonly string[],
  statement: ScriptStatement,
  draft: SchemaDraft,
): TableReference {
  const localName = parts.at(-1) ?? '';
  const namespace = parts.at(-2);
  const database = parts.at(-3);
  if (database !== undefined) {
    draft.databases.add(database);
    if (database !== draft.database) draft.qualifiers.add(database);
  }
  requireOneDatabase(draft, statement, database);
  return namespace === undefined || namespace.toLowerCase() === 'dbo'
    ? { localName }
    : { localName, namespace };
}

function takeStatement(reading: Reading): boolean | 'data' {
  const word = wordAt(reading.cursor);
  const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  if (verb === undefined) return false;
  reading.cursor.at += 1;
  return verb(reading);
}

/** By the first word of a statement, which the caller has consumed. */
const verbs: Readonly<Record<string, (reading: Reading) => boolean | 'data'>> = {
  CREATE: create,
  ALTER: alter,
  DROP: drop,
  EXEC: execute,
  EXECUTE: execute,
  IF: takeConditional,
  USE: ({ cursor, draft }) => {
    useDatabase(draft, parseName(cursor, 'a database'));
    return true;
  },
};

function create(reading: Reading): boolean | 'data' {
  const { cursor } = reading;
  accept(cursor, 'OR', 'ALTER');
  if (accept(cursor, 'TABLE')) return createTable(reading);
  if (accept(cursor, 'VIEW')) return createView(reading);
  if (accept(cursor, 'TYPE')) return createType(reading);
  const unique = accept(cursor, 'UNIQUE');
  acceptOne(cursor, ['CLUSTERED', 'NONCLUSTERED']);
  if (accept(cursor, 'INDEX')) return createIndex(reading, unique);
  // Schemas are created with their tables, and the database exists already.
  return wordAt(cursor) === 'SCHEMA' || wordAt(cursor) === 'DATABASE';
}

function createTable({ statement, cursor, draft, rules }: Reading): boolean | 'data' {
  const warn = (what: string): void => void draft.warnings.push(`Line ${statement.line}: ${what}`);
  const { table, ifNotExists } = parseCreateTable(cursor, rules, warn);
  if (table === undefined) return 'data';
  if (table.localName.startsWith('#')) {
    leaveOut(statement, draft, `the temporary table ${table.localName}`);
    return true;
  }
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, ifNotExists);
  return true;
}

function createView({ statement, cursor, draft, rules }: Reading): boolean {
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a view'));
  const definition = viewSelect(statement.text);
  if (definition === undefined) {
    draft.warnings.push(
      `Line ${statement.line}: the view ${nameOfTable(reference)} is left out: its columns cannot be put around its query.`,
    );
    return true;
  }
  const from = cursor.code.findIndex(({ word }, i) => i >= cursor.at && word === 'AS');
  const attribute = cursor.code.findIndex(({ word }, i) => i < from && word === 'WITH');
  if (attribute !== -1) {
    const words = textBetween(cursor, attribute, from);
    draft.warnings.push(
      `Line ${statement.line}: ${words} of the view ${nameOfTable(reference)} is left out.`,
    );
  }
  removeTable(draft, reference);
  draft.views.set(nameOfTable(reference), { ...emptyTable(reference), kind: 'view', definition });
  return true;
}

/** Records an alias type; columns of the alias get the base type. */
function createType({ statement, cursor, draft, aliases }: Reading): boolean {
  const name = parseQualifiedName(cursor, 'a type');
  if (!accept(cursor, 'FROM')) {
    draft.warnings.push(`Line ${statement.line}: the type ${name.join('.')} is left out.`);
    return true;
  }
  const type = parseType(cursor, aliases);
  const nullable = !accept(cursor, 'NOT', 'NULL');
  aliases.set((name.at(-1) ?? '').toLowerCase(), { ...type, column: { nullable } });
  draft.warnings.push(
    `Line ${statement.line}: the type ${name.join('.')} is left out: its columns are ${type.nativeType}.`,
  );
  return true;
}

function createIndex({ statement, cursor, draft, rules }: Reading, unique: boolean): boolean {
  const name = parseName(cursor, 'a name');
  expect(cursor, 'ON');
  const place = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  requireTable(draft, reference, place);
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: the index ${name}: ${what}`);
  const index = { name, unique, parts: parseIndexParts(cursor), ...takeIndexTail(cursor, warn) };
  changeTable(draft, reference, (table) => ({ ...table, indexes: [...table.indexes, index] }));
  return true;
}

function alter({ statement, cursor, draft, rules }: Reading): boolean {
  if (!accept(cursor, 'TABLE')) return wordAt(cursor) === 'DATABASE';
  const place = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  requireTable(draft, reference, place);
  const warn = (what: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${what}`);
  parseActions({ cursor, rules, draft, reference, warn });
  return true;
}

function drop({ statement, cursor, draft, rules }: Reading): boolean {
  if (acceptOne(cursor, ['TABLE', 'VIEW']) === undefined) return wordAt(cursor) === 'DATABASE';
  accept(cursor, 'IF', 'EXISTS');
  do dropTable(draft, rules.tableReference(parseQualifiedName(cursor, 'a table')), statement);
  while (accept(cursor, ','));
  expectEnd(cursor);
  return true;
}

/** Reads comments from extended properties; other procedure calls are omitted with a warning. */
function execute({ statement, cursor, draft, rules }: Reading): boolean {
  const procedure = parseQualifiedName(cursor, 'a procedure').at(-1)?.toLowerCase();
  if (procedure === 'sp_addextendedproperty') return takeExtendedProperty(cursor, draft, rules);
  draft.warnings.push(
    `Line ${statement.line}: the call of ${textBetween(cursor, 1, cursor.at)} is left out.`,
  );
  return true;
}

const asksWhatIsThere =
  /\b(?:EXISTS|OBJECT_ID|DB_ID|SCHEMA_ID|TYPE_ID|INDEXPROPERTY|COLUMNPROPERTY|COL_LENGTH|FULLTEXTSERVICEPROPERTY)\b/i;

/** Reads the body of `IF NOT EXISTS (…) BEGIN CREATE TABLE … END`, as if the database were empty. */
function takeConditional(reading: Reading): boolean | 'data' {
  const { statement, draft, cursor } = reading;
  const first = cursor.code.findIndex(
    ({ word }, i) => i >= cursor.at && ['BEGIN', ...Object.keys(verbs)].includes(word),
  );
  if (first < 0) return true;
  const condition = textBetween(cursor, cursor.at, first);
  if (!asksWhatIsThere.test(condition))
    draft.warnings.push(`Line ${statement.line}: the condition ${condition} is taken for true.`);
  let found: boolean | 'data' = true;
  for (const inner of innerStatements(statement, first, sqlserverLanguage)) {
    const inside = {
      ...reading,
      statement: inner,
      cursor: openCursor(inner, sqlserverLanguage.lexical),
    };
    if (takeInside(inside, draft) === 'data') found = 'data';
  }
  return found;
}

function takeInside(reading: Reading, draft: SchemaDraft): boolean | 'data' {
  try {
    return takeStatement(reading);
  } catch (error) {
    if (!(error instanceof MissingTableError)) throw error;
    draft.warnings.push(
      `Line ${reading.statement.line}: a change of a table that the file has not made is left out.`,
    );
    return true;
  }
}
