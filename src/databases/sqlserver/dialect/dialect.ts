import { param, raw, sql } from '../../../model/fragment.ts';
import { sqlserverDdl } from './ddl.ts';
import { isStructureError, messageOf, translateError, isTransactionForbidden } from './errors.ts';
import { sqlserverLoading } from './load-dialect.ts';
import { readParameter } from './read-parameter.ts';
import { sqlserverScript } from './script.ts';
import { isClr, nativeTypeName } from './types.ts';
import { placeholder } from './values.ts';
import { sqlserverWriting } from './write.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Dialect, LikePattern } from '../../../model/database.ts';
import { plainSortKey, tieBreaker } from '../../../sql/sort-key.ts';
import type { SortKey, TieBreaker } from '../../../model/sort-key.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, ColumnInfo, ColumnKind, ColumnType } from '../../../model/schema.ts';

/** SQL syntax and comparison rules of SQL Server. */
export const sqlserverDialect: Dialect<Capability> = {
  name: 'sqlserver',
  write: sqlserverWriting,
  ddl: sqlserverDdl,
  load: sqlserverLoading,
  script: sqlserverScript,
  sql: {
    writtenRowsQuery: undefined,
    deferredCheckQuery: undefined,
    isTransactionForbidden,
  },
  quoteName: (name) => sqlserverDdl.quoteName(name),
  tableName: (table) => sqlserverDdl.tableName({ ...table, name: table.localName }),
  tableWithoutChildren: (table) => sqlserverDialect.tableName(table),
  placeholder,
  // OFFSET … FETCH requires ORDER BY.
  limitClause: (limit, offset, isOrdered) =>
    raw(
      `${isOrdered ? '' : 'ORDER BY (SELECT NULL) '}OFFSET ${BigInt(offset)} ROWS FETCH NEXT ${BigInt(limit)} ROWS ONLY`,
    ),
  // NULLs are last in descending order by default.
  orderTerm: (expression, { descending, nullable }) => {
    if (descending) return `${expression} DESC`;
    return nullable
      ? `CASE WHEN ${expression} IS NULL THEN 1 ELSE 0 END, ${expression}`
      : expression;
  },
  evaluatesSkippedRows: false,
  prefersRowNumberPaging: false,
  csv: undefined,
  selectExpression: (name, { type }) => (isClr(type) ? `${name}.ToString()` : name),
  typedNull: (name) => `CASE WHEN 1 = 0 THEN ${name} END`,
  preview,
  asText,
  sortKey,
  keyTieBreakers: () => [],
  isComparable,
  isSearchable: ({ type }) => type.kind === 'text' || type.kind === 'uuid' || type.kind === 'enum',
  like,
  readParameter,
  readKeyPart: readParameter,
  isStructureError,
  messageOf,
  translateError,
};

const incomparable: ReadonlySet<string> = new Set(['text', 'ntext', 'image', 'xml']);

/**
 * A sql_variant orders values of different types by special rules. A varchar is compared in its code
 * page, into which parameters with characters beyond ASCII may not convert.
 */
function sortKey(column: Column): SortKey {
  const name = sqlserverDialect.quoteName(column.name);
  const { type } = column;
  if (!isComparable(type))
    return {
      ...tieBreaker(asText(name, column)),
      tieBreakers: [bytesOf(asText(name, column))],
    };
  if (type.kind === 'untyped')
    return { order: name, tieBreakers: [tieBreaker(`CAST(${name} AS nvarchar(4000))`)] };
  if (type.kind === 'timestamp' && type.zone === true)
    return plainSortKey(name, column, {
      tieBreakers: [tieBreaker(`DATEPART(tz, ${name})`, { column: offsetColumn })],
    });
  if (type.kind !== 'text') return plainSortKey(name, column);
  const isNarrow = /^(?:var)?char$/.test(nativeTypeName(type) ?? '');
  return plainSortKey(name, column, {
    tieBreakers: [bytesOf(name)],
    isExact: (value) => !isNarrow || typeof value !== 'string' || /^\p{ASCII}*$/u.test(value),
  });
}

const offsetColumn: ColumnInfo = { name: 'offset', type: { kind: 'integer', bits: 32 } };

function bytesOf(expression: string): TieBreaker {
  return tieBreaker(`CAST(${expression} AS varbinary(max))`, {
    column: { name: 'bytes', type: { kind: 'binary' } },
  });
}

/** A hierarchyid has an order; geometry and geography have none. A sql_variant compares values of the same type family. */
function isComparable(type: ColumnType): boolean {
  if (incomparable.has(nativeTypeName(type) ?? '') || type.kind === 'json') return false;
  return type.kind !== 'other' || type.name === 'hierarchyid';
}

/** In characters. Columns of at most this length are never previewed. */
const maxShortLength = 2000;

function preview(name: string, column: Column, length: number): ReturnType<Dialect['preview']> {
  const { type } = column;
  const isSized =
    (type.kind === 'text' || type.kind === 'binary') &&
    (type.length ?? maxShortLength + 1) <= maxShortLength;
  if (isSized || !longKinds.has(type.kind)) return undefined;
  const value = type.kind === 'other' ? asText(name, column) : name;
  return { bytes: `DATALENGTH(${value})`, head: `SUBSTRING(${value}, 1, ${length})` };
}

/** Converts to text: ISO 8601 where possible, money with all digits, binary as hex, char without its padding. */
function asText(expression: string, { type }: Column): string {
  if (isClr(type)) return `${expression}.ToString()`;
  const typeName = nativeTypeName(type);
  if (type.kind === 'text' && typeName !== 'text' && typeName !== 'ntext') {
    return type.fixed === true ? `RTRIM(${expression})` : expression;
  }
  const style = type.kind === 'binary' ? hexStyle : styles[typeName ?? type.kind];
  const value = typeName === 'image' ? `CAST(${expression} AS varbinary(max))` : expression;
  const length = longKinds.has(type.kind) ? 'max' : 4000;
  return `CONVERT(nvarchar(${length}), ${value}${style === undefined ? '' : `, ${style}`})`;
}

const longKinds: ReadonlySet<ColumnKind> = new Set(['text', 'binary', 'json', 'other']);

const isoStyle = 126;
const hexStyle = 1;
const fourDecimals = 2;

const styles: Readonly<Record<string, number>> = {
  money: fourDecimals,
  smallmoney: fourDecimals,
  date: isoStyle,
  time: isoStyle,
  datetime: isoStyle,
  smalldatetime: isoStyle,
  timestamp: isoStyle,
};

/** A binary collation compares code points. nvarchar avoids the loss of characters that a varchar code page lacks. */
const binaryCollation = 'COLLATE Latin1_General_100_BIN2';

function like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment {
  const text = param(likeText(pattern));
  if (!ignoreCase) return sql`${operand} LIKE ${text}`;
  return sql`LOWER(CAST(${operand} AS nvarchar(max)) ${binaryCollation}) LIKE LOWER(${text} ${binaryCollation})`;
}

function likeText(pattern: LikePattern): string {
  return pattern
    .map((part) => {
      if (part === 'any') return '%';
      return part === 'one' ? '_' : part.literal.replaceAll(/[[%_]/g, '[$&]');
    })
    .join('');
}
