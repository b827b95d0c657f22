import type { Column } from '../../../model/schema.ts';
import type { ColumnRow } from './catalog.ts';
import type { TypeCatalog } from '../dialect/types.ts';

/** Returns a column's name by its number; undefined if the role cannot read it. */
export type ColumnName = (number: number) => string | undefined;

export function readColumn(row: ColumnRow, types: TypeCatalog): Column {
  const { name, nativeType, expression, sequenceOptions, collation, operators, comment } = row;
  return {
    name,
    type: types.columnType(row.type, row.typeModifier),
    nativeType,
    nullable: row.isNullable,
    ...(row.mayHoldNull ? { mayHoldNull: true } : {}),
    ...valueOf(expression, row.generated),
    ...identityOf(expression, row.identity),
    ...(sequenceOptions === undefined || sequenceOptions === ''
      ? {}
      : { numbering: sequenceOptions }),
    ...(collation === undefined ? {} : { collation }),
    ...(operators === undefined ? {} : { operators }),
    ...(comment === undefined ? {} : { comment }),
  };
}

/** pg_attrdef has both defaults and expressions of generated columns. */
function valueOf(
  expression: string | undefined,
  generated: string,
): Pick<Column, 'default' | 'generated'> {
  if (expression === undefined) return {};
  return generated === ''
    ? { default: expression }
    : { generated: { expression, stored: generated === 's' } };
}

/** An identity column, or a serial column with the default nextval(). */
function identityOf(
  expression: string | undefined,
  identity: string,
): Pick<Column, 'autoIncrement' | 'identityAlways'> {
  if (identity === 'a') return { autoIncrement: true, identityAlways: true };
  return identity === 'd' || expression?.startsWith('nextval(') === true
    ? { autoIncrement: true }
    : {};
}
