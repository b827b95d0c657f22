import { arrayText } from './array-text.ts';
import type { Cell } from '../../../src/contract/client.ts';

/** What a statement has to know of the column that a value is for; nothing of a result's. */
export interface SqlColumn {
  readonly kind?: string;
  /** As the database names the type. */
  readonly type?: string;
}

/** How a database spells names and values in a statement. */
export interface SqlSpelling {
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  readonly bytes: (hex: string) => string;
  readonly boolean: (value: boolean) => string;
  /** Of a float. As a plain number it would lose its sign. */
  readonly negativeZero: string;
  /** Text in a column of JSON that is no JSON, so that a string stands for itself. */
  readonly keepsAnyText: boolean;
  /** A value that arrives as text, where the column would not read the text as that value. */
  readonly typed: (text: string, column: SqlColumn) => string | undefined;
  readonly array: (items: readonly Cell[], column: SqlColumn) => string | undefined;
}

const standard: SqlSpelling = {
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  text: (text) => `'${text.replaceAll("'", "''")}'`,
  bytes: (hex) => `X'${hex}'`,
  boolean: (value) => (value ? 'TRUE' : 'FALSE'),
  negativeZero: '-0e0',
  keepsAnyText: false,
  typed: () => undefined,
  array: () => undefined,
};

const geometry = /^(?:SRID=(\d+);)?((?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)\b/i;
/** MariaDB has no option for the axis order, and reads this as a comment. */
const longitudeFirst = "/*!80000 , 'axis-order=long-lat' */";
const spatialType =
  /^(?:geometry|geom(?:etry)?collection|(?:multi)?(?:point|linestring|polygon))\b/;

/** There a backslash escapes what follows it; the client would end at a zero character. */
function mysqlText(text: string): string {
  return standard.text(text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0'));
}

/** Bits as text would be their characters, and a moment in UTC one of the session's time zone. */
function mysqlTyped(text: string, { kind, type = '' }: SqlColumn): string | undefined {
  if (kind === 'bits' && /^[01]+$/.test(text)) return `b'${text}'`;
  const moment = /^(\d{4}-\d\d-\d\d)T([\d:.]+)Z$/.exec(text);
  if (kind === 'timestamp' && moment !== null)
    return `CONVERT_TZ('${moment[1]} ${moment[2]}', '+00:00', @@session.time_zone)`;
  const srid = spatialType.test(type) ? geometry.exec(text)?.[1] : undefined;
  if (!spatialType.test(type) || !geometry.test(text)) return undefined;
  const shape = mysqlText(text.replace(/^SRID=\d+;/i, ''));
  return srid === undefined
    ? `ST_GeomFromText(${shape})`
    : `ST_GeomFromText(${shape}, ${srid} ${longitudeFirst})`;
}

function postgresArray(items: readonly Cell[], { type = '' }: SqlColumn): string {
  const literal = standard.text(arrayText(items, type));
  return type === 'money[]' ? `${literal}::numeric[]::money[]` : literal;
}

/** What differs from the standard, by the API's names of databases. */
const spellings = new Map<string, Partial<SqlSpelling>>([
  [
    'sqlite',
    {
      negativeZero: '-0.0',
      keepsAnyText: true,
      // A statement ends at a zero character.
      text: (text) => text.split('\0').map(standard.text).join(' || char(0) || '),
    },
  ],
  ['postgres', { bytes: (hex) => `'\\x${hex}'`, negativeZero: "'-0'", array: postgresArray }],
  [
    'mysql',
    {
      name: (name) => `\`${name.replaceAll('`', '``')}\``,
      text: mysqlText,
      typed: mysqlTyped,
    },
  ],
  [
    'sqlserver',
    {
      name: (name) => `[${name.replaceAll(']', ']]')}]`,
      text: (text) => `N${standard.text(text)}`,
      bytes: (hex) => `0x${hex}`,
      boolean: (value) => (value ? '1' : '0'),
    },
  ],
]);

export function spellingOf(driver: string | undefined): SqlSpelling {
  return { ...standard, ...spellings.get(driver ?? '') };
}
