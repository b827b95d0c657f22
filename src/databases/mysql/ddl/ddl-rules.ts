/** Rules for the parts of CREATE TABLE that only MySQL and MariaDB have. */
import {
  accept,
  acceptOne,
  indexAfter,
  expect,
  isNext,
  offsetOf,
  skipValue,
  parseList,
  parseName,
  parseNumber,
  parseText,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { parseDefault } from '../../../sql/ddl/read-column.ts';
import { acceptIfNotExists, parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import { parseGenerated } from '../../../sql/ddl/read-column.ts';
import { setPrimaryKey } from '../../../sql/ddl/table-body.ts';
import { parseType } from './parse-type.ts';
import { parseAlterAction, parseTableOptions } from './table-options.ts';
import { periodClause, periodKeyClause } from '../dialect/temporal-tables.ts';
import { withReferenceSystem } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { ColumnContext, TableBody } from '../../../sql/ddl/ddl-rules.ts';
import type { Index } from '../../../model/schema.ts';

/** `tableReference` depends on the databases that the file names. */
export const mysqlDdlRules: Omit<DdlRules, 'tableReference'> = {
  parseType,
  columnClauses: {
    AUTO_INCREMENT: ({ column }) => {
      column.autoIncrement = true;
    },
    // KEY alone means PRIMARY KEY.
    KEY: ({ body, column, cursor }) => {
      setPrimaryKey(body, { columns: [column.name] }, offsetOf(cursor));
    },
    ON: (context) => {
      expect(context.cursor, 'UPDATE');
      context.column.onUpdate = parseCall(context.cursor);
    },
    SERIAL: ({ cursor, column, body }) => {
      expect(cursor, 'DEFAULT', 'VALUE');
      Object.assign(column, { autoIncrement: true, nullable: false });
      body.indexes.push({
        name: '',
        unique: true,
        parts: [{ column: column.name }],
        constraint: true,
      });
    },
    SRID: ({ cursor, column }) => {
      column.type = withReferenceSystem(column.type, parseNumber(cursor));
    },
    // https://mariadb.com/kb/en/geometry-types/: MariaDB does not store it in the definition.
    REF_SYSTEM_ID: ({ cursor, column, body }) => {
      accept(cursor, '=');
      body.warn(`REF_SYSTEM_ID ${parseNumber(cursor)} of ${column.name} is left out.`);
    },
    VISIBLE: () => {},
    INVISIBLE: setInvisible,
    COLUMN_FORMAT: skipOption('COLUMN_FORMAT'),
    STORAGE: skipOption('STORAGE'),
    ENGINE_ATTRIBUTE: skipOption('ENGINE_ATTRIBUTE'),
    SECONDARY_ENGINE_ATTRIBUTE: skipOption('SECONDARY_ENGINE_ATTRIBUTE'),
    COMPRESSED: ({ cursor, body, column }) => {
      if (accept(cursor, '=')) parseName(cursor, 'a compression');
      body.warn(`COMPRESSED of ${column.name} is left out.`);
    },
    // MariaDB: system versioning of a column.
    WITH: skipVersioning,
    WITHOUT: parseUnversioned,
    GENERATED: (context) => {
      expect(context.cursor, 'ALWAYS', 'AS');
      parseGeneratedValue(context);
    },
    AS: parseGeneratedValue,
  },
  namedColumnClauses: new Set(['CHECK']),
  bodyItems: {
    KEY: (cursor, body) => parseIndex(cursor, body, undefined),
    INDEX: (cursor, body) => parseIndex(cursor, body, undefined),
    FULLTEXT: (cursor, body) => parseIndex(cursor, body, 'fulltext'),
    SPATIAL: (cursor, body) => parseIndex(cursor, body, 'spatial'),
    'PERIOD FOR': (cursor, body) => {
      accept(cursor, 'IF', 'NOT', 'EXISTS');
      const isSystem = isNext(cursor, 'SYSTEM_TIME');
      const name = parseName(cursor, 'a period');
      const columns = parsePeriodColumns(cursor);
      body.constraints.push(periodClause(isSystem ? undefined : name, columns));
    },
  },
  parseKeyOptions: (cursor, { key, isInColumn }, warn) => {
    if (isInColumn) return {};
    const options = parseIndexOptions(cursor, warn);
    if (key === 'unique') return options;
    if (options.comment !== undefined) warn('the comment of the primary key is left out.');
    if (options.method === 'hash') warn('USING HASH of the primary key is left out.');
    if (options.invisible === true) warn('IGNORED of the primary key is left out.');
    return {};
  },
  continuesAdd: false,
  parseDefault,
  keysMayNameIndexes: true,
  // https://dev.mysql.com/doc/refman/8.4/en/alter-table.html
  narrowsIndexes: true,
  columnsHaveChecks: true,
  allowsTrailingComma: false,
  parseTableOptions,
  parseDialectAction: parseAlterAction,
  parseDialectConstraint: parsePeriodKey,
};

function setInvisible({ column }: ColumnContext): void {
  column.invisible = true;
}

function skipOption(name: string): (context: ColumnContext) => void {
  return ({ cursor, body, column }) => {
    accept(cursor, '=');
    const value = skipValue(cursor, 'a value');
    if (value.toUpperCase() !== 'DEFAULT')
      body.warn(`${name} ${value} of ${column.name} is left out.`);
  };
}

function parseUnversioned({ cursor, column }: ColumnContext): void {
  expect(cursor, 'SYSTEM', 'VERSIONING');
  column.unversioned = true;
}

function skipVersioning({ cursor, body, column }: ColumnContext): void {
  expect(cursor, 'SYSTEM', 'VERSIONING');
  body.warn(`the versioning of ${column.name} is left out.`);
}

/** MariaDB: the server fills the columns of the period of a versioned table. */
function parseGeneratedValue(context: ColumnContext): void {
  const { cursor, column } = context;
  if (!accept(cursor, 'ROW')) {
    parseGenerated(context);
    return;
  }
  const end = acceptOne(cursor, ['START', 'END']);
  if (end === undefined) throw unexpected(cursor, 'START or END');
  column.generated = { expression: `ROW ${end}`, stored: true };
}

/** The two columns of a period. */
function parsePeriodColumns(cursor: Cursor): readonly [string, string] {
  const [first, second, third] = parseList(cursor, (at) => parseName(at, 'a column'));
  if (first !== undefined && second !== undefined && third === undefined) return [first, second];
  cursor.at -= 1;
  throw unexpected(cursor, 'the second column of the period');
}

/** MariaDB: `UNIQUE KEY name (room, booked WITHOUT OVERLAPS)`, whose last name is a period. */
function parsePeriodKey(cursor: Cursor, body: TableBody, constraint?: string): boolean {
  const { code } = cursor;
  const open = code.findIndex(({ word }, i) => i > cursor.at && word === '(');
  const end = indexAfter(cursor, open) - 1;
  const isPeriodKey = code[end - 1]?.word === 'OVERLAPS' && code[end - 2]?.word === 'WITHOUT';
  if (open === -1 || !isPeriodKey) return false;
  const isPrimary = accept(cursor, 'PRIMARY', 'KEY');
  if (!isPrimary && !accept(cursor, 'UNIQUE')) return false;
  if (!isPrimary) acceptOne(cursor, ['KEY', 'INDEX']);
  const name = isNext(cursor, '(') ? constraint : parseName(cursor, 'a name or "("');
  const columns = parseList(cursor, (at) => {
    const column = parseName(at, 'a column');
    if (at.at === end - 2) expect(at, 'WITHOUT', 'OVERLAPS');
    return column;
  });
  parseIndexOptions(cursor, body.warn);
  body.constraints.push(periodKeyClause({ columns, ...(isPrimary ? { isPrimary } : { name }) }));
  return true;
}

const timestampFunctions: readonly string[] = [
  'CURRENT_TIMESTAMP',
  'NOW',
  'LOCALTIME',
  'LOCALTIMESTAMP',
];

/** `CURRENT_TIMESTAMP(6)`, `NOW()` */
function parseCall(cursor: Cursor): string {
  const from = cursor.at;
  if (acceptOne(cursor, timestampFunctions) === undefined)
    throw unexpected(cursor, timestampFunctions.join(', '));
  if (wordAt(cursor) === '(') cursor.at = indexAfter(cursor, cursor.at);
  return textBetween(cursor, from, cursor.at).replace(
    /^(?:now|localtime|localtimestamp)\b/i,
    'CURRENT_TIMESTAMP',
  );
}

/** Parses `KEY [name] [USING BTREE] (parts) options`. An unnamed key gets the name of its first column. */
function parseIndex(cursor: Cursor, body: TableBody, method: string | undefined): void {
  acceptOne(cursor, ['KEY', 'INDEX']);
  acceptIfNotExists(cursor, body);
  const hasName = wordAt(cursor) !== '(' && wordAt(cursor) !== 'USING';
  const parsedName = hasName ? parseName(cursor, 'a name or "("') : undefined;
  const before = parseIndexOptions(cursor, body.warn);
  const parts = parseIndexParts(cursor);
  const options = { ...before, ...parseIndexOptions(cursor, body.warn) };
  body.indexes.push({
    name: parsedName ?? unusedName(parts[0]?.column ?? 'functional_index', body.indexes),
    unique: false,
    parts,
    ...(method === undefined ? {} : { method }),
    ...options,
  });
}

function unusedName(name: string, indexes: readonly Index[]): string {
  const usedNames = new Set(indexes.map((index) => index.name.toLowerCase()));
  const names = [name, ...Array.from({ length: indexes.length + 1 }, (_, i) => `${name}_${i + 2}`)];
  return names.find((candidate) => !usedNames.has(candidate.toLowerCase())) ?? name;
}

const valueOptions = [
  'KEY_BLOCK_SIZE',
  'ENGINE_ATTRIBUTE',
  'SECONDARY_ENGINE_ATTRIBUTE',
  'CLUSTERING',
];

type KeyOptions = Pick<Index, 'comment' | 'invisible' | 'method'>;

/** Parses the method, comment, sizes and visibility of a key. */
export function parseIndexOptions(cursor: Cursor, warn: (message: string) => void): KeyOptions {
  let found: KeyOptions = {};
  for (;;) {
    if (acceptOne(cursor, ['USING', 'TYPE']) !== undefined) {
      const method = parseMethod(cursor, warn);
      if (method !== undefined) found = { ...found, method };
    } else if (accept(cursor, 'COMMENT')) found = { ...found, comment: parseText(cursor) };
    else if (accept(cursor, 'WITH', 'PARSER')) warn(`the parser ${parseName(cursor)} is left out.`);
    else if (valueOptions.includes(wordAt(cursor))) {
      const option = wordAt(cursor);
      cursor.at += 1;
      accept(cursor, '=');
      parseOptionValue(cursor, option);
      warn(`${option} of an index is left out.`);
    } else {
      const word = acceptOne(cursor, ['VISIBLE', 'INVISIBLE', 'IGNORED', 'NOT']);
      if (word === undefined) return found;
      if (word === 'NOT') expect(cursor, 'IGNORED');
      else if (word !== 'VISIBLE') found = { ...found, invisible: true };
    }
  }
}

function parseOptionValue(cursor: Cursor, option: string): void {
  if (option === 'KEY_BLOCK_SIZE') parseNumber(cursor);
  else if (option !== 'CLUSTERING') parseText(cursor);
  else if (acceptOne(cursor, ['YES', 'NO']) === undefined) throw unexpected(cursor, 'YES or NO');
}

/** RTREE is the method of spatial indexes, which have no other. */
function parseMethod(cursor: Cursor, warn: (message: string) => void): string | undefined {
  const method = acceptOne(cursor, ['BTREE', 'HASH', 'RTREE']);
  if (method === undefined) throw unexpected(cursor, 'BTREE, HASH or RTREE');
  if (method !== 'RTREE') return method.toLowerCase();
  warn('USING RTREE of an index is left out.');
  return undefined;
}
