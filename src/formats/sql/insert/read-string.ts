import { bytesOf, codePointsOf, encodeText, hexBytes, unquote } from '../values/literals.ts';
import { textOf, syntaxError } from '../script/script.ts';
import type { Backslashes, SqlValue } from '../values/literals.ts';
import type { Script, ScriptToken } from '../script/script.ts';

/** The value of a string token, by its prefix. */
export function readString(script: Script, token: ScriptToken): SqlValue {
  const text = textOf(script, token);
  if (text.startsWith('$')) return { kind: 'text', raw: dollarQuoted(text) };
  const quoteAt = text.search(/['"]/);
  const prefix = text.slice(0, quoteAt).toUpperCase();
  const quoted = text.slice(quoteAt);
  if (prefix === 'X') return hexString(script, digitsOf(script, token, quoted));
  if (prefix === 'B') return { kind: 'bits', bits: digitsOf(script, token, quoted) };
  if ((prefix === '' || prefix === 'N') && ambiguousBackslash.test(quoted))
    script.events.onBackslash(script, token);
  const raw = unquote(quoted, backslashesOf(script, prefix));
  // PostgreSQL reads N'…' as character(n), in which trailing spaces are insignificant.
  const isPadded = prefix === 'N' && script.dataScript.castForms.includes('::');
  if (isPadded) return { kind: 'text', raw: raw.replace(/ +$/, '') };
  return { kind: 'text', raw: prefix === 'U&' ? unescapeUnicode(raw) : raw };
}

/** A backslash that dialects read differently. `\\%` and `\\_` keep their backslash in MySQL too. */
const ambiguousBackslash = /\\(?![%_])/;

function digitsOf(script: Script, token: ScriptToken, quoted: string): string {
  const digits = quoted.slice(1, -1);
  const isHex = textOf(script, token).charAt(0).toUpperCase() === 'X';
  if (isHex ? /^(?:[\da-f]{2})*$/i.test(digits) : /^[01]*$/.test(digits)) return digits;
  throw syntaxError(
    script,
    token,
    `a string of ${isHex ? 'pairs of hex digits' : 'bits'} is expected`,
  );
}

function hexString({ dataScript }: Script, digits: string): SqlValue {
  const bytes = hexBytes(digits);
  if (dataScript.hexStrings !== 'bits')
    return { kind: dataScript.hexStrings === 'number' ? 'hex' : 'bytes', bytes };
  const bits = [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'));
  return { kind: 'bits', bits: bits.join('') };
}

function dollarQuoted(text: string): string {
  const tag = text.slice(0, text.indexOf('$', 1) + 1);
  return text.slice(tag.length, -tag.length);
}

function backslashesOf({ lexer: { rules } }: Script, prefix: string): Backslashes {
  const stringPrefix = rules.prefixes.find(({ letters }) => letters === prefix);
  if (!(stringPrefix?.backslashEscapes ?? rules.backslashEscapes)) return 'plain';
  // In a dialect with E'…', all strings with escapes have those of C.
  return rules.prefixes.some(({ letters }) => letters === 'E') ? 'c' : 'mysql';
}

/** Code points in a row are one match, since two of them may be the halves of one character. */
const unicodeEscapes = /(?:\\(?:[\da-f]{4}|\+(?:0[\da-f]|10)[\da-f]{4}))+|\\\\/gi;

function unescapeUnicode(raw: string): string {
  return raw.replaceAll(unicodeEscapes, (escapes) =>
    escapes === '\\\\' ? '\\' : encodeText(codePointsOf(escapes)),
  );
}

/** The text of a name, quoted or not. */
export function readName(script: Script, token: ScriptToken): string {
  const text = textOf(script, token);
  const close = { '"': '"', '`': '`', '[': ']' }[text.charAt(0)];
  const raw =
    close === undefined || token.kind === 'word'
      ? text
      : text.slice(1, -1).replaceAll(close + close, close);
  return bytesOf(raw).toString('utf8');
}
