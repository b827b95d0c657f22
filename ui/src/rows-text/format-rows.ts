import { presentationOf } from '../../../src/databases/presentations.ts';
import { literalsOf } from '../../../src/portable/presentation.ts';
import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { LiteralColumn, SqlLiterals } from '../../../src/portable/presentation.ts';
import type { Row } from '../api/responses.ts';
import { base64Of, cellText, documentOf, isLargeInteger } from '../cells/value-kind.ts';
import { arrayText } from './array-text.ts';
import { hexOf } from './hex.ts';
import { formatTitles } from '../texts/formats.ts';

/** Formats for copied rows. `cells` is text with tabs between cells, which spreadsheets accept. */
export type RowsFormat = 'cells' | 'csv' | 'json' | 'ndjson' | 'sql' | 'markdown';

export const rowsFormats = [
  ['csv', formatTitles.csv],
  ['json', formatTitles.json],
  ['sql', formatTitles.sql],
  ['markdown', formatTitles.markdown],
] as const satisfies readonly (readonly [RowsFormat, string])[];

export interface TextRows {
  /** The qualified table name for INSERT. */
  readonly path: readonly string[];
  readonly columns: readonly ({ readonly name: string } & LiteralColumn)[];
  readonly rows: readonly Row[];
  /** The database whose SQL dialect is used, by its name in the API. */
  readonly driver?: string | undefined;
}

/** Formats rows as text. Numbers keep every digit. */
export function formatRows(format: RowsFormat, rows: TextRows): string {
  return writers[format](rows);
}

const writers: Readonly<Record<RowsFormat, (rows: TextRows) => string>> = {
  cells: (rows) =>
    withFinalLineEnd(lines(rows, (value) => emptyOrQuoted(value, /[\t\n\r"]/), '\t')),
  csv: (rows) => {
    const head = rows.columns.map(({ name }) => quoted(name, /[,\n\r"]/)).join(',');
    return [head, ...lines(rows, (value) => emptyOrQuoted(value, /[,\n\r"]/), ',')].join('\r\n');
  },
  json: ({ columns, rows }) =>
    `[\n${rows.map((row) => `  ${jsonObject(columns, row)}`).join(',\n')}\n]`,
  ndjson: ({ columns, rows }) => rows.map((row) => `${jsonObject(columns, row)}\n`).join(''),
  sql: sqlText,
  markdown: markdownText,
};

function lines(
  { columns, rows }: TextRows,
  write: (value: Cell) => string,
  separator: string,
): readonly string[] {
  return rows.map((row) => columns.map(({ name }) => write(row[name] ?? null)).join(separator));
}

/** If the last line is empty, because it is a NULL, it needs a line end: readers ignore an empty line at the end of the text. */
function withFinalLineEnd(rows: readonly string[]): string {
  return rows.join('\n') + (rows.at(-1) === '' ? '\n' : '');
}

/** Follows the studio's CSV format: NULL is an empty cell, and the empty string is a pair of quotes. */
function emptyOrQuoted(value: Cell, special: RegExp): string {
  if (value === null) return '';
  const text = copiedText(value);
  return text === '' ? '""' : quoted(text, special);
}

function quoted(text: string, special: RegExp): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a value as it is copied, without quotes. */
export function copiedText(value: Cell): string {
  const base64 = base64Of(value);
  return base64 === undefined ? cellText(value) : `\\x${hexOf(base64)}`;
}

function jsonObject(columns: TextRows['columns'], row: Row): string {
  const members = columns.map(
    ({ name }) => `${JSON.stringify(name)}: ${JSON.stringify(row[name] ?? null)}`,
  );
  return `{ ${members.join(', ')} }`;
}

function sqlText({ path, columns, rows, driver }: TextRows): string {
  const literals = literalsOf(presentationOf(driver));
  const names = columns.map(({ name }) => literals.name(name)).join(', ');
  const into = path.map(literals.name).join('.');
  return rows
    .map((row) => {
      const values = columns.map((column) =>
        sqlLiteral(literals, row[column.name] ?? null, column),
      );
      return `INSERT INTO ${into} (${names}) VALUES (${values.join(', ')});`;
    })
    .join('\n');
}

const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

function sqlLiteral(literals: SqlLiterals, value: Cell, column: LiteralColumn): string {
  if (value === null) return 'NULL';
  if (column.kind === 'json') return jsonLiteral(literals, value);
  if (typeof value === 'boolean') return literals.boolean(value);
  if (typeof value === 'number' || value instanceof NumberToken)
    return numberLiteral(literals, value);
  const base64 = base64Of(value);
  if (base64 !== undefined) return literals.bytes(hexOf(base64));
  if (isLargeInteger(value)) return cellText(value);
  if (Array.isArray(value) && literals.array !== undefined)
    return literals.array(arrayText(value as readonly Cell[], column.type ?? ''), column);
  const text = cellText(value);
  if (numberKinds.has(column.kind ?? '') && /^-?\d+(\.\d+)?$/.test(text)) return text;
  return literals.typed(text, column) ?? literals.text(text);
}

function numberLiteral({ negativeZero }: SqlLiterals, value: number | NumberToken): string {
  const digits = String(value);
  return /^-0(?:\.0*)?$/.test(digits) ? negativeZero : digits;
}

/** Writes a JSON document as a text literal. An unquoted number or word would have another type. */
function jsonLiteral(literals: SqlLiterals, value: Cell): string {
  if (literals.keepsAnyText) {
    if (typeof value === 'number' || value instanceof NumberToken)
      return numberLiteral(literals, value);
    if (isLargeInteger(value)) return cellText(value);
    const base64 = base64Of(value);
    if (base64 !== undefined) return literals.bytes(hexOf(base64));
    if (typeof value === 'string') return literals.text(value);
  }
  return literals.text(JSON.stringify(documentOf(value)));
}

function markdownText(rows: TextRows): string {
  const head = rows.columns.map(({ name }) => markdownCell(name)).join(' | ');
  const rule = rows.columns.map(() => '---').join(' | ');
  const body = lines(
    rows,
    (value) => markdownCell(value === null ? 'NULL' : copiedText(value)),
    ' | ',
  );
  return [head, rule, ...body].map((line) => `| ${line} |`).join('\n');
}

function markdownCell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, '<br>');
}
