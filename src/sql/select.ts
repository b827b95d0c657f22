import type { Dialect } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Column, Table } from '../model/schema.ts';
import type { TieBreaker } from '../model/sort-key.ts';
import type { RowLock } from '../model/write-dialect.ts';
import { join, sql } from '../model/fragment.ts';

/** One term of the order of rows. */
export interface OrderTerm {
  readonly column: Column;
  readonly descending: boolean;
}

export interface Select {
  readonly table: Table;
  /** Rendered SQL expressions. */
  readonly expressions: readonly string[];
  readonly where: readonly Fragment[];
  readonly order: readonly OrderTerm[];
  /** Further terms of ORDER BY, which make the order unique. */
  readonly tieBreakers?: readonly TieBreaker[];
  readonly limit?: number;
  readonly offset?: number;
  /** Locks the rows until the transaction ends. */
  readonly lock?: RowLock;
}

const noLock: RowLock = { hint: '', clause: '' };

export function selectRows(dialect: Dialect, select: Select): Fragment {
  const { lock = noLock } = select;
  const from = `${dialect.tableName(select.table)}${lock.hint}`;
  const { limit, offset = 0, order } = select;
  const ordered = orderClause(dialect, order, select.tieBreakers ?? []);
  const page =
    limit === undefined ? '' : sql` ${dialect.limitClause(limit, offset, ordered !== '')}`;
  const rest = sql` FROM ${from}${whereClause(select.where)}${ordered}${page}`;
  const expressions = nameExpressions(dialect, select).join(', ');
  if (offset > 0 && dialect.evaluatesSkippedRows) {
    const ofOrder = order.map(({ column }) => column.name);
    const ofTable = select.table.columns.map((column) => column.name);
    const names = [...new Set([...ofTable, ...ofOrder])].map((name) => dialect.quoteName(name));
    if (select.expressions.some((expression) => !names.includes(expression)))
      return sql`SELECT ${expressions} FROM (SELECT ${names.join(', ')}${rest}) AS page${ordered}`;
  }
  return sql`SELECT ${expressions}${rest}${lock.clause}`;
}

/**
 * Gives computed expressions names that no column has. ORDER BY resolves result names first,
 * including those that the server invents (`coalesce`, `case`), and would sort by the expression.
 */
function nameExpressions(dialect: Dialect, { table, expressions }: Select): readonly string[] {
  const columns = new Set(table.columns.map(({ name }) => dialect.quoteName(name)));
  const columnNames = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  return expressions.map((expression, i) => {
    if (columns.has(expression)) return expression;
    let name = `studio ${i}`;
    while (columnNames.has(name)) name += '_';
    return `${expression} AS ${dialect.quoteName(name)}`;
  });
}

export function countRows(dialect: Dialect, table: Table, where: readonly Fragment[]): Fragment {
  return sql`SELECT COUNT(*) FROM ${dialect.tableName(table)}${whereClause(where)}`;
}

/** ` WHERE a AND b`, or nothing. Each condition adds its own parentheses where needed. */
function whereClause(where: readonly Fragment[]): Fragment {
  return where.length === 0 ? sql`` : sql` WHERE ${join(where, ' AND ')}`;
}

/** The expression to compare and sort a column by: the column, or its text if the type has no order. */
export function comparable(dialect: Dialect, column: Column): string {
  const name = dialect.quoteName(column.name);
  return dialect.isComparable(column.type) ? name : dialect.asText(name, column);
}

function orderClause(
  dialect: Dialect,
  order: readonly OrderTerm[],
  tieBreakers: readonly TieBreaker[],
): string {
  const terms = order.map(({ column, descending }) =>
    dialect.orderTerm(dialect.sortKey(column).order, { descending, nullable: column.nullable }),
  );
  const all = [...terms, ...tieBreakers.map((term) => term.order)];
  return all.length === 0 ? '' : ` ORDER BY ${all.join(', ')}`;
}
