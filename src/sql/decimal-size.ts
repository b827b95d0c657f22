import type { ColumnType } from '../model/schema.ts';

export interface DecimalSize {
  readonly precision: number;
  readonly scale: number;
}

/** The size of a decimal for databases that require 0 <= scale <= precision; undefined for one without a size. */
export function decimalSize({
  precision,
  scale = 0,
}: Extract<ColumnType, { readonly kind: 'decimal' }>): DecimalSize | undefined {
  if (precision === undefined) return undefined;
  // PostgreSQL's numeric(3,-2) rounds to hundreds, and numeric(3,5) has two zeros after the point.
  return scale < 0
    ? { precision: precision - scale, scale: 0 }
    : { precision: Math.max(precision, scale), scale };
}
