import { param, sql } from '../../model/fragment.ts';
import { plainSortKey } from '../../sql/sort-key.ts';
import { quoteName } from './ddl.ts';
import { ewktOf } from './ewkt.ts';
import { isSpatial } from './types.ts';
import type { Column, ColumnInfo } from '../../model/schema.ts';
import type { CursorKey, SortKey } from '../../model/sort-key.ts';
import type { Value } from '../../model/values.ts';

const wholeNumber: ColumnInfo = {
  name: 'number',
  type: { kind: 'integer', bits: 64, unsigned: true },
};

/** How MySQL and MariaDB order, where that is not how they compare. */
export function sortKey(column: Column): SortKey {
  const name = quoteName(column.name);
  const { type } = column;
  if (isSpatial(type))
    return { order: ewktOf(name), distinguishing: [`SHA2(${ewktOf(name)}, 256)`] };
  switch (type.kind) {
    case 'json':
      return {
        order: `CAST(${name} AS CHAR)`,
        distinguishing: [`SHA2(CAST(${name} AS CHAR), 256)`],
      };
    case 'enum':
      return plainSortKey(name, column, byNumber(name, name));
    case 'set':
      return plainSortKey(name, column, byNumber(name, `CAST(${name} AS UNSIGNED)`));
    case 'text':
      return plainSortKey(name, column, {
        ...lookedAtInFull(name),
        distinguishing: [`SHA2(${name}, 256)`],
      });
    case 'binary':
      return plainSortKey(name, column, {
        ...lookedAtInFull(name),
        distinguishing: isShort(column) ? [] : [`SHA2(${name}, 256)`],
      });
    case 'float':
      return plainSortKey(name, column, { distinguishing: [`CAST(${name} AS CHAR)`] });
    case 'date':
    case 'timestamp':
      return plainSortKey(name, column, { isExact: isDate });
    default:
      return plainSortKey(name, column);
  }
}

/** ORDER BY goes by the members' numbers, comparisons with a text by their names. */
function byNumber(name: string, compared: string): Partial<CursorKey> {
  return {
    selected: { expression: `CAST(${name} AS UNSIGNED)`, column: wholeNumber },
    compare: (comparison, value) => sql`${compared} ${comparison} ${param(value)}`,
  };
}

/** ORDER BY looks at the first max_sort_length bytes of a value's weights, comparisons at all. */
function lookedAtInFull(name: string): Partial<CursorKey> {
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
