/** Reads the DDL of T-SQL with the shared parser. */
import {
  accept,
  acceptOne,
  expect,
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
  emptyTable,
  nameOfTable,
  removeTable,
  requireOneDatabase,
  useDatabase,
} from '../../../sql/ddl/draft.ts';
import { parseActions } from '../../../sql/ddl/read-alter.ts';
import { parseColumnNames } from '../../../sql/ddl/read-keys.ts';
import {
  addTable,
  endOfStatement,
  requireTable,
  dropTable,
  newScript,
  readScript,
} from '../../../sql/ddl/read-script.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { parseCreateTable } from '../../../sql/ddl/read-table.ts';
import { isNativeType, parseTypeText } from '../../../sql/ddl/parse-type-text.ts';
import { acceptClustering, sqlserverDdlRules } from './ddl-rules.ts';
import { createIndex, dropIndexes, skipColumnstoreIndex } from './read-indexes.ts';
import { nestedStatements } from './nested-statements.ts';
import { trackOtherObjects, discardTable, isReached, newScriptRun } from './script-run.ts';
import { readProcedureCall, transferTable } from './procedure-calls.ts';
import { sqlserverLanguage } from '../language/language.ts';
import { sqlserverSettings } from '../language/script-settings.ts';
import { sqlserverDialectHints } from '../language/dialect-hints.ts';
import { readName } from '../../../sql/expression/read-literal.ts';
import { runSqlcmd } from './sqlcmd.ts';
import { parseType } from './parse-type.ts';
import { withoutLabels } from './labels.ts';
import { viewSelect } from '../dialect/view-definition.ts';
import type { CreatedNamespace, ScriptRun } from './script-run.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { DdlSettings } from '../../../sql/ddl/track-settings.ts';
import type { DdlOptions, DdlReader, DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { StatementOutcome } from '../../../sql/ddl/read-script.ts';
import type { ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { Schema, Table } from '../../../model/schema.ts';

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

interface StatementContext {
  readonly statement: ScriptStatement;
  readonly cursor: Cursor;
  readonly draft: SchemaDraft;
  readonly rules: DdlRules;
  readonly run: ScriptRun;
}

const settings: DdlSettings = {
  settingsOf: sqlserverSettings,
  affectsTables: /^SET (?:ANSI_PADDING|ANSI_NULL_DFLT_ON) OFF|^SET ANSI_NULL_DFLT_OFF ON/i,
};

function read(text: string, options: DdlOptions): DdlReadResult {
  const run = newScriptRun(newScript(), options.hasRows === true);
  const { aliases, defaultNames, namespaces } = run.objects;
  const contentOf = (
    statement: ScriptStatement,
    draft: SchemaDraft,
  ): ReturnType<typeof nestedStatements> => {
    const tableReference = (parts: readonly string[]): TableReference =>
      referenceOf(parts, statement, draft);
    return nestedStatements({ statement, run, tableReference });
  };
  const script = runSqlcmd(withoutLabels(text));
  let newSchema: CreatedSchema | undefined;
  const addToDraft = (statement: ScriptStatement, draft: SchemaDraft): boolean | 'data' => {
    newSchema = enclosingSchema(statement, newSchema, script.text);
    const namespace = newSchema?.name;
    const cursor = openCursor(statement, sqlserverLanguage.lexical);
    const rules = sqlserverDdlRules({ aliases, defaultNames }, (parts) =>
      parts.length === 1 && namespace !== undefined
        ? referenceOf([namespace, ...parts], statement, draft)
        : referenceOf(parts, statement, draft),
    );
    const outcome = readStatement({ statement, cursor, draft, rules, run });
    trackOtherObjects(run, { ...cursor, at: 0 });
    const name = createdSchema(statement);
    if (name !== undefined) newSchema = { name, batch: statement.batch, end: statement.end };
    return outcome;
  };
  const context = readScript(
    script.text,
    {
      language: sqlserverLanguage,
      script: run.script,
      isRun: (statement) => isReached(run, statement),
      contentOf,
      addToDraft,
      settings,
      rollsBackDdl: true,
    },
    options,
  );
  const tables = context.schema.tables.map(withNullsNotDistinct);
  const warnings = [
    ...script.warnings,
    ...context.warnings,
    ...emptyNamespaces(context.schema, namespaces),
  ];
  const problems = [...script.problems, ...context.problems];
  return { ...context, warnings, problems, schema: { ...context.schema, tables } };
}

/** A CREATE SCHEMA and its elements so far. */
interface CreatedSchema {
  readonly name: string;
  readonly batch: number;
  /** Offset after its last element. */
  readonly end: number;
}

const elementVerbs: ReadonlySet<string> = new Set(['CREATE', 'GRANT', 'REVOKE', 'DENY']);

/** `CREATE SCHEMA s CREATE TABLE t (…)`: the statements up to a delimiter create objects of the schema. */
function enclosingSchema(
  { start, end, batch, firstWord, nesting }: ScriptStatement,
  newSchema: CreatedSchema | undefined,
  text: string,
): CreatedSchema | undefined {
  const isElement =
    newSchema?.batch === batch &&
    nesting === undefined &&
    elementVerbs.has(firstWord) &&
    !text.slice(newSchema.end, start).includes(';');
  return isElement ? { ...newSchema, end } : undefined;
}

function createdSchema({ text, code, nesting }: ScriptStatement): string | undefined {
  const [verb, kind, name] = code;
  const isNamed =
    nesting === undefined &&
    verb?.word === 'CREATE' &&
    kind?.word === 'SCHEMA' &&
    name !== undefined;
  if (!isNamed || name.word === 'AUTHORIZATION') return undefined;
  return readName(text.slice(name.start, name.end), sqlserverLanguage.lexical);
}

/** One warning for each schema that the file creates without a table or view in it. */
function emptyNamespaces(
  { tables, views }: Schema,
  namespaces: ReadonlyMap<string, CreatedNamespace>,
): readonly string[] {
  const usedNamespaces = new Set(
    [...tables, ...views].map(({ namespace }) => namespace?.toLowerCase()),
  );
  return [...namespaces]
    .filter(([key]) => !usedNamespaces.has(key) && key !== 'dbo')
    .map(([, { name, line }]) => `Line ${line}: the schema ${name} is left out: it has no tables.`);
}

/** In SQL Server, a unique key treats NULLs as equal. */
function withNullsNotDistinct(table: Table): Table {
  const nullable = new Set(
    table.columns.flatMap(({ name, nullable: isNullable }) => (isNullable ? [name] : [])),
  );
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
  // A temporary table is in tempdb, whatever its name says.
  if (localName.startsWith('#')) return { localName };
  const namespace = parts.at(-2);
  const database = parts.at(-3);
  if (database !== undefined) {
    draft.databases.add(database);
    if (database !== draft.database) draft.qualifiers.add(database);
  }
  requireOneDatabase(draft, statement, database);
  return namespace === undefined || namespace === '' || namespace.toLowerCase() === 'dbo'
    ? { localName }
    : { localName, namespace };
}

function readStatement(context: StatementContext): boolean | 'data' {
  const word = wordAt(context.cursor);
  const { cursor } = context;
  const isCall = callsWithoutVerb(cursor);
  const verb = Object.hasOwn(verbs, word) ? verbs[word] : isCall ? readProcedureCall : undefined;
  if (verb === undefined) return false;
  if (!isCall) cursor.at += 1;
  const outcome = verb(context);
  accept(cursor, ';');
  return endOfStatement(cursor, outcome);
}

/** The first statement of a batch may call a procedure without EXEC. Other procedures than those of the system may be typos. */
function callsWithoutVerb(cursor: Cursor): boolean {
  const { text, code } = cursor;
  let last = 0;
  while (code[last + 1]?.word === '.') last += 2;
  const name = code[last];
  return name !== undefined && /^\[?(?:sp|xp)_/i.test(text.slice(name.start, name.end));
}

/** By the first word of a statement, which the caller has consumed. */
const verbs: Readonly<Record<string, (context: StatementContext) => StatementOutcome>> = {
  CREATE: create,
  ALTER: alter,
  DROP: drop,
  DBCC: ({ cursor, run }) => {
    if (cursor.code.some(({ word }) => word === 'RESEED')) run.addedRows.discardNumbers();
    return false;
  },
  EXEC: readProcedureCall,
  EXECUTE: readProcedureCall,
  USE: ({ cursor, draft }) => {
    useDatabase(draft, parseName(cursor, 'a database'));
    return true;
  },
};

function create(context: StatementContext): StatementOutcome {
  const { cursor } = context;
  accept(cursor, 'OR', 'ALTER');
  if (accept(cursor, 'TABLE')) return createTable(context);
  if (accept(cursor, 'VIEW')) return createView(context);
  if (accept(cursor, 'TYPE')) return createType(context);
  const unique = accept(cursor, 'UNIQUE');
  const clusteringWarnings: string[] = [];
  acceptClustering(cursor, 'NONCLUSTERED', (keyword) => clusteringWarnings.push(keyword));
  if (accept(cursor, 'COLUMNSTORE', 'INDEX')) return skipColumnstoreIndex(context);
  if (accept(cursor, 'INDEX')) return createIndex(context, { unique, clusteringWarnings });
  if (accept(cursor, 'SCHEMA')) return createNamespace(context);
  return isNext(cursor, 'DATABASE') ? skipDatabase(context) : false;
}

/** Schemas are created with their tables. */
function createNamespace({ statement, cursor, draft, run }: StatementContext): StatementOutcome {
  const isNamed = wordAt(cursor) !== 'AUTHORIZATION';
  const name = isNamed ? parseName(cursor, 'a schema') : '';
  if (accept(cursor, 'AUTHORIZATION')) {
    const owner = parseName(cursor, 'an owner');
    if (owner.toLowerCase() !== 'dbo' || !isNamed)
      draft.warnings.push(`Line ${statement.line}: AUTHORIZATION ${owner} is left out.`);
  }
  if (isNamed) run.objects.namespaces.set(name.toLowerCase(), { name, line: statement.line });
  return true;
}

/** The database exists already. The options of the statement are named. */
function skipDatabase({ statement, cursor, draft }: StatementContext): StatementOutcome {
  const isPlain = isNext(cursor, 'DATABASE') && cursor.code.length === cursor.at + 2;
  if (!isPlain || statement.firstWord !== 'CREATE') warnOmitted(statement, draft);
  return 'left out';
}

function createTable({ statement, cursor, draft, rules }: StatementContext): StatementOutcome {
  const withoutColumns = tableWithoutColumns(cursor);
  if (withoutColumns !== undefined) {
    warnOmitted(statement, draft, withoutColumns);
    return 'left out';
  }
  const warn = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${message}`);
  const { table, ifNotExists } = parseCreateTable(cursor, rules, warn);
  if (table === undefined) return 'data';
  if (table.localName.startsWith('#')) {
    warnOmitted(statement, draft, `the temporary table ${table.localName}`);
    return 'left out';
  }
  const { line, column } = statement;
  addTable(draft, { table, position: { line, column } }, ifNotExists);
  return true;
}

/** `CREATE TABLE a AS EDGE`, `CREATE TABLE a AS FILETABLE` */
function tableWithoutColumns(cursor: Cursor): string | undefined {
  const ahead = { ...cursor };
  const name = parseQualifiedName(ahead, 'a table').join('.');
  if (!accept(ahead, 'AS')) return undefined;
  const kind = acceptOne(ahead, ['NODE', 'EDGE', 'FILETABLE']);
  return kind === undefined
    ? undefined
    : `the ${kind.toLowerCase()} table ${name}, which has no columns of its own,`;
}

function createView({ statement, cursor, draft, rules }: StatementContext): StatementOutcome {
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a view'));
  const definition = viewSelect(statement.text);
  if (definition === undefined) {
    draft.warnings.push(
      `Line ${statement.line}: the view ${nameOfTable(reference)} is left out: its columns cannot be put around its query.`,
    );
    return 'left out';
  }
  const from = cursor.code.findIndex(({ word }, i) => i >= cursor.at && word === 'AS');
  if (wordAt(cursor) === '(') parseColumnNames(cursor);
  if (isNext(cursor, 'WITH')) {
    const words = textBetween(cursor, cursor.at, from);
    draft.warnings.push(
      `Line ${statement.line}: ${words} of the view ${nameOfTable(reference)} is left out.`,
    );
    cursor.at = from;
  }
  expect(cursor, 'AS');
  removeTable(draft, reference);
  draft.views.set(nameOfTable(reference), { ...emptyTable(reference), kind: 'view', definition });
  // The rest is the query, which is kept as text.
  cursor.at = cursor.code.length;
  return true;
}

/** Records an alias type; columns of the alias get the base type. */
function createType({ statement, cursor, draft, run }: StatementContext): StatementOutcome {
  const { aliases } = run.objects;
  const name = parseQualifiedName(cursor, 'a type');
  if (!accept(cursor, 'FROM')) {
    if (!isNext(cursor, 'AS', 'TABLE') && !isNext(cursor, 'EXTERNAL', 'NAME'))
      throw unexpected(cursor, 'FROM, AS TABLE or EXTERNAL NAME');
    draft.warnings.push(`Line ${statement.line}: the type ${name.join('.')} is left out.`);
    return 'left out';
  }
  const type = parseType(cursor, aliases);
  const nullable = !accept(cursor, 'NOT', 'NULL');
  if (nullable) accept(cursor, 'NULL');
  aliases.set((name.at(-1) ?? '').toLowerCase(), { ...type, column: { nullable } });
  draft.warnings.push(
    `Line ${statement.line}: the type ${name.join('.')} is left out: its columns are ${type.nativeType}.`,
  );
  return true;
}

function alter(context: StatementContext): StatementOutcome {
  const { statement, cursor, draft, rules } = context;
  if (accept(cursor, 'VIEW')) return createView(context);
  if (isNext(cursor, 'SCHEMA') && wordAt(cursor, 2) === 'TRANSFER') {
    cursor.at += 1;
    if (transferTable(cursor, draft, rules)) return true;
    warnOmitted(statement, draft);
    return 'left out';
  }
  if (!accept(cursor, 'TABLE')) return isNext(cursor, 'DATABASE') ? skipDatabase(context) : false;
  const offset = offsetOf(cursor);
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  requireTable(draft, reference, offset);
  const warn = (message: string): void =>
    void draft.warnings.push(`Line ${statement.line}: ${reference.localName}: ${message}`);
  parseActions({ cursor, rules, draft, reference, warn });
  return true;
}

function drop(context: StatementContext): StatementOutcome {
  const { statement, cursor, draft, rules, run } = context;
  if (accept(cursor, 'INDEX')) return dropIndexes(context);
  if (acceptOne(cursor, ['TABLE', 'VIEW']) === undefined)
    return isNext(cursor, 'DATABASE') ? skipDatabase(context) : false;
  accept(cursor, 'IF', 'EXISTS');
  do {
    const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    discardTable(run, reference);
    if (!reference.localName.startsWith('#')) dropTable(draft, reference, statement);
  } while (accept(cursor, ','));
  return true;
}
