/** What a default's literal is for a column of its type: `'0'` for a number is 0, `1` for a boolean TRUE. */
import type { ColumnType } from '../../model/schema.ts';
import type { Expression } from './tree.ts';

/** The default in the form of the column's type; undefined where it cannot have it. */
export function defaultValue(expression: Expression, type: ColumnType): Expression | undefined {
  const value = withoutCasts(expression);
  if (value.kind === 'null') return value;
  const read = readers[type.kind];
  return read === undefined ? plain(value) : read(value, type);
}

function withoutCasts(expression: Expression): Expression {
  return expression.kind === 'cast' ? withoutCasts(expression.operand) : expression;
}

type Reader = (value: Expression, type: ColumnType) => Expression | undefined;

const readers: Readonly<Partial<Record<ColumnType['kind'], Reader>>> = {
  boolean: readBoolean,
  integer: readNumber,
  decimal: readNumber,
  float: readNumber,
  text: readText,
  enum: readText,
  set: readText,
  uuid: readText,
  date: (value) => readMoment(value, 'today'),
  time: (value) => readMoment(value, 'clock'),
  timestamp: (value) => readMoment(value, 'now'),
  binary: readBinary,
  bits: readBits,
  array: readArray,
};

/** Literals of other kinds cannot be told from another type's. */
function plain(value: Expression): Expression | undefined {
  return value.kind === 'array' ? undefined : value;
}

const truths: Readonly<Record<string, boolean>> = {
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
  if (word === undefined) return plain(value);
  const truth = Object.hasOwn(truths, word) ? truths[word] : undefined;
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
      return plain(value);
  }
}

function readText(value: Expression): Expression | undefined {
  if (value.kind === 'number') return { kind: 'text', value: value.text };
  if (value.kind === 'boolean') return { kind: 'text', value: String(value.value) };
  if (value.kind === 'bytes') {
    const text = Uint8Array.from(value.hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return { kind: 'text', value: new TextDecoder().decode(text) };
  }
  return plain(value);
}

/** A day or month of zero is no date anywhere but in MySQL. */
const zeroDate = /^0{4}-|^\d{4}-00|^\d{4}-\d\d-00/;

function readMoment(value: Expression, asks: 'now' | 'today' | 'clock'): Expression | undefined {
  if (value.kind === 'call' && ['now', 'today', 'clock'].includes(value.name))
    return { kind: 'call', name: asks, args: value.args };
  if (value.kind === 'text' && /^now$/i.test(value.value))
    return { kind: 'call', name: asks, args: [] };
  if (value.kind === 'number') return undefined;
  return value.kind === 'text' && zeroDate.test(value.value) ? undefined : plain(value);
}

function readBinary(value: Expression): Expression | undefined {
  if (value.kind !== 'text') return plain(value);
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
  return plain(value);
}

/** Other databases keep arrays as JSON; only of the empty one is it sure how. */
function readArray(value: Expression): Expression | undefined {
  const isEmpty =
    (value.kind === 'text' && value.value === '{}') ||
    (value.kind === 'array' && value.items.length === 0);
  return isEmpty ? { kind: 'text', value: '[]' } : undefined;
}
