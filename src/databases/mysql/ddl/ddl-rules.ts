/** What MySQL's and MariaDB's CREATE TABLE has beyond other dialects'. */
import {
  accept,
  acceptOne,
  behind,
  expect,
  isAtEnd,
  placeOf,
  skip,
  takeList,
  takeName,
  takeNumber,
  takeText,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { takeParts } from '../../../sql/ddl/read-keys.ts';
import { setPrimaryKey } from '../../../sql/ddl/table-body.ts';
import { words } from '../../../sql/words.ts';
import { takeType } from './take-type.ts';
import { withReferenceSystem } from '../dialect/types.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { ColumnReading, TableBody } from '../../../sql/ddl/ddl-rules.ts';
import type { Index, Table } from '../../../model/schema.ts';

/** `reference` differs by what databases the file speaks of. */
export const mysqlDdlRules: Omit<DdlRules, 'reference'> = {
  takeType,
  columnClauses: {
    AUTO_INCREMENT: ({ column }) => {
      column.autoIncrement = true;
    },
    // Short for PRIMARY KEY.
    KEY: ({ body, column, cursor }) => {
      setPrimaryKey(body, { columns: [column.name] }, placeOf(cursor));
    },
    ON: (reading) => {
      expect(reading.cursor, 'UPDATE');
      reading.column.onUpdate = takeCall(reading.cursor);
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
      column.type = withReferenceSystem(column.type, takeNumber(cursor));
    },
    REF_SYSTEM_ID: ({ cursor }) => {
      accept(cursor, '=');
      skip(cursor);
    },
    VISIBLE: () => {},
    INVISIBLE: hidden,
    COLUMN_FORMAT: passOne('COLUMN_FORMAT'),
    STORAGE: passOne('STORAGE'),
    ENGINE_ATTRIBUTE: passOne('ENGINE_ATTRIBUTE'),
    SECONDARY_ENGINE_ATTRIBUTE: passOne('SECONDARY_ENGINE_ATTRIBUTE'),
    COMPRESSED: ({ cursor, body, column }) => {
      if (accept(cursor, '=')) skip(cursor);
      body.warn(`COMPRESSED of ${column.name} is left out.`);
    },
    // System versioning's own columns.
    WITH: withVersioning,
    WITHOUT: withVersioning,
  },
  bodyItems: {
    KEY: (cursor, body) => takeIndex(cursor, body, undefined),
    INDEX: (cursor, body) => takeIndex(cursor, body, undefined),
    FULLTEXT: (cursor, body) => takeIndex(cursor, body, 'fulltext'),
    SPATIAL: (cursor, body) => takeIndex(cursor, body, 'spatial'),
    PERIOD: (cursor, body) => {
      body.warn('its period is left out.');
      while (!isAtEnd(cursor) && ![',', ')'].includes(wordAt(cursor))) skip(cursor);
    },
  },
  takeKeyOptions: (cursor, place, warn) => (place === 'column' ? {} : takeKeyOptions(cursor, warn)),
  takesLastComma: false,
  takeTableOptions,
};

function hidden({ column }: ColumnReading): void {
  column.invisible = true;
}

function passOne(name: string): (reading: ColumnReading) => void {
  return ({ cursor, body, column }) => {
    accept(cursor, '=');
    const value = wordAt(cursor);
    skip(cursor);
    if (value !== 'DEFAULT') body.warn(`${name} ${value} of ${column.name} is left out.`);
  };
}

function withVersioning({ cursor, body, column }: ColumnReading): void {
  expect(cursor, 'SYSTEM', 'VERSIONING');
  body.warn(`the versioning of ${column.name} is left out.`);
}

/** `CURRENT_TIMESTAMP(6)`, `NOW()` */
function takeCall(cursor: Cursor): string {
  const from = cursor.at;
  takeName(cursor, 'a function');
  if (wordAt(cursor) === '(') cursor.at = behind(cursor, cursor.at);
  return textBetween(cursor, from, cursor.at).replace(
    /^(?:now|localtime|localtimestamp)\b/i,
    'CURRENT_TIMESTAMP',
  );
}

/** `KEY [name] [USING BTREE] (parts) options`; a key without a name has its first column's. */
function takeIndex(cursor: Cursor, body: TableBody, method: string | undefined): void {
  acceptOne(cursor, ['KEY', 'INDEX']);
  accept(cursor, 'IF', 'NOT', 'EXISTS');
  const hasName = wordAt(cursor) !== '(' && wordAt(cursor) !== 'USING';
  const given = hasName ? takeName(cursor, 'a name or "("') : undefined;
  const before = takeKeyOptions(cursor, body.warn);
  const parts = takeParts(cursor);
  const options = { ...before, ...takeKeyOptions(cursor, body.warn) };
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

/** Methods, comments and sizes of a key. */
export function takeKeyOptions(cursor: Cursor, warn: (what: string) => void): KeyOptions {
  let found: KeyOptions = {};
  for (;;) {
    if (acceptOne(cursor, ['USING', 'TYPE']) !== undefined) {
      const method = wordAt(cursor).toLowerCase();
      skip(cursor);
      if (method === 'hash' || method === 'btree') found = { ...found, method };
    } else if (accept(cursor, 'COMMENT')) found = { ...found, comment: takeText(cursor) };
    else if (accept(cursor, 'WITH', 'PARSER')) warn(`the parser ${takeName(cursor)} is left out.`);
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

// What stands behind the body

function takeTableOptions(cursor: Cursor, table: Table, warn: (what: string) => void): Table {
  const options: Record<string, string> = {};
  let comment: string | undefined;
  while (!isAtEnd(cursor)) {
    const word = wordAt(cursor);
    if (word === 'PARTITION') {
      warn('its partitions are left out.');
      break;
    }
    if (word === 'SELECT' || word === 'AS') throw unexpected(cursor, 'an option of the table');
    const [name, value] = takeOption(cursor);
    if (name === 'COMMENT') comment = value;
    else if (kept.has(name)) options[name] = value;
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

/** What `tableOptions` can write again. */
/** These engines have both methods, and take a hash where nothing is said. */
const hashingEngines: ReadonlySet<string> = new Set(['MEMORY', 'HEAP', 'NDB', 'NDBCLUSTER']);

/** Other engines take their own method for the one that the file asks for. */
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

const kept: ReadonlySet<string> = new Set(['ENGINE', 'ROW_FORMAT', 'CHARACTER SET', 'COLLATE']);

/** `[DEFAULT] CHARACTER SET = utf8mb4`, `ENGINE InnoDB`, `UNION=(a, b)`, `WITH SYSTEM VERSIONING` */
function takeOption(cursor: Cursor): readonly [name: string, value: string] {
  accept(cursor, ',');
  accept(cursor, 'DEFAULT');
  if (accept(cursor, 'WITH', 'SYSTEM', 'VERSIONING')) return ['VERSIONING', ''];
  const name = optionName(cursor);
  accept(cursor, '=');
  if (wordAt(cursor) === '(') {
    takeList(cursor, (at) => takeName(at));
    return [name, ''];
  }
  const isNumber = cursor.code[cursor.at]?.kind === 'number';
  return [name, isNumber ? String(takeNumber(cursor)) : takeName(cursor, 'a value')];
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
  return takeName(cursor, 'an option of the table').toUpperCase();
}

/** Of MySQL and MariaDB, beside those of several words. */
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
