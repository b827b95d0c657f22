/** Rules for the parts of CREATE TABLE that only T-SQL has. */
import {
  accept,
  acceptOne,
  indexAfter,
  expect,
  isAtEnd,
  skip,
  parseGroup,
  parseName,
  parseQualifiedName,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { parseColumnNames, parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import { parseType } from './parse-type.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { ColumnContext, TableBody } from '../../../sql/ddl/ddl-rules.ts';
import type { Index, Table } from '../../../model/schema.ts';
import type { AliasTypes } from './parse-type.ts';

export function sqlserverDdlRules(
  aliases: AliasTypes,
  reference: (parts: readonly string[]) => TableReference,
): DdlRules {
  return {
    tableReference: reference,
    parseType: (cursor) => parseType(cursor, aliases),
    columnClauses,
    bodyItems,
    parseKeyOptions: (cursor, _place, warn) => {
      passKeyOptions(cursor, warn);
      return {};
    },
    allowsTrailingComma: true,
    parseTableOptions: takeTableOptions,
  };
}

const columnClauses: DdlRules['columnClauses'] = {
  IDENTITY: ({ cursor, column, body }) => {
    const steps = wordAt(cursor) === '(' ? parseGroup(cursor) : '';
    if (!/^(?:\s*1\s*,\s*1\s*)?$/.test(steps))
      body.warn(`${column.name} is numbered by one, from one: IDENTITY(${steps}) is left out.`);
    column.autoIncrement = true;
    column.nullable = false;
  },
  NOT: ({ cursor, column }) => {
    if (accept(cursor, 'FOR', 'REPLICATION')) return;
    expect(cursor, 'NULL');
    column.nullable = false;
  },
  GENERATED: takeGeneratedAlways,
  INDEX: (reading) => takeIndex(reading.cursor, reading.body, reading.column.name),
  ROWGUIDCOL: lost('ROWGUIDCOL'),
  SPARSE: lost('SPARSE'),
  FILESTREAM: lost('FILESTREAM'),
  HIDDEN: lost('HIDDEN'),
  PERSISTED: () => {},
  MASKED: dropped('mask'),
  ENCRYPTED: dropped('encryption'),
  WITH: ({ cursor }) => {
    if (!accept(cursor, 'VALUES')) skip(cursor);
  },
  ON: ({ cursor }) => passPlace(cursor),
};

function lost(clause: string): (reading: ColumnContext) => void {
  return ({ body, column }) => body.warn(`${clause} of ${column.name} is left out.`);
}

function dropped(what: string): (reading: ColumnContext) => void {
  return ({ cursor, body, column }) => {
    expect(cursor, 'WITH');
    skip(cursor);
    body.warn(`the ${what} of ${column.name} is left out.`);
  };
}

/** GENERATED ALWAYS declares the columns of a period, which the server fills. */
function takeGeneratedAlways({ cursor, body, column }: ColumnContext): void {
  expect(cursor, 'ALWAYS', 'AS');
  acceptOne(cursor, ['ROW', 'TRANSACTION_ID', 'SEQUENCE_NUMBER']);
  acceptOne(cursor, ['START', 'END']);
  body.warn(`${column.name} is a column like any other: its period is left out.`);
}

const bodyItems: DdlRules['bodyItems'] = {
  INDEX: (cursor, body) => takeIndex(cursor, body, undefined),
  PERIOD: (cursor, body) => {
    body.warn('its period is left out.');
    while (!isAtEnd(cursor) && ![',', ')'].includes(wordAt(cursor))) skip(cursor);
  },
};

/** Parses `INDEX name [UNIQUE] [CLUSTERED] [(columns)] [INCLUDE …] [WHERE …]` within a table. */
function takeIndex(cursor: Cursor, body: TableBody, column: string | undefined): void {
  const name = parseName(cursor, 'a name');
  const unique = accept(cursor, 'UNIQUE');
  passKeyOptions(cursor, body.warn);
  const parts =
    wordAt(cursor) === '(' || column === undefined ? parseIndexParts(cursor) : [{ column }];
  body.indexes.push({ name, unique, parts, ...takeIndexTail(cursor, body.warn) });
}

/** Parses what follows the columns of an index. */
export function takeIndexTail(
  cursor: Cursor,
  warn: (what: string) => void,
): Pick<Index, 'included' | 'where'> {
  const included = accept(cursor, 'INCLUDE') ? parseColumnNames(cursor) : undefined;
  const where = accept(cursor, 'WHERE') ? takePredicate(cursor) : undefined;
  passKeyOptions(cursor, warn);
  return {
    ...(included === undefined ? {} : { included }),
    ...(where === undefined ? {} : { where }),
  };
}

/** Parses the predicate up to the options after it. */
function takePredicate(cursor: Cursor): string {
  const from = cursor.at;
  while (!isAtEnd(cursor) && !['WITH', 'ON', ',', ')'].includes(wordAt(cursor))) skip(cursor);
  return textBetween(cursor, from, cursor.at);
}

function passKeyOptions(cursor: Cursor, warn: (what: string) => void): void {
  for (;;) {
    if (acceptOne(cursor, ['CLUSTERED', 'NONCLUSTERED', 'HASH', 'ASC', 'DESC']) !== undefined)
      continue;
    if (wordAt(cursor) === 'WITH' && wordAt(cursor, 1) !== 'VALUES') passWith(cursor, warn);
    else if (wordAt(cursor) === 'ON' && !['DELETE', 'UPDATE'].includes(wordAt(cursor, 1))) {
      cursor.at += 1;
      passPlace(cursor);
    } else return;
  }
}

/** `WITH (PAD_INDEX = OFF)`, `WITH FILLFACTOR = 90`, `WITH NOCHECK` */
function passWith(cursor: Cursor, warn: (what: string) => void): void {
  cursor.at += 1;
  const from = cursor.at;
  skip(cursor);
  if (accept(cursor, '=')) skip(cursor);
  warnOfOptions(textBetween(cursor, from, cursor.at), warn);
}

/** Matches options with their default values, which generated scripts list in full. */
const defaultOption =
  /=\s*(?:OFF|NONE|0)$|^(?:ALLOW_(?:ROW|PAGE)_LOCKS|STATISTICS_INCREMENTAL)\s*=\s*ON$|^NOCHECK$|^$/i;

function warnOfOptions(text: string, warn: (what: string) => void): void {
  const options = text.replace(/^\((.*)\)$/s, '$1').split(',');
  for (const option of options.map((each) => each.trim()))
    if (!defaultOption.test(option) && !/^SYSTEM_VERSIONING/i.test(option))
      warn(`${option.replaceAll(/\s+/g, ' ')} is left out.`);
}

/** Skips a filegroup, or a partition scheme with its column. */
function passPlace(cursor: Cursor): void {
  parseQualifiedName(cursor, 'a file group');
  if (wordAt(cursor) === '(') cursor.at = indexAfter(cursor, cursor.at);
}

function takeTableOptions(cursor: Cursor, table: Table, warn: (what: string) => void): Table {
  while (!isAtEnd(cursor)) {
    if (acceptOne(cursor, ['ON', 'TEXTIMAGE_ON', 'FILESTREAM_ON']) !== undefined) passPlace(cursor);
    else if (accept(cursor, 'WITH')) {
      const options = parseGroup(cursor);
      if (/SYSTEM_VERSIONING\s*=\s*ON/i.test(options)) warn('its versioning is left out.');
      else warnOfOptions(options, warn);
    } else if (!accept(cursor, ';')) throw unexpected(cursor, 'an option of the table');
  }
  return table;
}
