/** Rules for the parts of CREATE TABLE that only T-SQL has. */
import {
  accept,
  acceptOne,
  expect,
  isAtEnd,
  isNext,
  parseGroup,
  parseList,
  parseName,
  skipTo,
  skipValue,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { parseComputed, parseDefaultExpression } from './parse-scalar.ts';
import { parseColumnNames, parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import { parseConstraintName } from '../../../sql/ddl/table-body.ts';
import { parseType } from './parse-type.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules, KeyPosition } from '../../../sql/ddl/ddl-rules.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { ColumnContext, TableBody } from '../../../sql/ddl/ddl-rules.ts';
import type { Column, Index, Table } from '../../../model/schema.ts';
import type { AliasTypes } from './parse-type.ts';

/** What the statements of a file have declared so far. */
export interface Declarations {
  readonly aliases: AliasTypes;
  readonly defaultNames: Map<string, string>;
}

export function sqlserverDdlRules(
  { aliases, defaultNames }: Declarations,
  reference: (parts: readonly string[]) => TableReference,
): DdlRules {
  return {
    tableReference: reference,
    defaultNames,
    parseColumnChange,
    parseType: (cursor, warn) => parseType(cursor, aliases, warn),
    columnClauses,
    bodyItems,
    parseDefault: parseDefaultExpression,
    parseDialectConstraint: parseConnection,
    parseKeyOptions: parseOptionsOfKey,
    namedColumnClauses,
    continuesAdd: true,
    keysMayNameIndexes: false,
    narrowsIndexes: false,
    columnsHaveChecks: false,
    allowsTrailingComma: true,
    parseTableOptions,
  };
}

const namedColumnClauses: ReadonlySet<string> = new Set([
  'PRIMARY',
  'UNIQUE',
  'FOREIGN',
  'REFERENCES',
  'CHECK',
  'DEFAULT',
  'NOT',
  'NULL',
]);

const columnClauses: DdlRules['columnClauses'] = {
  IDENTITY: ({ cursor, column, body }) => {
    const steps = wordAt(cursor) === '(' ? parseGroup(cursor) : '';
    const [, start, step] = /^\s*([+-]?\d+)\s*,\s*([+-]?\d+)\s*$/.exec(steps) ?? [];
    if (start !== undefined && step !== undefined) {
      const numbering = [`START WITH ${BigInt(start)}`, `INCREMENT BY ${BigInt(step)}`];
      const differing = numbering.filter((option) => !option.endsWith(' 1'));
      if (differing.length > 0) column.numbering = differing.join(' ');
    } else if (steps !== '')
      body.warn(`${column.name} is numbered by one, from one: IDENTITY(${steps}) is left out.`);
    column.autoIncrement = true;
    column.nullable = false;
  },
  NOT: (context) => {
    const { cursor, column, body } = context;
    if (accept(cursor, 'FOR', 'REPLICATION')) {
      body.warn(`NOT FOR REPLICATION of ${column.name} is left out.`);
      return;
    }
    expect(cursor, 'NULL');
    // The server does not keep the name of NOT NULL.
    parseConstraintName(context);
    column.nullable = false;
  },
  GENERATED: parseGeneratedAlways,
  INDEX: (context) => parseTableIndex(context.cursor, context.body, context.column.name),
  AS: ({ cursor, column }) => {
    const expression = parseComputed(cursor);
    column.generated = { expression, stored: accept(cursor, 'PERSISTED') };
  },
  COLUMN_SET: ({ cursor, column, body }) => {
    expect(cursor, 'FOR', 'ALL_SPARSE_COLUMNS');
    body.warn(`${column.name} is an ordinary column: COLUMN_SET is left out.`);
  },
  ROWGUIDCOL: omittedClause('ROWGUIDCOL'),
  SPARSE: omittedClause('SPARSE'),
  FILESTREAM: omittedClause('FILESTREAM'),
  HIDDEN: omittedClause('HIDDEN'),
  MASKED: omittedOption('mask'),
  ENCRYPTED: omittedOption('encryption'),
  // ADD … WITH VALUES fills existing rows, of which a new table has none.
  WITH: ({ cursor, body, column }) => {
    if (accept(cursor, 'VALUES')) return;
    cursor.at -= 1;
    parseWith(cursor, (warning) => body.warn(`${column.name}: ${warning}`));
  },
  ON: ({ cursor, body, column }) =>
    warnOfFileGroup(cursor, (omitted) => body.warn(`${omitted} of ${column.name} is left out.`)),
};

function omittedClause(clause: string): (context: ColumnContext) => void {
  return ({ body, column }) => body.warn(`${clause} of ${column.name} is left out.`);
}

function omittedOption(option: string): (context: ColumnContext) => void {
  return ({ cursor, body, column }) => {
    expect(cursor, 'WITH');
    body.warn(`the ${option} (${parseGroup(cursor)}) of ${column.name} is left out.`);
  };
}

/** `ALTER COLUMN c {ADD | DROP} {PERSISTED | SPARSE | …}` */
function parseColumnChange(
  cursor: Cursor,
  warn: (message: string) => void,
): ((column: Column) => Column) | undefined {
  const verb = acceptOne(cursor, ['ADD', 'DROP']);
  if (verb === undefined) return undefined;
  if (accept(cursor, 'PERSISTED'))
    return ({ generated, ...column }) =>
      generated === undefined
        ? column
        : { ...column, generated: { ...generated, stored: verb === 'ADD' } };
  const from = cursor.at;
  const properties = ['ROWGUIDCOL', 'SPARSE', 'HIDDEN', 'MASKED'];
  if (acceptOne(cursor, properties) === undefined) expect(cursor, 'NOT', 'FOR', 'REPLICATION');
  if (accept(cursor, 'WITH')) parseGroup(cursor);
  warn(`${verb} ${textBetween(cursor, from, cursor.at)}`);
  return (column) => column;
}

/** GENERATED ALWAYS declares the columns of a period, which the server fills. */
function parseGeneratedAlways({ cursor, body, column }: ColumnContext): void {
  expect(cursor, 'ALWAYS', 'AS');
  if (acceptOne(cursor, ['ROW', 'TRANSACTION_ID', 'SEQUENCE_NUMBER']) === undefined)
    throw unexpected(cursor, 'ROW, TRANSACTION_ID or SEQUENCE_NUMBER');
  if (acceptOne(cursor, ['START', 'END']) === undefined) throw unexpected(cursor, 'START or END');
  body.warn(`${column.name} is an ordinary column: its period is left out.`);
}

const bodyItems: DdlRules['bodyItems'] = {
  INDEX: (cursor, body) => parseTableIndex(cursor, body, undefined),
  'PERIOD FOR': (cursor, body) => {
    expect(cursor, 'SYSTEM_TIME');
    body.warn(`its period (${parseColumnNames(cursor).join(', ')}) is left out.`);
  },
};

/** Parses `INDEX name [UNIQUE] [CLUSTERED] [(columns)] [INCLUDE …] [WHERE …]` within a table. */
function parseTableIndex(cursor: Cursor, body: TableBody, column: string | undefined): void {
  const name = parseName(cursor, 'a name');
  const unique = accept(cursor, 'UNIQUE');
  const warn = (message: string): void => body.warn(`the index ${name}: ${message}`);
  const clustering: string[] = [];
  acceptClustering(cursor, 'NONCLUSTERED', (keyword) => clustering.push(keyword));
  if (accept(cursor, 'COLUMNSTORE')) {
    const columns = skipColumnstore(cursor, warn);
    body.warn(`the columnstore index ${name}${columns} is left out.`);
    return;
  }
  for (const message of clustering) warn(message);
  if (accept(cursor, 'HASH')) warn('HASH is left out.');
  const parts =
    wordAt(cursor) === '(' || column === undefined ? parseIndexParts(cursor) : [{ column }];
  body.indexes.push({ name, unique, parts, ...parseIndexTail(cursor, warn) });
}

/** Parses the columns and options of a columnstore index, which is a way to store rows. Returns the text of the columns. */
export function skipColumnstore(cursor: Cursor, warn: (message: string) => void): string {
  const from = cursor.at;
  if (wordAt(cursor) === '(') parseColumnNames(cursor);
  if (accept(cursor, 'ORDER')) parseColumnNames(cursor);
  const columns = textBetween(cursor, from, cursor.at);
  const { where } = parseIndexTail(cursor, warn);
  return [columns, where === undefined ? '' : `WHERE ${where}`]
    .filter((part) => part !== '')
    .map((part) => ` ${part}`)
    .join('');
}

/** `CONNECTION (a TO b, b TO a) ON DELETE CASCADE` of an edge table. */
function parseConnection(cursor: Cursor, body: TableBody, name = ''): boolean {
  // A column may have this name.
  if (!isNext(cursor, 'CONNECTION', '(')) return false;
  cursor.at += 1;
  const connections = parseGroup(cursor);
  body.warn(`the edge constraint ${name} (${connections}) is left out.`.replace('  ', ' '));
  if (accept(cursor, 'ON', 'DELETE') && !accept(cursor, 'CASCADE')) expect(cursor, 'NO', 'ACTION');
  return true;
}

/** Parses what follows the columns of an index. */
export function parseIndexTail(
  cursor: Cursor,
  warn: (message: string) => void,
): Pick<Index, 'included' | 'where'> {
  const included = accept(cursor, 'INCLUDE') ? parseColumnNames(cursor) : undefined;
  const where = accept(cursor, 'WHERE') ? parseIndexPredicate(cursor) : undefined;
  parseStorage(cursor, warn);
  return {
    ...(included === undefined ? {} : { included }),
    ...(where === undefined ? {} : { where }),
  };
}

/** Parses the predicate up to the options after it. */
function parseIndexPredicate(cursor: Cursor): string {
  const where = skipTo(cursor, ['WITH', 'ON', 'FILESTREAM_ON', ',', ')', ';']);
  if (where === '') throw unexpected(cursor, 'a predicate');
  return where;
}

/** Parses CLUSTERED or NONCLUSTERED. What differs from the server's default is named. */
export function acceptClustering(
  cursor: Cursor,
  defaultClustering: 'CLUSTERED' | 'NONCLUSTERED',
  warn: (message: string) => void,
): void {
  const clusteringWord = acceptOne(cursor, ['CLUSTERED', 'NONCLUSTERED']);
  if (clusteringWord !== undefined && clusteringWord !== defaultClustering)
    warn(`${clusteringWord} is left out.`);
}

function parseOptionsOfKey(
  cursor: Cursor,
  { key }: KeyPosition,
  warn: (message: string) => void,
): Pick<Index, 'comment'> {
  const warnAbout = (message: string): void => warn(`the ${key} key: ${message}`);
  acceptClustering(cursor, key === 'primary' ? 'CLUSTERED' : 'NONCLUSTERED', warnAbout);
  if (accept(cursor, 'HASH')) warnAbout('HASH is left out.');
  parseStorage(cursor, warnAbout);
  return {};
}

/** Parses `WITH (…)` and `ON filegroup` in any order. */
function parseStorage(cursor: Cursor, warn: (message: string) => void): void {
  const warnAbout = (subject: string): void => warn(`${subject} is left out.`);
  for (;;) {
    const isOptions = isNext(cursor, 'WITH') && wordAt(cursor, 1) !== 'VALUES';
    const isFileGroup = isNext(cursor, 'ON') && !['DELETE', 'UPDATE'].includes(wordAt(cursor, 1));
    if (isOptions) parseWith(cursor, warn);
    else if (isFileGroup || isNext(cursor, 'FILESTREAM_ON')) {
      cursor.at += 1;
      warnOfFileGroup(cursor, warnAbout);
    } else return;
  }
}

/** `WITH (PAD_INDEX = OFF)`, `WITH FILLFACTOR = 90`, `WITH PAD_INDEX, IGNORE_DUP_KEY` */
function parseWith(cursor: Cursor, warn: (message: string) => void): void {
  expect(cursor, 'WITH');
  if (wordAt(cursor) === '(') {
    parseList(cursor, (at) => parseListedOption(at, warn));
    return;
  }
  parseOption(cursor, warn);
  while (optionsWithoutParentheses.has(wordAt(cursor, 1)) && accept(cursor, ','))
    parseOption(cursor, warn);
}

const optionsWithoutParentheses: ReadonlySet<string> = new Set([
  'PAD_INDEX',
  'FILLFACTOR',
  'IGNORE_DUP_KEY',
  'STATISTICS_NORECOMPUTE',
  'DROP_EXISTING',
  'SORT_IN_TEMPDB',
]);

/**
 * Options with the values that need no warning: the default ones, which generated scripts list in
 * full, and all values of options that only affect how the server builds the index.
 * https://learn.microsoft.com/en-us/sql/t-sql/statements/create-index-transact-sql
 */
const silentOptions: Readonly<Record<string, RegExp>> = {
  PAD_INDEX: /^= OFF$/,
  FILLFACTOR: /^= (?:0|100)$/,
  IGNORE_DUP_KEY: /^= OFF$/,
  STATISTICS_NORECOMPUTE: /^= OFF$/,
  STATISTICS_INCREMENTAL: /^= OFF$/,
  ALLOW_ROW_LOCKS: /^= ON$/,
  ALLOW_PAGE_LOCKS: /^= ON$/,
  OPTIMIZE_FOR_SEQUENTIAL_KEY: /^= OFF$/,
  DATA_COMPRESSION: /^= NONE$/,
  XML_COMPRESSION: /^= OFF$/,
  MEMORY_OPTIMIZED: /^= OFF$/,
  SYSTEM_VERSIONING: /^= OFF$/,
  LEDGER: /^= OFF$/,
  DURABILITY: /^= SCHEMA_AND_DATA$/,
  DROP_EXISTING: /^= OFF$/,
  SORT_IN_TEMPDB: /^(?:= (?:ON|OFF))?$/,
  ONLINE: /^= (?:ON|OFF)$/,
  RESUMABLE: /^= (?:ON|OFF)$/,
  MAXDOP: /^= \d+$/,
};

/** Parses an option with everything up to the next one: `ONLINE = ON (WAIT_AT_LOW_PRIORITY (…))`. */
function parseListedOption(cursor: Cursor, warn: (message: string) => void): void {
  const from = cursor.at;
  parseName(cursor, 'an option');
  skipTo(cursor, [',', ')', ';']);
  warnOfOption(cursor, from, warn);
}

function parseOption(cursor: Cursor, warn: (message: string) => void): void {
  const from = cursor.at;
  parseName(cursor, 'an option');
  if (accept(cursor, '=')) skipValue(cursor, 'a value');
  warnOfOption(cursor, from, warn);
}

function warnOfOption(cursor: Cursor, from: number, warn: (message: string) => void): void {
  const [name = '', ...rest] = cursor.code
    .slice(from, cursor.at)
    .map(({ start, end }) => cursor.text.slice(start, end).toUpperCase());
  const silent = Object.hasOwn(silentOptions, name) ? silentOptions[name] : undefined;
  if (silent?.test(rest.join(' ')) === true) return;
  const text = textBetween(cursor, from, cursor.at).replaceAll(/\s+/g, ' ');
  warn(
    name === 'SYSTEM_VERSIONING' ? `its versioning (${text}) is left out.` : `${text} is left out.`,
  );
}

/** Parses a file group, or a partition scheme with its column. The default file group needs no warning. */
function warnOfFileGroup(cursor: Cursor, warn: (message: string) => void): void {
  const from = cursor.at;
  const name = parseName(cursor, 'a file group').toUpperCase();
  if (wordAt(cursor) === '(') parseColumnNames(cursor);
  const isDefault = cursor.at === from + 1 && (name === 'PRIMARY' || name === 'DEFAULT');
  if (!isDefault) warn(textBetween(cursor, from - 1, cursor.at));
}

function parseTableOptions(cursor: Cursor, table: Table, warn: (message: string) => void): Table {
  const warnAbout = (subject: string): void => warn(`${subject} is left out.`);
  while (!isAtEnd(cursor)) {
    if (acceptOne(cursor, ['ON', 'TEXTIMAGE_ON', 'FILESTREAM_ON']) !== undefined)
      warnOfFileGroup(cursor, warnAbout);
    else if (isNext(cursor, 'WITH', '(')) parseWith(cursor, warn);
    else if (accept(cursor, 'AS', 'NODE')) warn('it is a node table and becomes an ordinary one.');
    else if (accept(cursor, 'AS', 'EDGE')) warn('it is an edge table and becomes an ordinary one.');
    else if (!accept(cursor, ';')) throw unexpected(cursor, 'an option of the table');
  }
  return table;
}
