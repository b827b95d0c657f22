import { readJsonValue } from '../../../model/values/read-json-value.ts';
import { textReader } from '../../../model/values/read-text-value.ts';
import { storageOf } from '../../../model/values/stored-value.ts';
import { isTimeType } from '../../../sql/expression/time-literal.ts';
import { removeCast } from '../values/cast.ts';
import { bytesOf } from '../values/literals.ts';
import { instantOf } from '../values/shifted-time.ts';
import type { NowValue } from '../values/shifted-time.ts';
import { amountReader } from '../values/money.ts';
import { fileTypeCheck, fileValueCheck } from './check-file-type.ts';
import { byteaOf, fileTypeReader } from './read-file-type.ts';
import { isoOf, timeConverter } from './read-time.ts';
import { valueError } from './value-error.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { DateOrder } from '../../../portable/cells/cell-format.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { DecodeText } from '../script/session.ts';

/** Converts values of a script to those of a column. It is created once and called for every row. */
interface SqlReader {
  read(value: SqlValue): Value;
}

export interface SqlReaderOptions {
  readonly dataScript: DataScriptRules;
  /** The value of CURRENT_TIMESTAMP and similar functions. */
  readonly now: Date;
  /** Decodes the bytes of a string, which are given as Latin-1 characters. */
  readonly decode: DecodeText;
  /** The script is in the dialect of the studio, so its values are for columns of that database. */
  readonly isOwnDialect: boolean;
  /** The order of dates such as `13.12.1956` in the rows that follow, if the request or the script names it. */
  readonly dateOrder: () => DateOrder | undefined;
}

export function sqlReader(target: Column, options: SqlReaderOptions): SqlReader {
  const { dataScript, decode } = options;
  const column = bitsColumn(target, dataScript);
  const { bitStringsAreBytes, stringsAreBytes } = dataScript;
  const readText = stringReader(column, options);
  const strings = { column, decode, readText, bitStringsAreBytes, stringsAreBytes };
  const readDigits = digitsReader(column, dataScript, readText);
  const textOfBytes = (raw: string): string => {
    if (!stringsAreBytes) throw valueError(column, 'bytes are not text.');
    return decode(raw);
  };
  const native = nativeColumn(column);
  const fileType = fileTypeReader(column, options);
  const readBitString = bitsReader(column, options, textOfBytes);
  const isTextOfFile = column.fileType?.kind === 'text' && dataScript.bytesAsText === 'utf8';
  const readBinary = (bytes: Buffer, readOther: typeof readBytes): Value => {
    if (isTextOfFile) return readText(textOfBytes(bytes.toString('latin1')));
    const text = native && dataScript.nativeTypeText(bytes, native);
    if (text !== undefined) return readText(text);
    if (native === undefined || native.fileType !== undefined)
      return readOther(bytes, column, textOfBytes);
    throw valueError(column, 'binary values of this type cannot be read.');
  };
  const read = (value: SqlValue): Value => {
    switch (value.kind) {
      case 'null':
        return null;
      case 'default':
      case 'server':
        throw valueError(column, reasons[value.kind]);
      case 'text':
        if (native !== undefined && isNativeBinary(value.raw, native, dataScript))
          return readBinary(bytesOf(value.raw), readBytes);
        return fileType === undefined ? readRaw(value.raw, strings) : fileType.text(value.raw);
      case 'wide':
        if (!value.text.isWellFormed()) throw valueError(column, 'a lone surrogate is not text.');
        return readText(value.text);
      case 'number':
        return readDigits(value.digits);
      case 'boolean':
        return readBoolean(value.value, column, dataScript);
      case 'bytes':
        return readBinary(value.bytes, readBytes);
      case 'hex':
        return readBinary(value.bytes, readHex);
      case 'bits':
        return readBitString(value.bits);
      case 'array':
        return fileType?.array?.(value.json) ?? readText(value.json);
      case 'now':
        return readNow(options.now, value, column);
      case 'geometry':
        return readText(geometryText(value, column, dataScript));
      case 'cast':
        return read(removeCast(value, column, dataScript) ?? rejectCast(column, value.type.name));
    }
  };
  const check = fileValueCheck(column, dataScript);
  return { read: (value) => check(read(value)) };
}

const reasons = {
  default: 'DEFAULT cannot be used for single rows here.',
  server: 'a value of the server that runs the script is not known.',
};

/** A column of texts that stands for the bits of the file is read like one of bits. */
function bitsColumn(column: Column, { bitStringsAreBytes }: DataScriptRules): Column {
  const { fileType } = column;
  const isBits = bitStringsAreBytes && fileType?.kind === 'bits' && column.type.kind === 'text';
  return isBits ? { ...column, type: fileType, dynamic: false } : column;
}

/** The column with a type that only its database has, in the file if that has another dialect. */
function nativeColumn(column: Column): Column | undefined {
  const { fileType: type } = column;
  if (type !== undefined) return type.kind === 'other' ? { ...column, type } : undefined;
  return column.type.kind === 'other' && column.dynamic !== true ? column : undefined;
}

function bitsReader(
  column: Column,
  { dataScript, isOwnDialect }: SqlReaderOptions,
  textOfBytes: (raw: string) => string,
): (bits: string) => Value {
  const { bitStringsAreBytes } = dataScript;
  const { kind } = column.type;
  // MySQL itself stores bytes in a text column. In another database it stands for a column of bits.
  if (bitStringsAreBytes && (kind === 'binary' || (isOwnDialect && kind === 'text')))
    return (bits) => textOfBits(bits, column, textOfBytes);
  // PostgreSQL rejects a bit string that is shorter than the column.
  const isPadded = bitStringsAreBytes || !isOwnDialect;
  return (bits) => readBits(bits, column, isPadded);
}

/** Reads the digits of a number, which some dialects take for a date. */
function digitsReader(
  column: Column,
  dataScript: DataScriptRules,
  readText: (text: string) => Value,
): (digits: string) => Value {
  const { decimalLiteralsAreDoubles, bitStringsAreBytes, times, anyNumberIsTrue } = dataScript;
  const { type } = column;
  if (isTimeType(type) && times !== undefined && !times.storesTexts)
    return (digits) => {
      const text = times.takesNumbers ? isoOf(digits, type, times) : undefined;
      if (text !== undefined) return readText(text);
      throw valueError(column, `the number ${digits} is no ${type.kind}: write it as a text.`);
    };
  if (type.kind === 'boolean' && anyNumberIsTrue)
    return (digits) => readBoolean(/[1-9]/.test(digits.replace(/e.*$/i, '')), column, dataScript);
  if (type.kind === 'bits' && bitStringsAreBytes && column.dynamic !== true)
    return (digits) => readBits(binaryDigits(digits, column), column, true);
  const read = decimalLiteralsAreDoubles ? readDouble : readNumber;
  const check = fileTypeCheck(column, dataScript);
  return (digits) => read(check(digits), column);
}

function binaryDigits(digits: string, column: Column): string {
  if (/^\d{1,20}$/.test(digits)) return BigInt(digits).toString(2);
  throw valueError(column, `the number ${digits} is no bit string.`);
}

/** Reads decoded strings. */
function stringReader(column: Column, options: SqlReaderOptions): (text: string) => Value {
  const { hasMoney, booleanWords } = options.dataScript;
  const check = fileTypeCheck(column, options.dataScript);
  if (column.dynamic === true && column.type.kind === 'boolean' && booleanWords !== undefined)
    return (text) => readBooleanWord(check(digitOfBit(text)), column, booleanWords);
  const toStoredTime = timeConverter(column, options);
  const readPlain = column.dynamic === true ? storedTextReader(column) : textReader(column);
  const toDigit = column.type.kind === 'boolean' ? digitOfBit : (text: string): string => text;
  const toYear = yearReader(column, options);
  const read = (text: string): Value => readPlain(check(toYear(toStoredTime(toDigit(text)))));
  if (!hasMoney) return read;
  const readAmount = amountReader(column);
  return (text) => read(readAmount(text));
}

/** The text '0' is the year 2000 (MySQL), the number 0 the year 0. */
function yearReader(
  { type, fileType }: Column,
  { isOwnDialect }: SqlReaderOptions,
): (text: string) => string {
  const typeInFile = fileType ?? (isOwnDialect ? type : undefined);
  if (typeInFile === undefined || storageOf(typeInFile).shortYears !== true) return (text) => text;
  return (text) => (/^\s*[+-]?0{1,3}\s*$/.test(text) ? '2000' : text);
}

/** mysqldump writes BIT(1) as the text of its byte. */
function digitOfBit(text: string): string {
  if (text === '\0') return '0';
  return text === '\u0001' ? '1' : text;
}

type BooleanRules = Pick<DataScriptRules, 'booleanWords'>;

/** SQLite would store the text. */
function readBooleanWord(
  text: string,
  column: Column,
  words: NonNullable<DataScriptRules['booleanWords']>,
): Value {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(words, word)) return words[word] === true ? 1n : 0n;
  if (/^[+-]?\d{1,18}$/.test(word)) return BigInt(word.replace('+', ''));
  throw valueError(column, `the text ${JSON.stringify(text)} is no boolean: write 0 or 1.`);
}

function rejectCast(column: Column, type: string): never {
  throw valueError(
    column,
    `only a database can compute a cast to ${type}: write the resulting value.`,
  );
}

/** WKT for the column's own reference system, otherwise EWKT with the SRID in front, as in PostGIS. */
function geometryText(
  { raw, system, axisOrder }: Extract<SqlValue, { readonly kind: 'geometry' }>,
  column: Column,
  { defaultAxisOrder }: DataScriptRules,
): string {
  const columnSrid = Number(/\bsrid\s+(\d+)/i.exec(column.nativeType)?.[1] ?? 0);
  const order = axisOrder ?? defaultAxisOrder;
  if (system === columnSrid && order === defaultAxisOrder) return raw;
  const isDefault = order === undefined || order === 'long-lat' || system === 0;
  return `SRID=${system}${isDefault ? '' : `,axis-order=${order}`};${raw}`;
}

/** In SQLite a string keeps its storage class, unless the column's affinity converts it. */
function storedTextReader(column: Column): (text: string) => Value {
  return (text) =>
    readJsonValue({ node: { kind: 'string', start: 0, end: 0, value: text }, text: '' }, column);
}

/** Dumps of MySQL and MariaDB write geometries as strings of their bytes. */
function isNativeBinary(raw: string, column: Column, script: DataScriptRules): boolean {
  const isPrintable = /^[\t\n\r -~]*$/.test(raw);
  return !isPrintable && script.stringsAreBytes && script.nativeTypeText(bytesOf(raw), column) !== undefined; // prettier-ignore
}

/** How the bytes of strings become values of the column. */
interface StringRules {
  readonly column: Column;
  readonly decode: (raw: string) => string;
  readonly readText: (text: string) => Value;
  readonly bitStringsAreBytes: boolean;
  readonly stringsAreBytes: boolean;
}

function readRaw(raw: string, rules: StringRules): Value {
  const { column, decode, readText, bitStringsAreBytes, stringsAreBytes } = rules;
  const { kind } = column.type;
  if (column.dynamic === true) return readText(decode(raw));
  if (kind === 'bits' && bitStringsAreBytes) return bitsOf(bytesOf(raw), column);
  if (kind === 'boolean' && (raw === '\0' || raw === '\u0001')) return raw !== '\0';
  if (kind !== 'binary') return readText(decode(raw));
  return stringsAreBytes ? bytesOf(raw) : byteaOf(raw, column);
}

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float', 'boolean']);
const maxDigits = 40;

function readNumber(digits: string, column: Column): Value {
  const { kind } = column.type;
  if (kind === 'text' && column.convertsDigits !== true) return asText(digits, column);
  if (kind === 'json' || kind === 'enum') return digits;
  return readJsonValue(
    { node: { kind: 'number', start: 0, end: 0, digits }, text: digits },
    column,
  );
}

/** A number in a text column. Every database stores integers and plain decimals as their digits; others differ. */
function asText(digits: string, column: Column): string {
  if (/^[+-]?\d+$/.test(digits)) return String(BigInt(digits.replace('+', '')));
  if (/^-?(?:0|[1-9]\d*)\.\d+$/.test(digits)) return digits;
  throw valueError(
    column,
    `databases convert the number ${digits} to text in different ways: write it in quotes.`,
  );
}

/** SQLite dumps write doubles with more digits than necessary, and infinity as a number that overflows. */
function readDouble(digits: string, column: Column): Value {
  const keepsNumbers = column.type.kind !== 'text' || column.convertsDigits === true;
  if (column.dynamic === true && !keepsNumbers) return asSqliteText(digits);
  const isDouble = column.dynamic === true && !/^[+-]?\d+$/.test(digits);
  return isDouble ? Number(digits) : readNumber(digits.replace(/^-(?=0+$)/, ''), column);
}

const [minInt64, maxInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** A text column stores the digits of an integer. SQLite converts a double to text itself. */
function asSqliteText(digits: string): Value {
  const integer =
    /^[+-]?\d+$/.test(digits) && digits.length < maxDigits
      ? BigInt(digits.replace('+', ''))
      : undefined;
  const isInt64 = integer !== undefined && integer >= minInt64 && integer <= maxInt64;
  return isInt64 ? String(integer) : Number(digits);
}

function readBoolean(value: boolean, column: Column, { booleanWords }: BooleanRules): Value {
  const { kind } = column.type;
  // PostgreSQL converts a boolean to a word, the others have only the numbers 0 and 1.
  const hasWords = booleanWords !== undefined && Object.hasOwn(booleanWords, 'true');
  if (column.dynamic === true && kind === 'text') return String(hasWords ? value : Number(value));
  if (column.dynamic === true) return BigInt(value);
  if (kind === 'boolean') return value;
  if (kind === 'json') return String(value);
  if (kind === 'bits') return value ? '1' : '0';
  if (numberKinds.has(kind)) return readNumber(value ? '1' : '0', column);
  throw valueError(column, 'it does not accept TRUE or FALSE.');
}

function readBytes(bytes: Buffer, column: Column, decode: (raw: string) => string): Value {
  const { kind } = column.type;
  if (column.dynamic === true || kind === 'binary') return bytes;
  if (kind === 'bits') return bitsOf(bytes, column);
  if (numberKinds.has(kind)) throw valueError(column, 'bytes are not a number.');
  return textReader(column)(decode(bytes.toString('latin1')));
}

function readHex(bytes: Buffer, column: Column, decode: (raw: string) => string): Value {
  const isNumber = numberKinds.has(column.type.kind);
  return isNumber ? readNumber(bytesAsNumber(bytes), column) : readBytes(bytes, column, decode);
}

function bytesAsNumber(bytes: Buffer): string {
  return bytes.length === 0 ? '0' : String(BigInt(`0x${bytes.toString('hex')}`));
}

function textOfBits(bits: string, column: Column, decode: (raw: string) => string): Value {
  const paddedBits = bits.padStart(8 * Math.ceil(bits.length / 8), '0');
  const bytes = (paddedBits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return readBytes(Buffer.from(bytes), column, decode);
}

function bitsOf(bytes: Buffer, column: Column): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const length = column.type.kind === 'bits' ? column.type.length : undefined;
  if (length === undefined) return bits;
  const excess = bits.length - length;
  if (excess <= 0) return bits.padStart(length, '0');
  if (bits.slice(0, excess).includes('1'))
    throw valueError(column, `these bytes do not fit into ${length} bits.`);
  return bits.slice(excess);
}

function readBits(bits: string, column: Column, isPadded: boolean): Value {
  const { kind } = column.type;
  if (kind === 'bits') {
    const length = column.type.kind === 'bits' ? column.type.length : undefined;
    const varying = column.type.kind === 'bits' && column.type.varying === true;
    return length === undefined || varying || !isPadded ? bits : bits.padStart(length, '0');
  }
  if (kind === 'text' && column.convertsDigits !== true) return bits;
  if (numberKinds.has(kind) || (column.dynamic === true && kind !== 'binary'))
    return readNumber(String(BigInt(`0b${bits === '' ? '0' : bits}`)), column);
  throw valueError(column, 'it does not accept a bit string.');
}

function readNow(now: Date, value: NowValue, column: Column): Value {
  const { part } = value;
  const [date = '', time = ''] = instantOf(now, value).toISOString().slice(0, 19).split('T');
  if (part !== 'timestamp') return part === 'date' ? date : time;
  if (column.type.kind === 'date') return date;
  if (column.type.kind === 'time') return time;
  const isZoned = column.type.kind === 'timestamp' && column.type.zone === true;
  return `${date} ${time}${isZoned && column.dynamic !== true ? '+00:00' : ''}`;
}
