/** Writes rows in the file format of LOAD DATA: NULL is `\N`, and special characters are escaped with a backslash. */
import { quoteName, quoteText } from '../dialect/ddl.ts';
import { mysqlDialect } from '../dialect/dialect.ts';
import { inUtc } from '../dialect/values.ts';
import type { InsertBatch } from '../../../model/load-dialect.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';

/** Kinds that LOAD DATA reads from text with the same result as an INSERT. */
const textualKinds: ReadonlySet<ColumnKind> = new Set([
  'boolean',
  'integer',
  'decimal',
  'float',
  'text',
  'enum',
  'set',
  'uuid',
  'date',
  'time',
  'timestamp',
]);

/** Excludes binary values, which LOAD DATA decodes by a character set, and bits, of which it reads the character codes. */
export function fitsFile({ columns, rows }: InsertBatch): boolean {
  return (
    columns.length > 0 &&
    columns.every(
      ({ type, nativeType }) => textualKinds.has(type.kind) && !/^bit/i.test(nativeType),
    ) &&
    rows.every(
      (row) => row.every(isText) && !columns.some((column, i) => isMisread(column, row[i])),
    )
  );
}

/** Values that LOAD DATA changes without a warning: year 0 becomes 2000, and NULL for a NOT NULL timestamp becomes the current time. */
function isMisread({ type, nativeType, nullable }: Column, value: Value | undefined): boolean {
  if (value === null || value === undefined) return type.kind === 'timestamp' && !nullable;
  return /^year/i.test(nativeType) && typeof value !== 'string' && Number(value) === 0;
}

/** UTF-8 cannot encode unpaired surrogates. */
function isText(value: Value): boolean {
  return typeof value === 'string' ? value.isWellFormed() : !(value instanceof Uint8Array);
}

export function loadStatement({ table, columns }: InsertBatch): string {
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  return (
    `LOAD DATA LOCAL INFILE ${quoteText('rows')} INTO TABLE ${mysqlDialect.tableName(table)} CHARACTER SET utf8mb4 ` +
    String.raw`FIELDS TERMINATED BY '\t' ESCAPED BY '\\' LINES TERMINATED BY '\n' ` +
    `(${names})`
  );
}

export function fileText({ columns, rows }: InsertBatch): string {
  const zoned = columns.map(({ type }) => type.kind === 'timestamp' && type.zone === true);
  let text = '';
  for (const row of rows) text += lineText(row, zoned);
  return text;
}

function lineText(row: Row, zoned: readonly boolean[]): string {
  let line = '';
  for (let i = 0; i < zoned.length; i++)
    line += (i === 0 ? '' : '\t') + cellText(row[i] ?? null, zoned[i] === true);
  return `${line}\n`;
}

function cellText(value: Value, isZoned: boolean): string {
  if (value === null) return String.raw`\N`;
  if (typeof value === 'string') return escaped(isZoned ? inUtc(value) : value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Object.is(value, -0) ? '-0' : String(value);
}

const special = /[\\\n\r\t\0]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\0': String.raw`\0`,
};

function escaped(text: string): string {
  return special.test(text)
    ? text.replaceAll(/[\\\n\r\t\0]/g, (character) => escapes[character] ?? character)
    : text;
}
