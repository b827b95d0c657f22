/** Parses Go's literals. */

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const escape =
  /\\(?:([abfnrtv\\"'])|([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g;

/** The value of a raw or interpreted string literal. Undefined for another text. */
export function unquote(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  if (literal.length < 2 || literal[0] !== literal.at(-1)) return undefined;
  if (literal[0] === '`') return body.replaceAll('\r', '');
  if (literal[0] !== '"' || body.includes('\n')) return undefined;
  return body.includes('\\') ? unescape(body) : body;
}

/** The code point of a rune literal. */
export function runeOf(literal: string): number | undefined {
  return unescape(literal.slice(1, -1).replaceAll('"', String.raw`\"`))?.codePointAt(0);
}

/** Bytes above 127 are parts of UTF-8 characters, so the segments are joined as bytes. */
function unescape(body: string): string | undefined {
  if (body.replaceAll(escape, '').includes('\\')) return undefined;
  const byteChunks: Buffer[] = [];
  let end = 0;
  for (const match of body.matchAll(escape)) {
    byteChunks.push(Buffer.from(body.slice(end, match.index)), escaped(match));
    end = match.index + match[0].length;
  }
  return Buffer.concat([...byteChunks, Buffer.from(body.slice(end))]).toString();
}

function escaped([, simple, octal, hex, short, long]: RegExpExecArray): Buffer {
  if (simple !== undefined) return Buffer.from(simpleEscapes[simple] ?? '');
  if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8) & 0xff]);
  if (hex !== undefined) return Buffer.from([Number.parseInt(hex, 16)]);
  const point = Number.parseInt(short ?? long ?? '', 16);
  return Buffer.from(point > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(point));
}

/** An integer as strconv.ParseInt parses it with base 0. Undefined for another text. */
export function parseInteger(text: string): bigint | undefined {
  const match =
    /^([+-]?)(0[xX]_?[0-9a-fA-F_]+|0[bB]_?[01_]+|0[oO]_?[0-7_]+|0[0-7_]*|[1-9][0-9_]*)$/.exec(text);
  if (match === null || /__|_$/.test(text)) return undefined;
  const [, sign, digits = ''] = match;
  const normalizedDigits = digits.replaceAll('_', '').toLowerCase();
  const value = BigInt(
    /^0[0-7]+$/.test(normalizedDigits) ? `0o${normalizedDigits.slice(1)}` : normalizedDigits,
  );
  return sign === '-' ? -value : value;
}

/** A number as strconv.ParseFloat parses it. Undefined for another text. */
export function parseFloatText(text: string): number | undefined {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return finite(Number(text));
  const integer = parseInteger(text);
  return integer === undefined || !/^[+-]?0x/i.test(text) ? undefined : finite(Number(integer));
}

/** strconv.ParseFloat rejects digits whose value is out of range. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** A boolean as strconv.ParseBool parses it. Undefined for another text. */
export function parseBoolean(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}
