/** Parses PARTITION BY, so that what follows it or stands in it is not passed over: https://dev.mysql.com/doc/refman/8.4/en/create-table.html */
import {
  accept,
  acceptOne,
  expect,
  isNext,
  parseGroup,
  parseList,
  parseName,
  parseNumber,
  skipValue,
  unexpected,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { words } from '../../../portable/lexer/words.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';

export function parsePartitions(cursor: Cursor): void {
  expect(cursor, 'PARTITION', 'BY');
  parseFunction(cursor);
  acceptCount(cursor, 'PARTITIONS');
  if (accept(cursor, 'SUBPARTITION', 'BY')) {
    parseFunction(cursor);
    acceptCount(cursor, 'SUBPARTITIONS');
  }
  if (wordAt(cursor) === '(') parseList(cursor, parsePartition);
}

/** `RANGE (a)`, `LIST COLUMNS (a, b)`, `LINEAR KEY ALGORITHM = 2 (a)`, `SYSTEM_TIME INTERVAL 1 WEEK` */
function parseFunction(cursor: Cursor): void {
  const isLinear = accept(cursor, 'LINEAR');
  const functions = isLinear ? ['HASH', 'KEY'] : ['HASH', 'KEY', 'RANGE', 'LIST', 'SYSTEM_TIME'];
  const name = acceptOne(cursor, functions);
  if (name === undefined) throw unexpected(cursor, functions.join(', '));
  if (name === 'SYSTEM_TIME') {
    parseSystemTime(cursor);
    return;
  }
  if (name === 'KEY' && accept(cursor, 'ALGORITHM')) {
    accept(cursor, '=');
    parseNumber(cursor);
  }
  const hasColumns = (name === 'RANGE' || name === 'LIST') && accept(cursor, 'COLUMNS');
  if (name === 'KEY' || hasColumns) parseColumns(cursor);
  else parseExpression(cursor);
}

function parseColumns(cursor: Cursor): void {
  if (isNext(cursor, '(', ')')) cursor.at += 2;
  else parseList(cursor, (at) => parseName(at, 'a column'));
}

/** MariaDB: https://mariadb.com/kb/en/system-versioned-tables/ */
function parseSystemTime(cursor: Cursor): void {
  for (;;) {
    if (accept(cursor, 'INTERVAL')) {
      skipValue(cursor, 'a number');
      parseName(cursor, 'a unit');
    } else if (accept(cursor, 'STARTS')) skipValue(cursor, 'a time');
    else if (accept(cursor, 'LIMIT')) parseNumber(cursor);
    else if (!accept(cursor, 'AUTO')) return;
  }
}

function parseExpression(cursor: Cursor): void {
  if (isNext(cursor, '(', ')')) {
    cursor.at += 1;
    throw unexpected(cursor, 'an expression');
  }
  parseGroup(cursor);
}

function acceptCount(cursor: Cursor, word: string): void {
  if (accept(cursor, word)) parseNumber(cursor);
}

function parsePartition(cursor: Cursor): void {
  expect(cursor, 'PARTITION');
  parseName(cursor, 'a partition');
  parseValues(cursor);
  parseOptions(cursor);
  if (wordAt(cursor) !== '(') return;
  parseList(cursor, (at) => {
    expect(at, 'SUBPARTITION');
    parseName(at, 'a partition');
    parseOptions(at);
  });
}

function parseValues(cursor: Cursor): void {
  if (acceptOne(cursor, ['HISTORY', 'CURRENT', 'DEFAULT']) !== undefined) return;
  if (!accept(cursor, 'VALUES')) return;
  if (accept(cursor, 'LESS', 'THAN')) {
    if (!accept(cursor, 'MAXVALUE')) parseExpression(cursor);
  } else {
    expect(cursor, 'IN');
    parseExpression(cursor);
  }
}

const partitionOptions = words('ENGINE COMMENT MAX_ROWS MIN_ROWS TABLESPACE NODEGROUP DATA INDEX');

function parseOptions(cursor: Cursor): void {
  for (;;) {
    const storage = accept(cursor, 'STORAGE');
    if (storage && wordAt(cursor) !== 'ENGINE') throw unexpected(cursor, 'ENGINE');
    const option = acceptOne(cursor, partitionOptions);
    if (option === undefined) return;
    if (option === 'DATA' || option === 'INDEX') expect(cursor, 'DIRECTORY');
    accept(cursor, '=');
    skipValue(cursor, 'a value');
  }
}
