/** Parses the options after a table's body, and the actions of ALTER TABLE that only MySQL and MariaDB have. */
import {
  accept,
  acceptOne,
  expect,
  isAtEnd,
  isNext,
  parseList,
  parseName,
  parseNumber,
  skipTo,
  textBetween,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { words } from '../../../portable/lexer/words.ts';
import { systemVersioning } from '../dialect/temporal-tables.ts';
import { parsePartitions } from './parse-partitions.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { Index, Table } from '../../../model/schema.ts';

type Warn = (message: string) => void;

export function parseTableOptions(cursor: Cursor, table: Table, warn: Warn): Table {
  let changedTable = table;
  let isFirst = true;
  while (!isAtEnd(cursor)) {
    const word = wordAt(cursor);
    if (word === 'PARTITION') {
      parsePartitions(cursor);
      warn('its partitions are left out.');
      break;
    }
    if (word === 'SELECT' || word === 'AS') throw unexpected(cursor, 'an option of the table');
    if (!isFirst) accept(cursor, ',');
    isFirst = false;
    changedTable = withOption(changedTable, parseOption(cursor), warn);
  }
  return {
    ...changedTable,
    indexes: withKnownMethods(changedTable.indexes, engineOf(changedTable), warn),
  };
}

function engineOf({ options }: Table): string | undefined {
  return options?.['ENGINE'];
}

type Option = readonly [name: string, value: string];

function withOption(table: Table, [name, value]: Option, warn: Warn): Table {
  if (name === 'COMMENT') {
    const { comment: _old, ...rest } = table;
    return value === '' ? rest : { ...rest, comment: value };
  }
  if (writableOptions.has(name)) return { ...table, options: { ...table.options, [name]: value } };
  warn(`its option ${name}${value === '' ? '' : ` ${value}`} is left out.`);
  return table;
}

/** Engines with both index methods, whose default is hash. */
const hashingEngines: ReadonlySet<string> = new Set(['MEMORY', 'HEAP', 'NDB', 'NDBCLUSTER']);

/** Removes USING for engines that have one method only. */
export function withKnownMethods(
  indexes: readonly Index[],
  engine: string | undefined,
  warn: (message: string) => void,
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
  'temporal',
]);

/** `[DEFAULT] CHARACTER SET = utf8mb4`, `ENGINE InnoDB`, `UNION=(a, b)`, `WITH SYSTEM VERSIONING` */
function parseOption(cursor: Cursor): Option {
  if (isNext(cursor, 'DEFAULT') && defaultOptions.has(wordAt(cursor, 1))) cursor.at += 1;
  if (accept(cursor, 'WITH', 'SYSTEM', 'VERSIONING')) return ['temporal', systemVersioning];
  const name = optionName(cursor);
  accept(cursor, '=');
  if (wordAt(cursor) === '(') {
    parseList(cursor, (at) => parseName(at));
    return [name, ''];
  }
  const isNumber = cursor.code[cursor.at]?.kind === 'number';
  return [name, isNumber ? String(parseNumber(cursor)) : parseName(cursor, 'a value')];
}

/** Options that DEFAULT may precede. */
const defaultOptions: ReadonlySet<string> = new Set(['CHARACTER', 'CHAR', 'CHARSET', 'COLLATE']);

function optionName(cursor: Cursor): string {
  if (accept(cursor, 'CHARACTER', 'SET') || accept(cursor, 'CHAR', 'SET')) return 'CHARACTER SET';
  if (accept(cursor, 'CHARSET')) return 'CHARACTER SET';
  if (acceptOne(cursor, ['DATA', 'INDEX']) !== undefined) {
    expect(cursor, 'DIRECTORY');
    return 'DIRECTORY';
  }
  if (!isOption(cursor)) throw unexpected(cursor, 'an option of the table');
  const name = parseName(cursor).toUpperCase();
  // The name of ENGINE until MySQL 5.5, which old versions of Hibernate write.
  return name === 'TYPE' ? 'ENGINE' : name;
}

/** SHOW CREATE TABLE of MariaDB quotes the names of options that engines define: `PAGE_COMPRESSED`=1. */
function isOption(cursor: Cursor): boolean {
  const kind = cursor.code[cursor.at]?.kind;
  if (kind === 'quoted-name') return wordAt(cursor, 1) === '=';
  return kind === 'word' && knownOptions.has(wordAt(cursor));
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

// ALTER TABLE

/** MariaDB: how long the statement waits for locks. */
export function acceptWait(cursor: Cursor): void {
  if (accept(cursor, 'WAIT')) parseNumber(cursor);
  else accept(cursor, 'NOWAIT');
}

/** Parses an action that only MySQL and MariaDB have. Returns the changed table; undefined if another action comes next. */
export function parseAlterAction(cursor: Cursor, table: Table, warn: Warn): Table | undefined {
  if (acceptRebuild(cursor)) return table;
  if (accept(cursor, 'ADD', 'SYSTEM', 'VERSIONING'))
    return { ...table, options: { ...table.options, temporal: systemVersioning } };
  if (accept(cursor, 'DROP', 'SYSTEM', 'VERSIONING')) {
    const { temporal: _old, ...options } = table.options ?? {};
    return { ...table, options };
  }
  const from = cursor.at;
  if (acceptOrder(cursor) || acceptConversion(cursor) || acceptPartitioning(cursor)) {
    warn(`"${textBetween(cursor, from, cursor.at)}" is left out.`);
    return table;
  }
  return parseChangedOptions(cursor, table, warn);
}

/** Actions that only rebuild the table or speed up the load of rows, so they need no warning. */
function acceptRebuild(cursor: Cursor): boolean {
  return (
    accept(cursor, 'FORCE') ||
    accept(cursor, 'ENABLE', 'KEYS') ||
    accept(cursor, 'DISABLE', 'KEYS') ||
    accept(cursor, 'WITH', 'VALIDATION') ||
    accept(cursor, 'WITHOUT', 'VALIDATION')
  );
}

/** `ORDER BY a, b DESC`, the last action of a statement. */
function acceptOrder(cursor: Cursor): boolean {
  if (!accept(cursor, 'ORDER', 'BY')) return false;
  do {
    parseName(cursor, 'a column');
    acceptOne(cursor, ['ASC', 'DESC']);
  } while (accept(cursor, ','));
  return true;
}

function acceptConversion(cursor: Cursor): boolean {
  if (!accept(cursor, 'CONVERT', 'TO')) return false;
  if (!accept(cursor, 'CHARSET') && !accept(cursor, 'CHAR', 'SET'))
    expect(cursor, 'CHARACTER', 'SET');
  accept(cursor, '=');
  parseName(cursor, 'a character set');
  if (accept(cursor, 'COLLATE')) {
    accept(cursor, '=');
    parseName(cursor, 'a collation');
  }
  return true;
}

const partitionVerbs = words(
  'ADD DROP TRUNCATE REORGANIZE COALESCE ANALYZE CHECK OPTIMIZE REBUILD REPAIR EXCHANGE CONVERT',
);

/** Actions on partitions are the last ones of a statement. */
function acceptPartitioning(cursor: Cursor): boolean {
  const isChange = partitionVerbs.includes(wordAt(cursor)) && wordAt(cursor, 1) === 'PARTITION';
  if (isNext(cursor, 'PARTITION', 'BY')) parsePartitions(cursor);
  else if (isChange) skipTo(cursor, []);
  else return accept(cursor, 'REMOVE', 'PARTITIONING');
  return true;
}

/**
 * `ENGINE=InnoDB ROW_FORMAT=DYNAMIC`. A new character set or collation applies to columns that are
 * added later, but not to those that the table has, so it is left out.
 */
function parseChangedOptions(cursor: Cursor, table: Table, warn: Warn): Table | undefined {
  let changedTable: Table | undefined;
  while (isOptionStart(cursor)) {
    const option = parseOption(cursor);
    const isDefault = option[0] === 'CHARACTER SET' || option[0] === 'COLLATE';
    if (isDefault) warn(`its option ${option.join(' ')} is left out.`);
    else changedTable = withOption(changedTable ?? table, option, warn);
    changedTable ??= table;
  }
  return (
    changedTable && {
      ...changedTable,
      indexes: withKnownMethods(changedTable.indexes, engineOf(changedTable), warn),
    }
  );
}

function isOptionStart(cursor: Cursor): boolean {
  const word = wordAt(cursor);
  if (word === 'DEFAULT') return defaultOptions.has(wordAt(cursor, 1));
  if (word === 'CHARACTER' || word === 'CHAR') return wordAt(cursor, 1) === 'SET';
  if (word === 'DATA' || word === 'INDEX') return wordAt(cursor, 1) === 'DIRECTORY';
  return word === 'CHARSET' || isOption(cursor);
}
