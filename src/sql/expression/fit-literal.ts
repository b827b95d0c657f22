/** Decides whether a default's literal means the same value in the target database as in its own. */
import { changeFinder } from '../../model/values/stored-value.ts';
import { isTimeType } from './time-literal.ts';
import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { ColumnType } from '../../model/schema.ts';
import type { ExpressionSyntax } from './syntax.ts';
import type { TimeType } from './time-literal.ts';
import type { Expression } from './tree.ts';

interface Dialects {
  readonly from: Pick<ExpressionSyntax, 'exactNumbers'>;
  readonly to: Pick<ExpressionSyntax, 'exactNumbers'>;
  readonly ddl: DdlDialect;
}

/** The literal in full, as the column stores it; undefined if one of the databases changes or rejects it. Other expressions are returned as they are. */
export function fitLiteral(
  value: Expression,
  type: ColumnType,
  dialects: Dialects,
): Expression | undefined {
  const number = numberOf(value);
  if (number !== undefined) return fitNumber(number, type, dialects);
  if (value.kind === 'text' && isChanged(value.value, type)) return undefined;
  switch (value.kind) {
    case 'text':
      return fitText(value, type, dialects.ddl);
    case 'bits':
      return fitBits(value.digits, type);
    case 'bytes':
      return fitBytes(value.hex, type);
    default:
      return value;
  }
}

/** Whether the column stores another value than the text means. */
function isChanged(text: string, type: ColumnType): boolean {
  return changeFinder(type)?.(text) !== undefined;
}

function numberOf(value: Expression): string | undefined {
  if (value.kind === 'number') return value.text.replace(/^\+/, '');
  if (value.kind !== 'unary' || value.operand.kind !== 'number') return undefined;
  if (value.operator === '-') return `-${value.operand.text}`.replace(/^--/, '');
  return value.operator === '+' ? value.operand.text : undefined;
}

function fitNumber(text: string, type: ColumnType, dialects: Dialects): Expression | undefined {
  if (type.kind === 'integer') {
    return isInteger(text, type) && canHoldNumber(text, dialects)
      ? { kind: 'number', text }
      : undefined;
  }
  if (type.kind === 'decimal') {
    const sizes = [type, renderedSize(type, dialects.ddl)];
    const fits = sizes.every((size) => isDecimal(text, size)) && canHoldNumber(text, dialects);
    return fits ? { kind: 'number', text } : undefined;
  }
  const isWider = type.kind === 'float' && type.bits === 32 && !dialects.to.exactNumbers;
  const isRounded = isWider && digitsOf(text).significant > 6;
  return isRounded || isChanged(text, type) ? undefined : { kind: 'number', text };
}

function isInteger(
  text: string,
  { bits, unsigned = false }: Extract<ColumnType, { readonly kind: 'integer' }>,
): boolean {
  const [integerDigits = ''] = text.split('.');
  if (!/^-?\d+$/.test(integerDigits)) return false;
  const value = BigInt(integerDigits);
  const [low, high] = unsigned ? [0n, 2n ** BigInt(bits)] : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1)]; // prettier-ignore
  return value >= low && value < high;
}

interface DecimalSize {
  readonly precision?: number;
  readonly scale?: number;
}

/** The size of the type that the target has for it. */
function renderedSize(type: ColumnType, ddl: DdlDialect): DecimalSize {
  const size = /\((\d+)(?:, ?(-?\d+))?\)/.exec(ddl.columnType({ type }));
  return size === null ? {} : { precision: Number(size[1]), scale: Number(size[2] ?? 0) };
}

function isDecimal(text: string, { precision, scale = 0 }: DecimalSize): boolean {
  if (precision === undefined) return true;
  const { fraction, integerDigits } = digitsOf(text);
  return fraction <= scale && integerDigits <= precision - scale;
}

interface Digits {
  /** Before the decimal point, after it (negative for trailing zeros before it), and between the first and last that is not 0. */
  readonly integerDigits: number;
  readonly fraction: number;
  readonly significant: number;
}

function digitsOf(text: string): Digits {
  const [, integer = '', decimals = '', exponent = '0'] =
    /^-?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (integer + decimals).replace(/0+$/, '');
  const significant = digits.replace(/^0+/, '').length;
  if (significant === 0) return { integerDigits: 0, fraction: 0, significant };
  const point = integer.length + Number(exponent);
  return {
    integerDigits: point - (digits.length - significant),
    fraction: digits.length - point,
    significant,
  };
}

/** Where numbers are 64-bit integers or doubles, a double holds 15 digits. */
function canHoldNumber(text: string, { from, to }: Dialects): boolean {
  if (from.exactNumbers && to.exactNumbers) return true;
  const { significant, integerDigits, fraction } = digitsOf(text);
  if (significant <= 15) return integerDigits < 300 && fraction < 300;
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function fitText(
  literal: Extract<Expression, { readonly kind: 'text' }>,
  type: ColumnType,
  ddl: DdlDialect,
): Expression | undefined {
  const text = literal.value;
  if (isTimeType(type)) return isWithinYears(text, type, ddl) ? literal : undefined;
  switch (type.kind) {
    case 'text':
      return [...text].length <= (type.length ?? Infinity) ? literal : undefined;
    case 'enum':
      return type.values.includes(text) ? literal : undefined;
    case 'set':
      return text === '' || text.split(',').every((label) => type.values.includes(label))
        ? literal
        : undefined;
    case 'uuid':
      return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? literal : undefined;
    default:
      return literal;
  }
}

/** Timestamps that the database counts in seconds since 1970 end in a certain year. */
function isWithinYears(
  text: string,
  type: TimeType,
  { columnSupport: { lastZonedYear } }: DdlDialect,
): boolean {
  if (lastZonedYear === undefined || type.kind !== 'timestamp' || type.zone !== true) return true;
  const year = Number(text.slice(0, 4));
  return year > 1970 && year < lastZonedYear;
}

/** MySQL writes a bit value without its leading zeros. */
function fitBits(digits: string, type: ColumnType): Expression | undefined {
  if (type.kind !== 'bits') return { kind: 'bits', digits };
  const { length = 1, varying = false } = type;
  if (varying)
    return digits.length <= (type.length ?? Infinity) ? { kind: 'bits', digits } : undefined;
  const padded = digits.replace(/^0+/, '').padStart(length, '0');
  return padded.length === length ? { kind: 'bits', digits: padded } : undefined;
}

/** Fixed-length values end in zeros. */
function fitBytes(hex: string, type: ColumnType): Expression | undefined {
  if (type.kind !== 'binary' || type.length === undefined) return { kind: 'bytes', hex };
  const digits = type.length * 2;
  if (hex.length > digits) return undefined;
  return { kind: 'bytes', hex: type.fixed === true ? hex.padEnd(digits, '0') : hex };
}
