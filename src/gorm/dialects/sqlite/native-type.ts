import { withoutClauses } from '../type-text.ts';
import type { StoredColumn } from '../../gorm-dialect.ts';

/** Compares the declarations: AutoMigrate rewrites `int` to `bigint`, although SQLite treats both alike. */
export function sqliteHasType({ column }: StoredColumn, nativeType: string): boolean {
  return (
    canonicalType(column.nativeType) === canonicalType(nativeType) &&
    (column.collation ?? 'binary').toLowerCase() === collationOf(nativeType)
  );
}

function canonicalType(text: string): string {
  return withoutClauses(text)
    .toLowerCase()
    .replaceAll(/\s*([(),])\s*/g, '$1')
    .replaceAll(/\s+/g, ' ');
}

function collationOf(nativeType: string): string {
  return /\bcollate\s+[`"'[]?(\w+)/i.exec(nativeType)?.[1]?.toLowerCase() ?? 'binary';
}
