import { param, raw, sql } from '../../../model/fragment.ts';
import { affinityOf } from './affinity.ts';
import { sqliteDdl } from './ddl.ts';
import { isStructureError, messageOf, translateError } from './errors.ts';
import { foldLikeFunction, likeText, needsFolding } from './fold-like.ts';
import { sqliteLoading } from './load-dialect.ts';
import { readKeyPart } from './read-key-part.ts';
import { readParameter } from './read-parameter.ts';
import { sqliteScript } from './script.ts';
import { sqliteWriting } from './write.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Dialect, LikePattern } from '../../../model/database.ts';
import { tieBreaker } from '../../../sql/sort-key.ts';
import type { SelectedExpression, SortKey, TieBreaker } from '../../../model/sort-key.ts';
import { InvalidText } from '../../../model/values.ts';
import type { Value } from '../../../model/values.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

/** Renders queries for SQLite. */
export const sqliteDialect: Dialect<Capability> = {
  name: 'sqlite',
  write: sqliteWriting,
  ddl: sqliteDdl,
  load: sqliteLoading,
  script: sqliteScript,
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
  tableWithoutChildren: (table) => sqliteDialect.tableName(table),
  // The driver can bind text that is not UTF-8 only as a BLOB. The unary plus removes the affinity of
  // the cast, so that the column's affinity applies to the comparison.
  placeholder: (_index, _type, value) => (value instanceof InvalidText ? '+CAST(? AS TEXT)' : '?'),
  // SQLite prepares a statement again for each value of a bound LIMIT (sqlite3ExprIsInteger).
  limitClause: (limit, offset) => sql`LIMIT ${String(limit)} OFFSET ${param(BigInt(offset))}`,
  // In descending order, NULLs are last by default.
  orderTerm: (expression, { descending, nullable }) =>
    `${expression}${descending ? ' DESC' : nullable ? ' NULLS LAST' : ''}`,
  evaluatesSkippedRows: false,
  prefersRowNumberPaging: true,
  csv: undefined,
  selectExpression: (name) => name,
  typedNull: () => undefined,
  preview: (name, column, length) =>
    shortKinds.has(column.type.kind)
      ? undefined
      : { bytes: `octet_length(${name})`, head: `substr(${name}, 1, ${length})` },
  asText: (expression, column) =>
    hasTextAffinity(column) ? expression : `CAST(${expression} AS TEXT)`,
  sortKey,
  keyTieBreakers: () => [],
  isComparable: () => true,
  isSearchable: (column) => hasTextAffinity(column) || textKinds.has(column.type.kind),
  like,
  readParameter,
  readKeyPart,
  isStructureError,
  messageOf,
  translateError,
};

const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'uuid', 'enum']);
/** Kinds whose values are short, unless a value is not of the declared type. */
const shortKinds: ReadonlySet<ColumnKind> = new Set([
  'boolean',
  'integer',
  'decimal',
  'float',
  'uuid',
  'date',
  'time',
  'timestamp',
  'interval',
]);

/** The collations that every connection has. Others are defined by the application that wrote the file. */
const builtInCollations: ReadonlySet<string> = new Set(['BINARY', 'NOCASE', 'RTRIM']);

/**
 * A column compares by its own collation, except when that collation is missing on this connection, or
 * when it differs from the collation of the key's index and could treat distinct keys as equal. Then
 * values compare by their bytes, which differ for any two keys of a unique index.
 */
function sortKey(column: Column): SortKey {
  const name = quoteName(column.name);
  const columnCollation = column.collation?.toUpperCase() ?? 'BINARY';
  const isBytewise = column.keyCollation !== undefined || !builtInCollations.has(columnCollation);
  const collate = isBytewise ? ' COLLATE BINARY' : '';
  const storedClass: SelectedExpression = {
    expression: `typeof(${name})`,
    column: { name: 'class', type: { kind: 'text' }, dynamic: true },
  };
  const bytes: TieBreaker = {
    order: `${name} COLLATE BINARY`,
    cursor: {
      selected: { expression: name, column },
      isExact: () => true,
      compare: (comparison, value) =>
        sql`${name} ${comparison} ${param(value, column.type)} COLLATE BINARY`,
    },
  };
  return {
    order: `${name}${collate}`,
    cursor: {
      check: storedClass,
      isExact,
      compare: (comparison, value) =>
        sql`${name} ${comparison} ${param(value, column.type)}${collate}`,
    },
    tieBreakers: [bytes, tieBreaker(storedClass.expression, { column: storedClass.column })],
  };
}

/** Text that is not valid UTF-8 is read as bytes, or with replacement characters. */
function isExact(value: Value, storedClass: Value): boolean {
  if (typeof value === 'string') return !value.includes('\ufffd');
  return !(value instanceof Uint8Array) || storedClass === 'blob';
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function hasTextAffinity({ nativeType }: Column): boolean {
  return affinityOf(nativeType) === 'text';
}

/** SQLite's LIKE ignores case in ASCII only. If the pattern has other letters with case, the studio's function replaces it. */
function like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment {
  const text = likeText(pattern);
  if (ignoreCase && needsFolding(pattern))
    return sql`${foldLikeFunction}(${param(text)}, ${operand})`;
  return sql`${operand} LIKE ${param(text)}${raw(text.includes('\\') ? String.raw` ESCAPE '\'` : '')}`;
}
