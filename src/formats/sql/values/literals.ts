/** Values of SQL scripts, as far as they can be evaluated without a column. */
import { isUtf8 } from 'node:buffer';
import type { TimeStep } from './time-step.ts';

export type SqlValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'default' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly digits: string }
  /** The string's bytes as Latin-1 characters. */
  | { readonly kind: 'text'; readonly raw: string }
  /** A string that was computed from characters, which may be halves of surrogate pairs. */
  | { readonly kind: 'wide'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** `0x…`: a number for numeric columns, bytes for others. */
  | { readonly kind: 'hex'; readonly bytes: Buffer }
  | { readonly kind: 'bits'; readonly bits: string }
  /** ARRAY[…] as JSON. */
  | { readonly kind: 'array'; readonly json: string }
  /** A cast whose result depends on the column. */
  | { readonly kind: 'cast'; readonly type: CastType; readonly value: SqlValue }
  /** WKT of a geometry in a spatial reference system; `axisOrder` is the third argument in MySQL. */
  | {
      readonly kind: 'geometry';
      readonly raw: string;
      readonly system: number;
      readonly axisOrder?: string;
    }
  /** A property of the server that runs the script, which an import does not know. */
  | { readonly kind: 'server'; readonly text: string }
  /** The time of the import. */
  | {
      readonly kind: 'now';
      readonly part: 'timestamp' | 'date' | 'time';
      /** The steps begin at the beginning of the day. */
      readonly fromMidnight?: boolean;
      readonly steps?: readonly TimeStep[];
    };

export interface CastType {
  /** In upper case, with single spaces between words: `CHARACTER VARYING`, `TIMESTAMP WITH TIME ZONE`. */
  readonly name: string;
  readonly sizes: readonly string[];
  readonly isArray: boolean;
}

/** Decodes a string of a script, as UTF-8 or, if it is not valid, as windows-1252. */
export function decodeText(raw: string): { readonly text: string; readonly guessed: boolean } {
  if (!/[\u0080-\u00ff]/.test(raw)) return { text: raw, guessed: false };
  const bytes = Buffer.from(raw, 'latin1');
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), guessed: false };
  return { text: new TextDecoder('windows-1252').decode(bytes), guessed: true };
}

/** The call that makes the value a property of the server that runs the script. */
export function serverCallOf(value: SqlValue): string | undefined {
  if (value.kind === 'cast') return serverCallOf(value.value);
  return value.kind === 'server' ? value.text : undefined;
}

/** The text of a literal, without quotes; null for NULL. Undefined for values that are computed or not text. */
export function literalText(
  value: SqlValue,
  decode: (raw: string) => string,
): string | null | undefined {
  if (value.kind === 'null') return null;
  if (value.kind === 'text') return decode(value.raw);
  if (value.kind === 'wide') return value.text;
  if (value.kind === 'number') return value.digits;
  if (value.kind === 'bits') return value.bits;
  return value.kind === 'boolean' ? String(value.value) : undefined;
}

/** Encodes a string as UTF-8 bytes in Latin-1 characters. */
export function encodeText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function textValue(text: string): SqlValue {
  return { kind: 'text', raw: encodeText(text) };
}

/** The meaning of backslashes in a string: none, escapes of C, or escapes of MySQL. */
export type Backslashes = 'plain' | 'c' | 'mysql';

/** The content of a quoted string. */
export function unquote(quoted: string, backslashes: Backslashes): string {
  const quote = quoted.charAt(0);
  const inner = quoted.slice(1, -1);
  if (backslashes !== 'plain' && inner.includes('\\')) {
    const escapes = backslashes === 'c' ? escapesLikeC : escapesLikeMysql;
    return inner.replaceAll(
      quote === "'" ? escapes.besideSingle : escapes.besideDouble,
      (escape: string, character: string | undefined) =>
        character === undefined ? quote : unescape(escape, backslashes),
    );
  }
  return inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner;
}

const codePoint = String.raw`(?:u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4})`;
// Code points in a row are one escape, since two of them may be the halves of one character.
const escapesLikeC = escapesOf(
  String.raw`${codePoint}(?:\\${codePoint})*|x[\da-fA-F]{1,2}|[0-7]{1,3}`,
);
const escapesLikeMysql = escapesOf('[^]');

interface Escapes {
  readonly besideSingle: RegExp;
  readonly besideDouble: RegExp;
}

function escapesOf(afterBackslash: string): Escapes {
  const escaped = String.raw`\\(${afterBackslash}|[^])`;
  return {
    besideSingle: new RegExp(`${escaped}|''`, 'g'),
    besideDouble: new RegExp(`${escaped}|""`, 'g'),
  };
}

function unescape(escape: string, backslashes: Backslashes): string {
  return backslashes === 'c' ? unescapeC(escape) : unescapeMysql(escape);
}

const escapesOfC: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function unescapeC(escape: string): string {
  const first = escape.charAt(1);
  const digits = escape.slice(2);
  if (first === 'x' && digits !== '') return String.fromCharCode(Number.parseInt(digits, 16));
  if ((first === 'u' || first === 'U') && digits !== '') return encodeText(codePointsOf(escape));
  if (/[0-7]/.test(first)) return String.fromCharCode(Number.parseInt(escape.slice(1), 8) & 0xff);
  return escapesOfC[first] ?? first;
}

/** The text of `\u00e9`, of `\ud83d\ude00` and the like. */
export function codePointsOf(escapes: string): string {
  const codes = escapes.match(/[\da-f]{4,}/gi) ?? [];
  return codes.map((digits) => String.fromCodePoint(Number.parseInt(digits, 16))).join('');
}

/** The characters after a backslash that stand for others, in literals and in the files of LOAD DATA. */
export const controlEscapesOfMysql: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
};

const escapesOfMysql: Readonly<Record<string, string>> = {
  ...controlEscapesOfMysql,
  '%': '\\%',
  _: '\\_',
};

/** https://dev.mysql.com/doc/refman/8.4/en/string-literals.html: only one character is escaped. */
function unescapeMysql(escape: string): string {
  const character = escape.charAt(1);
  return escapesOfMysql[character] ?? character;
}

export function hexBytes(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

export function bytesOf(raw: string): Buffer {
  return Buffer.from(raw, 'latin1');
}

export function rawOf(bytes: Buffer): string {
  return bytes.toString('latin1');
}
