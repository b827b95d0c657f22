import type { Column, Table } from '../model/schema.ts';
import type { TextStyle } from '../portable/drawing/drawing.ts';
import { truncate } from './measure.ts';
import type { Measure } from './measure.ts';
import { printable } from '../portable/drawing/printable.ts';
import { visibleNames } from './visible-names.ts';

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
  /** The number of blocks side by side that the rows with a `block` form. */
  readonly blocks: number;
  /** A note on columns that are not drawn, such as "2 more columns". */
  readonly hiddenColumnsNote?: string;
  /** Beside the table, in place of lines. */
  readonly labels: readonly LineLabel[];
}

export interface BoxRow {
  readonly column: Column;
  readonly name: string;
  readonly type: string;
  readonly markers: readonly Marker[];
  /** Vertical center of the row, relative to the table's top. */
  readonly y: number;
  /** The index of its block. Without one, the row is as wide as the table. */
  readonly block?: number;
}

/** The text at the end of a short line, in place of a line to the other table. */
export interface LineLabel {
  /** Whether the lines go to the other tables or come from them. */
  readonly direction: 'to' | 'from';
  readonly tables: readonly string[];
  readonly text: string;
  /** From the right edge of the table to the left edge of the label. */
  readonly x: number;
  /** Vertical center, relative to the table's top. */
  readonly y: number;
  readonly width: number;
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

/** Names that would be the same when cut to this width are wider (`visibleNames`). */
export const maxNameWidth = 280;
const maxTypeWidth = 170;
const minWidth = 132;

/** Tables with more rows have their other columns in several blocks, of at most so many rows. */
const maxRows = 50;
const maxBlockRows = 40;

/** Viewers may render an SVG with another font, whose text can be wider by this factor. */
const maxFontRatio = 1.06;

export interface BoxOptions {
  readonly columns: ShownColumns;
  readonly measure: Measure;
  /** The text of a table's name. */
  nameOf(table: Table): string;
  /** The columns of a table at which lines end. */
  endColumnsOf(table: Table): ReadonlySet<string>;
}

export function tableBox(table: Table, options: BoxOptions): TableBox {
  const { rows, blocks, lineCount: rowCount } = inBlocks(rowsOf(table, options));
  const markers = Math.max(1, ...rows.map((row) => row.markers.length));
  const markersWidth = markers * boxSizes.marker;
  const name = options.nameOf(table);
  const hiddenColumnsNote = hiddenColumnsNoteOf(table, rows.length);
  const lineCount = rowCount + (hiddenColumnsNote === undefined ? 0 : 1);
  const body = lineCount === 0 ? 0 : lineCount * boxSizes.row + 2 * boxSizes.pad;
  return {
    table,
    name,
    rows,
    markersWidth,
    blocks,
    width: widthOf({ name, rows, markersWidth, blocks, hiddenColumnsNote }, options.measure),
    height: boxSizes.head + body,
    labels: [],
    ...(hiddenColumnsNote === undefined || options.columns === 'none' ? {} : { hiddenColumnsNote }),
  };
}

/** The width of a table with the labels beside it. */
export function widthWithLabels({ width, labels }: TableBox): number {
  return Math.max(width, ...labels.map((label) => width + label.x + label.width));
}

/** The horizontal extent of a row, relative to the table. */
export function rowExtent(
  { width, blocks }: Pick<TableBox, 'width' | 'blocks'>,
  { block }: BoxRow,
): { readonly x: number; readonly width: number } {
  if (block === undefined) return { x: 0, width };
  const left = Math.round((block * width) / blocks);
  return { x: left, width: Math.round(((block + 1) * width) / blocks) - left };
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

/** A row without its place. */
interface RowTexts extends Omit<BoxRow, 'y' | 'block'> {
  readonly isEnd: boolean;
}

function rowsOf(table: Table, options: BoxOptions): readonly RowTexts[] {
  if (options.columns === 'none') return [];
  const endColumns = options.endColumnsOf(table);
  const rows = drawnColumns(table).map((column) => ({
    column,
    markers: markersOf(table, column),
    isEnd: endColumns.has(column.name),
  }));
  const shownRows =
    options.columns === 'all'
      ? rows
      : rows.filter(({ markers, isEnd }) => markers.length > 0 || isEnd);
  const { measure } = options;
  const space = { width: maxNameWidth, measure };
  const names = visibleNames(
    shownRows.map(({ column }) => column.name),
    boxStyles.keyColumn,
    space,
  );
  return shownRows.map((row) => {
    const type = truncate(printable(row.column.nativeType), boxStyles.type, {
      width: maxTypeWidth,
      measure,
    });
    return {
      ...row,
      name: names.get(row.column.name) ?? '',
      type: row.column.nullable ? `${type}?` : type,
    };
  });
}

/**
 * Places the rows, one below the other. In a table of many columns, those at which lines end or that are keys come
 * first, since lines can only meet the table's edges, and the others follow in blocks side by side.
 */
function inBlocks(rows: readonly RowTexts[]): Pick<TableBox, 'rows' | 'blocks'> & {
  readonly lineCount: number;
} {
  const isFirst = ({ markers, isEnd }: RowTexts): boolean => markers.length > 0 || isEnd;
  const first = rows.length > maxRows ? rows.filter(isFirst) : rows;
  const others = rows.length > maxRows ? rows.filter((row) => !isFirst(row)) : [];
  const blocks = Math.max(1, Math.ceil(others.length / maxBlockRows));
  const blockRows = Math.ceil(others.length / blocks);
  return {
    blocks,
    lineCount: first.length + blockRows,
    rows: [
      ...first.map((row, i) => placed(row, i)),
      ...others.map((row, i) => ({
        ...placed(row, first.length + (i % blockRows)),
        ...(blocks === 1 ? {} : { block: Math.floor(i / blockRows) }),
      })),
    ],
  };
}

function placed({ column, name, type, markers }: RowTexts, line: number): BoxRow {
  return {
    column,
    name,
    type,
    markers,
    y: boxSizes.head + boxSizes.pad + (line + 0.5) * boxSizes.row,
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

function widthOf(
  box: Pick<TableBox, 'name' | 'rows' | 'markersWidth' | 'blocks'> & {
    readonly hiddenColumnsNote: string | undefined;
  },
  measure: Measure,
): number {
  const { inset, gap, headIcon } = boxSizes;
  const head = headIcon + measure(box.name, boxStyles.name) * maxFontRatio;
  const note =
    box.hiddenColumnsNote === undefined
      ? 0
      : box.markersWidth + measure(box.hiddenColumnsNote, boxStyles.column) * maxFontRatio;
  const rows = box.rows.map(({ name, type, markers, block }) => {
    const style = markers[0] === 'primary' ? boxStyles.keyColumn : boxStyles.column;
    const texts = measure(name, style) + measure(type, boxStyles.type);
    const width = box.markersWidth + texts * maxFontRatio + (type === '' ? 0 : gap) + 2 * inset;
    return block === undefined ? width : width * box.blocks;
  });
  return Math.ceil(Math.max(minWidth, head + 2 * inset, note + 2 * inset, ...rows));
}
