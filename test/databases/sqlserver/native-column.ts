import { columnType } from '../../../src/databases/sqlserver/dialect/types.ts';
import type { Column } from '../../../src/model/schema.ts';

/** A column as introspection returns it, by its T-SQL type. */
export function nativeColumn(
  name: string,
  nativeType: string,
  extras: Partial<Column> = {},
): Column {
  const [, type = '', inside = ''] = /^(\w+)(?:\((.*)\))?$/.exec(nativeType) ?? [];
  const [first = 0, second = 0] = inside.split(',').map(Number);
  const bytesEach = type.startsWith('n') ? 2 : 1;
  const isClock = /^(?:time|datetime2|datetimeoffset)$/.test(type);
  return {
    name,
    nativeType,
    type: columnType({
      name: type,
      length: inside === 'max' ? -1 : first * bytesEach,
      precision: first,
      scale: isClock ? (inside === '' ? 7 : first) : second,
    }),
    nullable: false,
    ...(type === 'sql_variant' ? { dynamic: true } : {}),
    ...extras,
  };
}
