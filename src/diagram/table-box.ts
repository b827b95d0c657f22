import type { Column, Table } from '../model/schema.ts';
import type { TextStyle } from '../portable/drawing/drawing.ts';
import { truncate } from './measure.ts';
import type { Measure } from './measure.ts';
import { printable } from '../portable/drawing/printable.ts';

/** The columns that are drawn. */
export type ShownColumns = 'all' | 'keys' | 'none';

/** The size and the texts of a table in the drawing. */
export interface TableBox {
  readonly table: Table;
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly rows: readonly BoxRow[];
  /** Width of the marker icons in front of the column names. */
  readonly markersWidth: number;
  /** A note on columns that are not drawn, such as "2 more columns". */
  readonly hiddenColumnsNote?: string;
}

export interface BoxRow {
  readonly column: Column;
  readonly name: string;
  readonly type: string;
  readonly markers: readonly Marker[];
  /** Vertical center of the row, relative to the table's top. */
  readonly y: number;
}

export type Marker = 'primary' | 'foreign' | 'unique';

/** Sizes within a table's box, in pixels. */
export const boxSizes = {
  head: 32,
  row: 24,
  /** Below the header and at the bottom. */
  pad: 4,
  inset: 10,
  marker: 17,
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

/** Viewers may render an SVG with another font, whose text can be wider by this factor. */
const maxFontRatio = 1.06;

export interface BoxOptions {
  readonly columns: ShownColumns;
  readonly measure: Measure;
}

export function tableBox(table: Table, options: BoxOptions): TableBox {
  const rows = rowsOf(table, options);
  const markers = Math.max(1, ...rows.map((row) => row.markers.length));
  const markersWidth = markers * boxSizes.marker;
  const name = truncate(printable(table.name), boxStyles.name, {
    width: maxNameWidth,
    measure: options.measure,
  });
  const hiddenColumnsNote = hiddenColumnsNoteOf(table, rows.length);
  const lines = rows.length + (hiddenColumnsNote === undefined ? 0 : 1);
  const body = lines === 0 ? 0 : lines * boxSizes.row + 2 * boxSizes.pad;
  return {
    table,
    name,
    rows,
    markersWidth,
    width: widthOf({ name, rows, markersWidth }, options.measure),
    height: boxSizes.head + body,
    ...(hiddenColumnsNote === undefined || options.columns === 'none' ? {} : { hiddenColumnsNote }),
  };
}

function hiddenColumnsNoteOf(table: Table, shownCount: number): string | undefined {
  const hiddenCount = drawnColumns(table).length - shownCount;
  if (hiddenCount === 0 || shownCount === 0) return undefined;
  return hiddenCount === 1 ? '1 more column' : `${hiddenCount} more columns`;
}

/** Omits the implicit row id column. */
function drawnColumns(table: Table): readonly Column[] {
  return table.columns.filter((column) => column.isRowNumber !== true);
}

function rowsOf(table: Table, options: BoxOptions): readonly BoxRow[] {
  if (options.columns === 'none') return [];
  const rows = drawnColumns(table).map((column) => ({ column, markers: markersOf(table, column) }));
  const shownRows =
    options.columns === 'all' ? rows : rows.filter(({ markers }) => markers.length > 0);
  return shownRows.map(({ column, markers }, i) => ({
    column,
    markers,
    ...textsOf(column, { isKey: markers[0] === 'primary', measure: options.measure }),
    y: boxSizes.head + boxSizes.pad + (i + 0.5) * boxSizes.row,
  }));
}

interface TextOptions {
  readonly isKey: boolean;
  readonly measure: Measure;
}

function textsOf(column: Column, { isKey, measure }: TextOptions): Pick<BoxRow, 'name' | 'type'> {
  const style = isKey ? boxStyles.keyColumn : boxStyles.column;
  const type = truncate(printable(column.nativeType), boxStyles.type, {
    width: maxTypeWidth,
    measure,
  });
  return {
    name: truncate(printable(column.name), style, { width: maxNameWidth, measure }),
    type: column.nullable ? `${type}?` : type,
  };
}

function markersOf(table: Table, { name }: Column): readonly Marker[] {
  const isPrimary = table.primaryKey?.columns.includes(name) === true;
  const isForeign = table.foreignKeys.some((key) => key.columns.includes(name));
  const markers = [
    isPrimary && 'primary',
    isForeign && 'foreign',
    isUnique(table, name) && 'unique',
  ];
  return markers.filter((marker) => marker !== false) as Marker[];
}

/** Whether the column alone has a unique index without a condition. The primary key does not count. */
function isUnique(table: Table, column: string): boolean {
  const key = table.primaryKey?.columns;
  if (key?.length === 1 && key[0] === column) return false;
  return table.indexes.some(
    ({ unique, where, parts }) =>
      unique && where === undefined && parts.length === 1 && parts[0]?.column === column,
  );
}

function widthOf(box: Pick<TableBox, 'name' | 'rows' | 'markersWidth'>, measure: Measure): number {
  const { inset, gap, headIcon } = boxSizes;
  const head = headIcon + measure(box.name, boxStyles.name) * maxFontRatio;
  const rows = box.rows.map(({ name, type, markers }) => {
    const style = markers[0] === 'primary' ? boxStyles.keyColumn : boxStyles.column;
    const texts = measure(name, style) + measure(type, boxStyles.type);
    return box.markersWidth + texts * maxFontRatio + (type === '' ? 0 : gap);
  });
  return Math.ceil(Math.max(minWidth, head + 2 * inset, ...rows.map((row) => row + 2 * inset)));
}
