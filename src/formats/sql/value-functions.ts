/** The functions that dump tools write values with. */
import { bytesOf, decodeText, encodeText, hexBytes, rawOf, textValue } from './literals.ts';
import type { SqlValue } from './literals.ts';

type ValueFunction = (args: readonly SqlValue[]) => SqlValue | undefined;

const now =
  (part: 'timestamp' | 'date' | 'time'): ValueFunction =>
  () => ({ kind: 'now', part });

/** By name in capitals; undefined as the answer means that these arguments are not understood. */
export const valueFunctions: ReadonlyMap<string, ValueFunction> = new Map<string, ValueFunction>([
  ...[
    'NOW',
    'GETDATE',
    'GETUTCDATE',
    'SYSDATETIME',
    'SYSUTCDATETIME',
    'SYSDATETIMEOFFSET',
    'SYSDATE',
    'UTC_TIMESTAMP',
    'CURRENT_TIMESTAMP',
    'LOCALTIMESTAMP',
    'LOCALTIME',
  ].map((name): [string, ValueFunction] => [name, now('timestamp')]),
  ...['CURRENT_DATE', 'CURDATE', 'UTC_DATE'].map((name): [string, ValueFunction] => [
    name,
    now('date'),
  ]),
  ...['CURRENT_TIME', 'CURTIME', 'UTC_TIME'].map((name): [string, ValueFunction] => [
    name,
    now('time'),
  ]),
  ['DATETIME', ([what]) => ofNow(what, 'timestamp')],
  ['DATE', ([what]) => ofNow(what, 'date') ?? what],
  ['TIME', ([what]) => ofNow(what, 'time') ?? what],
  ['CONCAT', concat],
  ['REPLACE', replace],
  ['CHAR', characters],
  ['CHR', characters],
  ['NCHAR', characters],
  ['UNISTR', unistr],
  ['UNHEX', ([text]) => fromHex(text)],
  ['HEX', ([value]) => toHex(value)],
  ['DECODE', decode],
  [
    'FROM_BASE64',
    ([text]) =>
      text?.kind === 'text'
        ? { kind: 'bytes', bytes: Buffer.from(text.raw, 'base64') }
        : nullOr(text),
  ],
  [
    'ZEROBLOB',
    ([size]) =>
      size?.kind === 'number' && Number(size.digits) <= 1e8
        ? { kind: 'bytes', bytes: Buffer.alloc(Number(size.digits)) }
        : undefined,
  ],
  ['JSON', ([text]) => text],
  ['ST_GEOMFROMTEXT', ([text]) => text],
]);

/** Time functions that take no brackets. */
export const bareFunctions: ReadonlySet<string> = new Set([
  'CURRENT_TIMESTAMP',
  'LOCALTIMESTAMP',
  'LOCALTIME',
  'CURRENT_DATE',
  'CURRENT_TIME',
]);

function nullOr(value: SqlValue | undefined): SqlValue | undefined {
  return value?.kind === 'null' ? value : undefined;
}

function ofNow(
  what: SqlValue | undefined,
  part: 'timestamp' | 'date' | 'time',
): SqlValue | undefined {
  const isNow = what === undefined || (what.kind === 'text' && what.raw.toLowerCase() === 'now');
  return isNow ? { kind: 'now', part } : undefined;
}

/** Texts one behind the other; NULL makes all of it NULL. */
export function concat(args: readonly SqlValue[]): SqlValue | undefined {
  if (args.some(({ kind }) => kind === 'null')) return { kind: 'null' };
  if (args.some(({ kind }) => kind === 'wide')) {
    const texts = args.map(wideText);
    return texts.includes(undefined) ? undefined : { kind: 'wide', text: texts.join('') };
  }
  const parts = args.map(rawText);
  return parts.includes(undefined) ? undefined : { kind: 'text', raw: parts.join('') };
}

function rawText(value: SqlValue): string | undefined {
  if (value.kind === 'text') return value.raw;
  if (value.kind === 'wide' && value.text.isWellFormed()) return encodeText(value.text);
  return value.kind === 'number' ? value.digits : undefined;
}

function wideText(value: SqlValue): string | undefined {
  if (value.kind === 'wide') return value.text;
  const raw = rawText(value);
  return raw === undefined ? undefined : decodeText(raw).text;
}

/** `replace('a\nb','\n',char(10))`, as SQLite's shell writes line breaks. */
function replace(args: readonly SqlValue[]): SqlValue | undefined {
  if (args.some(({ kind }) => kind === 'null')) return { kind: 'null' };
  const [text, from, to] = args.map(rawText);
  if (text === undefined || from === undefined || to === undefined) return undefined;
  return { kind: 'text', raw: from === '' ? text : text.replaceAll(from, () => to) };
}

function characters(args: readonly SqlValue[]): SqlValue | undefined {
  const points = args.map((arg) => (arg.kind === 'number' ? Number(arg.digits) : NaN));
  if (!points.every((point) => Number.isInteger(point) && point >= 0 && point <= 0x10ffff))
    return undefined;
  return { kind: 'wide', text: points.map((point) => String.fromCodePoint(point)).join('') };
}

const unistrEscapes = /\\(?:u([\da-f]{4})|U([\da-f]{8})|\+([\da-f]{6})|([\da-f]{4})|\\)/gi;

function unistr([value]: readonly SqlValue[]): SqlValue | undefined {
  const escaped = value === undefined ? undefined : wideText(value);
  if (escaped === undefined) return nullOr(value);
  const text = escaped.replaceAll(unistrEscapes, (_, ...groups: (string | undefined)[]) => {
    const digits = groups.slice(0, 4).find((group) => group !== undefined);
    return digits === undefined ? '\\' : String.fromCodePoint(Number.parseInt(digits, 16));
  });
  return { kind: 'wide', text };
}

function fromHex(text: SqlValue | undefined): SqlValue | undefined {
  if (text?.kind !== 'text' || !/^(?:[\da-f]{2})*$/i.test(text.raw)) return nullOr(text);
  return { kind: 'bytes', bytes: hexBytes(text.raw) };
}

function toHex(value: SqlValue | undefined): SqlValue | undefined {
  if (value?.kind === 'text')
    return { kind: 'text', raw: bytesOf(value.raw).toString('hex').toUpperCase() };
  if (value?.kind === 'bytes')
    return { kind: 'text', raw: value.bytes.toString('hex').toUpperCase() };
  return nullOr(value);
}

/** `decode('…', 'hex' | 'base64' | 'escape')`. */
function decode([text, encoding]: readonly SqlValue[]): SqlValue | undefined {
  if (text?.kind !== 'text' || encoding?.kind !== 'text') return nullOr(text);
  if (encoding.raw === 'hex') return fromHex(text);
  return encoding.raw === 'base64'
    ? { kind: 'bytes', bytes: Buffer.from(text.raw, 'base64') }
    : undefined;
}

const binaryTypes = /^(?:(?:TINY|MEDIUM|LONG)?BLOB|(?:VAR)?BINARY|BYTEA|IMAGE)$/;
const textTypes =
  /^(?:(?:TINY|MEDIUM|LONG)?TEXT|N?(?:VAR)?CHAR(?:ACTER)?|N?TEXT|CLOB|UNSIGNED|SIGNED)$/;

/** A value under CAST: what its column makes of it, but for what changes its class. */
export function castTo(type: string, value: SqlValue): SqlValue | undefined {
  const name = type.toUpperCase();
  if (value.kind === 'text' && binaryTypes.test(name)) return asBytes(value.raw);
  if (value.kind !== 'hex' && value.kind !== 'bytes') return value;
  if (textTypes.test(name)) return { kind: 'text', raw: rawOf(value.bytes) };
  if (name === 'DATETIME' || name === 'SMALLDATETIME') return momentOf(value.bytes);
  return value;
}

function asBytes(raw: string): SqlValue {
  return /^\\x(?:[\da-f]{2})*$/i.test(raw)
    ? { kind: 'bytes', bytes: hexBytes(raw.slice(2)) }
    : { kind: 'bytes', bytes: bytesOf(raw) };
}

const msPerDay = 86_400_000;
const epochOfMoments = Date.UTC(1900, 0, 1);

/** SQL Server's own bytes: days since 1900, then 1/300 s of the day, or minutes where there are four bytes. */
function momentOf(bytes: Buffer): SqlValue | undefined {
  const isShort = bytes.length === 4;
  if (!isShort && bytes.length !== 8) return undefined;
  const days = isShort ? bytes.readUInt16BE(0) : bytes.readInt32BE(0);
  const ms = isShort
    ? bytes.readUInt16BE(2) * 60_000
    : Math.round((bytes.readUInt32BE(4) * 10) / 3);
  const moment = new Date(epochOfMoments + days * msPerDay + ms).toISOString();
  return textValue(moment.replace('Z', '').replace(/\.000$/, ''));
}
