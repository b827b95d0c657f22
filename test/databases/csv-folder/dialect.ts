/** The smallest dialect: only the members that reading needs. */
import { raw, param, sql } from '../../../src/model/fragment.ts';
import { plainSortKey } from '../../../src/sql/sort-key.ts';
import type { Dialect } from '../../../src/model/database.ts';
import type { Column } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/values.ts';

export const csvDialect: Dialect = {
  name: 'csv',
  quoteName,
  tableName: ({ localName }) => quoteName(localName),
  tableWithoutChildren: ({ localName }) => quoteName(localName),
  placeholder: () => '?',
  limitClause: (limit, offset) => raw(`LIMIT ${limit} OFFSET ${offset}`),
  orderTerm: (expression, { descending }) =>
    `${expression} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
  evaluatesSkippedRows: false,
  prefersRowNumberPaging: false,
  csv: undefined,
  selectExpression: (name) => name,
  typedNull: () => undefined,
  preview: () => undefined,
  asText: (expression) => `CAST(${expression} AS TEXT)`,
  sortKey: (column) => plainSortKey(quoteName(column.name), column),
  keyTieBreakers: () => [],
  isComparable: () => true,
  isSearchable: ({ type }) => type.kind === 'text',
  like: (operand, pattern) => {
    const text = pattern
      .map((part) => {
        if (typeof part !== 'string') return part.literal.replaceAll(/[%_\\]/g, String.raw`\$&`);
        return part === 'any' ? '%' : '_';
      })
      .join('');
    return sql`${operand} LIKE ${param(text)} ESCAPE '\\'`;
  },
  readParameter,
  readKeyPart: readParameter,
  // The tables are read once, so they never change under the studio.
  isStructureError: () => false,
  messageOf: (error) => (isOfEngine(error) ? error.message : undefined),
  translateError: () => undefined,
};

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The text can be no value of a column of numbers unless it is one. */
function readParameter(text: string, { type }: Column): readonly Value[] {
  if (type.kind !== 'integer') return [text];
  return /^-?\d{1,18}$/.test(text) ? [BigInt(text)] : [];
}

function isOfEngine(error: unknown): error is Error {
  return error instanceof Error && error.name === 'SqliteError';
}
