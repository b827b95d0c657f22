/** What stands in a script between VALUES' brackets, once it is worked out. */
import { isUtf8 } from 'node:buffer';

export type SqlValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'default' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly digits: string }
  /** One character a byte. */
  | { readonly kind: 'text'; readonly raw: string }
  /** A text put together of characters, halves of pairs among them. */
  | { readonly kind: 'wide'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** `0x…`: a number to a column of numbers, else bytes. */
  | { readonly kind: 'hex'; readonly bytes: Buffer }
  | { readonly kind: 'bits'; readonly bits: string }
  /** ARRAY[…] as JSON. */
  | { readonly kind: 'array'; readonly json: string }
  /** Set where it depends on the column whether the cast keeps the value as it is. */
  | { readonly kind: 'cast'; readonly type: CastType; readonly value: SqlValue }
  /** A geometry's text in a spatial reference system; `axisOrder` is what MySQL's third argument says. */
  | {
      readonly kind: 'geometry';
      readonly raw: string;
      readonly system: number;
      readonly axisOrder?: string;
    }
  /** The moment of the import. */
  | { readonly kind: 'now'; readonly part: 'timestamp' | 'date' | 'time' };

/** A type's name in a cast, as far as its kind and its sizes go. */
export interface CastType {
  /** In capitals, single blanks between words: `CHARACTER VARYING`, `TIMESTAMP WITH TIME ZONE`. */
  readonly name: string;
  readonly sizes: readonly string[];
  readonly isArray: boolean;
}

/** A text out of a script; what is no UTF-8 is read as the bytes' own characters of Windows. */
export function decodeText(raw: string): { readonly text: string; readonly guessed: boolean } {
  if (!/[\u0080-\u00ff]/.test(raw)) return { text: raw, guessed: false };
  const bytes = Buffer.from(raw, 'latin1');
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), guessed: false };
  return { text: new TextDecoder('windows-1252').decode(bytes), guessed: true };
}

/** A text as a script holds it. */
export function encodeText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function textValue(text: string): SqlValue {
  return { kind: 'text', raw: encodeText(text) };
}

/** What backslashes do in a string: nothing, what C makes of them, or what MySQL does. */
export type Backslashes = 'plain' | 'c' | 'mysql';

/** What stands between a string's quotes. */
export function unquote(quoted: string, backslashes: Backslashes): string {
  const quote = quoted.charAt(0);
  const inner = quoted.slice(1, -1);
  if (backslashes !== 'plain' && inner.includes('\\')) {
    return inner.replaceAll(
      quote === "'" ? escapesBesideSingle : escapesBesideDouble,
      (escape: string, sign: string | undefined) =>
        sign === undefined ? quote : unescape(escape, backslashes),
    );
  }
  return inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner;
}

const escaped = String.raw`\\(x[\da-fA-F]{1,2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|[^])`;
const escapesBesideSingle = new RegExp(`${escaped}|''`, 'g');
const escapesBesideDouble = new RegExp(`${escaped}|""`, 'g');

function unescape(escape: string, backslashes: Backslashes): string {
  return backslashes === 'c' ? unescapeC(escape) : unescapeMysql(escape);
}

const signsOfC: Readonly<Record<string, string>> = {
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
  if ((first === 'u' || first === 'U') && digits !== '')
    return encodeText(String.fromCodePoint(Number.parseInt(digits, 16)));
  if (/[0-7]/.test(first)) return String.fromCharCode(Number.parseInt(escape.slice(1), 8) & 0xff);
  return signsOfC[first] ?? first;
}

const signsOfMysql: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
  '%': '\\%',
  _: '\\_',
};

/** https://dev.mysql.com/doc/refman/8.4/en/string-literals.html: only one character is escaped. */
function unescapeMysql(escape: string): string {
  const sign = escape.charAt(1);
  return (signsOfMysql[sign] ?? sign) + escape.slice(2);
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
