import { columnType, sqlTypeName } from '../dialect/types.ts';
import type { Column } from '../../../model/schema.ts';
import type { ColumnRow } from './catalog.ts';

export function readColumn(row: ColumnRow): Column {
  const { typeName, isAlias, computed, isPersisted } = row;
  const native = {
    name: (isAlias ? (row.baseTypeName ?? typeName) : typeName).toLowerCase(),
    length: row.length,
    precision: row.precision,
    scale: row.scale,
  };
  const isComputed = computed !== undefined;
  const type = columnType(native);
  return {
    name: row.name,
    type,
    nativeType: isAlias ? `[${row.typeNamespace}].[${typeName}]` : sqlTypeName(native),
    // Only persisted computed columns can be declared NOT NULL.
    nullable: row.isNullable || (isComputed && !isPersisted),
    ...(native.name === 'sql_variant' ? { dynamic: true } : {}),
    ...optional('default', isComputed ? undefined : row.default),
    ...(row.isIdentity ? { autoIncrement: true } : {}),
    ...(native.name === 'timestamp' || row.generatedAlwaysType > 0 ? { identityAlways: true } : {}),
    ...(isComputed
      ? { generated: { expression: withoutBrackets(computed), stored: isPersisted } }
      : {}),
    ...optional('collation', isComputed ? undefined : row.collation),
    ...optional('comment', row.comment),
  };
}

/** An object with the member `name`, or an empty one. */
export function optional<K extends string>(
  name: K,
  value: string | undefined,
): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: string };
}

/** Removes the outer parentheses, which the catalog always adds. */
export function withoutBrackets(expression: string): string {
  return /^\(.*\)$/s.test(expression) ? expression.slice(1, -1) : expression;
}
