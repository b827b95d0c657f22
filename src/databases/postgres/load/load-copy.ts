import { RowsFailure } from '../../../model/load-dialect.ts';
import { postgresDdl } from '../dialect/ddl.ts';
import { serverError } from '../dialect/errors.ts';
import { toText } from '../dialect/values.ts';
import type { InsertBatch } from '../../../model/load-dialect.ts';
import type { Column } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';

export function copyStatement({ table, columns }: InsertBatch): string {
  const names = columns.map(({ name }) => postgresDdl.quoteName(name)).join(', ');
  return `COPY ${postgresDdl.tableName(table)} (${names}) FROM STDIN`;
}

/** Formats rows in the text format of COPY: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS */
export function copyText({ columns, rows }: InsertBatch): string {
  let text = '';
  rows.forEach((row, index) => {
    for (let i = 0; i < columns.length; i++) {
      if (i > 0) text += '\t';
      text += cellText(row, { columns, index, i });
    }
    text += '\n';
  });
  return text;
}

interface Cell {
  readonly columns: readonly Column[];
  readonly index: number;
  readonly i: number;
}

function cellText(row: Row, { columns, index, i }: Cell): string {
  const value = row[i] ?? null;
  if (value === null) return String.raw`\N`;
  const column = columns[i];
  try {
    return typeof value === 'number' ? numberText(value) : escaped(toText(value, column?.type));
  } catch (error) {
    throw new RowsFailure(error, { first: index, count: 1, column: column?.name });
  }
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function escaped(text: string): string {
  return special.test(text)
    ? text.replaceAll(/[\\\n\r\t]/g, (character) => escapes[character] ?? character)
    : text;
}

/** The error context has the line of the input, except for foreign keys, which are checked at the end. */
export function copyFailure(error: unknown, batch: InsertBatch): RowsFailure {
  const found = serverError(error);
  const row = found?.where === undefined ? undefined : rowInContext(found.where, batch);
  return new RowsFailure(error, row ?? { first: 0, count: batch.rows.length });
}

/** Parses `COPY t, line 3, column a: "…"`, which is localized, and may be among context lines of a trigger. */
function rowInContext(
  where: string,
  { table, rows, columns }: InsertBatch,
): { readonly first: number; readonly count: 1; readonly column: string | undefined } | undefined {
  const start = `COPY ${table.localName}, `;
  const at = where.startsWith(start) ? 0 : where.indexOf(`\n${start}`) + 1;
  if (at === 0 && !where.startsWith(start)) return undefined;
  const [, line = '', rest = ''] = /^\S+ (\d+)(.*)/.exec(where.slice(at + start.length)) ?? [];
  const first = Number(line) - 1;
  if (line === '' || first < 0 || first >= rows.length) return undefined;
  const textFromColumn = rest.replace(/^, \S+ /, '');
  const column = columns.find(({ name }) => textFromColumn.startsWith(`${name}:`));
  return { first, count: 1, column: column?.name };
}
