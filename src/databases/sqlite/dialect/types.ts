import { parseTypeName, sizedType, commonType } from '../../../sql/common-type.ts';
import { affinityOf } from './affinity.ts';
import type { TypeSizes } from '../../../sql/common-type.ts';
import type { ColumnType } from '../../../model/schema.ts';

/**
 * What a declared type says of its column. SQLite heeds only the affinity in it; the rest is the
 * author's word, kept for editors and other databases. A type without affinity of its own
 * (`''`, ANY in a STRICT table) is untyped; those of REAL affinity, and no others, are floats.
 */
export function columnType(declared: string, strict = false): ColumnType {
  const affinity = affinityOf(declared, strict);
  const { name, sizes } = parseTypeName(declared);
  if (affinity === 'blob')
    return name === '' || name === 'ANY' ? { kind: 'untyped' } : sizedType('binary', sizes);
  if (affinity === 'real') return { kind: 'float', bits: name === 'FLOAT4' ? 32 : 64 };
  if (strict) return affinity === 'integer' ? wholeNumber : { kind: 'text' };
  return commonType(declared) ?? byAffinity(affinity, declared, sizes);
}

/** A result's column tells its declared type, but not whether its table is STRICT: only there is ANY untyped. */
export function resultType(declared: string): ColumnType {
  return columnType(declared, declared.toUpperCase() === 'ANY');
}

const wholeNumber = { kind: 'integer', bits: 64 } as const;

function byAffinity(
  affinity: 'integer' | 'text' | 'numeric',
  declared: string,
  sizes: TypeSizes,
): ColumnType {
  if (affinity === 'integer') {
    return /\bunsigned\b/i.test(declared) ? { ...wholeNumber, unsigned: true } : wholeNumber;
  }
  return affinity === 'text' ? sizedType('text', sizes) : { kind: 'other', name: declared };
}
