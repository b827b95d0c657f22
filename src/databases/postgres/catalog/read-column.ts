import type { Column } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { TypeCatalog } from '../dialect/types.ts';

/** Returns a column's name by its number; undefined if the role cannot read it. */
export type ColumnName = (number: number) => string | undefined;

/** `row` is a row of `columnsQuery`. */
export function readColumn(row: Row, types: TypeCatalog): Column {
  const [
    ,
    ,
    name,
    type,
    modifier,
    nativeType,
    nullable,
    expression,
    identity,
    generated,
    collation,
    comment,
    mayHoldNull,
    operators,
    numbering,
  ] = row;
  return {
    name: String(name),
    type: types.columnType(Number(type), Number(modifier)),
    nativeType: String(nativeType),
    nullable: nullable === true,
    ...(mayHoldNull === true ? { mayHoldNull } : {}),
    ...valueOf(text(expression), String(generated)),
    ...identityOf(text(expression), String(identity)),
    ...(numbering === '' || text(numbering) === undefined ? {} : { numbering: String(numbering) }),
    ...(text(collation) === undefined ? {} : { collation: String(collation) }),
    ...(text(operators) === undefined ? {} : { operators: readOperators(String(operators)) }),
    ...(text(comment) === undefined ? {} : { comment: String(comment) }),
  };
}

function text(value: Row[number] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function readOperators(json: string): Readonly<Record<string, string>> {
  return JSON.parse(json) as Record<string, string>;
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
