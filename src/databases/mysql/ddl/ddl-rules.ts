/** Rules for the parts of CREATE TABLE that only MySQL and MariaDB have. */
import {
  accept,
  acceptOne,
  indexAfter,
  expect,
  isAtEnd,
  offsetOf,
  skip,
  parseList,
  parseName,
  parseNumber,
  parseText,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { parseIndexParts } from '../../../sql/ddl/read-keys.ts';
import { setPrimaryKey } from '../../../sql/ddl/table-body.ts';
import { words } from '../../../sql/words.ts';
import { parseType } from './parse-type.ts';
import { withReferenceSystem } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { ColumnContext, TableBody } from '../../../sql/ddl/ddl-rules.ts';
import type { Index, Table } from '../../../model/schema.ts';

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
    REF_SYSTEM_ID: ({ cursor }) => {
      accept(cursor, '=');
      skip(cursor);
    },
    VISIBLE: () => {},
    INVISIBLE: setInvisible,
    COLUMN_FORMAT: skipOption('COLUMN_FORMAT'),
    STORAGE: skipOption('STORAGE'),
    ENGINE_ATTRIBUTE: skipOption('ENGINE_ATTRIBUTE'),
    SECONDARY_ENGINE_ATTRIBUTE: skipOption('SECONDARY_ENGINE_ATTRIBUTE'),
    COMPRESSED: ({ cursor, body, column }) => {
      if (accept(cursor, '=')) skip(cursor);
      body.warn(`COMPRESSED of ${column.name} is left out.`);
    },
    // MariaDB: system versioning of a column.
    WITH: skipVersioning,
    WITHOUT: skipVersioning,
  },
  bodyItems: {
    KEY: (cursor, body) => parseIndex(cursor, body, undefined),
    INDEX: (cursor, body) => parseIndex(cursor, body, undefined),
    FULLTEXT: (cursor, body) => parseIndex(cursor, body, 'fulltext'),
    SPATIAL: (cursor, body) => parseIndex(cursor, body, 'spatial'),
    PERIOD: (cursor, body) => {
      body.warn('its period is left out.');
      while (!isAtEnd(cursor) && ![',', ')'].includes(wordAt(cursor))) skip(cursor);
    },
  },
  parseKeyOptions: (cursor, place, warn) =>
    place === 'column' ? {} : parseIndexOptions(cursor, warn),
  allowsTrailingComma: false,
  parseTableOptions,
};

function setInvisible({ column }: ColumnContext): void {
  column.invisible = true;
}

function skipOption(name: string): (context: ColumnContext) => void {
  return ({ cursor, body, column }) => {
    accept(cursor, '=');
    const value = wordAt(cursor);
    skip(cursor);
    if (value !== 'DEFAULT') body.warn(`${name} ${value} of ${column.name} is left out.`);
  };
}

function skipVersioning({ cursor, body, column }: ColumnContext): void {
  expect(cursor, 'SYSTEM', 'VERSIONING');
  body.warn(`the versioning of ${column.name} is left out.`);
}

/** `CURRENT_TIMESTAMP(6)`, `NOW()` */
function parseCall(cursor: Cursor): string {
  const from = cursor.at;
  parseName(cursor, 'a function');
  if (wordAt(cursor) === '(') cursor.at = indexAfter(cursor, cursor.at);
  return textBetween(cursor, from, cursor.at).replace(
    /^(?:now|localtime|localtimestamp)\b/i,
    'CURRENT_TIMESTAMP',
  );
}

/** Parses `KEY [name] [USING BTREE] (parts) options`. An unnamed key gets the name of its first column. */
function parseIndex(cursor: Cursor, body: TableBody, method: string | undefined): void {
  acceptOne(cursor, ['KEY', 'INDEX']);
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const hasName = wordAt(cursor) !== '(' && wordAt(cursor) !== 'USING';
  const given = hasName ? parseName(cursor, 'a name or "("') : undefined;
  const before = parseIndexOptions(cursor, body.warn);
  const parts = parseIndexParts(cursor);
  const options = { ...before, ...parseIndexOptions(cursor, body.warn) };
  body.indexes.push({
    name: given ?? freeName(parts[0]?.column ?? 'functional_index', body.indexes),
    unique: false,
    parts,
    ...(method === undefined ? {} : { method }),
    ...options,
  });
}

function freeName(name: string, indexes: readonly Index[]): string {
  const taken = new Set(indexes.map((index) => index.name.toLowerCase()));
  const names = [name, ...Array.from({ length: indexes.length + 1 }, (_, i) => `${name}_${i + 2}`)];
  return names.find((candidate) => !taken.has(candidate.toLowerCase())) ?? name;
}

const valueOptions = [
  'KEY_BLOCK_SIZE',
  'ENGINE_ATTRIBUTE',
  'SECONDARY_ENGINE_ATTRIBUTE',
  'CLUSTERING',
];

type KeyOptions = Pick<Index, 'comment' | 'invisible' | 'method'>;

/** Parses the method, comment, sizes and visibility of a key. */
export function parseIndexOptions(cursor: Cursor, warn: (what: string) => void): KeyOptions {
  let found: KeyOptions = {};
  for (;;) {
    if (acceptOne(cursor, ['USING', 'TYPE']) !== undefined) {
      const method = wordAt(cursor).toLowerCase();
      skip(cursor);
      if (method === 'hash' || method === 'btree') found = { ...found, method };
    } else if (accept(cursor, 'COMMENT')) found = { ...found, comment: parseText(cursor) };
    else if (accept(cursor, 'WITH', 'PARSER')) warn(`the parser ${parseName(cursor)} is left out.`);
    else if (valueOptions.includes(wordAt(cursor))) {
      const option = wordAt(cursor);
      cursor.at += 1;
      accept(cursor, '=');
      skip(cursor);
      warn(`${option} of an index is left out.`);
    } else {
      const seen = acceptOne(cursor, ['VISIBLE', 'INVISIBLE', 'IGNORED', 'NOT']);
      if (seen === undefined) return found;
      if (seen === 'NOT') expect(cursor, 'IGNORED');
      else if (seen !== 'VISIBLE') found = { ...found, invisible: true };
    }
  }
}

// Table options

function parseTableOptions(cursor: Cursor, table: Table, warn: (what: string) => void): Table {
  const options: Record<string, string> = {};
  let comment: string | undefined;
  while (!isAtEnd(cursor)) {
    const word = wordAt(cursor);
    if (word === 'PARTITION') {
      warn('its partitions are left out.');
      break;
    }
    if (word === 'SELECT' || word === 'AS') throw unexpected(cursor, 'an option of the table');
    const [name, value] = parseOption(cursor);
    if (name === 'COMMENT') comment = value;
    else if (writableOptions.has(name)) options[name] = value;
    else warn(`its option ${name}${value === '' ? '' : ` ${value}`} is left out.`);
  }
  cursor.at = cursor.code.length;
  return {
    ...table,
    indexes: withKnownMethods(table.indexes, options['ENGINE'], warn),
    ...(comment === undefined || comment === '' ? {} : { comment }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** Engines with both index methods, whose default is hash. */
const hashingEngines: ReadonlySet<string> = new Set(['MEMORY', 'HEAP', 'NDB', 'NDBCLUSTER']);

/** Removes USING for engines that have one method only. */
export function withKnownMethods(
  indexes: readonly Index[],
  engine: string | undefined,
  warn: (what: string) => void,
): readonly Index[] {
  if (hashingEngines.has(engine?.toUpperCase() ?? '')) return indexes;
  return indexes.map((index) => {
    const { method, ...rest } = index;
    if (method !== 'hash' && method !== 'btree') return index;
    if (method === 'hash') warn(`USING HASH of the index ${index.name} is left out.`);
    return rest;
  });
}

/** Options that `tableOptions` writes again. */
const writableOptions: ReadonlySet<string> = new Set([
  'ENGINE',
  'ROW_FORMAT',
  'CHARACTER SET',
  'COLLATE',
]);

/** `[DEFAULT] CHARACTER SET = utf8mb4`, `ENGINE InnoDB`, `UNION=(a, b)`, `WITH SYSTEM VERSIONING` */
function parseOption(cursor: Cursor): readonly [name: string, value: string] {
  accept(cursor, ',');
  accept(cursor, 'DEFAULT');
  if (accept(cursor, 'WITH', 'SYSTEM', 'VERSIONING')) return ['VERSIONING', ''];
  const name = optionName(cursor);
  accept(cursor, '=');
  if (wordAt(cursor) === '(') {
    parseList(cursor, (at) => parseName(at));
    return [name, ''];
  }
  const isNumber = cursor.code[cursor.at]?.kind === 'number';
  return [name, isNumber ? String(parseNumber(cursor)) : parseName(cursor, 'a value')];
}

function optionName(cursor: Cursor): string {
  if (accept(cursor, 'CHARACTER', 'SET') || accept(cursor, 'CHAR', 'SET')) return 'CHARACTER SET';
  if (accept(cursor, 'CHARSET')) return 'CHARACTER SET';
  if (acceptOne(cursor, ['DATA', 'INDEX']) !== undefined) {
    expect(cursor, 'DIRECTORY');
    return 'DIRECTORY';
  }
  if (cursor.code[cursor.at]?.kind !== 'word') throw unexpected(cursor, 'an option of the table');
  if (!knownOptions.has(wordAt(cursor))) throw unexpected(cursor, 'an option of the table');
  return parseName(cursor, 'an option of the table').toUpperCase();
}

/** Table options of MySQL and MariaDB with a single keyword. */
const knownOptions: ReadonlySet<string> = new Set(
  words(`
  AUTOEXTEND_SIZE AUTO_INCREMENT AVG_ROW_LENGTH CHECKSUM COLLATE COMMENT COMPRESSION CONNECTION
  DELAY_KEY_WRITE ENCRYPTED ENCRYPTION ENCRYPTION_KEY_ID ENGINE ENGINE_ATTRIBUTE IETF_QUOTES
  INSERT_METHOD KEY_BLOCK_SIZE MAX_ROWS MIN_ROWS PACK_KEYS PAGE_CHECKSUM PAGE_COMPRESSED
  PAGE_COMPRESSION_LEVEL PASSWORD ROW_FORMAT SECONDARY_ENGINE SECONDARY_ENGINE_ATTRIBUTE SEQUENCE
  STATS_AUTO_RECALC STATS_PERSISTENT STATS_SAMPLE_PAGES STORAGE TABLESPACE TABLE_CHECKSUM
  TRANSACTIONAL TYPE UNION
`),
);
