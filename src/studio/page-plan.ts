import { StudioError } from '../model/errors.ts';
import { raw } from '../model/fragment.ts';
import { identityOf } from '../model/row-id.ts';
import {
  aliveCondition,
  filterConditions,
  searchCondition,
  unknownColumn,
} from '../sql/conditions.ts';
import { rowNumberColumn } from './selection.ts';
import type { FilterParameter } from '../sql/conditions.ts';
import type { Dialect } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Column, Table } from '../model/schema.ts';
import type { OrderTerm } from '../sql/select.ts';

/** The row list's parameters, read and clamped. */
export interface ListQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly { readonly column: string; readonly descending: boolean }[];
  /** Direction of the key where `sort` is empty; otherwise the key follows the last sort column. */
  readonly keyDescending?: boolean;
  readonly search?: string;
  readonly showDeleted: boolean;
  readonly filters: readonly FilterParameter[];
  readonly cursor?: string;
  readonly count: 'auto' | 'exact' | 'estimated' | 'none';
  readonly etags: boolean;
  readonly labels: boolean;
  readonly cells: 'full' | 'preview';
}

/** Rows of a table under conditions of the caller's (a relation's, say). */
export interface RowSource {
  readonly table: Table;
  /** Another table that the conditions look into. */
  readonly through?: Table;
  readonly where: readonly Fragment[];
}

/** A list in total order, as ranges read one after the other. */
export interface PagePlan {
  readonly table: Table;
  /** All that are read. */
  readonly tables: readonly Table[];
  /** Conditions of all ranges together: what the total counts. */
  readonly where: readonly Fragment[];
  readonly ranges: readonly PageRange[];
  /** Whether a row's order values lead back to its place, so that a cursor may hold them. */
  readonly keyset: boolean;
}

export interface PageRange {
  readonly where: readonly Fragment[];
  readonly order: readonly OrderTerm[];
}

export function planPage(dialect: Dialect, source: RowSource, query: ListQuery): PagePlan {
  const { table } = source;
  const where = [
    ...source.where,
    ...(query.showDeleted ? [] : aliveCondition(dialect, table)),
    ...filterConditions(dialect, table, query.filters),
    ...(query.search === undefined || query.search === ''
      ? []
      : [searchCondition(dialect, table, query.search)]),
  ];
  const { order, addressable } = totalOrder(dialect, table, query);
  const keyset = addressable && order.every(({ column }) => dialect.isComparable(column.type));
  const ranges = keyset ? splitAtNull(dialect, { where, order }) : [{ where, order }];
  const tables = source.through === undefined ? [table] : [table, source.through];
  return { table, tables, where, ranges, keyset };
}

/**
 * NULLs sort last at no cost to the index: a nullable first column is read as two ranges, not
 * null, then null. (Where rows have no address both would be read in full: there the database sorts.)
 */
function splitAtNull(dialect: Dialect, whole: PageRange): readonly PageRange[] {
  const [first, ...rest] = whole.order;
  if (first === undefined || !first.column.nullable) return [whole];
  const name = dialect.quoteName(first.column.name);
  const filled = { ...first, column: { ...first.column, nullable: false } };
  return [
    { where: [...whole.where, raw(`${name} IS NOT NULL`)], order: [filled, ...rest] },
    { where: [...whole.where, raw(`${name} IS NULL`)], order: rest },
  ];
}

interface TotalOrder {
  readonly order: readonly OrderTerm[];
  readonly addressable: boolean;
}

/** The columns asked for, then the key in the direction of the last of them, so that one index can serve both. */
function totalOrder(
  dialect: Dialect,
  table: Table,
  { sort, keyDescending = false }: Pick<ListQuery, 'sort' | 'keyDescending'>,
): TotalOrder {
  const asked = uniqueTerms(
    sort.map(({ column, descending }) => ({ column: columnOf(table, column), descending })),
  );
  const descending = asked.at(-1)?.descending ?? keyDescending;
  const key = keyColumns(table);
  const breakers = key ?? table.columns.filter((column) => dialect.isComparable(column.type));
  const order = uniqueTerms([...asked, ...breakers.map((column) => ({ column, descending }))]);
  return { order, addressable: key !== undefined };
}

function uniqueTerms(terms: readonly OrderTerm[]): readonly OrderTerm[] {
  const seen = new Set<string>();
  return terms.filter(({ column }) => !seen.has(column.name) && seen.add(column.name));
}

/** The columns that tell every row from every other; a key that may hold NULL needs the row number as well. */
function keyColumns(table: Table): readonly Column[] | undefined {
  const identity = identityOf(table);
  const number = rowNumberColumn(table);
  if (identity.kind === 'none') return undefined;
  if (identity.kind === 'rowid') return number === undefined ? undefined : [number];
  const columns = identity.columns.map((name) => columnOf(table, name));
  return table.nullableKey === true && number !== undefined ? [...columns, number] : columns;
}

export function columnOf(table: Table, name: string): Column {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw unknownColumn(table, name);
  return column;
}

/** Paging stops where offsets stop being exact. */
export function offsetOf(query: ListQuery): number {
  const offset = (query.page - 1) * query.pageSize;
  if (Number.isSafeInteger(offset)) return offset;
  throw new StudioError(
    'invalid_parameter',
    `page ${query.page} is further than rows can be counted.`,
  );
}
