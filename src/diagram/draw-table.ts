import type { Column, Table } from '../model/schema.ts';
import type { Group, Shape, TextStyle, ToneNumber } from '../portable/drawing/drawing.ts';
import { iconShapes } from './icons.ts';
import type { Icon } from './icons.ts';
import { labelSizes, labelStyle } from './line-labels.ts';
import { printable, shortened } from '../portable/drawing/printable.ts';
import { stroke } from '../portable/drawing/route-shapes.ts';
import { boxSizes, boxStyles, rowExtent } from './table-box.ts';
import type { BoxRow, LineLabel, Marker } from './table-box.ts';
import type { PlacedBox } from './arrangement.ts';

/** Approximate cap height as a fraction of the font size. */
const capHeight = 0.72;

/** Returns the baseline that centers capital letters vertically on `middle`. */
export function baseline(middle: number, { size }: TextStyle): number {
  return middle + (capHeight * size) / 2;
}

const radius = 7;

/** `toneOf` returns the color of a table. */
export function drawTable(placedBox: PlacedBox, toneOf: (table: string) => ToneNumber): Group {
  const { box, x, y } = placedBox;
  const tone = toneOf(box.table.name);
  const { width, height, table } = box;
  return {
    kind: 'group',
    title: shortened(tableTitle(table)),
    table: table.name,
    shapes: [
      { kind: 'box', x, y, width, height, radius, fill: 'surface' },
      ...headShapes(placedBox, tone),
      ...box.rows.map((row) => drawRow(placedBox, row)),
      ...hiddenColumnsShapes(placedBox),
      {
        kind: 'box',
        x,
        y,
        width,
        height,
        radius,
        stroke: 'border',
        ...(table.kind === 'table' ? {} : { dashed: true }),
      },
      ...box.labels.map((label) => drawLabel(placedBox, label, toneOf)),
    ],
  };
}

function tableTitle({ name, kind, comment }: Table): string {
  const title = kind === 'table' ? name : `${name} (${kind.replace('_', ' ')})`;
  return comment === undefined || comment === '' ? title : `${title}\n${comment}`;
}

/** The table's header. Its lower corners are rounded only if no rows follow. */
function headShapes({ box, x, y }: PlacedBox, tone: ToneNumber): readonly Shape[] {
  const { head, inset, headIcon } = boxSizes;
  const middle = y + head / 2;
  const right = x + box.width;
  const isAlone = box.height <= head;
  const bottom = y + head;
  const foot = isAlone
    ? `L${right} ${bottom - radius}Q${right} ${bottom} ${right - radius} ${bottom}L${x + radius} ${bottom}Q${x} ${bottom} ${x} ${bottom - radius}Z`
    : `L${right} ${bottom}L${x} ${bottom}Z`;
  const top = `M${x} ${y + radius}Q${x} ${y} ${x + radius} ${y}L${right - radius} ${y}Q${right} ${y} ${right} ${y + radius}`;
  return [
    { kind: 'line', path: top + foot, fill: `tint-${tone}` },
    ...(isAlone
      ? []
      : [{ kind: 'line', path: `M${x} ${bottom}H${right}`, stroke: 'border', width: 1 } as const]),
    ...iconShapes(box.table.kind === 'table' ? 'table' : 'view', {
      x: x + inset,
      y: middle - 7,
      ink: `tone-${tone}`,
    }),
    {
      kind: 'label',
      x: x + inset + headIcon,
      y: baseline(middle, boxStyles.name),
      text: box.name,
      ink: 'text',
      ...boxStyles.name,
    },
  ];
}

const icons: Readonly<Record<Marker, Icon>> = { primary: 'key', foreign: 'link', unique: 'unique' };

function drawRow({ box, x: tableX, y }: PlacedBox, row: BoxRow): Group {
  const middle = y + row.y;
  const { inset, marker, row: height, head, pad } = boxSizes;
  const extent = rowExtent(box, row);
  const x = tableX + extent.x;
  const isFirst = row.y < head + pad + height;
  const isKey = row.markers[0] === 'primary';
  const style = isKey ? boxStyles.keyColumn : boxStyles.column;
  const markers = row.markers.flatMap((name, i) =>
    iconShapes(icons[name], {
      x: x + inset + i * marker,
      y: middle - 6.5,
      ink: name === 'primary' ? 'key' : 'faint',
    }),
  );
  const rule = `M${x + inset} ${middle - height / 2}H${x + extent.width - inset}`;
  return {
    kind: 'group',
    title: shortened(columnTitle(box.table, row.column)),
    shapes: [
      ...(isFirst ? [] : [{ kind: 'line', path: rule, stroke: 'rule', width: 1 } as const]),
      ...markers,
      {
        kind: 'label',
        x: x + inset + box.markersWidth,
        y: baseline(middle, style),
        text: row.name,
        ink: 'text',
        ...style,
      },
      {
        kind: 'label',
        x: x + extent.width - inset,
        y: baseline(middle, boxStyles.type),
        text: row.type,
        ink: 'faint',
        anchor: 'end',
        ...boxStyles.type,
      },
    ],
  };
}

function columnTitle(table: Table, column: Column): string {
  const columnTexts = [column.name, column.nativeType, column.nullable ? 'NULL' : 'NOT NULL'];
  const targets = table.foreignKeys
    .filter((key) => key.columns.includes(column.name))
    .map((key) => `→ ${key.table}.${key.referencedColumns[key.columns.indexOf(column.name)]}`);
  const first = [...columnTexts, ...targets].filter((fact) => fact !== '').join(' ');
  return column.comment === undefined || column.comment === ''
    ? first
    : `${first}\n${column.comment}`;
}

function hiddenColumnsShapes({ box, x, y }: PlacedBox): readonly Shape[] {
  if (box.hiddenColumnsNote === undefined) return [];
  const middle = y + box.height - boxSizes.pad - boxSizes.row / 2;
  return [
    {
      kind: 'label',
      x: x + boxSizes.inset + box.markersWidth,
      y: baseline(middle, boxStyles.column),
      text: box.hiddenColumnsNote,
      ink: 'faint',
      ...boxStyles.column,
    },
  ];
}

/** A label in place of lines. The one of a table that others reference has its line here, since it is no relation. */
function drawLabel(
  { box, x, y }: PlacedBox,
  label: LineLabel,
  toneOf: (table: string) => ToneNumber,
): Group {
  const left = x + box.width + label.x;
  const middle = y + label.y;
  const { inset, height } = labelSizes;
  const target =
    label.direction === 'to' && label.tables.length === 1 ? label.tables[0] : undefined;
  const ink = target === undefined ? 'muted' : (`tone-${toneOf(target)}` as const);
  const text = printable(label.text);
  return {
    kind: 'group',
    title: shortened(label.tables.join('\n')),
    shapes: [
      ...(label.direction === 'from'
        ? [{ kind: 'line', path: `M${x + box.width} ${middle}H${left}`, ...stroke } as const]
        : []),
      {
        kind: 'box',
        x: left,
        y: middle - height / 2,
        width: label.width,
        height,
        radius: height / 2,
        fill: 'surface',
        stroke: ink,
      },
      {
        kind: 'label',
        x: left + inset,
        y: baseline(middle, labelStyle),
        text,
        ink,
        ...labelStyle,
      },
    ],
  };
}
