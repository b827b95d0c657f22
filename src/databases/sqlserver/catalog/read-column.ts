import { columnType, sqlTypeName } from '../dialect/types.ts';
import type { Column } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';

/** Reads a row of `columnsQuery`. */
export function readColumn(row: Row): Column {
  const [, , name, typeName, baseName, isAlias, schema, length, precision, scale] = row;
  const [
    ,
    ,
    ,
    ,
    ,
    ,
    ,
    ,
    ,
    ,
    nullable,
    identity,
    expression,
    computed,
    persisted,
    period,
    collation,
    comment,
  ] = row;
  const native = {
    name: String(isAlias === true ? (baseName ?? typeName) : typeName).toLowerCase(),
    length: Number(length),
    precision: Number(precision),
    scale: Number(scale),
  };
  const isComputed = computed !== null && computed !== undefined;
  const type = columnType(native);
  return {
    name: String(name),
    type,
    nativeType:
      isAlias === true ? `[${String(schema)}].[${String(typeName)}]` : sqlTypeName(native),
    // Only persisted computed columns can be declared NOT NULL.
    nullable: nullable === true || (isComputed && persisted !== true),
    ...(native.name === 'sql_variant' ? { dynamic: true } : {}),
    ...optional('default', isComputed ? null : expression),
    ...(identity === true ? { autoIncrement: true } : {}),
    ...(native.name === 'timestamp' || Number(period) > 0 ? { identityAlways: true } : {}),
    ...(isComputed
      ? { generated: { expression: withoutBrackets(String(computed)), stored: persisted === true } }
      : {}),
    ...optional('collation', isComputed ? null : collation),
    ...optional('comment', comment),
  };
}

/** An object with the member `name`, or an empty one for NULL. */
export function optional<K extends string>(
  name: K,
  value: Row[number] | undefined,
): { readonly [P in K]?: string } {
  return (value === null || value === undefined ? {} : { [name]: String(value) }) as {
    readonly [P in K]?: string;
  };
}

/** Removes the outer parentheses, which the catalog always adds. */
export function withoutBrackets(expression: string): string {
  return /^\(.*\)$/s.test(expression) ? expression.slice(1, -1) : expression;
}
