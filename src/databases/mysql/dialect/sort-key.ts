import { param, sql } from '../../../model/fragment.ts';
import { plainSortKey, tieBreaker } from '../../../sql/sort-key.ts';
import { quoteName } from './ddl.ts';
import { ewktOf } from './ewkt.ts';
import { isSpatial } from './types.ts';
import type { Column, ColumnInfo } from '../../../model/schema.ts';
import type { CursorKey, SortKey, TieBreaker } from '../../../model/sort-key.ts';
import type { Value } from '../../../model/values.ts';

const wholeNumber: ColumnInfo = {
  name: 'number',
  type: { kind: 'integer', bits: 64, unsigned: true },
};

/** Sort keys for types whose order in ORDER BY differs from that of comparisons. */
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
        ...sortedInFull(name),
        tieBreakers: [digest(name)],
      });
    case 'binary':
      return plainSortKey(name, column, {
        ...sortedInFull(name, 1),
        tieBreakers: isShort(column) ? [] : [digest(name)],
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

/** Distinguishes values that ORDER BY treats as equal. */
export function digest(expression: string): TieBreaker {
  return tieBreaker(`SHA2(${expression}, 256)`);
}

/**
 * After `column = ?` the optimizer substitutes the parameter for the column in other conditions. There
 * -0 would become 0, and a FLOAT would get the digits of a DOUBLE. A range avoids the substitution.
 */
function floatKey(name: string, column: Column): SortKey {
  const sortKeyOfColumn = plainSortKey(name, column, {
    tieBreakers: [tieBreaker(`CAST(${name} AS CHAR)`)],
  });
  const compare: CursorKey['compare'] = (comparison, value) => {
    const parameter = param(value, column.type);
    return comparison === '='
      ? sql`(${name} >= ${parameter} AND ${name} <= ${parameter})`
      : sql`${name} ${comparison} ${parameter}`;
  };
  return { ...sortKeyOfColumn, cursor: { isExact: () => true, compare } };
}

/** Types without an order are ordered by their text. */
function asTextKey(text: string, tieBreakers: readonly TieBreaker[]): SortKey {
  const { cursor } = tieBreaker(text);
  return { order: text, cursor: { ...cursor, ...sortedInFull(text) }, tieBreakers };
}

/** ORDER BY compares the members' numbers, but a comparison with text compares their names. */
function byNumber(name: string, compared: string): Partial<CursorKey> {
  return {
    selected: { expression: `CAST(${name} AS UNSIGNED)`, column: wholeNumber },
    compare: (comparison, value) => sql`${compared} ${comparison} ${param(value)}`,
  };
}

/**
 * ORDER BY uses only the first max_sort_length bytes of a value's weight string; comparisons use all.
 * MariaDB reserves for each character as many bytes as the longest one takes, 4 with utf8mb4.
 */
function sortedInFull(name: string, bytesOfCharacter = 4): Pick<CursorKey, 'check' | 'isExact'> {
  return {
    check: {
      expression:
        `LENGTH(WEIGHT_STRING(${name})) < @@max_sort_length` +
        ` AND CHAR_LENGTH(${name}) * ${bytesOfCharacter} < @@max_sort_length`,
      column: wholeNumber,
    },
    isExact: (_value, check) => Number(check) === 1,
  };
}

/** The server may reject a parameter with a zero month or day. */
function isDate(value: Value): boolean {
  return typeof value !== 'string' || !/^\d{4}-(?:00|\d\d-00)/.test(value);
}

const maxCharacters = 768;
const maxBytes = 3072;

/** Whether all values fit into an index. ORDER BY may treat longer ones as equal. */
export function isShort({ type }: Column): boolean {
  if (type.kind === 'text') return (type.length ?? Infinity) <= maxCharacters;
  if (type.kind === 'binary') return (type.length ?? Infinity) <= maxBytes;
  return true;
}
