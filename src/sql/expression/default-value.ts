/** Converts a default's literal to the type of its column: `'0'` becomes 0 for a number, `1` becomes TRUE for a boolean. */
import { timeLiteral } from './comparable.ts';
import { storageOf } from '../../model/values/stored-value.ts';
import { truncatesLiteral } from './preserves-values.ts';
import { isTimeType } from './time-literal.ts';
import type { ColumnType } from '../../model/schema.ts';
import type { ExpressionSyntax } from './syntax.ts';
import type { Expression } from './tree.ts';

/** The default, converted to the column's type; undefined if that is not possible. */
export function defaultValue(
  expression: Expression,
  type: ColumnType,
  dialects: Dialects,
): Expression | undefined {
  const value = withoutCasts(expression);
  if (value === undefined || value.kind === 'null') return value;
  const read = readers[type.kind];
  return read === undefined ? exceptArray(value) : read(value, type, dialects);
}

/** Undefined if a cast changes the value. */
function withoutCasts(expression: Expression): Expression | undefined {
  if (expression.kind !== 'cast') return expression;
  const inner = withoutCasts(expression.operand);
  return inner?.kind === 'number' && truncatesLiteral(inner, expression) ? undefined : inner;
}

interface Dialects {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
}

type Reader = (value: Expression, type: ColumnType, dialects: Dialects) => Expression | undefined;

const readers: Readonly<Partial<Record<ColumnType['kind'], Reader>>> = {
  boolean: readBoolean,
  integer: readInteger,
  decimal: readNumber,
  float: readNumber,
  text: readText,
  enum: readText,
  set: readText,
  uuid: readText,
  date: readTime,
  time: readTime,
  timestamp: readTime,
  binary: readBinary,
  bits: readBits,
  array: readArray,
};

/** Other types keep the literal as it is, except arrays. */
function exceptArray(value: Expression): Expression | undefined {
  return value.kind === 'array' ? undefined : value;
}

const booleanWords: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  true: true,
  y: true,
  yes: true,
  on: true,
  '0': false,
  f: false,
  false: false,
  n: false,
  no: false,
  off: false,
};

function readBoolean(value: Expression): Expression | undefined {
  const word = wordOf(value)?.toLowerCase();
  if (word === undefined) return exceptArray(value);
  const truth = Object.hasOwn(booleanWords, word) ? booleanWords[word] : undefined;
  return truth === undefined ? undefined : { kind: 'boolean', value: truth };
}

function wordOf(value: Expression): string | undefined {
  if (value.kind === 'number') return value.text;
  if (value.kind === 'text') return value.value.trim();
  return value.kind === 'bits' ? value.digits.replace(/^0+(?=\d)/, '') : undefined;
}

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readNumber(value: Expression): Expression | undefined {
  switch (value.kind) {
    case 'text':
      return numeric.test(value.value.trim())
        ? { kind: 'number', text: value.value.trim() }
        : undefined;
    case 'boolean':
      return { kind: 'number', text: value.value ? '1' : '0' };
    case 'bits':
      return { kind: 'number', text: BigInt(`0b${value.digits || '0'}`).toString() };
    case 'bytes':
      return { kind: 'number', text: BigInt(`0x${value.hex || '0'}`).toString() };
    default:
      return exceptArray(value);
  }
}

/** Databases disagree about the fraction: some round it, some truncate it. */
function readInteger(value: Expression, type: ColumnType): Expression | undefined {
  const read = readNumber(value);
  if (read?.kind !== 'number') return read;
  if (!/^[+-]?\d+(?:\.0*)?$/.test(read.text)) return undefined;
  if (storageOf(type).shortYears !== true) return read;
  return { kind: 'number', text: fullYear(read.text, value.kind === 'text') };
}

/** 70 is 1970 and 69 is 2069. The number 0 is the year 0, the text '0' is 2000. */
function fullYear(text: string, isText: boolean): string {
  const year = Number(text);
  const isShort = year > 0 ? year < 100 : year === 0 && isText && text.length < 4;
  if (!isShort) return text;
  return String(year < 70 ? 2000 + year : 1900 + year);
}

function readText(value: Expression): Expression | undefined {
  if (value.kind === 'number') return { kind: 'text', value: value.text };
  if (value.kind === 'boolean') return { kind: 'text', value: String(value.value) };
  if (value.kind === 'bytes') {
    const text = Uint8Array.from(value.hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return { kind: 'text', value: new TextDecoder().decode(text) };
  }
  return exceptArray(value);
}

/** Only MySQL accepts dates with a zero year, month or day. */
const currentTimes = { date: 'today', time: 'timeOfDay', timestamp: 'now' } as const;

function readTime(
  value: Expression,
  type: ColumnType,
  { from, to }: Dialects,
): Expression | undefined {
  if (!isTimeType(type)) return undefined;
  const name = currentTimes[type.kind];
  if (value.kind === 'call' && ['now', 'today', 'timeOfDay'].includes(value.name))
    return { kind: 'call', name, args: value.args };
  if (value.kind === 'text' && /^now$/i.test(value.value)) return { kind: 'call', name, args: [] };
  if (value.kind === 'text') return timeLiteral(value.value, type, { from, to });
  if (value.kind !== 'number') return exceptArray(value);
  return from.times.takesNumbers ? timeLiteral(value.text, type, { from, to }) : undefined;
}

function readBinary(value: Expression): Expression | undefined {
  if (value.kind !== 'text') return exceptArray(value);
  const hex = /^\\x((?:[0-9a-f]{2})*)$/i.exec(value.value)?.[1];
  return { kind: 'bytes', hex: hex ?? hexOf(new TextEncoder().encode(value.value)) };
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function readBits(value: Expression, type: ColumnType): Expression | undefined {
  const length = type.kind === 'bits' ? (type.length ?? 1) : 1;
  if (value.kind === 'number' && /^\d+$/.test(value.text))
    return { kind: 'bits', digits: BigInt(value.text).toString(2).padStart(length, '0') };
  if (value.kind === 'text')
    return /^[01]*$/.test(value.value) ? { kind: 'bits', digits: value.value } : undefined;
  return exceptArray(value);
}

/** Other databases store arrays as JSON. Only the empty array has a certain JSON form. */
function readArray(value: Expression): Expression | undefined {
  const isEmpty =
    (value.kind === 'text' && value.value === '{}') ||
    (value.kind === 'array' && value.items.length === 0);
  return isEmpty ? { kind: 'text', value: '[]' } : undefined;
}
