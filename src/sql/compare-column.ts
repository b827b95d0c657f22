/** SQL conditions that compare a column with values of its own type. */
import { join, param, sql } from '../model/fragment.ts';
import type { Dialect } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Column } from '../model/schema.ts';
import type { Row, Value } from '../model/values.ts';

/** The operator that agrees with the column's sort order; `symbol` itself unless the column defines another one. */
export function operatorOf({ operators }: Pick<Column, 'operators'>, symbol: string): string {
  return operators?.[symbol] ?? symbol;
}

export function isEqualTo(dialect: Dialect, column: Column, value: Value): Fragment {
  const name = comparedName(dialect, column);
  return sql`${name} ${operatorOf(column, '=')} ${param(value, column.type)}`;
}

/** Tests whether the column has one of these values, of which there must be at least one. */
export function isOneOf(dialect: Dialect, column: Column, values: readonly Value[]): Fragment {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return isEqualTo(dialect, column, only);
  if (column.operators !== undefined) {
    const tests = values.map((value) => isEqualTo(dialect, column, value));
    return sql`(${join(tests, ' OR ')})`;
  }
  const params = values.map((value) => param(value, column.type));
  return sql`${comparedName(dialect, column)} IN (${join(params, ', ')})`;
}

/** Tests whether the columns have one of these keys, of which there must be at least one. */
export function isOneOfKeys(
  dialect: Dialect,
  columns: readonly Column[],
  keys: readonly Row[],
): Fragment {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) {
    return isOneOf(
      dialect,
      only,
      keys.map(([value = null]) => value),
    );
  }
  const same = (key: Row): Fragment =>
    join(
      columns.map((column, i) => isEqualTo(dialect, column, key[i] ?? null)),
      ' AND ',
    );
  return sql`(${join(keys.map(same), ' OR ')})`;
}

/** COALESCE keeps the database from using an index that would miss equal values (`hidesEquals`). */
function comparedName(dialect: Dialect, { name, hidesEquals }: Column): string {
  const quoted = dialect.quoteName(name);
  return hidesEquals === true ? `COALESCE(${quoted}, ${quoted})` : quoted;
}
