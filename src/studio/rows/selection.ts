import { cellEncoder, rowEncoder } from '../../model/json-cells.ts';
import { identityOf, rowIdMember } from '../../model/row-id.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, ColumnInfo, Table } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';

/** Cells over this many bytes are cut where previews are asked for. */
const previewLimitBytes = 4096;
const previewHeadLength = 1000;

/** Expressions, and the columns of the result in their order. */
export interface Selected {
  readonly expressions: readonly string[];
  readonly columns: readonly ColumnInfo[];
}

/** What is selected of a table, and how a row of it becomes a JSON object. */
export interface Selection extends Selected {
  encode(row: Row): string;
  /** Where in a row a column's value stands. */
  indexOf(column: string): number;
  /** Whether a cell of the row was cut. */
  isCut(row: Row): boolean;
}

const rowNumber = (name: string): Column => ({
  name,
  type: { kind: 'integer', bits: 64 },
  nativeType: 'INTEGER',
  nullable: false,
  dynamic: true,
  isRowNumber: true,
});

/** The hidden row number as a column, for tables that show or need it. */
export function rowNumberColumn(table: Table): Column | undefined {
  return table.rowIdColumn === undefined ? undefined : rowNumber(table.rowIdColumn);
}

const selections = new WeakMap<Table, Selection>();

/** Every column, and the row number where a row may need it for its address; made once for a table. */
export function selectAll(dialect: Dialect, table: Table): Selection {
  const selection = selections.get(table) ?? makeSelection(dialect, table);
  selections.set(table, selection);
  return selection;
}

function makeSelection(dialect: Dialect, table: Table): Selection {
  const number = numberToShow(table);
  const columns = number === undefined ? table.columns : [...table.columns, number];
  return {
    ...selectColumns(dialect, columns),
    encode: number === undefined ? rowEncoder(table.columns) : numberedEncoder(table, number),
    indexOf: (name) => columns.findIndex((column) => column.name === name),
    isCut: () => false,
  };
}

/** The columns, and behind them what shows the types of those that are computed. */
export function selectColumns(dialect: Dialect, columns: readonly Column[]): Selected {
  const expressions = columns.map((column) =>
    dialect.selectExpression(dialect.quoteName(column.name), column),
  );
  const computed = columns.filter((column, i) => expressions[i] !== dialect.quoteName(column.name));
  const witnesses = typeWitnesses(dialect, computed);
  return {
    expressions: [...expressions, ...witnesses],
    columns: [...columns, ...witnesses.map((_, i) => rowNumber(`type ${i}`))],
  };
}

function typeWitnesses(dialect: Dialect, columns: readonly Column[]): readonly string[] {
  return columns.flatMap(
    (column) => dialect.typeWitness(dialect.quoteName(column.name), column) ?? [],
  );
}

/** The row number is shown where it is the row's address: always, or where the key holds a NULL. */
function numberToShow(table: Table): Column | undefined {
  const number = rowNumberColumn(table);
  if (number === undefined) return undefined;
  return identityOf(table).kind === 'rowid' || table.nullableKey === true ? number : undefined;
}

/** The member of a table's JSON rows that carries the row number; undefined where none does. */
export function rowNumberMember(table: Table): string | undefined {
  const number = numberToShow(table);
  return number === undefined ? undefined : memberOf(table, number);
}

/** A column of that name keeps it: the number then goes by the name that reaches it in SQL. */
function memberOf(table: Table, number: Column): string {
  return table.columns.some((column) => column.name === rowIdMember) ? number.name : rowIdMember;
}

function numberedEncoder(table: Table, number: Column): (row: Row) => string {
  const shown = { ...number, name: memberOf(table, number) };
  const withNumber = rowEncoder([...table.columns, shown]);
  const identity = identityOf(table);
  if (identity.kind !== 'key') return withNumber;
  const plain = rowEncoder(table.columns);
  const keyIndexes = identity.columns.map((name) =>
    table.columns.findIndex((column) => column.name === name),
  );
  return (row) => (keyIndexes.some((i) => row[i] === null) ? withNumber(row) : plain(row));
}

/** Like `selectAll`, but values over the limit arrive cut; `keep` names columns that must come whole. */
export function selectPreview(
  dialect: Dialect,
  table: Table,
  keep: ReadonlySet<string>,
): Selection {
  const all = selectAll(dialect, table);
  const sizes: { readonly index: number; readonly sizeIndex: number }[] = [];
  const expressions = [...all.expressions];
  const cuttable: Column[] = [];
  table.columns.forEach((column, index) => {
    const name = dialect.quoteName(column.name);
    const preview = keep.has(column.name)
      ? undefined
      : dialect.preview(name, column, previewHeadLength);
    if (preview === undefined) return;
    const isLong = `${preview.bytes} > ${previewLimitBytes}`;
    if (expressions[index] === name) cuttable.push(column);
    sizes.push({ index, sizeIndex: expressions.length });
    expressions[index] = `CASE WHEN ${isLong} THEN ${preview.head} ELSE ${expressions[index]} END`;
    expressions.push(`CASE WHEN ${isLong} THEN ${preview.bytes} END`);
  });
  const isCut = (row: Row): boolean =>
    sizes.some(({ sizeIndex }) => (row[sizeIndex] ?? null) !== null);
  const number = numberToShow(table);
  const shown = number === undefined ? table.columns : [...table.columns, number];
  const witnesses = typeWitnesses(dialect, cuttable);
  const added = [...sizes, ...witnesses].map((_, i) => rowNumber(`size ${i}`));
  return {
    ...all,
    expressions: [...expressions, ...witnesses],
    columns: [...all.columns, ...added],
    isCut,
    encode: (row) => (isCut(row) ? encodeCut(shown, sizes, row) : all.encode(row)),
  };
}

type CutSizes = readonly { readonly index: number; readonly sizeIndex: number }[];

function encodeCut(columns: readonly Column[], sizes: CutSizes, row: Row): string {
  const encoders = columns.map(cellEncoder);
  const cut = new Map(sizes.map(({ index, sizeIndex }) => [index, row[sizeIndex] ?? null]));
  const members: string[] = [];
  columns.forEach((column, i) => {
    const size = cut.get(i) ?? null;
    const value = row[i] ?? null;
    const text = size === null ? encoders[i]!(value) : cutCell(value, size);
    members.push(`${JSON.stringify(column.name)}:${text}`);
  });
  return `{${members.join(',')}}`;
}

/** `head` is the text's beginning, or binary's in base64. */
function cutCell(head: Value, bytes: Value): string {
  const text =
    typeof head === 'object' && head !== null ? Buffer.from(head).toString('base64') : String(head);
  return `{"$cut":${String(bytes)},"head":${JSON.stringify(text)}}`;
}
