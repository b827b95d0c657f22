import { param, sql } from '../../model/fragment.ts';
import { plainSortKey, tieBreaker } from '../../sql/sort-key.ts';
import { quoteName } from './ddl.ts';
import { ewktOf } from './ewkt.ts';
import { isSpatial } from './types.ts';
import type { Column, ColumnInfo } from '../../model/schema.ts';
import type { CursorKey, SortKey, TieBreaker } from '../../model/sort-key.ts';
import type { Value } from '../../model/values.ts';

const wholeNumber: ColumnInfo = {
  name: 'number',
  type: { kind: 'integer', bits: 64, unsigned: true },
};

/** How MySQL and MariaDB order, where that is not how they compare. */
export function sortKey(column: Column): SortKey {
  const name = quoteName(column.name);
  const { type } = column;
  if (isSpatial(type)) return asTextKey(ewktOf(name), [digest(ewktOf(name))]);
  switch (type.kind) {
    case 'json':
      return asTextKey(`CAST(${name} AS CHAR)`, [digest(`CAST(${name} AS CHAR)`)]);
    case 'enum':
      return plainSortKey(name, column, byNumber(name, name));
    case 'set':
      return plainSortKey(name, column, byNumber(name, `CAST(${name} AS UNSIGNED)`));
    case 'text':
      return plainSortKey(name, column, {
        ...lookedAtInFull(name),
        distinguishing: [digest(name)],
      });
    case 'binary':
      return plainSortKey(name, column, {
        ...lookedAtInFull(name),
        distinguishing: isShort(column) ? [] : [digest(name)],
      });
    case 'float':
      return floatKey(name, column);
    case 'date':
    case 'timestamp':
      return plainSortKey(name, column, { isExact: isDate });
    default:
      return plainSortKey(name, column);
  }
}

/** Tells values apart that ORDER BY takes for equal. */
export function digest(expression: string): TieBreaker {
  return tieBreaker(`SHA2(${expression}, 256)`);
}

/**
 * Behind `=` the server puts the parameter in the column's place, in other conditions too: -0 would
 * read as 0, and a FLOAT with the digits of a DOUBLE.
 */
function floatKey(name: string, column: Column): SortKey {
  const plain = plainSortKey(name, column, {
    distinguishing: [tieBreaker(`CAST(${name} AS CHAR)`)],
  });
  const compare: CursorKey['compare'] = (comparison, value) => {
    const own = param(value, column.type);
    return comparison === '='
      ? sql`(${name} >= ${own} AND ${name} <= ${own})`
      : sql`${name} ${comparison} ${own}`;
  };
  return { ...plain, cursor: { isExact: () => true, compare } };
}

/** A column that knows no order is ordered by its text. */
function asTextKey(text: string, distinguishing: readonly TieBreaker[]): SortKey {
  const { cursor } = tieBreaker(text);
  return { order: text, cursor: { ...cursor, ...lookedAtInFull(text) }, distinguishing };
}

/** ORDER BY goes by the members' numbers, comparisons with a text by their names. */
function byNumber(name: string, compared: string): Partial<CursorKey> {
  return {
    selected: { expression: `CAST(${name} AS UNSIGNED)`, column: wholeNumber },
    compare: (comparison, value) => sql`${compared} ${comparison} ${param(value)}`,
  };
}

/** ORDER BY looks at the first max_sort_length bytes of a value's weights, comparisons at all. */
function lookedAtInFull(name: string): Pick<CursorKey, 'check' | 'isExact'> {
  return {
    check: {
      expression: `LENGTH(WEIGHT_STRING(${name})) < @@max_sort_length`,
      column: wholeNumber,
    },
    isExact: (_value, check) => Number(check) === 1,
  };
}

/** With a zero for its month or day it may be refused as a parameter. */
function isDate(value: Value): boolean {
  return typeof value !== 'string' || !/^\d{4}-(?:00|\d\d-00)/.test(value);
}

const mostCharacters = 768;
const mostBytes = 3072;

/** Whether a value is no longer than an index takes: longer ones of a key can be equal to ORDER BY. */
export function isShort({ type }: Column): boolean {
  if (type.kind === 'text') return (type.length ?? Infinity) <= mostCharacters;
  if (type.kind === 'binary') return (type.length ?? Infinity) <= mostBytes;
  return true;
}
