/** The type of a column that keeps every value of a file. */
import type { DdlDialect } from '../../../model/ddl-dialect.ts';
import type { ColumnType } from '../../../model/schema.ts';
import { areBooleanWords } from '../../../portable/cells/local-profile.ts';
import {
  decimalOf,
  hasDecimalTexts,
  mayHaveGroups,
} from '../../../portable/cells/unclear-points.ts';
import type { CellFormat, DateOrder } from '../../../portable/cells/cell-format.ts';
import type { ColumnProfile, LocalColumnProfile } from '../../../portable/cells/column-profile.ts';
import type { LocatedText } from '../../../portable/cells/value-classes.ts';
import type { ValueKind } from '../../../portable/cells/value-kind.ts';

const text: ColumnType = { kind: 'text' };

type TypeFormat = Pick<
  CellFormat,
  'decimal' | 'isDecimalRequested' | 'dateOrder' | 'hasUnclearPoints'
>;

/** A column without values is text, and so is one whose format the file does not show. */
export function typeOf(profile: ColumnProfile, format: TypeFormat, ddl: DdlDialect): ColumnType {
  const { local } = profile;
  if (local !== undefined && local !== null) {
    if (local.notation.kind !== 'number') return localType(local, format, ddl);
    const decimalCharacter = decimalOf(profile, format);
    if (decimalCharacter !== undefined)
      return typeOfKind(decimalCharacter === 'comma' ? local.profile : local.pointProfile, ddl);
  }
  // With decimal commas, a point in a text may separate thousands.
  if (format.decimal === 'comma' && hasDecimalTexts(profile)) return text;
  return mayHaveGroups(profile, format) ? text : typeOfKind(profile, ddl);
}

function typeOfKind(profile: ColumnProfile, ddl: DdlDialect): ColumnType {
  return (profile.kind && types[profile.kind]?.(profile, ddl)) || text;
}

function localType(
  { notation, profile }: LocalColumnProfile,
  { dateOrder }: TypeFormat,
  ddl: DdlDialect,
): ColumnType {
  if (notation.kind === 'word')
    return areBooleanWords(notation) || profile.kind === 'boolean' ? { kind: 'boolean' } : text;
  const isKnown =
    notation.kind === 'date' &&
    (notation.orders.has('YMD') || notation.orders.has(dateOrder as DateOrder));
  return isKnown ? typeOfKind(profile, ddl) : text;
}

/** The type for a kind; undefined if the database would change one of the values. */
type FindType = (profile: ColumnProfile, ddl: DdlDialect) => ColumnType | undefined;

const types: Partial<Record<ValueKind, FindType>> = {
  boolean: () => ({ kind: 'boolean' }),
  integer: (profile, ddl) => {
    const { integerBits: bits } = profile;
    return bits === 16 || bits === 32 || bits === 64
      ? { kind: 'integer', bits }
      : decimal(profile, ddl);
  },
  decimal: (profile, ddl) => decimal(profile, ddl) ?? float(profile),
  float,
  date: () => ({ kind: 'date' }),
  time: (profile, ddl) => timeType('time', profile, ddl),
  timestamp: (profile, ddl) => timeType('timestamp', profile, ddl),
  'zoned timestamp': (profile, ddl) => {
    const isInRange = valueOutOfZonedYears(profile, ddl) === undefined;
    const type = isInRange ? timeType('timestamp', profile, ddl) : undefined;
    return type && { ...type, zone: true };
  },
  uuid: () => ({ kind: 'uuid' }),
  json: () => ({ kind: 'json' }),
  binary: () => ({ kind: 'binary' }),
};

/** Where timestamps with a zone end with the last year of a 32-bit count of seconds, they begin in 1970. */
export const firstZonedYear = 1970;

/** A value of a year in which the database has no timestamps with a zone, or in which they begin or end. */
export function valueOutOfZonedYears(
  { firstYear, lastYear, earliest, latest }: ColumnProfile,
  { columnSupport: { lastZonedYear } }: DdlDialect,
): LocatedText | undefined {
  if (lastZonedYear === undefined) return undefined;
  if (firstYear <= firstZonedYear) return earliest;
  return lastYear >= lastZonedYear ? latest : undefined;
}

function decimal(profile: ColumnProfile, ddl: DdlDialect): ColumnType | undefined {
  const { integerDigits, scale, isExactDouble } = profile;
  const { decimals } = ddl.columnSupport;
  const precision = integerDigits + scale;
  const isExact =
    decimals === undefined
      ? isExactDouble
      : precision <= decimals.precision && scale <= decimals.scale;
  return isExact ? { kind: 'decimal', precision, scale } : undefined;
}

function float({ isExactDouble }: ColumnProfile): ColumnType | undefined {
  return isExactDouble ? { kind: 'float', bits: 64 } : undefined;
}

function timeType(
  kind: 'time' | 'timestamp',
  { secondDigits }: ColumnProfile,
  ddl: DdlDialect,
): Extract<ColumnType, { kind: 'time' | 'timestamp' }> | undefined {
  const { secondDigits: maxDigits = Infinity } = ddl.columnSupport;
  return secondDigits > maxDigits ? undefined : { kind, precision: secondDigits };
}
