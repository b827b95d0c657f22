import { StudioError } from '../../model/errors.ts';
import { raw } from '../../model/fragment.ts';
import { identityOf, mayBeNull } from '../../model/row-id.ts';
import type { RowIdentity } from '../../model/row-id.ts';
import {
  aliveCondition,
  filterConditions,
  searchCondition,
  unknownColumn,
} from '../../sql/conditions.ts';
import { rowNumberColumn } from './selection.ts';
import type { FilterParameter } from '../../sql/conditions.ts';
import type { Dialect } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { TieBreaker } from '../../model/sort-key.ts';
import type { OrderTerm } from '../../sql/select.ts';

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
  readonly cursors: CursorKind;
  /** Columns that pages are ordered by and rows do not show. */
  readonly hidden: readonly Column[];
}

/**
 * What a cursor holds. `key`: the order values of a row, unique because they include a key.
 * `columns`: the values of all columns, and how many rows with these values were returned so far.
 * `position`: the number of rows before the page, which other clients' inserts and deletes shift.
 */
type CursorKind = 'key' | 'columns' | 'position';

/** Whether rows are known by their place in the table's file, which an update may change. */
export function isByLocation({ table, ranges }: PagePlan): boolean {
  const names = new Set(table.locators?.map(({ name }) => name));
  return ranges.some(({ order }) => order.some(({ column }) => names.has(column.name)));
}

export interface PageRange {
  readonly where: readonly Fragment[];
  readonly order: readonly OrderTerm[];
  /** Further terms of ORDER BY, where `order` does not tell all rows apart. */
  readonly distinguishing: readonly TieBreaker[];
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
  const { order, breakers } = totalOrder(dialect, table, query);
  const cursors = cursorKind(dialect, order, breakers);
  const whole = { where, order, distinguishing: breakers.distinguishing };
  const ranges = cursors === 'key' ? splitAtNull(dialect, whole) : [whole];
  const tables = source.through === undefined ? [table] : [table, source.through];
  const shown = new Set(table.columns.map(({ name }) => name));
  const hidden = order.map(({ column }) => column).filter(({ name }) => !shown.has(name));
  return { table, tables, where, ranges, cursors, hidden };
}

/** The condition of a cursor is nested once per term, and databases limit the depth. */
const maxTerms = 100;

function cursorKind(
  dialect: Dialect,
  order: readonly OrderTerm[],
  { areUnique, distinguishing }: TieBreakers,
): CursorKind {
  if (order.some(({ column }) => dialect.sortKey(column).cursor === undefined)) return 'position';
  if (areUnique) return 'key';
  return order.length + distinguishing.length > maxTerms ? 'position' : 'columns';
}

/**
 * NULLs sort last at no cost to the index: a nullable first column is read as two ranges, not
 * null, then null. (Where rows have no address both would be read in full: there the database sorts.)
 */
function splitAtNull(dialect: Dialect, whole: PageRange): readonly PageRange[] {
  const [first, ...rest] = whole.order;
  if (first === undefined || !first.column.nullable) return [whole];
  const { order } = dialect.sortKey(first.column);
  const filled = { ...first, column: { ...first.column, nullable: false } };
  const { where, distinguishing } = whole;
  return [
    { where: [...where, raw(`${order} IS NOT NULL`)], order: [filled, ...rest], distinguishing },
    { where: [...where, raw(`${order} IS NULL`)], order: rest, distinguishing },
  ];
}

interface TotalOrder {
  readonly order: readonly OrderTerm[];
  readonly breakers: TieBreakers;
}

/** The columns asked for, then what breaks ties in the direction of the last of them, so that one index can serve both. */
function totalOrder(
  dialect: Dialect,
  table: Table,
  { sort, keyDescending = false }: Pick<ListQuery, 'sort' | 'keyDescending'>,
): TotalOrder {
  const asked = sort.map(({ column, descending }) => ({
    column: columnOf(table, column),
    descending,
  }));
  const descending = asked.at(-1)?.descending ?? keyDescending;
  const breakers = tieBreakers(dialect, table);
  const order = uniqueTerms([
    ...asked,
    ...breakers.columns.map((column) => ({ column, descending })),
  ]);
  return { order: order.map(withPossibleNull), breakers };
}

/** A column by the collation of a key is another term than the column by its own. */
function uniqueTerms(terms: readonly OrderTerm[]): readonly OrderTerm[] {
  const seen = new Set<string>();
  return terms.filter(({ column: { name, keyCollation = '' } }) => {
    const key = `${name}\n${keyCollation}`;
    return !seen.has(key) && seen.add(key);
  });
}

function withPossibleNull(term: OrderTerm): OrderTerm {
  const { column } = term;
  return column.nullable || !mayBeNull(column)
    ? term
    : { ...term, column: { ...column, nullable: true } };
}

interface TieBreakers {
  readonly columns: readonly Column[];
  /** The columns tell every row from every other, and by each comparison that a cursor makes. */
  readonly areUnique: boolean;
  /** Further terms of ORDER BY that tell apart what the columns do not. */
  readonly distinguishing: readonly TieBreaker[];
}

/**
 * The key; what else the database has that identifies a row; else all columns, so that rows that
 * still tie are alike in everything and it does not matter which comes first.
 */
function tieBreakers(dialect: Dialect, table: Table): TieBreakers {
  const { columns, isUnique } = keyColumns(table);
  if (isUnique)
    return { columns, areUnique: true, distinguishing: dialect.keyTieBreakers(columns) };
  const { locators } = table;
  if (locators !== undefined)
    return { columns: [...columns, ...locators], areUnique: true, distinguishing: [] };
  const isOrdered = ({ type }: Column): boolean => dialect.isComparable(type);
  const others = table.columns.filter((column) => !isOrdered(column));
  return {
    columns: [...columns, ...table.columns.filter(isOrdered), ...others],
    areUnique: false,
    distinguishing: table.columns.flatMap((column) => dialect.sortKey(column).distinguishing),
  };
}

/** A key that may hold NULL needs the row number as well. */
function keyColumns(table: Table): {
  readonly columns: readonly Column[];
  readonly isUnique: boolean;
} {
  const identity = identityOf(table);
  const number = rowNumberColumn(table);
  const numbers = number === undefined ? [] : [number];
  if (identity.kind === 'none') return { columns: [], isUnique: false };
  if (identity.kind === 'rowid') return { columns: numbers, isUnique: number !== undefined };
  const columns = keyColumnsOf(table, identity);
  if (table.nullableKey !== true && identity.isUnique) return { columns, isUnique: true };
  return { columns: [...columns, ...numbers], isUnique: number !== undefined };
}

/** A key's columns, each with the collation by which the key compares it. */
export function keyColumnsOf(
  table: Table,
  { columns, collations }: Extract<RowIdentity, { kind: 'key' }>,
): readonly Column[] {
  return columns.map((name) => {
    // A column may be named `constructor`.
    const keyCollation = Object.hasOwn(collations, name) ? collations[name] : undefined;
    const column = columnOf(table, name);
    return keyCollation === undefined ? column : { ...column, keyCollation };
  });
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
