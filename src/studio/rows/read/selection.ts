import { cellEncoder, rowEncoder } from '../../../model/values/json-cells.ts';
import { identityOf, rowIdMember } from '../../../model/row-id.ts';
import type { Dialect } from '../../../model/database.ts';
import type { Column, ColumnInfo, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';

/** Previews truncate cells that have more bytes. */
const previewLimitBytes = 4096;
const previewHeadLength = 1000;

/** The expressions of a SELECT, and the columns of its result in the same order. */
export interface SelectedColumns {
  readonly expressions: readonly string[];
  readonly columns: readonly ColumnInfo[];
}

/** The selected columns of a table, and how its rows become JSON objects. */
export interface Selection extends SelectedColumns {
  encode(row: Row): string;
  /** The index of a column's value in a row. */
  indexOf(column: string): number;
  /** Whether a value of the row is truncated. */
  isTruncated(row: Row): boolean;
}

/** An integer column that the table does not list: its row number, or a column that the query adds. */
const hiddenColumn = (name: string): Column => ({
  name,
  type: { kind: 'integer', bits: 64 },
  nativeType: 'INTEGER',
  nullable: false,
  dynamic: true,
  isRowNumber: true,
});

/** The hidden row number (SQLite's rowid) as a column. Undefined for tables without one. */
export function rowNumberColumn(table: Table): Column | undefined {
  return table.rowIdColumn === undefined ? undefined : hiddenColumn(table.rowIdColumn);
}

const selections = new WeakMap<Table, Selection>();

/** All columns, and the row number if rows may need it for their ids. Cached for each table. */
export function selectAll(dialect: Dialect, table: Table): Selection {
  const selection = selections.get(table) ?? makeSelection(dialect, table);
  selections.set(table, selection);
  return selection;
}

function makeSelection(dialect: Dialect, table: Table): Selection {
  const number = shownRowNumber(table);
  const columns = number === undefined ? table.columns : [...table.columns, number];
  return {
    ...selectColumns(dialect, columns),
    encode: number === undefined ? rowEncoder(table.columns) : numberedEncoder(table, number),
    indexOf: (name) => columns.findIndex((column) => column.name === name),
    isTruncated: () => false,
  };
}

/**
 * Selects columns. The result has the types of columns, but not of expressions, so a typed NULL follows for each
 * column that is selected as an expression.
 */
export function selectColumns(dialect: Dialect, columns: readonly Column[]): SelectedColumns {
  const expressions = columns.map((column) =>
    dialect.selectExpression(dialect.quoteName(column.name), column),
  );
  const computed = columns.filter((column, i) => expressions[i] !== dialect.quoteName(column.name));
  const typeSelections = typedNulls(dialect, computed);
  return {
    expressions: [...expressions, ...typeSelections],
    columns: [...columns, ...typeSelections.map((_, i) => hiddenColumn(`type ${i}`))],
  };
}

function typedNulls(dialect: Dialect, columns: readonly Column[]): readonly string[] {
  return columns.flatMap(
    (column) => dialect.typedNull(dialect.quoteName(column.name), column) ?? [],
  );
}

/** The row number if it can be a row's id: if the table has no key, or if the key may contain NULL. */
function shownRowNumber(table: Table): Column | undefined {
  const number = rowNumberColumn(table);
  if (number === undefined) return undefined;
  return identityOf(table).kind === 'rowid' || table.nullableKey === true ? number : undefined;
}

/** The member of a table's JSON rows that contains the row number. Undefined if there is none. */
export function rowNumberMember(table: Table): string | undefined {
  const number = shownRowNumber(table);
  return number === undefined ? undefined : rowNumberMemberName(table, number);
}

/** If a column has the usual name of the member, the row number has the name by which SQL can select it. */
function rowNumberMemberName(table: Table, number: Column): string {
  return table.columns.some((column) => column.name === rowIdMember) ? number.name : rowIdMember;
}

function numberedEncoder(table: Table, number: Column): (row: Row) => string {
  const shownNumber = { ...number, name: rowNumberMemberName(table, number) };
  const withNumber = rowEncoder([...table.columns, shownNumber]);
  const identity = identityOf(table);
  if (identity.kind !== 'key') return withNumber;
  const encodeRow = rowEncoder(table.columns);
  const keyIndexes = identity.columns.map((name) =>
    table.columns.findIndex((column) => column.name === name),
  );
  return (row) => (keyIndexes.some((i) => row[i] === null) ? withNumber(row) : encodeRow(row));
}

/** Like `selectAll`, but long values are truncated. `keep` has the names of columns that must not be. */
export function selectPreview(
  dialect: Dialect,
  table: Table,
  keep: ReadonlySet<string>,
): Selection {
  const all = selectAll(dialect, table);
  const sizes: { readonly index: number; readonly sizeIndex: number }[] = [];
  const expressions = [...all.expressions];
  const truncatedColumns: Column[] = [];
  table.columns.forEach((column, index) => {
    const name = dialect.quoteName(column.name);
    const preview = keep.has(column.name)
      ? undefined
      : dialect.preview(name, column, previewHeadLength);
    if (preview === undefined) return;
    const isLong = `${preview.bytes} > ${previewLimitBytes}`;
    if (expressions[index] === name) truncatedColumns.push(column);
    sizes.push({ index, sizeIndex: expressions.length });
    expressions[index] = `CASE WHEN ${isLong} THEN ${preview.head} ELSE ${expressions[index]} END`;
    expressions.push(`CASE WHEN ${isLong} THEN ${preview.bytes} END`);
  });
  const isTruncated = (row: Row): boolean =>
    sizes.some(({ sizeIndex }) => (row[sizeIndex] ?? null) !== null);
  const number = shownRowNumber(table);
  const shownColumns = number === undefined ? table.columns : [...table.columns, number];
  const typeSelections = typedNulls(dialect, truncatedColumns);
  const addedColumns = [...sizes, ...typeSelections].map((_, i) => hiddenColumn(`size ${i}`));
  return {
    ...all,
    expressions: [...expressions, ...typeSelections],
    columns: [...all.columns, ...addedColumns],
    isTruncated,
    encode: (row) =>
      isTruncated(row) ? encodeTruncated(shownColumns, sizes, row) : all.encode(row),
  };
}

type CellSizes = readonly { readonly index: number; readonly sizeIndex: number }[];

function encodeTruncated(columns: readonly Column[], sizes: CellSizes, row: Row): string {
  const encoders = columns.map(cellEncoder);
  const sizesByIndex = new Map(
    sizes.map(({ index, sizeIndex }) => [index, row[sizeIndex] ?? null]),
  );
  const members: string[] = [];
  columns.forEach((column, i) => {
    const size = sizesByIndex.get(i) ?? null;
    const value = row[i] ?? null;
    const text = size === null ? encoders[i]!(value) : encodeTruncatedCell(value, size);
    members.push(`${JSON.stringify(column.name)}:${text}`);
  });
  return `{${members.join(',')}}`;
}

/** `head` is the beginning of the text, or of binary data in base64. */
function encodeTruncatedCell(head: Value, bytes: Value): string {
  const text =
    typeof head === 'object' && head !== null ? Buffer.from(head).toString('base64') : String(head);
  return `{"$cut":${String(bytes)},"head":${JSON.stringify(text)}}`;
}
