import { StudioError } from '../../../model/errors.ts';
import { cellEncoder } from '../../../model/json-cells.ts';
import { arrayLiteral, readArrayLiteral } from './array-literal.ts';
import type { ArrayForm, ArrayItem } from './array-literal.ts';
import type { Query } from '../../../model/database.ts';
import type { EncodeCell } from '../../../model/json-cells.ts';
import type { ColumnInfo, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/** Makes a value of the server's text. */
export type Decode = (text: string) => Value;

/** How texts of a type are read; undefined where they are the value. */
function decoderOf(type: ColumnType): Decode | undefined {
  if (type.kind === 'integer') return type.bits <= 32 ? Number : undefined;
  if (type.kind === 'array') return arrayDecoder(type.of);
  if (type.kind === 'timestamp' || type.kind === 'time')
    return type.zone === true ? zonedText : isoText;
  return decoders[type.kind];
}

/** In place: the rows are nobody else's yet. */
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

/** `2026-01-31 13:05:00` with a T; what ISO 8601 cannot say (infinity, BC, five-digit years) stays. */
function isoText(text: string): string {
  return dateAndTime.test(text) ? `${text.slice(0, 10)}T${text.slice(11)}` : text;
}

const offsetAtEnd = /([+-]\d\d)(:\d\d)?(:\d\d)?$/;

/** The offset as ISO 8601 has it: `Z`, `+02:00`. */
function zonedText(text: string): string {
  const offset = offsetAtEnd.exec(text);
  if (offset === null || /^\d{5}/.test(text)) return text;
  const [whole, hours = '', minutes = ':00', seconds = ''] = offset;
  const isUtc = /^[+-]00:00$/.test(hours + minutes + seconds);
  return isoText(text.slice(0, -whole.length)) + (isUtc ? 'Z' : hours + minutes + seconds);
}

/** `\x…`; text that was cast and is none stays. */
function readBytes(text: string): Value {
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : text;
}

/** An array as JSON text, its items by the rules of their own type; anything else stays (bounds, previews). */
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
  if (of.kind === 'json') return (text) => documentItem(text, encode);
  return decode === undefined ? encode : (text) => encode(decode(text));
}

/** A bare JSON array among the items would be read as a dimension. */
function documentItem(text: string, encode: EncodeCell): string {
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

/** Stands behind a parameter that is an array: its value comes as JSON and leaves as PostgreSQL's literal. */
export function arrayMark(of: ColumnType): string {
  const { delimiter, documents } = arrayForm(of);
  return `/*[${delimiter}${documents ? 'json' : ''}]*/`;
}

const markedParameter = /\$(\d+)\/\*\[([,;])(json)?\]\*\//g;

export function arrayForm(of: ColumnType): ArrayForm {
  return { delimiter: delimiterOf(of), documents: of.kind === 'json' };
}

/** All types but one. */
function delimiterOf(of: ColumnType): string {
  return of.kind === 'other' && of.name === 'box' ? ';' : ',';
}

/** On the wire a zero character would end the text. */
export function statementText({ text }: Pick<Query, 'text'>): string {
  if (text.includes('\0'))
    throw new StudioError('invalid_parameter', 'A statement holds no zero character.');
  return text;
}

/** The wire counts them in 16 bits. */
const mostParameters = 65_535;

/** A statement's parameters as the driver sends them: texts, bytes, NULL. */
export function toParameters(text: string, params: readonly Value[]): (string | Buffer | null)[] {
  if (params.length > mostParameters) {
    throw new StudioError(
      'invalid_parameter',
      `PostgreSQL takes up to ${mostParameters} values at once.`,
    );
  }
  const sent = params.map(toParameter);
  if (!text.includes('/*[')) return sent;
  for (const [, index, delimiter = ',', json] of text.matchAll(markedParameter)) {
    const at = Number(index) - 1;
    const value = sent[at];
    if (typeof value === 'string')
      sent[at] = arrayLiteral(value, { delimiter, documents: json !== undefined });
  }
  return sent;
}

function toParameter(value: Value): string | Buffer | null {
  if (value === null) return null;
  if (typeof value === 'string') return sendable(value);
  if (typeof value === 'object')
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A value that is not NULL as the text that its column reads. */
export function toText(value: NonNullable<Value>, type: ColumnType | undefined): string {
  if (typeof value === 'object') {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return String.raw`\x${bytes.toString('hex')}`;
  }
  if (typeof value !== 'string') return String(toParameter(value));
  const text = sendable(value);
  return type?.kind === 'array' ? arrayLiteral(text, arrayForm(type.of)) : text;
}

/** UTF-8 has no lone surrogates and PostgreSQL no zero character: neither is to be changed in silence. */
function sendable(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw new StudioError(
    'invalid_value',
    'PostgreSQL cannot keep text that holds a zero character or half a surrogate pair.',
  );
}
