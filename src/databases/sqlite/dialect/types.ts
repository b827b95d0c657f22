import { parseTypeName, sizedType, commonType } from '../../../sql/common-type.ts';
import { affinityOf } from './affinity.ts';
import type { TypeSizes } from '../../../sql/common-type.ts';
import type { ColumnType } from '../../../model/schema.ts';

/**
 * Maps a declared type to a neutral type. SQLite itself uses only its affinity; the rest is a hint for
 * editors and for other databases. Columns without affinity (`''`, ANY in a STRICT table) are untyped.
 * Columns of REAL affinity, and no others, are floats.
 */
export function columnType(declared: string, strict = false): ColumnType {
  const affinity = affinityOf(declared, strict);
  const { name, sizes } = parseTypeName(declared);
  if (affinity === 'blob')
    return name === '' || name === 'ANY' ? { kind: 'untyped' } : sizedType('binary', sizes);
  if (affinity === 'real') return { kind: 'float', bits: name === 'FLOAT4' ? 32 : 64 };
  if (strict) return affinity === 'integer' ? bigInteger : { kind: 'text' };
  return commonType(declared) ?? byAffinity(affinity, declared, sizes);
}

/** A result column has its declared type, but not whether its table is STRICT. ANY is untyped only there, so it is assumed. */
export function resultType(declared: string): ColumnType {
  return columnType(declared, declared.toUpperCase() === 'ANY');
}

const bigInteger = { kind: 'integer', bits: 64 } as const;

function byAffinity(
  affinity: 'integer' | 'text' | 'numeric',
  declared: string,
  sizes: TypeSizes,
): ColumnType {
  if (affinity === 'integer') {
    return /\bunsigned\b/i.test(declared) ? { ...bigInteger, unsigned: true } : bigInteger;
  }
  return affinity === 'text' ? sizedType('text', sizes) : { kind: 'other', name: declared };
}
