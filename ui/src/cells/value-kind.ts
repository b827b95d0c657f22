import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Column } from '../api/responses.ts';
import { commonTexts as texts } from '../texts/common.ts';

const numberKinds: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);
const dateTimeKinds: ReadonlySet<string> = new Set(['date', 'time', 'timestamp']);

/** The column properties that rendering a value needs. */
export type PlainColumn = Pick<Column, 'kind' | 'is_foreign_key' | 'enum_values'> &
  Partial<Pick<Column, 'is_nullable' | 'default_value' | 'is_auto_increment' | 'is_generated'>>;

export function isNumberColumn({ kind }: Pick<Column, 'kind'>): boolean {
  return numberKinds.has(kind);
}

/** The type of a column. Columns of SQLite and the expressions of its views may have none. */
export function typeText({ type }: Pick<Column, 'type'>): string {
  return type === '' ? texts.anyType : type;
}

export function isDateOrTimeColumn({ kind }: Pick<Column, 'kind'>): boolean {
  return dateTimeKinds.has(kind);
}

/**
 * The values to select from, if the type limits them. A SET has none, because its values consist of
 * several members.
 */
export function choicesOf({
  kind,
  enum_values: members,
}: Pick<Column, 'kind' | 'enum_values'>): readonly string[] | undefined {
  if (kind === 'boolean') return ['true', 'false'];
  return kind === 'set' ? undefined : members;
}

/** The size and the beginning of a value that the server has truncated. */
export interface TruncatedValue {
  readonly bytes: number;
  readonly head: string;
}

export function truncatedValueOf(value: Cell): TruncatedValue | undefined {
  const marked = markerValueOf(value, '$cut');
  if (marked === undefined) return undefined;
  const { $cut: bytes, head } = value as { $cut: unknown; head?: unknown };
  return { bytes: Number(bytes), head: typeof head === 'string' ? head : '' };
}

/** The base64 text of a binary value. */
export function base64Of(value: Cell): string | undefined {
  const marked = markerValueOf(value, '$base64');
  return typeof marked === 'string' ? marked : undefined;
}

/** Whether a value is an integer beyond the range that a double holds exactly. */
export function isLargeInteger(value: Cell | undefined): boolean {
  return value !== undefined && markerValueOf(value, '$int') !== undefined;
}

/**
 * The value of a marker such as `$int`. A marker is the only member of its object, except for
 * `$cut`. An object with other members is a JSON document.
 */
function markerValueOf(value: Cell, marker: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [first, second] = Object.keys(value);
  if (first !== marker || (second !== undefined && marker !== '$cut')) return undefined;
  return (value as Readonly<Record<string, unknown>>)[marker];
}

/**
 * The JSON document that a value of a JSON column represents. The API wraps a JSON null, and
 * documents that look like a marker, in `$json`.
 */
export function documentOf(value: Cell): unknown {
  const document = markerValueOf(value, '$json');
  return document === undefined ? value : document;
}

/** The value as text. Numbers keep the digits of the response, and JSON is serialized. */
export function cellText(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'object' && !(value instanceof NumberToken)) {
    const integer = markerValueOf(value, '$int');
    if (typeof integer === 'string') return integer;
    return JSON.stringify(documentOf(value));
  }
  return String(value);
}
