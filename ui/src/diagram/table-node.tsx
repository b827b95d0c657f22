import { Link } from '@tanstack/react-router';
import { Handle, Position } from '@xyflow/react';
import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { JSX } from 'react';
import { printable } from '../../../src/portable/drawing/printable.ts';
import { Icon } from '../parts/icon.tsx';
import { toneStyle } from './tone-style.ts';
import { useEmphasis } from './emphasis.ts';
import type { Emphasis } from './emphasis.ts';
import type { TableNodeType } from './flow-elements.ts';
import type { PlacedTable } from './layout.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

/** A table of the diagram. At small zoom only its name, as large as possible. */
export const TableNode = memo(function TableNode({ data }: NodeProps<TableNodeType>): JSX.Element {
  const emphasis = useEmphasis();
  const { table, color, colors } = data;
  const classes = `node ${table.kind === 'table' ? '' : 'view'} ${emphasisClass(table.name, emphasis)} ${color === undefined ? '' : 'toned'}`;
  const tone = color === undefined ? {} : toneStyle(color);
  if (emphasis.isZoomedOut)
    return (
      <div
        className={`${classes} far`}
        title={table.name}
        style={{ fontSize: zoomedOutFontSize(table), ...tone }}
      >
        <span>{table.title}</span>
        <EdgeEnds />
      </div>
    );
  return (
    <div className={classes} style={tone}>
      <Head table={table} count={emphasis.counts.get(table.name) ?? ''} />
      <Columns table={table} found={table.name === emphasis.around ? emphasis.column : undefined} />
      {table.labels.map((label, i) => (
        <LineLabel key={i} label={label} tableWidth={table.width} colors={colors} />
      ))}
      <EdgeEnds />
    </div>
  );
});

/** The font size in pixels at which the name fits on one line, within limits. */
function zoomedOutFontSize({ title, width }: PlacedTable): number {
  return Math.max(15, Math.min(30, (1.55 * width) / title.length));
}

/** Space in the head that the name does not have: padding and icon. */
const headInset = 42;
const titleSize = 13;

/** The server measures names in the font of exports. Where the page's font is wider, the name is smaller, never cut. */
function titleFontSize({ title, width }: PlacedTable): number {
  return Math.min(titleSize, (titleSize * (width - headInset)) / textWidth(title));
}

const textWidths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** The width of a name in the page's font. */
function textWidth(text: string): number {
  const known = textWidths.get(text);
  if (known !== undefined) return known;
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  context.font = `600 ${titleSize}px ${getComputedStyle(document.body).fontFamily}`;
  const { width } = context.measureText(text);
  textWidths.set(text, Math.max(1, width));
  return Math.max(1, width);
}

/** Invisible handles, which xyflow requires at the ends of an edge. */
function EdgeEnds(): JSX.Element {
  return (
    <>
      <Handle type="source" position={Position.Right} isConnectable={false} className="edge-end" />
      <Handle type="target" position={Position.Left} isConnectable={false} className="edge-end" />
    </>
  );
}

function emphasisClass(name: string, { around, neighborhood }: Emphasis): string {
  if (name === around) return 'foc';
  return neighborhood?.has(name) === false ? 'dim' : '';
}

function Head({ table, count }: { readonly table: PlacedTable; readonly count: string }) {
  const { name, title, kind } = table;
  return (
    <div className="nh">
      <Icon name={kind === 'table' ? 'table' : 'view'} size="xs" />
      <Link
        to="/tables/$table"
        params={{ table: name }}
        className="b"
        style={{ fontSize: titleFontSize(table) }}
        title={texts.open({ table: name })}
        draggable={false}
      >
        {title}
      </Link>
      <span className="t3 num end">{count}</span>
    </div>
  );
}

interface ColumnsProps {
  readonly table: PlacedTable;
  /** The name of the column that the search found. */
  readonly found: string | undefined;
}

function Columns({ table, found }: ColumnsProps): JSX.Element | null {
  const { columns, columns_left_out: hiddenColumns } = table;
  if (columns.length === 0) return null;
  const isInBlocks = columns.some(({ x }) => x > 0);
  return (
    <div className={isInBlocks ? 'ncs blocks' : 'ncs'}>
      {columns.map((column) => (
        <ColumnRow
          key={column.name}
          column={column}
          isPlaced={isInBlocks}
          isFound={column.name === found}
        />
      ))}
      {hiddenColumns > 0 && (
        <div className="nc note t3">
          <span />
          <span>{texts.moreColumns({ count: hiddenColumns })}</span>
        </div>
      )}
    </div>
  );
}

interface ColumnRowProps {
  readonly column: PlacedTable['columns'][number];
  /** Whether the row is at the coordinates of the layout, since rows are side by side. */
  readonly isPlaced: boolean;
  readonly isFound: boolean;
}

const rowHeight = 24;

function ColumnRow({ column, isPlaced, isFound }: ColumnRowProps): JSX.Element {
  const { name, title, type, x, y, width, is_nullable: isNullable, is_primary_key: isKey } = column;
  const icon = isKey ? 'key' : column.is_foreign_key ? 'link' : undefined;
  return (
    <div
      className={isFound ? 'nc found' : 'nc'}
      title={`${name} ${type}`}
      style={isPlaced ? { left: x, top: y - rowHeight / 2, width } : undefined}
    >
      <span className={isKey ? 'pk' : ''}>
        {icon !== undefined && <Icon name={icon} size="xs" />}
      </span>
      <span className={isKey ? 'm' : ''}>{title}</span>
      <span className="t3 mono cut">
        {printable(type)}
        {isNullable ? '?' : ''}
      </span>
    </div>
  );
}

interface LineLabelProps {
  readonly label: PlacedTable['labels'][number];
  readonly tableWidth: number;
  readonly colors: TableNodeType['data']['colors'];
}

/** Names the other tables in place of lines. If there is one, a click goes to it. */
function LineLabel({ label, tableWidth, colors }: LineLabelProps): JSX.Element {
  const { direction, tables, text, x, y, width } = label;
  // A relation draws its line itself; the label of a table that others reference belongs to none.
  const line = { '--line-length': `${x - tableWidth}px` };
  const classes = direction === 'from' ? 'line-label with-line' : 'line-label';
  const [target] = tables.length === 1 ? tables : [];
  const color = direction === 'to' && target !== undefined ? colors.get(target) : undefined;
  const style = {
    left: x,
    top: y,
    minWidth: width,
    ...line,
    ...(color === undefined ? {} : toneStyle(color)),
  };
  return target === undefined ? (
    <span className={classes} style={style} title={tables.join('\n')}>
      {text}
    </span>
  ) : (
    <button
      className={`${classes} nodrag`}
      style={style}
      title={texts.goTo({ table: target })}
      data-target={target}
    >
      {text}
    </button>
  );
}
