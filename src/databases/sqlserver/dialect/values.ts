import { StudioError } from '../../../model/errors.ts';
import { isClr, nativeTypeName } from './types.ts';
import type { ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/** A parameter with its declared type and the value that is sent; the server converts the value to the type. */
export interface Parameter {
  /** `decimal(10,2)`, `varchar(8000)` */
  readonly declared: string;
  readonly sent: Sent;
}

export type Sent =
  | { readonly as: 'text'; readonly value: string | null }
  | { readonly as: 'bytes'; readonly value: Buffer | null }
  | { readonly as: 'integer'; readonly value: bigint }
  | { readonly as: 'double'; readonly value: number }
  | { readonly as: 'bit'; readonly value: boolean };

/**
 * The placeholder of a parameter. A comment holds its type, so that it is declared with the type of
 * the column: otherwise the server would convert the column in each row and not use its index.
 */
export function placeholder(index: number, type: ColumnType | undefined): string {
  const name = `@p${index}`;
  if (type === undefined) return name;
  if (isClr(type)) return `CAST(${name} AS ${type.name})`;
  if (type.kind === 'timestamp' && type.zone === true) return `CAST(${name} AS datetimeoffset)`;
  const typeName = parameterTypeName(type);
  return typeName === undefined ? name : `${name}/*${typeName}*/`;
}

const integerTypeNames = {
  8: 'smallint',
  16: 'smallint',
  24: 'int',
  32: 'int',
  64: 'bigint',
} as const;

function parameterTypeName(type: ColumnType): string | undefined {
  switch (type.kind) {
    case 'boolean':
      return 'bit';
    case 'integer':
      if (type.unsigned === true) return type.bits === 8 ? 'tinyint' : 'bigint';
      return integerTypeNames[type.bits];
    case 'decimal':
      return nativeTypeName(type) ?? `decimal(${type.precision ?? maxDigits},${type.scale ?? 0})`;
    case 'float':
      return type.bits === 32 ? 'real' : 'float';
    case 'text':
      return /^(?:var)?char$/.test(nativeTypeName(type) ?? '') ? 'varchar' : undefined;
    case 'uuid':
      return 'uniqueidentifier';
    case 'binary':
      return 'varbinary';
    case 'date':
    case 'time':
      return type.kind;
    case 'timestamp':
      return nativeTypeName(type) === 'datetime' ? 'datetime' : 'datetime2';
    default:
      return undefined;
  }
}

const typedPlaceholder = /@p(\d+)\/\*([a-z0-9]+(?:\(\d+,\d+\))?)\*\//g;

/** The parameters of a statement, by the types that `placeholder` has written into its text. */
export function toParameters(text: string, params: readonly Value[]): readonly Parameter[] {
  mustUseAllParameters(text, params.length);
  const typeNames = new Map<number, string>();
  for (const [, index, typeName = ''] of text.matchAll(typedPlaceholder))
    typeNames.set(Number(index) - 1, typeName);
  return params.map((value, i) => toParameter(value, typeNames.get(i)));
}

/** Rejects unused parameters, which the server would ignore. */
function mustUseAllParameters(text: string, count: number): void {
  if (count === 0) return;
  const usedNumbers = new Set(Array.from(text.matchAll(/@p(\d+)/gi), ([, index]) => Number(index)));
  for (let index = 1; index <= count; index++) {
    if (usedNumbers.has(index)) continue;
    throw new StudioError('invalid_parameter', `The statement takes no parameter @p${index}.`);
  }
}

function toParameter(value: Value, typeName: string | undefined): Parameter {
  if (value === null) return nullParameter(typeName);
  if (typeof value === 'string') return textParameter(value, typeName);
  if (typeof value === 'bigint') return integerParameter(value, typeName);
  if (typeof value === 'number') return doubleParameter(value, typeName);
  if (typeof value === 'boolean') return { declared: 'bit', sent: { as: 'bit', value } };
  return bytesParameter(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
}

/** Text does not convert to varbinary implicitly, not even NULL. */
function nullParameter(typeName: string | undefined): Parameter {
  return typeName === 'varbinary'
    ? { declared: 'varbinary(8000)', sent: { as: 'bytes', value: null } }
    : {
        declared: typeName === 'varchar' ? 'varchar(8000)' : (typeName ?? 'nvarchar(4000)'),
        sent: { as: 'text', value: null },
      };
}

function bytesParameter(value: Buffer): Parameter {
  const declared = value.length > 8000 ? 'varbinary(max)' : 'varbinary(8000)';
  return { declared, sent: { as: 'bytes', value } };
}

function integerParameter(value: bigint, typeName: string | undefined): Parameter {
  if (typeName === 'bit' && value !== 0n && value !== 1n)
    throw new StudioError('invalid_value', `A bit is 0 or 1, not ${value}.`);
  if (BigInt.asIntN(64, value) !== value) return decimalParameter(String(value), undefined);
  const isInteger = typeName === 'bit' || typeName?.endsWith('int') === true;
  return { declared: isInteger ? typeName : 'bigint', sent: { as: 'integer', value } };
}

function doubleParameter(value: number, typeName: string | undefined): Parameter {
  if (!Number.isFinite(value))
    throw new StudioError('invalid_value', `SQL Server cannot store ${value}.`);
  return { declared: typeName === 'real' ? 'real' : 'float', sent: { as: 'double', value } };
}

function textParameter(text: string, typeName: string | undefined): Parameter {
  const declared = typeName === undefined ? nvarcharFor(text) : declaredFor(text, typeName);
  if (declared === undefined) return decimalParameter(text, typeName);
  return { declared, sent: { as: 'text', value: text } };
}

function nvarcharFor(text: string): string {
  return text.length > 4000 ? 'nvarchar(max)' : 'nvarchar(4000)';
}

const fineDecimals = /\.\d{4}/;
const plainAscii = /^\p{ASCII}*$/u;

/** The type to declare for a text; undefined for numbers. */
function declaredFor(text: string, typeName: string): string | undefined {
  // A varchar parameter would use the code page of the database's collation, which may differ from the column's.
  if (typeName === 'varchar') {
    if (!plainAscii.test(text)) return nvarcharFor(text);
    return text.length > 8000 ? 'varchar(max)' : 'varchar(8000)';
  }
  if (typeName === 'datetime') return fineDecimals.test(text) ? 'datetime2' : typeName;
  return /^(?:decimal|numeric|(?:small)?money)/.test(typeName) ? undefined : typeName;
}

const maxDigits = 38;
const decimalPattern = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;

/** Declares the column's type, or a decimal with enough digits if the value has more than the column. */
function decimalParameter(text: string, typeName: string | undefined): Parameter {
  const digits = plainDigits(text);
  if (digits === undefined)
    throw new StudioError(
      'invalid_value',
      `${JSON.stringify(text.slice(0, 60))} is not a number that SQL Server can store.`,
    );
  const { sign, integerDigits, fraction } = digits;
  const value = `${sign}${integerDigits || '0'}${fraction === '' ? '' : `.${fraction}`}`;
  const [, precision = '0', scale = '0'] =
    /\((\d+),(\d+)\)/.exec(typeName ?? '') ?? moneySizes[typeName ?? ''] ?? [];
  const fits =
    fraction.length <= Number(scale) && integerDigits.length <= Number(precision) - Number(scale);
  const decimalType = `decimal(${maxDigits},${fraction.length})`;
  return {
    declared: fits && typeName !== undefined ? typeName : decimalType,
    sent: { as: 'text', value },
  };
}

/** Precision and scale of money types. The largest amounts have one more digit. */
const moneySizes: Readonly<Record<string, readonly string[]>> = {
  money: ['', '18', '4'],
  smallmoney: ['', '9', '4'],
};

interface Digits {
  readonly sign: string;
  readonly integerDigits: string;
  readonly fraction: string;
}

/** Whether some decimal type can hold the number. */
export function isDecimal(text: string): boolean {
  return plainDigits(text) !== undefined;
}

/** The digits without exponent and redundant zeros; undefined if a decimal cannot hold so many. */
function plainDigits(text: string): Digits | undefined {
  const [all, sign = '', before = '', after = '', exponent = '0'] = decimalPattern.exec(text) ?? [];
  if (all === undefined || before + after === '') return undefined;
  const power = Number(exponent);
  const padded =
    '0'.repeat(Math.max(0, -power - before.length)) +
    before +
    after +
    '0'.repeat(Math.max(0, power - after.length));
  const point = Math.max(before.length + power, 0);
  const integerDigits = padded.slice(0, point).replace(/^0+/, '');
  const fraction = padded.slice(point).replace(/0+$/, '');
  return integerDigits.length + fraction.length > maxDigits
    ? undefined
    : { sign: sign === '-' ? sign : '', integerDigits, fraction };
}
