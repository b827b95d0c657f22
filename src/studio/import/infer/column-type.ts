/** The type of a column that keeps every value of a file. */
import type { DdlDialect } from '../../../model/ddl-dialect.ts';
import type { ColumnType } from '../../../model/schema.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { ValueKind } from './value-kind.ts';

const text: ColumnType = { kind: 'text' };

/** Undefined kinds are those of columns without values. */
export function typeOf(profile: ColumnProfile, ddl: DdlDialect): ColumnType {
  const { kind } = profile;
  return kind === undefined ? text : (types[kind]?.(profile, ddl) ?? text);
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
  time: (profile, ddl) => clock('time', profile, ddl),
  timestamp: (profile, ddl) => clock('timestamp', profile, ddl),
  'zoned timestamp': (profile, ddl) => {
    const { lastZonedYear } = ddl.columnSupport;
    // Where the last year is that of a 32-bit count of seconds, the first one is 1970.
    const isInRange =
      lastZonedYear === undefined || (profile.firstYear > 1970 && profile.lastYear < lastZonedYear);
    const type = isInRange ? clock('timestamp', profile, ddl) : undefined;
    return type && { ...type, zone: true };
  },
  uuid: () => ({ kind: 'uuid' }),
  json: () => ({ kind: 'json' }),
  binary: () => ({ kind: 'binary' }),
};

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

function clock(
  kind: 'time' | 'timestamp',
  { secondDigits }: ColumnProfile,
  ddl: DdlDialect,
): Extract<ColumnType, { kind: 'time' | 'timestamp' }> | undefined {
  const { secondDigits: most = Infinity } = ddl.columnSupport;
  return secondDigits > most ? undefined : { kind, precision: secondDigits };
}
