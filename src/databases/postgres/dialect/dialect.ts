import { param, raw, sql } from '../../../model/fragment.ts';
import { storageOf } from '../../../model/values/stored-value.ts';
import { postgresCsv } from './csv.ts';
import { postgresDdl } from './ddl.ts';
import { isStructureError, messageOf, translateError, isTransactionForbidden } from './errors.ts';
import { postgresLoading } from './load-dialect.ts';
import { readKeyPart, readParameter } from './read-parameter.ts';
import { postgresScript } from './script.ts';
import { borrowedOrder, nativeTag } from './types.ts';
import { arrayMark } from './values.ts';
import { operatorOf } from '../../../sql/compare-column.ts';
import { postgresWriting } from './write.ts';
import type { BorrowedOrder } from './types.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Dialect, LikePattern } from '../../../model/database.ts';
import { plainSortKey, tieBreaker } from '../../../sql/sort-key.ts';
import type { CursorKey, SortKey, TieBreaker } from '../../../model/sort-key.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, ColumnKind, ColumnType, Table } from '../../../model/schema.ts';

/** Renders queries for PostgreSQL. */
export const postgresDialect: Dialect<Capability> = {
  name: 'postgres',
  write: postgresWriting,
  ddl: postgresDdl,
  load: postgresLoading,
  script: postgresScript,
  sql: {
    // Includes counts of earlier transactions that are not reported yet, so only the difference of two results is meaningful.
    writtenRowsQuery:
      'SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_xact_user_tables',
    deferredCheckQuery: 'SET CONSTRAINTS ALL IMMEDIATE',
    isTransactionForbidden,
  },
  quoteName: (name) => postgresDdl.quoteName(name),
  tableName: (table) => postgresDdl.tableName({ ...table, name: table.localName }),
  tableWithoutChildren,
  placeholder,
  limitClause: (limit, offset) =>
    offset === 0
      ? raw(`LIMIT ${limit}`)
      : sql`LIMIT ${String(limit)} OFFSET ${param(BigInt(offset))}`,
  // In ascending order, NULLs are last by default.
  orderTerm: (expression, { descending, nullable }) =>
    `${expression}${descending ? (nullable ? ' DESC NULLS LAST' : ' DESC') : ''}`,
  evaluatesSkippedRows: true,
  prefersRowNumberPaging: false,
  csv: postgresCsv,
  selectExpression,
  // Previews have other result types than their columns.
  typedNull: (name, { type }) =>
    castForExactness(name, type) === name ? undefined : `CASE WHEN false THEN ${name} END`,
  preview,
  asText,
  sortKey,
  keyTieBreakers: () => [],
  isComparable,
  isSearchable: ({ type }) => type.kind === 'text' || type.kind === 'uuid' || type.kind === 'enum',
  like,
  readParameter,
  readKeyPart,
  isStructureError,
  messageOf,
  translateError,
};

/** ONLY would return nothing from a partitioned table, because all its rows are in partitions. */
function tableWithoutChildren(table: Table): string {
  const name = postgresDialect.tableName(table);
  return table.options?.['partition_by'] === undefined ? `ONLY ${name}` : name;
}

/**
 * Without a cast the server infers the type from the other operand (a domain, citext, inet …), so that
 * its operators and indexes are used. A type that uses the operators of another type needs the cast.
 */
function placeholder(index: number, type?: ColumnType): string {
  if (type?.kind === 'array') return `$${index}${arrayMark(type.of)}`;
  if (type === undefined) return `$${index}`;
  const borrowed = borrowedOrder(type);
  if (borrowed !== undefined) return `$${index}::${borrowed.qualifiedName}`;
  return nativeTag(type) === 'money' ? `$${index}::numeric::money` : `$${index}`;
}

/** Kinds that are selected as text, so that their previews have the same type. */
const selectedAsText: ReadonlySet<ColumnKind> = new Set(['json', 'array', 'bits', 'other']);

/**
 * COALESCE changes the name of the result column. A cast would keep the column's name, and ORDER BY, which
 * resolves result names first, would sort by the text.
 */
function selectExpression(name: string, { type }: Column): string {
  const text = castForExactness(name, type);
  return text === name ? name : `COALESCE(${text})`;
}

/** Casts to a type that preserves the exact value. */
function castForExactness(name: string, type: ColumnType): string {
  if (nativeTag(type) === 'money') return `${name}::numeric`;
  if (type.kind === 'array' && nativeTag(type.of) === 'money') return `${name}::numeric[]::text`;
  return selectedAsText.has(type.kind) ? `${name}::text` : name;
}

function preview(
  name: string,
  { type, nativeType }: Column,
  length: number,
): ReturnType<Dialect['preview']> {
  // "char" is a single byte, which CASE cannot combine with text.
  if (nativeType === '"char"') return undefined;
  if (type.kind === 'binary') {
    return { bytes: `octet_length(${name})`, head: `substring(${name} from 1 for ${length})` };
  }
  const isLong = selectedAsText.has(type.kind) || (type.kind === 'text' && type.fixed !== true);
  if (!isLong) return undefined;
  const text = castForExactness(name, type);
  return { bytes: `octet_length(${text})`, head: `left(${text}, ${length})` };
}

/**
 * Types whose values are equal only if their bytes are. The equality of others, such as citext and
 * domains, may ignore case or accents.
 */
const bytewiseTexts = /^(?:text|character varying|character|bpchar|name|"char")(?:\(\d+\))?$/;

/**
 * LIKE does not support nondeterministic collations, which a domain may have too. The cast removes the
 * padding of character(n).
 */
function asText(expression: string, { type, collation, nativeType }: Column): string {
  if (type.kind !== 'text' || type.fixed === true) return `${expression}::text`;
  if (collation === undefined && bytewiseTexts.test(nativeType)) return expression;
  // Domains over name and "char".
  if (storageOf(type).bytes !== undefined) return `${expression}::text`;
  return `${expression} COLLATE "default"`;
}

/** Kinds with equal values of different texts: 1.0 and 1.00, -0 and 0, one day and 24 hours. */
const kindsWithEqualVariants: ReadonlySet<ColumnKind> = new Set([
  'decimal',
  'float',
  'interval',
  'json',
  'array',
]);

function sortKey(column: Column): SortKey {
  const { type, collation, keyCollation } = column;
  const name = postgresDialect.quoteName(column.name);
  if (!isComparable(type)) {
    const text = asText(name, column);
    return { ...tieBreaker(text, { selected: `COALESCE(${text})` }), tieBreakers: [] };
  }
  const hasEqualVariants =
    kindsWithEqualVariants.has(type.kind) ||
    type.kind === 'other' ||
    collation !== undefined ||
    (type.kind === 'text' && !bytewiseTexts.test(column.nativeType));
  const isPadded = type.kind === 'text' && type.fixed === true && type.length === undefined;
  const tieBreakers = isPadded
    ? [digest(name, `pg_catalog.bpcharout(${name})::text`)]
    : hasEqualVariants
      ? [digest(name)]
      : [];
  if (keyCollation !== undefined) return bytewiseKey(name);
  const borrowed = borrowedOrder(type);
  if (borrowed !== undefined)
    return plainSortKey(name, column, { ...asFamilyType(column, borrowed), tieBreakers });
  return type.kind === 'array'
    ? plainSortKey(name, column, { ...asNativeText(name), tieBreakers })
    : plainSortKey(name, column, { tieBreakers });
}

/** `bytes` must be the whole value: casting a bpchar to text would remove its trailing spaces. */
function digest(name: string, bytes = `${name}::text`): TieBreaker {
  const text = `md5(${bytes})`;
  return tieBreaker(`${text} COLLATE "C"`, { selected: text });
}

/** Values that are distinct under the collation of an index have different bytes. */
function bytewiseKey(name: string): SortKey {
  const order = `${name} COLLATE "C"`;
  return {
    order,
    cursor: {
      isExact: () => true,
      compare: (comparison, value) => sql`${order} ${comparison} ${param(value)}`,
    },
    tieBreakers: [],
  };
}

/** Cursors contain arrays as PostgreSQL literals. */
function asNativeText(name: string): Pick<CursorKey, 'selected' | 'compare'> {
  return {
    selected: {
      expression: `COALESCE(${name}::text)`,
      column: { name: 'text', type: { kind: 'text' } },
    },
    compare: (comparison, value) => sql`${name} ${comparison} ${param(value)}`,
  };
}

/** Compares by the underlying type, because different values may have the same text: overloaded functions share a name. */
function asFamilyType(
  column: Column,
  { family }: BorrowedOrder,
): Pick<CursorKey, 'selected' | 'compare'> {
  const name = postgresDialect.quoteName(column.name);
  return {
    selected: {
      expression: `COALESCE(${name}::${family}::text)`,
      column: { name: 'text', type: { kind: 'text' } },
    },
    compare: (comparison, value) =>
      sql`${name} ${operatorOf(column, comparison)} ${param(value)}::${family}`,
  };
}

function isComparable(type: ColumnType): boolean {
  if (type.kind === 'array') return isComparable(type.of);
  if (type.kind === 'json') return type.binary === true;
  return type.kind !== 'other' || nativeTag(type) === 'ordered';
}

function like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment {
  return sql`${operand} ${ignoreCase ? 'ILIKE' : 'LIKE'} ${param(likeText(pattern))}`;
}

function likeText(pattern: LikePattern): string {
  return pattern
    .map((part) => {
      if (part === 'any') return '%';
      return part === 'one' ? '_' : part.literal.replaceAll(/[\\%_]/g, String.raw`\$&`);
    })
    .join('');
}
