import { param, raw, sql } from '../../../model/fragment.ts';
import { affinityOf } from './affinity.ts';
import { sqliteDdl } from './ddl.ts';
import { isStructureError, messageOf, readError } from './errors.ts';
import { foldLikeFunction, likeText, needsFolding } from './fold-like.ts';
import { sqliteLoading } from './load-dialect.ts';
import { readKeyPart } from './read-key-part.ts';
import { readParameter } from './read-parameter.ts';
import { sqliteScript } from './script.ts';
import { sqliteWriting } from './write.ts';
import type { Dialect, LikePattern } from '../../../model/database.ts';
import { tieBreaker } from '../../../sql/sort-key.ts';
import type { SelectedExpression, SortKey, TieBreaker } from '../../../model/sort-key.ts';
import { InvalidText } from '../../../model/values.ts';
import type { Value } from '../../../model/values.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

/** How SQLite spells and compares. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  writing: sqliteWriting,
  ddl: sqliteDdl,
  loading: sqliteLoading,
  script: sqliteScript,
  quoteName,
  tableName: ({ localName, namespace }) =>
    namespace === undefined
      ? quoteName(localName)
      : `${quoteName(namespace)}.${quoteName(localName)}`,
  ownRows: (table) => sqliteDialect.tableName(table),
  // The driver binds text that is not UTF-8 as bytes only; by the plus the column's affinity decides.
  placeholder: (_index, _type, value) => (value instanceof InvalidText ? '+CAST(? AS TEXT)' : '?'),
  // A bound LIMIT would be planned anew with each value (sqlite3ExprIsInteger).
  page: (limit, offset) => sql`LIMIT ${String(limit)} OFFSET ${param(BigInt(offset))}`,
  // Descending, NULLs are last by themselves.
  orderTerm: (expression, { descending, nullable }) =>
    `${expression}${descending ? ' DESC' : nullable ? ' NULLS LAST' : ''}`,
  computesSkippedRows: false,
  pagesByNumber: true,
  csv: undefined,
  selectExpression: (name) => name,
  typeWitness: () => undefined,
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
  rowsWritten: undefined,
  refusesTransaction: () => false,
  isStructureError,
  messageOf,
  readError,
};

const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'uuid', 'enum']);
/** Kinds whose values are short wherever they are what was declared. */
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

/** The collations that every connection has; others are functions of the program that made the file. */
const builtInCollations: ReadonlySet<string> = new Set(['BINARY', 'NOCASE', 'RTRIM']);

/**
 * A column compares by its own collation. One that is not there cannot be compared by, and one that
 * is not that of a key's index may take the key's values for equal: then values compare by their
 * bytes, which every collation's unique index keeps distinct.
 */
function sortKey(column: Column): SortKey {
  const name = quoteName(column.name);
  const own = column.collation?.toUpperCase() ?? 'BINARY';
  const isBytewise = column.keyCollation !== undefined || !builtInCollations.has(own);
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
    distinguishing: [bytes, tieBreaker(storedClass.expression, { column: storedClass.column })],
  };
}

/** Text that is not well-formed arrives as bytes, or with replacement characters. */
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

/** SQLite's LIKE folds ASCII; where the pattern has other letters with case, a function of ours folds them all. */
function like(operand: string, pattern: LikePattern, ignoreCase: boolean): Fragment {
  const text = likeText(pattern);
  if (ignoreCase && needsFolding(pattern))
    return sql`${foldLikeFunction}(${param(text)}, ${operand})`;
  return sql`${operand} LIKE ${param(text)}${raw(text.includes('\\') ? String.raw` ESCAPE '\'` : '')}`;
}
