import type { Column, Table } from '../model/schema.ts';
import type { TextStyle } from './drawing.ts';
import { fit } from './measure.ts';
import type { Measure } from './measure.ts';
import { printable } from './printable.ts';

/** Which columns are drawn. */
export type ShownColumns = 'all' | 'keys' | 'none';

/** A table as it will be drawn: its size, and what is written where in it. */
export interface TableBox {
  readonly table: Table;
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly rows: readonly BoxRow[];
  /** Room for the marks before the names. */
  readonly marksWidth: number;
  /** What is said of the columns that are not drawn. */
  readonly rest?: string;
}

export interface BoxRow {
  readonly column: Column;
  readonly name: string;
  readonly type: string;
  readonly marks: readonly Mark[];
  /** Of its middle, from the table's top. */
  readonly y: number;
}

export type Mark = 'primary' | 'foreign' | 'unique';

/** Sizes within a table's box, in pixels. */
export const boxSizes = {
  head: 32,
  row: 24,
  /** Below the head, and at the foot. */
  pad: 4,
  inset: 10,
  mark: 17,
  gap: 20,
  headIcon: 21,
} as const;

export const boxStyles = {
  name: { face: 'bold', size: 13 },
  column: { face: 'text', size: 12.5 },
  keyColumn: { face: 'bold', size: 12.5 },
  type: { face: 'mono', size: 10.5 },
} as const satisfies Record<string, TextStyle>;

const maxNameWidth = 280;
const maxTypeWidth = 170;
const minWidth = 132;

/** Where an SVG is shown in another typeface, it may be this much wider. */
const slack = 1.06;

export interface BoxOptions {
  readonly columns: ShownColumns;
  readonly measure: Measure;
}

export function tableBox(table: Table, options: BoxOptions): TableBox {
  const rows = rowsOf(table, options);
  const marks = Math.max(1, ...rows.map((row) => row.marks.length));
  const marksWidth = marks * boxSizes.mark;
  const name = fit(printable(table.name), boxStyles.name, {
    width: maxNameWidth,
    measure: options.measure,
  });
  const rest = restOf(table, rows.length);
  const lines = rows.length + (rest === undefined ? 0 : 1);
  const body = lines === 0 ? 0 : lines * boxSizes.row + 2 * boxSizes.pad;
  return {
    table,
    name,
    rows,
    marksWidth,
    width: widthOf({ name, rows, marksWidth }, options.measure),
    height: boxSizes.head + body,
    ...(rest === undefined || options.columns === 'none' ? {} : { rest }),
  };
}

function restOf(table: Table, shown: number): string | undefined {
  const left = drawnColumns(table).length - shown;
  if (left === 0 || shown === 0) return undefined;
  return left === 1 ? '1 more column' : `${left} more columns`;
}

/** All but the database's own number of the row. */
function drawnColumns(table: Table): readonly Column[] {
  return table.columns.filter((column) => column.isRowNumber !== true);
}

function rowsOf(table: Table, options: BoxOptions): readonly BoxRow[] {
  if (options.columns === 'none') return [];
  const marked = drawnColumns(table).map((column) => ({ column, marks: marksOf(table, column) }));
  const shown = options.columns === 'all' ? marked : marked.filter(({ marks }) => marks.length > 0);
  return shown.map(({ column, marks }, i) => ({
    column,
    marks,
    ...textsOf(column, { isKey: marks[0] === 'primary', measure: options.measure }),
    y: boxSizes.head + boxSizes.pad + (i + 0.5) * boxSizes.row,
  }));
}

interface TextOptions {
  readonly isKey: boolean;
  readonly measure: Measure;
}

function textsOf(column: Column, { isKey, measure }: TextOptions): Pick<BoxRow, 'name' | 'type'> {
  const style = isKey ? boxStyles.keyColumn : boxStyles.column;
  const type = fit(printable(column.nativeType), boxStyles.type, { width: maxTypeWidth, measure });
  return {
    name: fit(printable(column.name), style, { width: maxNameWidth, measure }),
    type: column.nullable ? `${type}?` : type,
  };
}

function marksOf(table: Table, { name }: Column): readonly Mark[] {
  const isPrimary = table.primaryKey?.columns.includes(name) === true;
  const isForeign = table.foreignKeys.some((key) => key.columns.includes(name));
  const marks = [isPrimary && 'primary', isForeign && 'foreign', isUnique(table, name) && 'unique'];
  return marks.filter((mark) => mark !== false) as Mark[];
}

/** By itself, over all rows, and not only for being the primary key. */
function isUnique(table: Table, column: string): boolean {
  const key = table.primaryKey?.columns;
  if (key?.length === 1 && key[0] === column) return false;
  return table.indexes.some(
    ({ unique, where, parts }) =>
      unique && where === undefined && parts.length === 1 && parts[0]?.column === column,
  );
}

function widthOf(box: Pick<TableBox, 'name' | 'rows' | 'marksWidth'>, measure: Measure): number {
  const { inset, gap, headIcon } = boxSizes;
  const head = headIcon + measure(box.name, boxStyles.name) * slack;
  const rows = box.rows.map(({ name, type, marks }) => {
    const style = marks[0] === 'primary' ? boxStyles.keyColumn : boxStyles.column;
    const texts = measure(name, style) + measure(type, boxStyles.type);
    return box.marksWidth + texts * slack + (type === '' ? 0 : gap);
  });
  return Math.ceil(Math.max(minWidth, head + 2 * inset, ...rows.map((row) => row + 2 * inset)));
}
