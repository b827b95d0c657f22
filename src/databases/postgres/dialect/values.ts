import { StudioError } from '../../../model/errors.ts';
import { cellEncoder } from '../../../model/values/json-cells.ts';
import { arrayLiteral, readArrayLiteral } from './array-literal.ts';
import type { ArraySyntax, ArrayItem } from './array-literal.ts';
import type { Query } from '../../../model/database.ts';
import type { EncodeCell } from '../../../model/values/json-cells.ts';
import type { ColumnInfo, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/** Converts a text of the server to a value. */
export type Decode = (text: string) => Value;

/** The decoder of a type; undefined if the text is the value. */
function decoderOf(type: ColumnType): Decode | undefined {
  if (type.kind === 'integer') return type.bits <= 32 ? Number : undefined;
  if (type.kind === 'array') return arrayDecoder(type.of);
  if (type.kind === 'timestamp' || type.kind === 'time')
    return type.zone === true ? zonedText : isoText;
  return decoders[type.kind];
}

/** Decodes rows in place, to avoid copies. */
export function decodeRows(columns: readonly ColumnInfo[], rows: readonly Value[][]): void {
  columns.forEach((column, i) => {
    const decode = decoderOf(column.type);
    if (decode === undefined) return;
    for (const row of rows) {
      const value = row[i];
      if (typeof value === 'string') row[i] = decode(value);
    }
  });
}

const decoders: Partial<Record<ColumnKind, Decode>> = {
  boolean: (text) =>
    text === 't' || text === 'true' ? true : text === 'f' || text === 'false' ? false : text,
  float: Number,
  binary: readBytes,
};

const dateAndTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;

/** `2026-01-31 13:05:00` with a T. Values without an ISO 8601 form (infinity, BC, five-digit years) are unchanged. */
function isoText(text: string): string {
  return dateAndTime.test(text) ? `${text.slice(0, 10)}T${text.slice(11)}` : text;
}

const offsetAtEnd = /([+-]\d\d)(:\d\d)?(:\d\d)?$/;

/** Formats the offset as in ISO 8601: `Z`, `+02:00`. */
function zonedText(text: string): string {
  const offset = offsetAtEnd.exec(text);
  if (offset === null || /^\d{5}/.test(text)) return text;
  const [offsetText, hours = '', minutes = ':00', seconds = ''] = offset;
  const isUtc = /^[+-]00:00$/.test(hours + minutes + seconds);
  return isoText(text.slice(0, -offsetText.length)) + (isUtc ? 'Z' : hours + minutes + seconds);
}

/** Decodes `\x…`; other texts are unchanged. */
function readBytes(text: string): Value {
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : text;
}

/** The JSON text of an array literal, without its bounds if it has some (`[2:3]={…}`). */
export function arrayJson(text: string, of: ColumnType): string | undefined {
  const literal = text.replace(/^(?:\[[+-]?\d+:[+-]?\d+\])+=/, '');
  const items = readArrayLiteral(literal, delimiterOf(of));
  return items && jsonText(items, itemEncoder(of));
}

/** Converts an array literal to JSON text. Other texts, such as arrays with bounds and previews, are unchanged. */
function arrayDecoder(of: ColumnType): Decode {
  const item = itemEncoder(of);
  const delimiter = delimiterOf(of);
  return (text) => {
    const items = readArrayLiteral(text, delimiter);
    return items === undefined ? text : jsonText(items, item);
  };
}

function itemEncoder(of: ColumnType): (text: string) => string {
  const decode = decoderOf(of);
  const encode: EncodeCell = cellEncoder({ name: '', type: of });
  if (of.kind === 'json') return (text) => jsonItem(text, encode);
  return decode === undefined ? encode : (text) => encode(decode(text));
}

/** A JSON array as an item is wrapped, because it would look like a nested array. */
function jsonItem(text: string, encode: EncodeCell): string {
  const item = encode(text);
  return item.startsWith('[') ? `{"$json":${item}}` : item;
}

function jsonText(items: readonly ArrayItem[], item: (text: string) => string): string {
  const texts = items.map((value) => {
    if (value === null) return 'null';
    return typeof value === 'string' ? item(value) : jsonText(value, item);
  });
  return `[${texts.join(',')}]`;
}

/** A comment after a parameter of an array type, for which `toParameters` converts the JSON value to a literal. */
export function arrayMark(of: ColumnType): string {
  const { delimiter, itemsAreJson } = arraySyntax(of);
  return `/*[${delimiter}${itemsAreJson ? 'json' : ''}]*/`;
}

const markedParameter = /\$(\d+)\/\*\[([,;])(json)?\]\*\//g;

export function arraySyntax(of: ColumnType): ArraySyntax {
  return { delimiter: delimiterOf(of), itemsAreJson: of.kind === 'json' };
}

/** Only the type box has another delimiter. */
function delimiterOf(of: ColumnType): string {
  return of.kind === 'other' && of.name === 'box' ? ';' : ',';
}

/** In the protocol, a NUL character ends the text. */
export function statementText({ text }: Pick<Query, 'text'>): string {
  if (text.includes('\0'))
    throw new StudioError('invalid_parameter', 'A statement must not contain a NUL character.');
  return text;
}

/** The protocol has a 16-bit count of parameters. */
const maxParameters = 65_535;

/** Converts parameters to what the driver sends: texts, bytes, NULL. */
export function toParameters(text: string, params: readonly Value[]): (string | Buffer | null)[] {
  if (params.length > maxParameters) {
    throw new StudioError(
      'invalid_parameter',
      `PostgreSQL supports at most ${maxParameters} parameters in one statement.`,
    );
  }
  const sentParameters = params.map(toParameter);
  if (!text.includes('/*[')) return sentParameters;
  for (const [, index, delimiter = ',', json] of text.matchAll(markedParameter)) {
    const at = Number(index) - 1;
    const value = sentParameters[at];
    if (typeof value === 'string')
      sentParameters[at] = arrayLiteral(value, { delimiter, itemsAreJson: json !== undefined });
  }
  return sentParameters;
}

function toParameter(value: Value): string | Buffer | null {
  if (value === null) return null;
  if (typeof value === 'string') return checkedText(value);
  if (typeof value === 'object')
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The text that a column's type parses as the value. */
export function toText(value: NonNullable<Value>, type: ColumnType | undefined): string {
  if (typeof value === 'object') {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return String.raw`\x${bytes.toString('hex')}`;
  }
  if (typeof value !== 'string') return String(toParameter(value));
  const text = checkedText(value);
  return type?.kind === 'array' ? arrayLiteral(text, arraySyntax(type.of)) : text;
}

/** UTF-8 cannot encode lone surrogates, and PostgreSQL cannot store NUL characters. Neither must be replaced silently. */
function checkedText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw new StudioError(
    'invalid_value',
    'PostgreSQL cannot store text with a NUL character or half of a surrogate pair.',
  );
}
