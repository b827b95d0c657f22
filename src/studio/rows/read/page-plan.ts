import { StudioError } from '../../../model/errors.ts';
import { raw } from '../../../model/fragment.ts';
import { identityOf, mayBeNull } from '../../../model/row-id.ts';
import type { RowIdentity } from '../../../model/row-id.ts';
import {
  notDeletedCondition,
  filterConditions,
  searchCondition,
  unknownColumn,
} from '../../../sql/conditions.ts';
import { rowNumberColumn } from './selection.ts';
import type { Filter } from '../../../sql/conditions.ts';
import type { Dialect } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { TieBreaker } from '../../../model/sort-key.ts';
import type { OrderTerm } from '../../../sql/select.ts';

/** The parsed parameters of a row list. `page` and `pageSize` are within their limits. */
export interface ListQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly { readonly column: string; readonly descending: boolean }[];
  /** Direction of the key where `sort` is empty; otherwise the key follows the last sort column. */
  readonly keyDescending?: boolean;
  readonly search?: string;
  readonly showDeleted: boolean;
  readonly filters: readonly Filter[];
  readonly cursor?: string;
  readonly count: 'auto' | 'exact' | 'estimated' | 'none';
  readonly etags: boolean;
  readonly labels: boolean;
  readonly cells: 'full' | 'preview';
}

/** The rows of a table that meet the caller's conditions, for example those of a relation. */
export interface ListSource {
  readonly table: Table;
  /** The join table that the conditions use. */
  readonly through?: Table;
  readonly where: readonly Fragment[];
}

/** A row list in total order, as ranges that are read one after the other. */
export interface PagePlan {
  readonly table: Table;
  /** All tables that the list reads. */
  readonly tables: readonly Table[];
  /** The conditions that all ranges share. The total counts the rows that meet them. */
  readonly where: readonly Fragment[];
  readonly ranges: readonly PageRange[];
  readonly cursors: CursorKind;
  /** Columns that pages are ordered by but rows do not contain. */
  readonly hidden: readonly Column[];
}

/**
 * What a cursor holds. `key`: the order values of a row, unique because they include a key.
 * `columns`: the values of all columns, and how many rows with these values were returned so far.
 * `position`: the number of rows before the page, which other clients' inserts and deletes shift.
 */
type CursorKind = 'key' | 'columns' | 'position';

/** Whether the order depends on the rows' physical location (PostgreSQL's `ctid`), which an update may change. */
export function isOrderedByLocation({ table, ranges }: PagePlan): boolean {
  const names = new Set(table.locators?.map(({ name }) => name));
  return ranges.some(({ order }) => order.some(({ column }) => names.has(column.name)));
}

export interface PageRange {
  readonly where: readonly Fragment[];
  readonly order: readonly OrderTerm[];
  /** Further terms of ORDER BY if `order` does not distinguish all rows. */
  readonly tieBreakers: readonly TieBreaker[];
}

export function planPage(dialect: Dialect, source: ListSource, query: ListQuery): PagePlan {
  const { table } = source;
  const where = [
    ...source.where,
    ...(query.showDeleted ? [] : notDeletedCondition(dialect, table)),
    ...filterConditions(dialect, table, query.filters),
    ...(query.search === undefined || query.search === ''
      ? []
      : [searchCondition(dialect, table, query.search)]),
  ];
  const { order, breakers } = totalOrder(dialect, table, query);
  const cursors = cursorKind(dialect, order, breakers);
  const allRows = { where, order, tieBreakers: breakers.tieBreakers };
  const ranges = cursors === 'key' ? splitAtNull(dialect, allRows) : [allRows];
  const tables = source.through === undefined ? [table] : [table, source.through];
  const shownColumns = new Set(table.columns.map(({ name }) => name));
  const hidden = order.map(({ column }) => column).filter(({ name }) => !shownColumns.has(name));
  return { table, tables, where, ranges, cursors, hidden };
}

/** The condition of a cursor is nested once per term, and databases limit the depth of expressions. */
const maxTerms = 100;

function cursorKind(
  dialect: Dialect,
  order: readonly OrderTerm[],
  { areUnique, tieBreakers }: TieBreakers,
): CursorKind {
  if (order.some(({ column }) => dialect.sortKey(column).cursor === undefined)) return 'position';
  if (areUnique) return 'key';
  return order.length + tieBreakers.length > maxTerms ? 'position' : 'columns';
}

/**
 * Reads a nullable first column as two ranges, first without and then with NULL. NULLs thus sort last
 * and an index on the column can still be used. Only for `key` cursors: without a unique key the
 * database would sort both ranges in full.
 */
function splitAtNull(dialect: Dialect, allRows: PageRange): readonly PageRange[] {
  const [first, ...rest] = allRows.order;
  if (first === undefined || !first.column.nullable) return [allRows];
  const { order } = dialect.sortKey(first.column);
  const notNull = { ...first, column: { ...first.column, nullable: false } };
  const { where, tieBreakers } = allRows;
  return [
    { where: [...where, raw(`${order} IS NOT NULL`)], order: [notNull, ...rest], tieBreakers },
    { where: [...where, raw(`${order} IS NULL`)], order: rest, tieBreakers },
  ];
}

interface TotalOrder {
  readonly order: readonly OrderTerm[];
  readonly breakers: TieBreakers;
}

/** The requested columns, then the tie breakers in the direction of the last of them, so that one index can serve both. */
function totalOrder(
  dialect: Dialect,
  table: Table,
  { sort, keyDescending = false }: Pick<ListQuery, 'sort' | 'keyDescending'>,
): TotalOrder {
  const requested = sort.map(({ column, descending }) => ({
    column: columnOf(table, column),
    descending,
  }));
  const descending = requested.at(-1)?.descending ?? keyDescending;
  const breakers = tieBreakersOf(dialect, table);
  const order = uniqueTerms([
    ...requested,
    ...breakers.columns.map((column) => ({ column, descending })),
  ]);
  return { order: order.map(withPossibleNull), breakers };
}

/** Removes repeated terms. The same column with another collation is another term. */
function uniqueTerms(terms: readonly OrderTerm[]): readonly OrderTerm[] {
  const seenColumns = new Set<string>();
  return terms.filter(({ column: { name, keyCollation = '' } }) => {
    const key = `${name}\n${keyCollation}`;
    return !seenColumns.has(key) && seenColumns.add(key);
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
  /** Whether the columns distinguish every two rows, in every comparison that a cursor makes. */
  readonly areUnique: boolean;
  /** Further terms of ORDER BY that distinguish rows with equal columns. */
  readonly tieBreakers: readonly TieBreaker[];
}

/**
 * The key; without one, the database's own row identifiers; without these, all columns. Rows that then
 * still tie are identical, so their order does not matter.
 */
function tieBreakersOf(dialect: Dialect, table: Table): TieBreakers {
  const { columns, isUnique } = keyColumns(table);
  if (isUnique) return { columns, areUnique: true, tieBreakers: dialect.keyTieBreakers(columns) };
  const { locators } = table;
  if (locators !== undefined)
    return { columns: [...columns, ...locators], areUnique: true, tieBreakers: [] };
  const isOrdered = ({ type }: Column): boolean => dialect.isComparable(type);
  const unorderedColumns = table.columns.filter((column) => !isOrdered(column));
  return {
    columns: [...columns, ...table.columns.filter(isOrdered), ...unorderedColumns],
    areUnique: false,
    tieBreakers: table.columns.flatMap((column) => dialect.sortKey(column).tieBreakers),
  };
}

/** The key's columns, and the row number if the key may contain NULL and is then not unique. */
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

/** The columns of a key, each with the collation of the key's index. */
export function keyColumnsOf(
  table: Table,
  { columns, collations }: Extract<RowIdentity, { kind: 'key' }>,
): readonly Column[] {
  return columns.map((name) => {
    // A column may have the name of an inherited property, such as `constructor`.
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

/** Fails for a page whose offset is too large for an exact number. */
export function offsetOf(query: ListQuery): number {
  const offset = (query.page - 1) * query.pageSize;
  if (Number.isSafeInteger(offset)) return offset;
  throw new StudioError(
    'invalid_parameter',
    `page ${query.page} is too large: page times page_size must be less than 2^53.`,
  );
}
