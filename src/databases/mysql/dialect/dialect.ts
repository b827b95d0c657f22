import { param, raw, sql } from '../../../model/fragment.ts';
import { mysqlCsv } from './csv.ts';
import { mysqlDdl, quoteName } from './ddl.ts';
import { isStructureError, messageOf, translateError } from './errors.ts';
import { mysqlLoading } from './load-dialect.ts';
import { readParameter } from './read-parameter.ts';
import { mysqlScript } from './script.ts';
import { ewktOf } from './ewkt.ts';
import { isSpatial } from './types.ts';
import { mariadbPlaceholder, placeholder } from './values.ts';
import { mariadbWriting, mysqlWriting } from './write.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Dialect, LikePattern } from '../../../model/database.ts';
import { digest, isShort, sortKey } from './sort-key.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column } from '../../../model/schema.ts';

/** SQL syntax and comparison rules of MySQL and MariaDB. */
export const mysqlDialect: Dialect<Capability> = {
  name: 'mysql',
  write: mysqlWriting,
  ddl: mysqlDdl,
  load: mysqlLoading,
  script: mysqlScript,
  sql: {
    writtenRowsQuery: undefined,
    deferredCheckQuery: undefined,
    isTransactionForbidden: () => false,
  },
  quoteName,
  tableName: ({ localName, namespace }) =>
    namespace === undefined
      ? quoteName(localName)
      : `${quoteName(namespace)}.${quoteName(localName)}`,
  tableWithoutChildren: (table) => mysqlDialect.tableName(table),
  placeholder,
  limitClause: (limit, offset) =>
    raw(
      offset === 0 ? `LIMIT ${BigInt(limit)}` : `LIMIT ${BigInt(limit)} OFFSET ${BigInt(offset)}`,
    ),
  // NULLs are last in descending order by default.
  orderTerm: (expression, { descending, nullable }) => {
    if (descending) return `${expression} DESC`;
    return nullable ? `${expression} IS NULL, ${expression}` : expression;
  },
  evaluatesSkippedRows: false,
  prefersRowNumberPaging: false,
  csv: mysqlCsv,
  selectExpression: (name, { type }) => (isSpatial(type) ? ewktOf(name) : name),
  typedNull: (name) => `CASE WHEN FALSE THEN ${name} END`,
  preview,
  asText,
  sortKey,
  keyTieBreakers: (columns) =>
    columns.filter((column) => !isShort(column)).map(({ name }) => digest(quoteName(name))),
  isComparable: (type) => type.kind !== 'json' && !isSpatial(type),
  isSearchable: ({ type }) => type.kind === 'text' || type.kind === 'uuid' || type.kind === 'enum',
  like,
  readParameter,
  readKeyPart: readParameter,
  isStructureError,
  messageOf,
  translateError,
};

/** MySQL's dialect with MariaDB's RETURNING and its handling of invalid geometries. */
export const mariadbDialect: Dialect<Capability> = {
  ...mysqlDialect,
  write: mariadbWriting,
  placeholder: mariadbPlaceholder,
};

/** Longer texts get a preview, in characters. */
const maxShortLength = 1000;

function preview(name: string, column: Column, length: number): ReturnType<Dialect['preview']> {
  const { type } = column;
  const isSized =
    (type.kind === 'text' || type.kind === 'binary') &&
    type.length !== undefined &&
    type.length <= maxShortLength;
  if (
    isSized ||
    (type.kind !== 'text' && type.kind !== 'binary' && type.kind !== 'json' && !isSpatial(type))
  )
    return undefined;
  const value = type.kind === 'text' || type.kind === 'binary' ? name : asText(name, column);
  return { bytes: `LENGTH(${value})`, head: `LEFT(${value}, ${length})` };
}

function asText(expression: string, { type }: Column): string {
  if (type.kind === 'text' || type.kind === 'enum' || type.kind === 'set') return expression;
  if (isSpatial(type)) return ewktOf(expression);
  if (type.kind === 'bits') return `LPAD(BIN(${expression}), ${type.length ?? 1}, '0')`;
  // CAST of a bit(1) alone would return the character with that code.
  return type.kind === 'boolean'
    ? `CAST(${expression} + 0 AS CHAR)`
    : `CAST(${expression} AS CHAR)`;
}

/** LOWER with a binary collation ignores case only, not accents. */
function like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment {
  const text = param(likeText(pattern));
  return ignoreCase
    ? sql`LOWER(${operand}) LIKE LOWER(${text}) COLLATE utf8mb4_bin ESCAPE '!'`
    : sql`${operand} LIKE ${text} ESCAPE '!'`;
}

/** Escapes with `!`, because the meaning of a backslash depends on sql_mode. */
function likeText(pattern: LikePattern): string {
  return pattern
    .map((part) => {
      if (part === 'any') return '%';
      return part === 'one' ? '_' : part.literal.replaceAll(/[!%_]/g, '!$&');
    })
    .join('');
}
