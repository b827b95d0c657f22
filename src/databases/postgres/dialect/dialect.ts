import { param, raw, sql } from '../../../model/fragment.ts';
import { postgresCsv } from './csv.ts';
import { postgresDdl } from './ddl.ts';
import { isStructureError, messageOf, readError, refusesTransaction } from './errors.ts';
import { postgresLoading } from './load-dialect.ts';
import { readKeyPart, readParameter } from './read-parameter.ts';
import { postgresScript } from './script.ts';
import { borrowedOrder, nativeMark } from './types.ts';
import { arrayMark } from './values.ts';
import { operatorOf } from '../../../sql/compare-column.ts';
import { postgresWriting } from './write.ts';
import type { BorrowedOrder } from './types.ts';
import type { Dialect, LikePattern } from '../../../model/database.ts';
import { plainSortKey, tieBreaker } from '../../../sql/sort-key.ts';
import type { CursorKey, SortKey, TieBreaker } from '../../../model/sort-key.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, ColumnKind, ColumnType, Table } from '../../../model/schema.ts';

/** How PostgreSQL spells and compares. */
export const postgresDialect: Dialect = {
  name: 'postgres',
  writing: postgresWriting,
  ddl: postgresDdl,
  loading: postgresLoading,
  script: postgresScript,
  quoteName: (name) => postgresDdl.quoteName(name),
  tableName: (table) => postgresDdl.tableName({ ...table, name: table.localName }),
  ownRows,
  placeholder,
  page: (limit, offset) =>
    offset === 0
      ? raw(`LIMIT ${limit}`)
      : sql`LIMIT ${String(limit)} OFFSET ${param(BigInt(offset))}`,
  // Ascending, NULLs are last by themselves.
  orderTerm: (expression, { descending, nullable }) =>
    `${expression}${descending ? (nullable ? ' DESC NULLS LAST' : ' DESC') : ''}`,
  computesSkippedRows: true,
  pagesByNumber: false,
  csv: postgresCsv,
  selectExpression,
  // The size and the head of texts and bytes exist for no other types.
  typeWitness: (name, { type }) =>
    castToTravel(name, type) === name ? undefined : `CASE WHEN false THEN ${name} END`,
  preview,
  asText,
  sortKey,
  keyTieBreakers: () => [],
  isComparable,
  isSearchable: ({ type }) => type.kind === 'text' || type.kind === 'uuid' || type.kind === 'enum',
  like,
  readParameter,
  readKeyPart,
  // Counts what the session has not reported yet as well: only a difference means something.
  rowsWritten:
    'SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_xact_user_tables',
  refusesTransaction,
  isStructureError,
  messageOf,
  readError,
};

/** A partitioned table has no rows but its partitions'. */
function ownRows(table: Table): string {
  const name = postgresDialect.tableName(table);
  return table.options?.['partition_by'] === undefined ? `ONLY ${name}` : name;
}

/**
 * Without a cast the server takes the type from the other side (a domain, citext, inet …), so that
 * its operators and indexes serve. What borrows the operators of another type needs the cast.
 */
function placeholder(index: number, type?: ColumnType): string {
  if (type?.kind === 'array') return `$${index}${arrayMark(type.of)}`;
  if (type === undefined) return `$${index}`;
  const borrowed = borrowedOrder(type);
  if (borrowed !== undefined) return `$${index}::${borrowed.own}`;
  return nativeMark(type) === 'money' ? `$${index}::numeric::money` : `$${index}`;
}

/** Kinds that are selected as their text, so that a preview of it is of the same type. */
const selectedAsText: ReadonlySet<ColumnKind> = new Set(['json', 'array', 'bits', 'other']);

/**
 * COALESCE is there for its name: a cast column keeps its own, and ORDER BY, which looks at the
 * names of the result first, would sort by the text.
 */
function selectExpression(name: string, { type }: Column): string {
  const text = castToTravel(name, type);
  return text === name ? name : `COALESCE(${text})`;
}

/** The type in which values arrive exact. */
function castToTravel(name: string, type: ColumnType): string {
  if (nativeMark(type) === 'money') return `${name}::numeric`;
  if (type.kind === 'array' && nativeMark(type.of) === 'money') return `${name}::numeric[]::text`;
  return selectedAsText.has(type.kind) ? `${name}::text` : name;
}

function preview(
  name: string,
  { type, nativeType }: Column,
  length: number,
): ReturnType<Dialect['preview']> {
  // One byte, which is no text to CASE.
  if (nativeType === '"char"') return undefined;
  if (type.kind === 'binary') {
    return { bytes: `octet_length(${name})`, head: `substring(${name} from 1 for ${length})` };
  }
  const isLong = selectedAsText.has(type.kind) || (type.kind === 'text' && type.fixed !== true);
  if (!isLong) return undefined;
  const text = castToTravel(name, type);
  return { bytes: `octet_length(${text})`, head: `left(${text}, ${length})` };
}

/** LIKE knows no nondeterministic collation; blanks that only pad are none of the text's. */
function asText(expression: string, { type, collation }: Column): string {
  if (type.kind !== 'text' || type.fixed === true) return `${expression}::text`;
  return collation === undefined ? expression : `${expression} COLLATE "default"`;
}

/** Types whose equal values may differ: 1.0 and 1.00, -0 and 0, a day and 24 hours, letters of either case. */
const coarseKinds: ReadonlySet<ColumnKind> = new Set([
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
    return { ...tieBreaker(text, { selected: `COALESCE(${text})` }), distinguishing: [] };
  }
  const isCoarse =
    coarseKinds.has(type.kind) ||
    type.kind === 'other' ||
    collation !== undefined ||
    (type.kind === 'text' && column.nativeType.endsWith('citext'));
  const isPadded = type.kind === 'text' && type.fixed === true && type.length === undefined;
  const distinguishing = isPadded
    ? [digest(name, `pg_catalog.bpcharout(${name})::text`)]
    : isCoarse
      ? [digest(name)]
      : [];
  if (keyCollation !== undefined) return bytewiseKey(name);
  const borrowed = borrowedOrder(type);
  if (borrowed !== undefined)
    return plainSortKey(name, column, { ...asFamily(column, borrowed), distinguishing });
  return type.kind === 'array'
    ? plainSortKey(name, column, { ...asNativeText(name), distinguishing })
    : plainSortKey(name, column, { distinguishing });
}

/** `bytes` holds the whole value: the cast of a bpchar to text drops its trailing blanks. */
function digest(name: string, bytes = `${name}::text`): TieBreaker {
  const text = `md5(${bytes})`;
  return tieBreaker(`${text} COLLATE "C"`, { selected: text });
}

/** Values that an index with another collation than the column's holds distinct differ in their bytes at least. */
function bytewiseKey(name: string): SortKey {
  const order = `${name} COLLATE "C"`;
  return {
    order,
    cursor: {
      isExact: () => true,
      compare: (comparison, value) => sql`${order} ${comparison} ${param(value)}`,
    },
    distinguishing: [],
  };
}

/** Arrays in cursors are in the server's own words, whatever their items. */
function asNativeText(name: string): Pick<CursorKey, 'selected' | 'compare'> {
  return {
    selected: {
      expression: `COALESCE(${name}::text)`,
      column: { name: 'text', type: { kind: 'text' } },
    },
    compare: (comparison, value) => sql`${name} ${comparison} ${param(value)}`,
  };
}

/** The texts of two values may be equal: functions of several signatures are one name. */
function asFamily(
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
  return type.kind !== 'other' || nativeMark(type) === 'ordered';
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
